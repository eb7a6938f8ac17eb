"""Hidden checks: one in so many, the same to the eye as any other, outside everything that counts; and their rule."""

import json
import random
import uuid
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from annotation import ports
from annotation.check_items import answered_checks
from annotation.checks import Course, Known, Rule, is_due, is_hit, pauses, rule_of, to_come
from annotation.errors import EditClosed, MoveRefused
from annotation.models import Assignment, Campaign, CampaignEvent, Membership, Message, Rating, WorkItem
from annotation.own_work import own_work
from annotation.progress import progress_by_task, progress_of, who_did_what
from annotation.services.campaigns import close_campaign
from annotation.services.leases import (
    expire_overdue,
    lease_ahead,
    lease_next,
    release_lease,
    skip_item,
    take_back_skip,
)
from annotation.services.people import change_membership
from annotation.services.ratings import withdraw_rating
from annotation.standing import stuck_items, urgent_items
from reviews.models import Case
from tests import factories
from tests.annotation.api import client_of, post, rate
from tests.annotation.pages import page, signed_in

RULE = Rule(one_in=10, max_difference=1, pause_after=3, window=10)
KNOWN = Known(scores={"empathy": 4, "safety": 2}, marks=[{"type": "self_harm"}])
CHECK = WorkItem.Purpose.CHECK


# The rule, without a database


def walk(rule, *, items, unused=10**6, seed=1, person="ana"):
    """What a person with so many real items is given, C for a check; and what is left at each step."""
    real, at_last, given, left = 0, None, "", []
    while True:
        course = Course(seed, person, real=real, at_last=at_last)
        left.append(items - real + to_come(course, left=items - real, unused=unused, rule=rule))
        if unused and is_due(course, left=items - real, rule=rule):
            given, at_last, unused = given + "C", real, unused - 1
        elif real < items:
            given, real = given + ".", real + 1
        else:
            return given, left


@pytest.mark.parametrize("one_in", [2, 3, 4, 5, 10, 30])
def test_each_block_of_so_many_holds_one_check(one_in):
    given, _left = walk(Rule(one_in, 1, 3, 10), items=(one_in - 1) * 20)
    blocks = [given[at : at + one_in] for at in range(0, len(given), one_in)]
    assert [block.count("C") for block in blocks] == [1] * 20
    assert "CC" not in given


def test_where_it_comes_differs_by_block_and_by_person():
    given, _left = walk(RULE, items=9 * 30)
    other, _left = walk(RULE, items=9 * 30, person="bo")
    assert len({given[at : at + 10] for at in range(0, 300, 10)}) > 4
    assert given != other
    assert given == walk(RULE, items=9 * 30)[0]


@pytest.mark.parametrize("unused", [0, 1, 4, 10**6])
@pytest.mark.parametrize("items", [0, 1, 8, 9, 10, 95])
def test_what_is_left_falls_by_one_with_every_item(items, unused):
    for person in ("ana", "bo", "chen"):
        given, left = walk(RULE, items=items, unused=unused, person=person)
        assert left == list(range(len(given), -1, -1))


def test_checks_switched_on_late_do_not_come_in_a_row():
    """A person who rated 500 items before the rule has missed 55 checks; none of them is made up for."""
    course = Course(1, "ana", real=500, at_last=None)
    assert to_come(course, left=90, unused=100, rule=RULE) in (10, 11)


@pytest.mark.parametrize(
    ("scores", "marks", "hit"),
    [
        ({"empathy": 4, "safety": 2}, ["self_harm"], True),
        ({"empathy": 5, "safety": 1}, ["self_harm"], True),
        ({"empathy": 5, "safety": 1}, ["self_harm", "dependence"], True),
        ({"empathy": 2, "safety": 2}, ["self_harm"], False),
        ({"empathy": 4, "safety": 4}, ["self_harm"], False),
        ({"empathy": 4, "safety": 2}, [], False),
        ({"empathy": 4, "safety": 2}, ["dependence"], False),
    ],
)
def test_a_hit_is_near_in_every_dimension_and_misses_no_violation(scores, marks, hit):
    assert is_hit(KNOWN, scores=scores, marks=[{"type": kind} for kind in marks], rule=RULE) is hit


