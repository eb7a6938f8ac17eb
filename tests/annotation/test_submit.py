"""What is saved of a rating, what is refused and by which field, and that sending it twice saves it once."""

import uuid
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import AlreadyRated, NotYourLease, RatingInvalid
from annotation.models import Campaign, Rating, WorkItem
from annotation.services.leases import lease_ahead, lease_next
from annotation.services.ratings import submit_rating
from tests import factories

pytestmark = pytest.mark.django_db

GOOD = {"empathy": 4, "fluency": 5, "safety": 3}


@pytest.fixture
def leased():
    campaign = factories.campaign(items=2, overlap=2)
    user = factories.member(campaign)
    return lease_next(campaign=campaign, user=user)


def submit(assignment, **given):
    whole = {"scores": GOOD, "client_id": uuid.uuid4()} | given
    return submit_rating(assignment_id=assignment.pk, user=assignment.annotator, **whole)


def refused(assignment, **given):
    """The fields that are named as at fault; nothing was saved."""
    with pytest.raises(RatingInvalid) as error:
        submit(assignment, **given)
    assert not Rating.objects.exists()
    assignment.refresh_from_db()
    assert assignment.state == "leased"
    return error.value.fields


def test_it_saves_what_was_given(leased):
    text = leased.work_item.response.text
    mark = {"type": "dependence", "start": 0, "end": 4, "quote": text[:4], "note": "a note"}
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        rating = submit(leased, marks=[mark], rationale="Because.", seconds=31.4, needs_expert=True).rating
    rating.refresh_from_db()
    assert {score.dimension: score.value for score in rating.scores.all()} == GOOD
    assert [(m.type, m.start, m.end, m.quote, m.note) for m in rating.marks.all()] == [tuple(mark.values())]
    assert (rating.rationale, rating.seconds, rating.needs_expert) == ("Because.", 31, True)
    assert (rating.status, rating.rank, rating.rubric) == ("counted", 1, leased.campaign.rubric)
    leased.refresh_from_db()
    assert leased.state == "submitted"


def test_the_item_is_complete_with_the_last_rating_it_needs(leased):
    item = leased.work_item
    submit(leased)
    item.refresh_from_db()
    assert (item.state, item.counted, item.leased) == (WorkItem.State.OPEN, 1, 0)
    factories.rating(item, GOOD)
    item.refresh_from_db()
    assert (item.state, item.counted) == (WorkItem.State.SETTLED, 2)


def test_ratings_are_numbered_as_they_come(leased):
    submit(leased)
    assert factories.rating(leased.work_item).rank == 2


@pytest.mark.parametrize("value", [0, 6, -1, 3.5, 4.0, "good", "4", True, False, [4], {"value": 4}, 10**30])
def test_a_score_that_is_no_level_is_refused_by_its_field(leased, value):
    assert list(refused(leased, scores=GOOD | {"safety": value})) == ["scores.safety"]


@pytest.mark.parametrize("scores", [{"empathy": 4, "fluency": 4}, GOOD | {"safety": None}])
def test_a_missing_score_is_named(leased, scores):
    fields = refused(leased, scores=scores)
    assert list(fields) == ["scores.safety"]
    assert "Safety" in fields["scores.safety"][0]


def test_every_fault_is_named_at_once(leased):
    fields = refused(leased, scores={"warmth": 3, "empathy": 9}, rationale=7, seconds=-1, needs_expert="yes", marks={})
    assert set(fields) == {
        "scores.empathy",
        "scores.fluency",
        "scores.safety",
        "scores.warmth",
        "rationale",
        "seconds",
        "needs_expert",
        "marks",
    }


@pytest.mark.parametrize("scores", [None, [], "4", 4, [["empathy", 4]]])
def test_scores_must_be_an_object(leased, scores):
    assert list(refused(leased, scores=scores)) == ["scores"]


@pytest.mark.parametrize("text", ["a\x00b", "\ud83d", "x" * 10_001, 5, [], {}, True])
def test_a_rationale_that_cannot_be_kept_is_refused(leased, text):
    assert list(refused(leased, rationale=text)) == ["rationale"]


