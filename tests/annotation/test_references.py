"""Known answers: what may be one, what replaces one, what takes one away."""

import uuid

import pytest

from annotation.errors import CampaignNotOpen, RatingInvalid, ReferenceRefused
from annotation.models import CampaignEvent, ReferenceAnswer, TrainingAnswer, TrainingAttempt, WorkItem
from annotation.services.campaigns import Selection, close_campaign
from annotation.services.references import add_reference, remove_reference
from scenarios.models import Response
from tests import factories as f

pytestmark = pytest.mark.django_db
SCORES = {"empathy": 4, "fluency": 5, "safety": 4}


@pytest.fixture
def campaign():
    """Its real items take `model-a`'s responses; those of `model-b` are free to be known answers."""
    data = f.dataset(scenarios=3, companions=["model-a", "model-b"], texts=["I hear you. I hear you. 👋 Call me."])
    return f.campaign(data=data, slug="c", overlap=2, selection=Selection(companions=["model-a"]))


def free_response(place: int = 0) -> Response:
    return list(Response.objects.filter(companion__name="model-b").order_by("pk"))[place]


def add(campaign, response=None, *, purpose="training", scores=SCORES, **more):
    response = response or free_response()
    return add_reference(campaign=campaign, response=response, purpose=purpose, scores=scores, **more)


def test_makes_an_item_that_nobody_is_given_and_no_count_meets(campaign):
    before = WorkItem.objects.count()
    answer = add(campaign, reasons={"empathy": "Names it.", "": "Good.", "fluency": "  "}, source="answers.jsonl")
    item = WorkItem.everything.get(reference=answer)
    assert (item.purpose, item.needed, item.language, item.heavy) == ("training", 0, "en", False)
    assert item.priority == before  # after all others
    assert answer.reasons == {"empathy": "Names it.", "": "Good."}
    assert WorkItem.objects.count() == before


def test_an_item_of_a_scenario_tagged_heavy_is_heavy(campaign):
    response = free_response()
    response.scenario.tags = {"heavy": True}
    response.scenario.save()
    assert WorkItem.everything.get(reference=add(campaign, response)).heavy


def test_the_same_answer_again_changes_nothing(campaign):
    first = add(campaign)
    assert add(campaign) == first
    assert ReferenceAnswer.objects.count() == 1
    assert CampaignEvent.objects.filter(kind__startswith="known answer").count() == 1


def test_another_answer_replaces_it_until_somebody_has_answered(campaign):
    answer = add(campaign)
    assert add(campaign, scores=SCORES | {"empathy": 2}).pk == answer.pk
    answer.refresh_from_db()
    assert answer.scores["empathy"] == 2
    attempt = attempt_with(campaign, answer.work_item)
    TrainingAnswer.objects.create(attempt=attempt, work_item=answer.work_item, client_id=uuid.uuid4(), scores=SCORES)
    with pytest.raises(ReferenceRefused, match="answered"):
        add(campaign)


def attempt_with(campaign, item):
    membership = campaign.memberships.get(user=f.member(campaign))
    return TrainingAttempt.objects.create(membership=membership, number=1, items=[item.pk], rule={})


def test_an_answer_is_removed_only_while_nobody_has_met_it(campaign):
    kept, gone = add(campaign), add(campaign, free_response(1))
    attempt_with(campaign, kept.work_item)
    remove_reference(answer=gone)
    assert not WorkItem.everything.filter(pk=gone.work_item_id).exists()
    with pytest.raises(ReferenceRefused, match="met"):
        remove_reference(answer=kept)


def test_a_check_that_was_given_out_is_not_removed(campaign):
    answer = add(campaign, purpose="check")
    f.lease(answer.work_item, f.member(campaign))
    with pytest.raises(ReferenceRefused, match="met"):
        remove_reference(answer=answer)


def test_a_response_still_rated_for_real_cannot_have_a_known_answer(campaign):
    item = f.items_of(campaign)[0]
    for purpose in ("training", "check"):
        with pytest.raises(ReferenceRefused, match="rated for real"):
            add(campaign, item.response, purpose=purpose)
    f.rated_item([5, 5], item=item)
    assert item.state == "settled"
    assert add(campaign, item.response).work_item.purpose == "training"


def test_a_response_is_used_one_way_only(campaign):
    add(campaign)
    with pytest.raises(ReferenceRefused, match="one use"):
        add(campaign, purpose="check")


def test_refuses_what_is_no_full_answer_by_field(campaign):
    with pytest.raises(RatingInvalid) as error:
        add(
            campaign, scores={"empathy": 9, "fluency": 3}, marks=[{"type": "gossip"}], reasons={"wit": "x", "safety": 3}
        )
    assert sorted(error.value.fields) == ["marks.0", "reasons.safety", "reasons.wit", "scores.empathy", "scores.safety"]
    assert not WorkItem.everything.exclude(purpose="rating").exists()


def test_refuses_another_purpose_another_dataset_and_a_closed_campaign(campaign):
    with pytest.raises(ReferenceRefused):
        add(campaign, purpose="rating")
    elsewhere = f.dataset(companions=["model-c"])
    with pytest.raises(ReferenceRefused, match="another dataset"):
        add(campaign, Response.objects.filter(scenario__dataset=elsewhere).first())
    close_campaign(campaign=campaign)
    with pytest.raises(CampaignNotOpen):
        add(campaign)
