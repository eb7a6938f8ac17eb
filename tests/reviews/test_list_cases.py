"""The list over all campaigns of an expert: what each filter, order and search finds, and what none of them tells."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, WorkItem
from annotation.services.people import change_membership
from reviews.asked import Asked
from reviews.errors import ListInvalid
from reviews.models import Case
from reviews.queue import counts_of, listed_cases
from reviews.scope import scope_of
from reviews.services.cases import take_case
from reviews.tally import tally_of
from tests import factories

pytestmark = pytest.mark.django_db
TEXTS = ("The lamp is lit.", "I will wait with you.", "雨停了，我们走走。", "A lamp, and rain.", "Nothing more.")
# Of the first campaign's items in turn; the urgent one comes last but one.
SCORES = ({"empathy": 1}, {"fluency": 3}, {"empathy": 2, "fluency": 3}, {"safety": 1}, {"empathy": 1})
TASKS = ("dialogue_emotion", "itinerary_basic")


@pytest.fixture
def expert():
    return factories.person()


@pytest.fixture
def winter(expert):
    """Five cases in English, of two tasks, the first opened long ago."""
    data = factories.dataset(scenarios=5, texts=TEXTS, tasks=TASKS)
    made = factories.campaign(data=data, overlap=2, slug="winter")
    for item, scores in zip(made.items.order_by("response"), SCORES, strict=True):
        factories.rated_item([scores, 5], item=item)
    factories.member(made, "expert", user=expert)
    moment = timezone.now() - timedelta(days=3)
    for place, case in enumerate(Case.objects.order_by("pk")):
        # two opened at the same moment: an order must not lose one of them between two pages
        Case.objects.filter(pk=case.pk).update(opened_at=moment + timedelta(hours=place // 2))
    return made


@pytest.fixture
def spring(expert):
    """Two cases in Chinese."""
    data = factories.dataset(scenarios=2, language="zh-Hans", tasks=("recollection_refine",))
    made = factories.campaign(data=data, overlap=2, slug="spring")
    for item in factories.items_of(made):
        factories.rated_item([{"empathy": 1}, 5], item=item)
    factories.member(made, "expert", user=expert)
    return made


def of(campaign, *places):
    """The campaign's cases at these places among its responses."""
    cases = list(Case.objects.filter(campaign=campaign).order_by("work_item__response"))
    return {cases[place].pk for place in places} if places else {case.pk for case in cases}


def found(user, /, within=None, **query):
    rows = listed_cases(scope_of(user, within), Asked.of(query)).rows
    return [row.id for row in rows]


def counted(user, **query):
    scope = scope_of(user)
    return counts_of(scope, Asked.of(query), tally_of(scope.campaigns))


def test_it_goes_over_all_campaigns_or_one(expert, winter, spring):
    assert set(found(expert)) == of(winter) | of(spring)
    assert set(found(expert, winter)) == of(winter)
    assert set(found(expert, campaign="spring")) == of(spring)


def test_where_one_is_no_active_expert_or_manager_nothing_is_listed(expert, winter, spring):
    factories.rated_item([{"empathy": 1}, 5])
    change_membership(membership=winter.memberships.get(user=expert), state="paused")
    assert set(found(expert)) == of(spring)


def test_a_manager_looks_on_in_theirs_and_takes_none(winter, spring):
    manager = factories.member(winter, "manager")
    rows = listed_cases(scope_of(manager), Asked()).rows
    assert {row.id for row in rows} == of(winter)
    assert not any(row.may_take for row in rows)


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ({"dimension": "fluency"}, {1, 2}),
        ({"dimension": "safety"}, {3}),
        ({"spread": "3"}, {0, 2, 3, 4}),
        ({"spread": "4"}, {0, 3, 4}),
        ({"task": "itinerary_basic"}, {1, 3}),
        ({"component": "dialogue"}, {0, 2, 4}),
        ({"reason": "safety"}, {3}),
        ({"dimension": "empathy", "spread": "4", "component": "dialogue", "language": "en"}, {0, 4}),
    ],
)
def test_each_filter_finds_what_it_names_and_the_counts_say_how_many(expert, winter, spring, query, places):
    query["campaign"] = "winter"
    assert set(found(expert, **query)) == of(winter, *places)
    assert counted(expert, **query) == {
        "open": len(places),
        "waiting": len(places),
        "mine": 0,
        "several": 0,
        "taken": 0,
        "decided": 0,
    }


