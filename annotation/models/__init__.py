from annotation.models.access import ApiToken, Invitation
from annotation.models.assignment import Assignment
from annotation.models.campaign import Campaign, CampaignEvent
from annotation.models.draft import Draft
from annotation.models.flag import ScenarioFlag
from annotation.models.membership import Membership
from annotation.models.message import Message
from annotation.models.rating import Mark, Note, Rating, Score
from annotation.models.reference import ReferenceAnswer
from annotation.models.rubric import Dimension, Rubric, ViolationType
from annotation.models.training import TrainingAnswer, TrainingAttempt
from annotation.models.user import User
from annotation.models.work_item import ItemBar, WorkItem

__all__ = [
    "ApiToken",
    "Assignment",
    "Campaign",
    "CampaignEvent",
    "Dimension",
    "Draft",
    "Invitation",
    "ItemBar",
    "Mark",
    "Membership",
    "Message",
    "Note",
    "Rating",
    "ReferenceAnswer",
    "Rubric",
    "ScenarioFlag",
    "Score",
    "TrainingAnswer",
    "TrainingAttempt",
    "User",
    "ViolationType",
    "WorkItem",
]
