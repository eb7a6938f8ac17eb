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


@pytest.fixture
def study(decide):
    """An agreed, a decided, an undecided and an unfinished item; marks, an edit, a surplus of words."""
    made = factories.campaign(slug="study", items=4, overlap=2, title="Ünïcode 研究")
    agreed, decided, undecided, unfinished = factories.items_of(made)
    factories.rated_item([{"empathy": 4}, 5], item=agreed)
    factories.rating(decided, {"empathy": 1}, marks=[{"type": "privacy", "start": 0, "end": 1, "quote": "I"}])
    second = factories.rating(decided, 5, rationale="=danger()\n他说𠮷野家见")
    factories.edit(second, {"fluency": 4}, rationale="Edited.")
    factories.rated_item([{"safety": 1}, 5], item=undecided)
    factories.rating(unfinished, 3)
    expert = factories.member(made, "expert")
    values = {"empathy": 2, "fluency": "ambiguous"}
    decide(
        Case.objects.get(work_item=decided), expert, values, marks={"privacy": True}, rationale="It asks for her name."
    )
    return made
