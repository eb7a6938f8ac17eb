"""Who has read the reference response of a scenario decides no case of it: it would bend what they say."""

import uuid

import pytest

from annotation.models import CampaignEvent
from reviews.asked import Asked
from reviews.errors import ReferenceHidden, ReferenceKnown
from reviews.models import Case
from reviews.panel import others_able
from reviews.queue import listed_cases
from reviews.scope import scope_of
from reviews.services.cases import reopen_case, take_case, take_next
from reviews.services.decisions import decide_case
from reviews.services.refinement import read_reference
from reviews.showing import shown_case
from tests import factories
from tests.annotation.pages import signed_in
from tests.reviews.judging import judge
from tests.reviews.refining import items

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(campaign, scenario, expert):
    """Decided by the expert, opened again after they read the reference."""
    first, *rest = items(campaign, scenario)
    for item in rest:
        factories.rated_item([5, 5], item=item)
    case = Case.objects.get(work_item=factories.rated_item([{"empathy": 1}, 5], item=first))
    judge(case, expert)
    read_reference(campaign=campaign, scenario=scenario, expert=expert)
    return case


def reopened(case):
    reopen_case(case_id=case.pk, by=factories.member(case.campaign, "manager"), reason="Once more.")
    return case


def test_the_reader_decides_no_case_of_it_by_any_way(case, expert):
    case = reopened(case)
    assert take_next(expert=expert, campaign=case.campaign) is None
    with pytest.raises(ReferenceKnown):
        take_case(case_id=case.pk, expert=expert)
    with pytest.raises(ReferenceKnown):
        judge(case, expert)
    [row] = listed_cases(scope_of(expert), Asked()).rows
    assert (row.may_take, row.knows_reference) == (False, True)
    assert not shown_case(Case.objects.with_item().get(pk=case.pk), expert).may_take
    assert "another expert decides the case" in signed_in(expert).get(f"/cases/{case.pk}/").content.decode()


def test_the_reader_changes_no_decision_of_theirs_but_still_reads_it(case, expert):
    with pytest.raises(ReferenceKnown):
        decide_case(
            case_id=case.pk,
            expert=expert,
            client_id=uuid.uuid4(),
            values={"empathy": 5},
            rationale="Now I know.",
            supersedes=case.decisions.get().pk,
        )
    page = signed_in(expert).get(f"/cases/{case.pk}/").content.decode()
    assert "Revise my decision" not in page
    assert "So." in page


def test_the_reader_is_nobody_whose_opinion_could_be_asked_for(case, expert):
    other = factories.member(case.campaign, "expert")
    take_case(case_id=reopened(case).pk, expert=other)
    case.refresh_from_db()
    assert others_able(case, other) == 0


def test_another_expert_does(case):
    other = factories.member(case.campaign, "expert")
    assert take_next(expert=other, campaign=reopened(case).campaign) == case


def test_on_another_scenario_nothing_is_lost(case, campaign, scenario, expert):
    elsewhere = campaign.items.exclude(scenario=scenario).first()
    factories.rated_item([{"empathy": 1}, 5], item=elsewhere)
    assert take_next(expert=expert, campaign=campaign).work_item == elsewhere


def test_who_wants_to_read_it_says_so_on_the_page(campaign, scenario, case):
    other = factories.member(campaign, "expert")
    page, client = f"/campaigns/{campaign.slug}/refinement/{scenario.pk}/", signed_in(other)
    assert scenario.reference not in client.get(page).content.decode()
    assert client.post(f"{page}reference/").status_code == 302
    assert scenario.reference in client.get(page).content.decode()
    assert CampaignEvent.objects.filter(kind="reference read", by=other).count() == 1


def test_nobody_reads_it_while_a_response_is_still_to_be_judged(campaign, scenario, expert):
    with pytest.raises(ReferenceHidden):
        read_reference(campaign=campaign, scenario=scenario, expert=expert)