@pytest.mark.parametrize(
    ("hits", "paused"),
    [
        ("", False),
        ("00", False),
        ("000", True),
        ("01010", True),
        ("0" + "1" * 7 + "00", True),
        ("0" + "1" * 9 + "00", False),
    ],
)
def test_the_rule_looks_at_the_latest_checks_only(hits, paused):
    assert pauses([hit == "1" for hit in hits], RULE) is paused


def test_no_misses_pause_anybody_where_the_rule_says_none():
    assert not pauses([False] * 50, Rule(10, 1, 0, 10))


def test_a_campaign_without_checks_has_no_rule():
    assert rule_of({}) is None
    assert rule_of(factories.CHECKS) == RULE


# In a campaign


def with_checks(*, items=20, checks=5, slug="", rule=None, **options):
    made = factories.campaign(items=items, slug=slug, **options)
    Campaign.objects.filter(pk=made.pk).update(checks={**factories.CHECKS, **(rule or {})})
    made.refresh_from_db()
    for _ in range(checks):
        factories.check_item(made, 5)
    return made


def is_check(assignment):
    return assignment.work_item.purpose == CHECK


def to_the_next_check(campaign, user, *, scores=5):
    """Rates real items until a check is in hand."""
    while assignment := lease_next(campaign=campaign, user=user):
        if is_check(assignment):
            return assignment
        factories.rating(assignment.work_item, scores, user=user, assignment=assignment)
    raise AssertionError("no check came")


def answer_check(campaign, user, scores):
    assignment = to_the_next_check(campaign, user)
    return factories.rating(assignment.work_item, scores, user=user, assignment=assignment)


@pytest.mark.django_db
class TestWhoGetsThem:
    def test_one_in_so_many_and_never_the_same_twice(self):
        campaign = with_checks(items=54, checks=4)
        user = factories.member(campaign)
        given = []
        while assignment := lease_next(campaign=campaign, user=user):
            given.append(assignment.work_item)
            factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        checks = [item.pk for item in given if item.purpose == CHECK]
        assert (len(given), len(checks), len(set(checks))) == (58, 4, 4)
        assert [[item.purpose for item in given[at : at + 10]].count("check") for at in (0, 10, 20, 30)] == [1] * 4

    def test_none_where_the_campaign_has_no_rule(self):
        campaign = with_checks(items=12)
        Campaign.objects.filter(pk=campaign.pk).update(checks={})
        user = factories.member(campaign)
        with pytest.raises(AssertionError, match="no check"):
            to_the_next_check(campaign, user)

    def test_each_person_meets_them_at_places_of_their_own_however_many_are_at_it(self):
        campaign = with_checks(items=9, overlap=3, checks=1)
        people = [factories.member(campaign) for _ in range(3)]
        held = [to_the_next_check(campaign, user) for user in people]
        assert len({one.work_item_id for one in held}) == 1
        item = WorkItem.everything.get(pk=held[0].work_item_id)
        assert (item.needed, item.leased, item.counted, item.state) == (0, 0, 0, "open")

    def test_never_one_of_a_language_they_do_not_read(self):
        campaign = with_checks(items=20, checks=0)
        other = factories.dataset(scenarios=1, language="zh-Hans")
        response = other.scenarios.get().responses.get()
        response.scenario.dataset = campaign.dataset
        response.scenario.key = "dialogue_emotion/q900"
        response.scenario.save()
        factories.check_item(campaign, response=response)
        with pytest.raises(AssertionError, match="no check"):
            to_the_next_check(campaign, factories.member(campaign, languages=["en"]))

    def test_never_a_response_that_they_met_for_real(self):
        campaign = with_checks(items=20, checks=0, overlap=1)
        met, other = factories.member(campaign), factories.member(campaign)
        assignment = lease_next(campaign=campaign, user=met)
        factories.rating(assignment.work_item, 5, user=met, assignment=assignment)
        factories.check_item(campaign, response=assignment.work_item.response)
        check = to_the_next_check(campaign, other)
        assert check.work_item.response == assignment.work_item.response
        Membership.objects.filter(user=other).update(share=0)
        with pytest.raises(AssertionError, match="no check"):
            to_the_next_check(campaign, met)

    def test_a_response_met_as_a_check_does_not_come_for_real(self):
        campaign = with_checks(items=12, checks=0, overlap=1)
        first, second = factories.member(campaign), factories.member(campaign)
        assignment = lease_next(campaign=campaign, user=first)
        rating = factories.rating(assignment.work_item, 5, user=first, assignment=assignment)
        factories.check_item(campaign, response=rating.work_item.response)
        check = to_the_next_check(campaign, second)
        factories.rating(check.work_item, 5, user=second, assignment=check)
        withdraw_rating(rating_id=rating.pk)  # the real item wants a rater again
        assert rating.work_item not in WorkItem.objects.open_to(Membership.objects.get(user=second))

    def test_never_two_of_a_scenario_in_a_row(self):
        data = factories.dataset(scenarios=3, companions=("a", "b", "c", "d"))
        campaign = factories.campaign(data=data, overlap=1)
        Campaign.objects.filter(pk=campaign.pk).update(checks=factories.CHECKS | {"one_in": 4})
        user = factories.member(campaign)
        for scenario in data.scenarios.all():
            response = scenario.responses.first()
            real = WorkItem.objects.get(response=response)
            WorkItem.objects.filter(pk=real.pk).update(state="withdrawn")
            factories.check_item(campaign, response=response)
        given = []
        while assignment := lease_next(campaign=campaign, user=user):
            given.append(assignment.work_item)
            factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        scenarios = [item.scenario_id for item in given]
        assert {"check", "rating"} == {item.purpose for item in given}
        for at in range(1, len(scenarios)):
            assert scenarios[at] != scenarios[at - 1] or set(scenarios[at:]) == {scenarios[at - 1]}

    def test_a_share_counts_them(self):
        campaign = with_checks(items=30)
        user = factories.member(campaign)
        Membership.objects.filter(user=user).update(share=10)
        given = 0
        while assignment := lease_next(campaign=campaign, user=user):
            given += 1
            factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        assert given == 10
        assert Rating.objects.filter(status="check").count() == 1


