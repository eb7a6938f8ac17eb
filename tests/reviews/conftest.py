import uuid

import pytest

from reviews.models import Case
from reviews.services.cases import take_case
from reviews.services.decisions import decide_case
from tests import factories


@pytest.fixture
def disputed():
    """An item whose raters gave 1, 5 and 5 for empathy; its case waits."""
    return factories.rated_item([{"empathy": 1}, 5, 5])


@pytest.fixture
def case(disputed):
    return Case.objects.get(work_item=disputed)


@pytest.fixture
def expert(case):
    return factories.member(case.campaign, "expert")


@pytest.fixture
def decide():
    """Takes the case and decides it; 4 for empathy unless told otherwise."""

    def decide(case, expert, values=None, **given):
        take_case(case_id=case.pk, expert=expert)
        given.setdefault("client_id", uuid.uuid4())
        decided = decide_case(
            case_id=case.pk, expert=expert, values={"empathy": 4} if values is None else values, **given
        )
        case.refresh_from_db()
        return decided.decision

    return decide
