"""The page of a campaign's experts: a manager deals and sees how all get on, an expert sees their own line."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.services.people import change_membership
from reviews.models import Case, CaseEvent, Decision
from reviews.services.cases import reopen_case, take_case
from reviews.services.decisions import decide_case
from reviews.workload import DAYS, quick_reasons_of, workload_of
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Four cases, two tasks of two components; the raters disagree about empathy, on one about fluency too."""
    data = factories.dataset(scenarios=4, tasks=("dialogue_base", "itinerary_basic"))
    made = factories.campaign(data=data, overlap=2)
    for place, item in enumerate(made.items.order_by("response")):
        factories.rated_item([{"empathy": 1} | ({"fluency": 1} if place == 0 else {}), 5], item=item)
    return made


@pytest.fixture
def manager(campaign):
    return factories.member(campaign, "manager")


@pytest.fixture
def expert(campaign):
    return factories.member(campaign, "expert", user=factories.person("worker-one"))


@pytest.fixture
def other(campaign):
    return factories.member(campaign, "expert", user=factories.person("worker-two"))


def cases(campaign):
    return list(Case.objects.filter(campaign=campaign).order_by("work_item__response"))


def decided(case, expert, quick_reason="", *, took=0, ago=timedelta(), supersedes=None):
    """A decision that took so many minutes, so long ago."""
    if supersedes is None:
        take_case(case_id=case.pk, expert=expert)
    values = dict.fromkeys(case.disputed, 4)
    words = {"rationale": "On second thoughts.", "supersedes": supersedes} if supersedes else {}
    decision = decide_case(
        case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values=values, quick_reason=quick_reason, **words
    ).decision
    at = timezone.now() - ago
    Decision.objects.filter(pk=decision.pk).update(decided_at=at)
    CaseEvent.objects.filter(case=case, kind="taken", by=expert).update(at=at - timedelta(minutes=took))
    return decision


def lines(campaign, user=None):
    return {line.member.user: line for line in workload_of(campaign, user).lines}


def test_each_expert_has_a_line(campaign, expert, other):
    first, second, third, _fourth = cases(campaign)
    decided(first, expert, took=4)
    decided(second, expert, took=10, ago=timedelta(days=8))
    take_case(case_id=third.pk, expert=expert)
    line = lines(campaign)[expert]
    assert (line.waiting, line.held, line.decided, line.lately) == (1, 1, 2, 1)
    assert line.minutes == pytest.approx(7)
    assert (lines(campaign)[other].decided, lines(campaign)[other].minutes) == (0, None)


def test_waiting_in_a_share_is_what_it_holds(campaign, expert):
    campaign.memberships.filter(user=expert).update(components=["itinerary"])
    assert lines(campaign)[expert].waiting == 2
    campaign.memberships.filter(user=expert).update(languages=["zh-Hans"])
    assert lines(campaign)[expert].waiting == 0


def test_a_revision_is_no_second_decision(campaign, expert):
    case = cases(campaign)[0]
    decided(case, expert, supersedes=decided(case, expert, ago=timedelta(days=1)).pk)
    work = workload_of(campaign)
    assert (work.decided, work.days[-2].decided, work.lines[0].decided) == (1, 1, 1)


def test_a_case_opened_again_counts_for_who_decides_it_anew(campaign, expert, other):
    case = cases(campaign)[0]
    decided(case, expert)
    reopen_case(case_id=case.pk, by=expert, reason="New guideline.")
    decided(case, other)
    assert (workload_of(campaign).decided, lines(campaign)[other].decided) == (2, 1)


def test_cases_that_several_decide_are_counted_apart(campaign, expert):
    first, second, *_others = cases(campaign)
    for case in (first, second):
        decided(case, expert)
    Case.objects.filter(pk=first.pk).update(opinions_needed=2)
    assert lines(campaign)[expert].twice == 1


def test_the_pace_is_over_the_days_since_the_first_decision_and_the_forecast_follows(campaign, expert):
    first, second, *_others = cases(campaign)
    decided(first, expert, ago=timedelta(days=3))
    decided(second, expert)
    work = workload_of(campaign)
    assert (work.waiting, work.span, work.a_day, work.whole_days) == (2, 4, 0.5, 4)
    Decision.objects.filter(case=first).update(decided_at=timezone.now() - timedelta(days=40))
    work = workload_of(campaign)
    assert (work.decided, work.span) == (1, DAYS)
    assert work.forecast == pytest.approx(2 * DAYS)


def test_without_a_decision_there_is_no_forecast(campaign, expert):
    work = workload_of(campaign)
    assert (work.a_day, work.forecast, [bar.height for bar in work.bars]) == (0, None, [0.0] * DAYS)
    assert work.oldest == min(case.opened_at for case in cases(campaign))


def test_who_was_removed_is_there_for_what_they_decided(campaign, expert, other):
    decided(cases(campaign)[0], expert)
    for user in (expert, other):
        change_membership(membership=campaign.memberships.get(user=user), state="removed")
    line = lines(campaign).get(expert)
    assert (line.decided, line.waiting) == (1, 0)
    assert other not in lines(campaign)


def test_quick_reasons_are_counted_by_the_dimension_disputed(campaign, expert):
    both, one, again, _fourth = cases(campaign)
    decided(both, expert, "misread")
    decided(one, expert, "misread")
    decided(again, expert, "ambiguity", supersedes=decided(again, expert, "slip").pk)
    told = {row.dimension: row.counts for row in quick_reasons_of(campaign)}
    assert told == {"empathy": {"misread": 2, "ambiguity": 1}, "fluency": {"misread": 1}}


def test_a_manager_sees_all_by_name(client, campaign, manager, expert, other):
    decided(cases(campaign)[0], expert, "guideline")
    client.force_login(manager)
    body = page(client, "experts", campaign.slug).content.decode()
    for words in (expert.username, other.username, "An estimate", "the guideline is unclear"):
        assert words in body


def test_an_expert_sees_their_own_line_and_nobody_elses(client, campaign, expert, other):
    first, second, *_others = cases(campaign)
    decided(first, expert, "guideline")
    decided(second, other)
    client.force_login(expert)
    answer = page(client, "experts", campaign.slug)
    body = answer.content.decode()
    assert other.username not in body
    for words in ("the guideline is unclear", "An estimate", "Deal", "Twice"):
        assert words not in body
    work = answer.context["work"]
    assert ([line.member.user for line in work.lines], work.decided) == ([expert], 1)


def test_a_manager_deals_a_share(client, campaign, manager, expert):
    client.force_login(manager)
    membership = campaign.memberships.get(user=expert)
    chosen = {"components": ["dialogue", "itinerary"], "languages": ["en"]}
    assert post(client, "deal_share", campaign.slug, membership.pk, **chosen).status_code == 302
    membership.refresh_from_db()
    assert (membership.components, membership.languages) == (["dialogue", "itinerary"], ["en"])
    assert post(client, "deal_share", campaign.slug, membership.pk, components="weather").status_code == 400
    post(client, "deal_share", campaign.slug, membership.pk)
    membership.refresh_from_db()
    assert (membership.components, membership.languages) == ([], [])


def test_it_takes_as_many_queries_of_many_experts_as_of_one(client, campaign, manager, expert):
    client.force_login(manager)

    def queries():
        with CaptureQueriesContext(connection) as asked:
            assert page(client, "experts", campaign.slug).status_code == 200
        return len(asked)

    decided(cases(campaign)[0], expert, "slip")
    few = queries()
    for case in cases(campaign)[1:]:
        decided(case, factories.member(campaign, "expert"), "slip")
    assert queries() == few