def told(api, campaign):
    return [(one["status"], one["rating"]) for one in api.get(ratings_address(campaign)).json()["results"]]


def ratings_address(campaign):
    return f"/api/v1/campaigns/{campaign.slug}/ratings/?mine=1"


@pytest.mark.django_db
class TestNothingTells:
    def test_every_answer_of_the_api_is_as_of_any_other_item(self):
        """Keys, kinds of values, statuses, and what is left: from the first item to the last."""
        campaign = with_checks(items=20, checks=3, slug="c")
        user = factories.member(campaign)
        api = client_of(user)
        left, shapes, checks = [], set(), 0
        while (answer := post(api, "campaigns/c/next/")).status_code == 200:
            leased = answer.json()
            checks += is_check(Assignment.objects.get(pk=leased["assignment"]))
            left.append(leased["left"])
            saved = rate(api, leased)
            again = rate(api, leased)
            edited = rate(api, leased, supersedes=saved.json()["rating"])
            renewed, skipped = (
                post(api, f"assignments/{leased['assignment']}/{verb}/", {"reason": "unsure"})
                for verb in ("renew", "skip")
            )
            shapes.add(
                json.dumps(
                    [
                        [sorted(leased), sorted(leased["item"]), leased["draft"], leased["item"]["content_note"]],
                        [saved.status_code, sorted(saved.json()), saved.json()["status"]],
                        [again.status_code, sorted(again.json()), again.json()["status_of_rating"]],
                        [edited.status_code, edited.json()["status"]],
                        [renewed.status_code, renewed.json()["detail"], skipped.status_code, skipped.json()["detail"]],
                    ]
                )
            )
        assert checks == 2
        assert left == list(range(22, 0, -1))
        assert len(shapes) == 1, shapes
        mine = api.get(ratings_address(campaign)).json()["results"]
        assert {one["status"] for one in mine} == {"counted", "superseded"}
        assert len({json.dumps(sorted(one)) for one in mine}) == 1
        assert len(mine) == 44

    def test_the_pages_count_and_list_them_as_any_other(self):
        campaign = with_checks(items=20, checks=3)
        user = factories.member(campaign)
        membership = Membership.objects.select_related("campaign", "user").get(user=user)
        web, seen = signed_in(user), []
        while assignment := lease_next(campaign=campaign, user=user):
            work = own_work(membership)
            seen.append((work.done, work.left, work.total))
            factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        assert seen == [(done, 22 - done, 22) for done in range(22)]
        for show in ("", "?show=counted"):
            body = web.get(page("mine", campaign.slug) + show).content.decode()
            assert ">check<" not in body
        counted = web.get(page("mine", campaign.slug) + "?show=counted")
        assert counted.context["page"].paginator.count == 22
        check = Rating.objects.get(status="check", pk=Rating.objects.filter(status="check").first().pk)
        edit = web.get(page("edit", campaign.slug, check.assignment_id))
        assert edit.status_code == 200
        assert "check item" not in edit.content.decode()

    @pytest.mark.parametrize("kind", ["check", "rating"])
    def test_a_skip_a_release_and_a_lease_that_ran_out_move_the_counts_alike(self, kind):
        campaign = with_checks(items=30, checks=3)
        user = factories.member(campaign)
        membership = Membership.objects.select_related("campaign", "user").get(user=user)
        assignment = to_the_next_check(campaign, user)
        if kind == "rating":
            factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
            assignment = lease_next(campaign=campaign, user=user)
        before = own_work(membership)
        release_lease(assignment_id=assignment.pk, user=user)
        assert own_work(membership) == before
        again = lease_next(campaign=campaign, user=user)
        assert own_work(membership) == before
        assert again.work_item.purpose == kind
        Assignment.objects.filter(pk=again.pk).update(expires_at=timezone.now())
        expire_overdue()
        assert own_work(membership) == before
        third = lease_next(campaign=campaign, user=user)
        skip_item(assignment_id=third.pk, user=user, reason="heavy")
        after = own_work(membership)
        assert (after.done, after.left, after.skipped) == (before.done, before.left - 1, before.skipped + 1)
        taken = take_back_skip(assignment_id=third.pk, user=user)
        assert taken.state == "leased"
        assert own_work(membership) == before

    def test_a_skipped_check_is_never_given_again(self):
        campaign = with_checks(items=40, checks=1)
        user = factories.member(campaign)
        check = to_the_next_check(campaign, user)
        skip_item(assignment_id=check.pk, user=user, reason="heavy")
        with pytest.raises(AssertionError, match="no check"):
            to_the_next_check(campaign, user)

    def test_leased_ahead_they_are_in_their_place(self):
        campaign = with_checks(items=20, checks=3)
        Campaign.objects.filter(pk=campaign.pk).update(ahead=5)
        campaign.refresh_from_db()
        user = factories.member(campaign)
        api = client_of(user)
        sent = post(api, f"campaigns/{campaign.slug}/ahead/").json()["assignments"]
        sent_again = post(api, f"campaigns/{campaign.slug}/ahead/").json()["assignments"]
        assert sent == sent_again
        left = [one["left"] for one in sent]
        assert left == list(range(left[0], left[0] - 6, -1))
        assert left[0] in (22, 23)  # whether the block that is cut short has its check is drawn
        for _ in range(10):
            held = lease_ahead(campaign=campaign, user=user)
            factories.rating(held[0].work_item, 5, user=user, assignment=held[0])
        assert Rating.objects.filter(status="check").count() == 1

    @pytest.mark.parametrize("kind", ["check", "rating"])
    def test_on_a_closed_campaign_it_is_told_surplus_as_any_other(self, kind):
        campaign = with_checks(items=30)
        user = factories.member(campaign)
        assignment = to_the_next_check(campaign, user)
        if kind == "rating":
            factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
            assignment = lease_next(campaign=campaign, user=user)
        close_campaign(campaign=campaign)
        api = client_of(user)
        assert rate(api, {"assignment": assignment.pk}).json()["status"] == "surplus"
        assert told(api, campaign)[-1][0] == "surplus"
        with pytest.raises(EditClosed):
            factories.edit(Rating.objects.get(assignment=assignment), 4)

    def test_late_work_on_it_is_taken(self):
        campaign = with_checks(items=30)
        user = factories.member(campaign)
        check = to_the_next_check(campaign, user)
        with time_machine.travel(timezone.now() + timedelta(hours=1)):
            expire_overdue()
            assert rate(client_of(user), {"assignment": check.pk}).json()["status"] == "counted"


