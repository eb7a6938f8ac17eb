"""What no text can hold, and what no reader follows, is refused by its place in the body; nothing is a server error."""

import uuid

import pytest

from annotation.models import Rating
from tests import factories
from tests.annotation.api import assert_problem, client_of

pytestmark = pytest.mark.django_db
HALF = '"\\ud83d"'
GOOD = '"scores": {"empathy": 4, "fluency": 5, "safety": 3}'


@pytest.fixture
def api():
    return client_of(factories.member(factories.campaign(slug="c")))


@pytest.fixture
def send(api):
    """Sends the body of a rating as it is written, none of it made by a JSON library."""
    assignment = api.post("/api/v1/campaigns/c/next/").json()["assignment"]

    def sent(*parts):
        body = "{" + ", ".join([f'"client_id": "{uuid.uuid4()}"', *parts]) + "}"
        return api.post(f"/api/v1/assignments/{assignment}/rating/", body, content_type="application/json")

    return sent


@pytest.mark.parametrize(
    ("part", "field"),
    [
        (f'"rationale": {HALF}', "rationale"),
        (f'"marks": [{{"type": "dependence", "quote": {HALF}}}]', "marks.0.quote"),
        (f'"marks": [{{"type": {HALF}}}]', "marks.0.type"),
        (f'"supersedes": {HALF}', "supersedes"),
        (f"{HALF}: 4", ""),
        (f'"scores": {{{HALF}: 4}}', "scores"),
    ],
)
def test_half_of_a_surrogate_pair_is_refused_by_its_place(send, part, field):
    assert_problem(send(GOOD, part), 400, field)
    assert not Rating.objects.exists()


def test_a_whole_surrogate_pair_is_the_character_it_spells(send):
    assert send(GOOD, '"rationale": "\\ud83d\\ude00"').status_code == 201
    assert Rating.objects.get().rationale == "😀"


@pytest.mark.parametrize("body", ["[" * 200_000, '{"a":' * 200_000])
def test_json_nested_without_end_is_refused(api, body):
    assert_problem(api.post("/api/v1/tokens/", body, content_type="application/json"), 400)
