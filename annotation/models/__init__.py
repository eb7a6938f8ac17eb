from annotation.models.access import ApiToken, Invitation
from annotation.models.assignment import Assignment
from annotation.models.campaign import Campaign, CampaignEvent
from annotation.models.membership import Membership
from annotation.models.rating import Mark, Rating, Score
from annotation.models.rubric import Dimension, Rubric, ViolationType
from annotation.models.user import User
from annotation.models.work_item import ItemBar, WorkItem

__all__ = [
    "ApiToken",
    "Assignment",
    "Campaign",
    "CampaignEvent",
    "Dimension",
    "Invitation",
    "ItemBar",
    "Mark",
    "Membership",
    "Rating",
    "Rubric",
    "Score",
    "User",
    "ViolationType",
    "WorkItem",
]
