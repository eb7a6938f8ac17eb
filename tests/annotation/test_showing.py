"""A person who judges has all the context that came with the scenario: what its task needs is open, the rest folded."""

import pytest

from annotation.models import Assignment
from annotation.services.leases import lease_next
from tests import factories as f
from tests.annotation.api import client_of, post
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db
CONTEXT = {
    "persona": "Bea runs the kitchen.",
    "memories": [{"text": "Allergic to walnuts."}],
    "schedule": [{"time": "09:00", "activity": "bakes"}],
    "turns": [{"role": "user", "text": "What shall I bake?"}],
}


@pytest.fixture
def leased() -> Assignment:
    data = f.dataset(scenarios=1, tasks=("dialogue_base",))
    data.scenarios.update(**CONTEXT)
    campaign = f.campaign(data=data)
    assignment = lease_next(campaign=campaign, user=f.member(campaign))
    assert assignment is not None
    return assignment


def test_the_api_sends_it_whole(leased: Assignment) -> None:
    item = post(client_of(leased.annotator), f"campaigns/{leased.campaign.slug}/next/").json()["item"]
    assert {name: item[name] for name in CONTEXT} == CONTEXT


def test_the_desk_opens_what_the_task_needs_and_folds_the_rest(leased: Assignment) -> None:
    html = signed_in(leased.annotator).get(page("rate", leased.campaign.slug)).content.decode()
    folds = {name: html.split(f"<summary>{name}")[0].rsplit("<details", 1)[1] for name in ("Persona", "Memories")}
    assert "open" in folds["Persona"]
    assert "open" not in folds["Memories"]
    assert all(text in html for text in ("Allergic to walnuts.", "bakes", "What shall I bake?"))