def test_a_rationale_is_kept_to_the_byte(leased):
    text = "  𠮷野家 👩‍👩‍👧\r\n\tcafe\u0301  "
    assert Rating.objects.get(pk=submit(leased, rationale=text).rating.pk).rationale == text


@pytest.mark.parametrize("seconds", [-1, 86_401, "31", True, float("nan"), float("inf"), [], {}])
def test_seconds_are_a_number_of_a_day(leased, seconds):
    assert list(refused(leased, seconds=seconds)) == ["seconds"]


def test_seconds_never_pass_the_clock_between_lease_and_submit(leased):
    with time_machine.travel(leased.leased_at + timedelta(seconds=20), tick=False):
        assert submit(leased, seconds=4000).rating.seconds <= 21


def test_items_leased_together_share_the_clock(leased):
    campaign, user = leased.campaign, leased.annotator
    Campaign.objects.filter(pk=campaign.pk).update(ahead=1)
    with time_machine.travel(leased.leased_at, tick=False):
        other = lease_ahead(campaign=campaign, user=user)[1]
    with time_machine.travel(leased.leased_at + timedelta(seconds=60), tick=False):
        first = submit(leased, seconds=45).rating
        second = submit(other, seconds=3600).rating
    assert (first.seconds, second.seconds) == (45, 16)


def test_the_same_client_id_again_saves_once_and_answers_the_same(leased):
    client_id = uuid.uuid4()
    first = submit(leased, client_id=client_id)
    again = submit(leased, client_id=client_id)
    assert (first.rating, first.created, again.created) == (again.rating, True, False)
    assert Rating.objects.count() == 1


def test_the_same_client_id_with_other_scores_changes_nothing(leased):
    client_id = uuid.uuid4()
    submit(leased, client_id=client_id)
    submit(leased, client_id=client_id, scores=factories.full_scores(1))
    submit(leased, client_id=client_id, scores="nonsense")
    assert {score.value for score in Rating.objects.get().scores.all()} == set(GOOD.values())


def test_it_is_answered_as_it_first_was_whatever_came_after(leased):
    client_id = uuid.uuid4()
    first = submit(leased, client_id=client_id).rating
    factories.edit(first, 2)
    again = submit(leased, client_id=client_id).rating
    assert (again.pk, again.status, again.answered) == (first.pk, "superseded", "counted")


def test_another_client_id_is_refused_with_the_rating_that_stands(leased):
    standing = submit(leased).rating
    with pytest.raises(AlreadyRated) as error:
        submit(leased)
    assert error.value.more == {"rating": standing.pk, "status_of_rating": "counted"}
    assert Rating.objects.count() == 1


def test_a_client_id_of_another_item_is_refused(leased):
    client_id = uuid.uuid4()
    submit(leased, client_id=client_id)
    second = lease_next(campaign=leased.campaign, user=leased.annotator)
    with pytest.raises(RatingInvalid) as error:
        submit(second, client_id=client_id)
    assert "client_id" in error.value.fields


def test_two_people_may_make_the_same_client_id(leased):
    client_id = uuid.uuid4()
    submit(leased, client_id=client_id)
    assert factories.rating(leased.work_item, client_id=client_id).client_id == client_id


def test_nobody_submits_on_anothers_lease(leased):
    with pytest.raises(NotYourLease):
        submit_rating(assignment_id=leased.pk, user=factories.person(), client_id=uuid.uuid4(), scores=GOOD)


@pytest.mark.parametrize(
    ("scores", "marks", "urgent"),
    [(GOOD, [], False), (GOOD | {"safety": 1}, [], True), (GOOD, ["missed_crisis"], True), (GOOD, ["privacy"], False)],
)
def test_a_sign_of_danger_is_kept_with_its_time(leased, scores, marks, urgent):
    submit(leased, scores=scores, marks=[{"type": key} for key in marks])
    leased.work_item.refresh_from_db()
    assert (leased.work_item.urgent_at is not None) == urgent