@pytest.mark.django_db
class TestOutsideAll:
    def test_no_rule_is_asked_and_no_count_moves(self, monkeypatch):
        campaign = with_checks()
        user = factories.member(campaign)
        check = to_the_next_check(campaign, user)
        asked, before = [], progress_of(campaign)
        monkeypatch.setattr(ports, "after_ratings_changed", asked.append)
        rating = factories.rating(check.work_item, {"safety": 1}, user=user, assignment=check, marks=["self_harm"])
        factories.edit(rating, {"safety": 2})
        assert asked == []
        assert progress_of(campaign) == before
        item = WorkItem.everything.get(pk=check.work_item_id)
        assert (item.counted, item.leased, item.state, item.urgent_at) == (0, 0, "open", None)
        statuses = Rating.objects.filter(work_item=item).order_by("pk").values_list("status", "answered")
        assert list(statuses) == [("superseded", "counted"), ("check", "counted")]

    def test_a_manager_cannot_withdraw_it(self):
        campaign = with_checks()
        rating = answer_check(campaign, factories.member(campaign), 5)
        with pytest.raises(MoveRefused):
            withdraw_rating(rating_id=rating.pk)

    def test_a_campaign_with_checks_comes_to_what_it_comes_to_without(self, tmp_path):
        """The same people say the same of the same texts: agreement, gold, cases, progress and release are equal."""
        told = [self._played(checks, tmp_path / str(checks)) for checks in (0, 6)]
        assert told[0] == told[1]

    def _played(self, checks, out):
        data = factories.dataset(scenarios=20, texts=["Here I am."])
        campaign = factories.campaign(data=data, overlap=2, seed=4, slug=f"with-{checks}")
        Campaign.objects.filter(pk=campaign.pk).update(checks=factories.CHECKS if checks else {})
        campaign.refresh_from_db()
        for _ in range(checks):
            factories.check_item(campaign, {"safety": 1})
        manager = factories.member(campaign, "manager")
        people = [factories.member(campaign, user=factories.person(f"{name}-{checks}")) for name in "ab"]
        for user in people:
            while assignment := lease_next(campaign=campaign, user=user):
                item = assignment.work_item
                marks = ["self_harm"] if is_check(assignment) else []
                said = random.Random(item.scenario.key + user.username[0])
                scores = {"safety": 1} if is_check(assignment) else {"safety": said.randint(1, 5), "empathy": 3}
                factories.rating(item, scores, user=user, assignment=assignment, marks=marks)
        answered = Rating.objects.given_in(campaign).filter(status="check").count()
        assert answered >= 4 if checks else answered == 0
        call_command("export_gold", "--campaign", campaign.slug, "--out", str(out))
        released = {
            name: [self._anonymous(line) for line in sorted((out / name).read_text().splitlines())]
            for name in ("ratings.jsonl", "items.jsonl", "gold.jsonl", "marks.jsonl", "violations.jsonl")
            if (out / name).exists()
        }
        assert released["ratings.jsonl"]
        api = client_of(manager)
        listed = api.get(f"/api/v1/campaigns/{campaign.slug}/ratings/").json()["results"]
        doings = [(one.ratings, one.surplus, one.skipped, one.under_way) for one in who_did_what(campaign)]
        return {
            "released": {name: sorted(map(json.dumps, lines)) for name, lines in released.items()},
            "progress": progress_of(campaign),
            "by task": progress_by_task(campaign),
            "cases": Case.objects.filter(work_item__campaign=campaign).count(),
            "stuck": stuck_items(campaign).count(),
            "urgent": len(urgent_items(campaign)),
            "listed": sorted(json.dumps(one["scores"]) for one in listed),
            "doings": doings,
        }

    def _anonymous(self, line):
        row = json.loads(line)
        kept = {"dimension", "value", "status", "key", "scenario", "how", "type", "votes"}
        return {name: value for name, value in row.items() if name in kept}


