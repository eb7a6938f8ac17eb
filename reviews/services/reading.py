"""Reading a case, and what follows from it: who has seen what others rated can never rate the item."""

from annotation.models import User
from annotation.services.items import bar_from_item
from reviews import policy
from reviews.models import Case
from reviews.showing import shown_case
from reviews.shown import ShownCase


def read_case(case: Case, viewer: User) -> ShownCase:
    """The case as the viewer may see it; where that shows ratings, they are barred from the item from now on.

    Also where they do not rate in the campaign today: a role may be given later. Ask `policy.may_see_case` first.
    """
    if policy.may_see_ratings_of(viewer, case):
        bar_from_item(case.work_item, viewer)
    return shown_case(case, viewer)