def test_it_filters_by_language(expert, winter, spring):
    assert set(found(expert, language="zh-Hans")) == of(spring)
    assert counted(expert, language="zh-Hans")["open"] == 2


def test_my_share_is_what_is_dealt_to_me(expert, winter, spring):
    winter.memberships.filter(user=expert).update(components=["itinerary"])
    assert set(found(expert, share="1")) == of(winter, 1, 3) | of(spring)
    assert counted(expert, share="1")["waiting"] == 4


def test_each_state_is_found_and_counted(expert, winter):
    first, second, third, _fourth, _fifth = Case.objects.order_by("pk")
    take_case(case_id=first.pk, expert=expert)
    take_case(case_id=second.pk, expert=factories.member(winter, "expert"))
    Case.objects.filter(pk=third.pk).update(state="decided", decided_at=timezone.now())
    assert found(expert, state="mine") == [first.pk]
    assert found(expert, state="taken") == [second.pk]
    assert found(expert, state="decided") == [third.pk]
    assert counted(expert) == {"open": 4, "waiting": 2, "mine": 1, "several": 0, "taken": 1, "decided": 1}
    assert counted(expert, spread="1") == counted(expert)


@pytest.mark.parametrize("query", [{}, {"spread": "1"}])
def test_a_second_opinion_on_an_item_that_is_gone_is_neither_listed_nor_counted(expert, winter, query):
    here, gone, *_others = Case.objects.order_by("pk")
    Case.objects.filter(pk__in=[here.pk, gone.pk]).update(state="second_opinion")
    WorkItem.objects.filter(pk=gone.work_item_id).update(state="withdrawn")
    assert found(expert, state="several", **query) == [here.pk]
    assert counted(expert, **query)["several"] == 1


@pytest.mark.parametrize(
    ("words", "places"),
    [("lamp", {0, 3}), ("LAMP", {0, 3}), ("rain lamp", {3}), ("雨停了", {2}), ("nowhere", set()), ("%", set())],
)
def test_it_searches_by_words_that_all_stand_in_the_response(expert, winter, words, places):
    assert set(found(expert, q=words)) == (of(winter, *places) if places else set())


@pytest.mark.parametrize("written", ["{}", "#{}", " {} "])
def test_it_searches_by_number(expert, winter, spring, written):
    (wanted,) = of(winter, 2)
    assert found(expert, q=written.format(wanted)) == [wanted]


def test_it_does_not_search_in_what_an_expert_may_not_know(expert, winter):
    case = Case.objects.select_related("work_item__response__companion", "work_item__scenario").first()
    item = case.work_item
    words = [item.response.companion.name, item.scenario.key, item.scenario.reference, item.response.condition]
    words += [rating.annotator.username for rating in item.ratings.all()]
    assert [found(expert, q=word) for word in words] == [[]] * len(words)


@pytest.mark.parametrize(
    "query", [{"q": "lamp"}, {"dimension": "empathy"}, {"spread": "4"}, {"reason": "range"}, {"sort": "spread"}]
)
def test_nothing_tells_of_a_conflict_why_it_is_a_case_or_what_it_says(winter, query):
    """It is found by its number, and where nothing is asked of it."""
    item = winter.items.order_by("response").first()
    rater = Assignment.objects.filter(work_item=item).first().annotator
    factories.member(winter, "expert", user=rater)
    (conflict,) = of(winter, 0)
    assert conflict in found(rater)
    assert found(rater, q=str(conflict)) == [conflict]
    assert conflict not in found(rater, **query)
    if "q" not in query and "sort" not in query:
        assert counted(rater, **query)["waiting"] == len(found(rater, **query))
    (row,) = listed_cases(scope_of(rater), Asked.of({"q": str(conflict)})).rows
    assert (row.reasons, row.dimensions, row.spread, row.may_take) == ([], [], 0, False)


