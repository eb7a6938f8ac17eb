"""What is typed and not submitted is kept on the server too, with its item; the newer one stands and none vanishes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, Draft
from annotation.services.leases import expire_overdue
from tests import factories as f
from tests.annotation.api import GOOD, assert_problem, client_of, post, rate

pytestmark = pytest.mark.django_db
MARK = {"type": "dependence", "start": 0, "end": 4, "quote": "I am", "note": "两行\nnote"}


def keep(api, leased, *, ago=0.0, **typed):
    saved_at = (timezone.now() - timedelta(seconds=ago)).isoformat()
    path = f"/api/v1/assignments/{leased['assignment']}/draft/"
    return api.put(path, {"scores": {"empathy": 2}, "saved_at": saved_at} | typed, format="json")


def asked_again(api):
    return post(api, "campaigns/c/next/").json()["draft"]


def test_a_draft_comes_back_with_the_item(api, leased):
    assert leased["draft"] is None
    answer = keep(api, leased, marks=[MARK], rationale="太急", seconds=12.4, needs_expert=True)
    assert answer.status_code == 200
    assert answer.json()["replaced"] is None
    draft = asked_again(api)
    kept = {"scores": {"empathy": 2}, "marks": [MARK], "rationale": "太急", "needs_expert": True, "seconds": 12}
    assert draft == kept | {"saved_at": draft["saved_at"]}
    held = post(api, "campaigns/c/ahead/").json()["assignments"]
    assert [each["draft"] is not None for each in held] == [True, False]


def test_a_newer_draft_of_another_machine_is_not_overwritten(api, leased):
    keep(api, leased, ago=10, rationale="of the desk", seconds=50)
    answer = keep(api, leased, ago=60, rationale="of the train")
    assert assert_problem(answer, 409)["draft"]["rationale"] == "of the desk"
    assert asked_again(api)["rationale"] == "of the desk"
    # Saying the same is no quarrel; who writes later is told what stood there. Time is the larger, never the sum.
    assert keep(api, leased, ago=60, rationale="of the desk").status_code == 200
    answer = keep(api, leased, rationale="of the train", seconds=30)
    assert answer.json()["replaced"]["rationale"] == "of the desk"
    assert (asked_again(api)["rationale"], asked_again(api)["seconds"]) == ("of the train", 50)


def test_a_clock_that_is_ahead_shuts_no_other_machine_out(api, leased):
    keep(api, leased, ago=-86_400, rationale="from tomorrow")
    assert keep(api, leased, rationale="now").status_code == 200


def test_a_draft_is_gone_once_the_item_is_submitted_or_skipped(api, leased):
    keep(api, leased)
    rate(api, leased)
    assert not Draft.objects.exists()
    assert_problem(keep(api, leased), 409)
    following = post(api, "campaigns/c/next/").json()
    keep(api, following)
    post(api, f"assignments/{following['assignment']}/skip/", {"reason": "unsure"})
    assert not Draft.objects.exists()
    assert_problem(keep(api, following), 409)


def test_a_draft_outlives_its_lease(api, leased, annotator):
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    expire_overdue()
    assert keep(api, leased, rationale="late").status_code == 200
    item = Assignment.objects.get(pk=leased["assignment"]).work_item
    f.rating(item, user=annotator)
    assert_problem(keep(api, leased, rationale="later still"), 409)
    assert not Draft.objects.exists()


def test_nobody_keeps_a_draft_of_anothers_item(campaign, leased):
    assert_problem(keep(client_of(f.member(campaign)), leased), 404)
    assert_problem(keep(client_of(f.member(campaign, "manager")), leased), 404)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scores", {"empathy": 9}),
        ("scores", {"charm": 3}),
        ("scores", [4]),
        ("marks", {}),
        ("marks", [3]),
        ("marks", [MARK] * 51),
        ("marks", [MARK | {"start": -1}]),
        ("marks", [MARK | {"note": "n" * 200_000}]),
        ("marks", [MARK | {"extra": "n"}]),
        ("rationale", "a\x00b"),
        ("rationale", "x" * 10_001),
        ("seconds", -1),
        ("seconds", "soon"),
        ("needs_expert", "yes"),
        ("saved_at", "yesterday"),
        ("saved_at", "2026-01-01T00:00:00"),
        ("saved_at", "0001-01-01T00:00:00+14:00"),
        ("saved_at", "2026-13-01T00:00:00Z"),
    ],
)
def test_what_no_draft_can_be_is_refused_by_field(api, leased, field, value):
    assert_problem(keep(api, leased, **{field: value}), 400, field)
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    "typed", [{"scores": {}}, {"scores": {"empathy": None}}, {"scores": GOOD}, {"marks": [{"type": ""}]}]
)
def test_an_unfinished_draft_is_kept(api, leased, typed):
    assert keep(api, leased, **typed).status_code == 200
