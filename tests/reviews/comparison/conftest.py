from datetime import timedelta

import pytest

from annotation.models import Membership, Rating
from reviews.services.compare_agreement import compare_agreement
from tests import factories
from tests.reviews.comparison.comparing import DAY, client_of

Role = Membership.Role
NAMES = ("ann", "bea", "cyd")


@pytest.fixture
def campaign():
    """Forty scenarios. Of the first half the raters are far apart, before DAY; of the second they agree, from then on.

    Ann and Bea rate all; Cyd all too, always a level lower in empathy.
    """
    made = factories.campaign(slug="study", items=40, overlap=3, title="Study")
    raters = [factories.member(made, Role.ANNOTATOR, user=factories.person(name)) for name in NAMES]
    for at, item in enumerate(factories.items_of(made)):
        level = 2 + at % 4
        late = at >= 20
        for place, user in enumerate(raters):
            apart = 0 if late else (at + place) % 3 - 1
            scores = {"empathy": max(1, min(5, level + apart) - (place == 2))}
            factories.rating(item, {**scores, "fluency": level, "safety": 5}, user=user)
        moment = DAY + timedelta(hours=at - 20)
        Rating.objects.filter(work_item=item).update(submitted_at=moment)
    return made


@pytest.fixture
def boss(campaign):
    return factories.member(campaign, Role.MANAGER)


@pytest.fixture
def manager(boss):
    return client_of(boss)


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch):
    monkeypatch.setitem(compare_agreement.__kwdefaults__, "bootstrap", 200)
