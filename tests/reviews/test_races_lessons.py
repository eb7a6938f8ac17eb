"""Two at once teach from decided cases: every example is kept, every letter is one."""

import uuid

import pytest

from annotation.models import CampaignEvent, ItemBar, Message, Rubric, WorkItem
from annotation.services.references import add_reference
from reviews.models import Case
from reviews.services.cases import take_case
from reviews.services.decisions import decide_case
from reviews.services.lessons import make_example, make_training_item
from reviews.services.letters import write_to_raters
from tests import factories
from tests.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cases(transactional_db):
    """Four decided cases of one campaign."""
    factories.default_rubric()
    campaign = factories.campaign(items=4, overlap=2)
    people = [factories.member(campaign) for _ in range(2)]
    expert = factories.member(campaign, "expert")
    for item in factories.items_of(campaign):
        factories.rated_item([{"empathy": 1}, 5], item=item, raters=people)
        case = Case.objects.get(work_item=item)
        take_case(case_id=case.pk, expert=expert)
        given = {"values": {"empathy": 4}, "rationale": "It stays with her."}
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), **given)
    return list(Case.objects.order_by("pk"))


def experts(cases):
    return [factories.member(case.campaign, "expert") for case in cases]


def test_examples_of_several_cases_all_land_each_in_a_version_of_its_own(cases):
    people = experts(cases)
    calls = [lambda c=c, e=e: make_example(case_id=c.pk, by=e) for c, e in zip(cases, people, strict=True)]
    outcomes = at_once(*calls)
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    campaign = cases[0].campaign
    campaign.refresh_from_db()
    own = Rubric.objects.filter(key=campaign.rubric.key)
    assert sorted(own.values_list("version", flat=True)) == [2, 3, 4, 5]
    assert campaign.rubric.version == 5
    texts = {case.work_item.response.text for case in cases}
    assert {one.text for one in campaign.rubric.examples} == texts
    assert len(campaign.rubric.examples) == 4
    assert CampaignEvent.objects.filter(kind="rubric").count() == 4
    assert WorkItem.objects.filter(in_guideline=True).count() == 4


def test_one_example_that_races_its_own_copy_is_one_version(cases):
    [expert] = experts(cases[:1])
    outcomes = at_once(*[lambda: make_example(case_id=cases[0].pk, by=expert)] * 4)
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    assert sum(one.created for one in outcomes) == 1
    assert Rubric.objects.exclude(key="default").count() == 1


def test_a_known_answer_that_comes_in_meanwhile_is_kept_too(cases):
    """Both take the campaign's row, and neither loses it because the other moved it to another rubric."""
    first, second = experts(cases[:2])
    free = cases[2].work_item.response
    outcomes = at_once(
        lambda: make_example(case_id=cases[0].pk, by=first),
        lambda: make_training_item(case_id=cases[1].pk, by=second),
        lambda: make_example(case_id=cases[3].pk, by=second),
        lambda: add_reference(
            campaign=cases[0].campaign, response=free, purpose="check", scores=factories.full_scores(4)
        ),
    )
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    assert WorkItem.everything.exclude(purpose="rating").count() == 2
    assert Rubric.objects.exclude(key="default").count() == 2


def test_of_an_example_and_a_training_item_of_one_case_one_is_made(cases):
    first, second = experts(cases[:2])
    outcomes = at_once(
        lambda: make_example(case_id=cases[0].pk, by=first), lambda: make_training_item(case_id=cases[0].pk, by=second)
    )
    assert sum(isinstance(one, Exception) for one in outcomes) == 1
    made = WorkItem.everything.exclude(purpose="rating").count() + Rubric.objects.exclude(key="default").count()
    assert made == 1


def test_a_letter_that_is_sent_twice_at_once_is_one(cases):
    [expert] = experts(cases[:1])
    outcomes = at_once(*[lambda: write_to_raters(case_id=cases[0].pk, by=expert, text="Look again.")] * 4)
    assert outcomes == [2, 2, 2, 2]
    assert Message.objects.count() == 2
    assert ItemBar.objects.filter(work_item=cases[0].work_item, user__memberships__role="annotator").count() == 2


def test_letters_of_two_experts_to_the_same_raters_hold_each_other_up_for_no_longer_than_it_takes(cases):
    people = experts(cases)
    calls = [
        lambda c=c, e=e: write_to_raters(case_id=c.pk, by=e, text="Look again.")
        for c, e in zip(cases, people, strict=True)
    ]
    assert at_once(*calls) == [2, 2, 2, 2]
    assert Message.objects.count() == 8