def test_a_number_beside_a_filter_tells_no_more_of_a_conflict(winter):
    rater = Assignment.objects.filter(work_item=winter.items.order_by("response").first()).first().annotator
    factories.member(winter, "expert", user=rater)
    (conflict,) = of(winter, 0)
    assert found(rater, q=str(conflict), dimension="empathy") == []


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("priority", lambda case: (case.work_item.urgent_at is None, case.priority, case.pk)),
        ("oldest", lambda case: (case.opened_at, case.pk)),
        ("newest", lambda case: (-case.opened_at.timestamp(), -case.pk)),
        ("spread", lambda case: (-case.spread, case.pk)),
        ("", lambda case: (case.work_item.urgent_at is None, case.priority, case.pk)),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_pages_of_each_order_put_together_are_the_list(expert, winter, spring, monkeypatch, sort, key, size):
    monkeypatch.setattr("reviews.queue.PAGE", size)
    wanted = [case.pk for case in sorted(Case.objects.select_related("work_item"), key=key)]
    assert pages(expert, sort=sort) == wanted


@pytest.mark.parametrize("size", [1, 2])
def test_what_is_decided_comes_latest_first(expert, winter, monkeypatch, size):
    monkeypatch.setattr("reviews.queue.PAGE", size)
    moment = timezone.now()
    for place, case in enumerate(Case.objects.order_by("pk")):
        decided_at = moment + timedelta(hours=place // 2)
        Case.objects.filter(pk=case.pk).update(state="decided", decided_at=decided_at)
    decided = sorted(Case.objects.all(), key=lambda case: (case.decided_at, case.pk), reverse=True)
    assert pages(expert, state="decided") == [case.pk for case in decided]


def pages(user, **query):
    seen, cursor = [], ""
    for _page in range(20):
        listed = listed_cases(scope_of(user), Asked.of(query | {"cursor": cursor}))
        seen += [row.id for row in listed.rows]
        if listed.next is None:
            return seen
        cursor = listed.next
    raise AssertionError("the pages do not end")


@pytest.mark.parametrize(
    "query",
    [
        {"campaign": "elsewhere"},
        {"dimension": "kindness"},
        {"spread": "-1"},
        {"spread": "two"},
        {"spread": "1000"},
        {"component": "x"},
        {"language": "!"},
        {"share": "2"},
        {"sort": "random"},
        {"q": "a\x00"},
        {"q": "a" * 201},
    ],
)
def test_what_cannot_be_read_is_named(expert, winter, query):
    with pytest.raises(ListInvalid) as refused:
        found(expert, **query)
    assert list(refused.value.fields) == list(query)


# Moments that no calendar has, once their offset is taken off.
EARLY, LATE = "0001-01-01T00:00:00+14:00_1", "9999-12-31T23:59:59-14:00_1"


@pytest.mark.parametrize("sort", ["priority", "oldest", "newest", "spread"])
@pytest.mark.parametrize(
    "cursor", ["x", "1", "1_2_3_4", "_", "3_1_1", "2026-01-01_5", "99999_1", f"1_{10**20}", EARLY, LATE]
)
def test_a_cursor_that_the_list_did_not_give_is_refused(expert, winter, sort, cursor):
    with pytest.raises(ListInvalid) as refused:
        found(expert, sort=sort, cursor=cursor)
    assert list(refused.value.fields) == ["cursor"]


def test_a_campaign_of_others_is_refused_like_one_that_is_not_there(expert, winter):
    other = factories.campaign(slug="hidden")
    for slug in (other.slug, "nowhere"):
        with pytest.raises(ListInvalid):
            found(expert, campaign=slug)


def test_it_takes_as_many_queries_of_many_cases_as_of_few(expert, winter, spring):
    def queries():
        with CaptureQueriesContext(connection) as asked:
            found(expert)
            counted(expert)
        return len(asked)

    few = queries()
    more = factories.campaign(items=6, overlap=2)
    for item in factories.items_of(more):
        factories.rated_item([{"empathy": 1}, 5], item=item)
    factories.member(more, "expert", user=expert)
    assert queries() == few <= 9