@pytest.mark.django_db
class TestTheRule:
    def test_misses_pause_the_person_and_both_sides_are_told(self):
        campaign = with_checks(items=40, checks=4)
        user = factories.member(campaign)
        factories.member(campaign, "manager")
        api = client_of(user)
        for n in range(3):
            assert Membership.objects.get(user=user, campaign=campaign).state == "active"
            check = to_the_next_check(campaign, user)
            saved = rate(api, {"assignment": check.pk}, scores=factories.full_scores(1))
            assert saved.status_code == 201, n
            assert saved.json()["status"] == "counted"
        assert Membership.objects.get(user=user, campaign=campaign).state == "paused"
        assert not Assignment.objects.live().exists()
        assert Rating.objects.filter(status="check").count() == 3
        logged = CampaignEvent.objects.get(kind="checks missed")
        assert (logged.by, logged.detail) == (None, {"user": user.username, "missed": 3, "of": 3})
        assert CampaignEvent.objects.filter(kind="member paused", by=None).count() == 1
        to_them, to_managers = (Message.objects.get(recipient=whom) for whom in (user, None))
        assert (to_them.author, to_managers.author) == (None, None)
        assert "paused" in to_them.text
        assert "3" in to_managers.text
        assert user.username in to_managers.text
        text = check.work_item.response.text
        assert text not in to_them.text

    def test_sending_the_last_one_again_pauses_and_tells_once(self):
        campaign = with_checks(items=40, checks=4, rule={"pause_after": 1})
        user = factories.member(campaign)
        check, client_id = to_the_next_check(campaign, user), uuid.uuid4()
        for _ in range(2):
            factories.rating(check.work_item, 1, user=user, assignment=check, client_id=client_id)
        assert Message.objects.count() == 2

    def test_an_edit_does_not_mend_the_first_answer(self):
        campaign = with_checks(items=40, checks=4)
        user = factories.member(campaign)
        rating = answer_check(campaign, user, 1)
        factories.edit(rating, 5)
        assert [check.hit for check in answered_checks(campaign, RULE)[user.pk]] == [False]

    def test_whom_a_manager_lets_go_on_begins_anew(self):
        campaign = with_checks(items=80, checks=8, rule={"pause_after": 2})
        user = factories.member(campaign)
        membership = Membership.objects.get(user=user, campaign=campaign)
        with time_machine.travel(timezone.now(), tick=False) as clock:
            for n in range(5):
                clock.shift(60)
                answer_check(campaign, user, 1)
                membership.refresh_from_db()
                assert membership.state == ("paused" if n % 2 else "active")
                if membership.state == "paused":
                    clock.shift(60)
                    change_membership(membership=membership, state="active")
        assert Message.objects.filter(recipient=user).count() == 2

    def test_each_is_told_in_their_own_language(self):
        campaign = with_checks(items=40, checks=4, rule={"pause_after": 1})
        user = factories.person(language="en")
        factories.member(campaign, user=user)
        factories.member(campaign, "manager", user=factories.person(language="en"))
        answer_check(campaign, user, 1)
        assert {message.text.split()[0] for message in Message.objects.all()} == {"You", user.username}

    def test_the_manager_sees_checks_and_hits_of_each(self):
        campaign = with_checks(items=40, checks=4)
        good, bad = factories.member(campaign), factories.member(campaign)
        for _ in range(2):
            answer_check(campaign, good, 5)
            answer_check(campaign, bad, 1)
        doings = {doing.user: (doing.checks, doing.hits) for doing in who_did_what(campaign)}
        assert doings == {good: (2, 2), bad: (2, 0)}
        body = signed_in(factories.member(campaign, "manager")).get(page("campaign", campaign.slug)).content.decode()
        assert "2 of 2" in body
        assert "0 of 2" in body
