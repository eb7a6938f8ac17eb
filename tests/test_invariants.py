"""The services, one step after another in any order that Hypothesis can think of: the invariants hold after each."""

import os
import uuid
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from annotation import ports
from annotation.errors import ConcordError
from annotation.models import Assignment, Campaign, Membership, Rating, WorkItem
from annotation.services import campaigns, items, leases, people, ratings
from annotation.services.imported import ImportedScore, import_ratings
from reviews.models import Case
from reviews.services import cases
from tests import factories
from tests.invariants import breaches

PEOPLE = st.integers(0, 2)
NUMBER = st.integers(0, 10**6)
SCORES = st.fixed_dictionaries({key: st.integers(1, 5) for key in factories.DIMENSIONS})


class Bench(RuleBasedStateMachine):
    """Three items, two raters each, and two hidden checks; three annotators, an expert. Every refusal is a named error.

    The items are of one scenario, so that who let one go may be given the same again.
    """

    def __init__(self):
        super().__init__()
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.clock = time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=False)
        self.now = self.clock.start()
        data = factories.dataset(scenarios=1, companions=("a", "b", "c"))
        self.campaign = factories.campaign(data=data, overlap=2)
        for _ in range(2):
            factories.check_item(self.campaign)
        rule = {"one_in": 3, "max_difference": 3, "pause_after": 2, "window": 5}
        Campaign.objects.update(checks=rule, ahead=2)
        self.campaign.refresh_from_db()
        self.people = [factories.member(self.campaign) for _ in range(3)]
        self.expert = factories.member(self.campaign, "expert")
        self.saved: dict[uuid.UUID, tuple[int, str]] = {}

    def teardown(self):
        self.clock.stop()
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    def attempt(self, verb, **given):
        """What it returns; None where it is refused with a named error, and then nothing is half done."""
        self.now.shift(timedelta(seconds=1))
        try:
            return verb(**given)
        except ConcordError:
            return None

    def pick(self, rows, number):
        rows = list(rows.order_by("pk"))
        return rows[number % len(rows)] if rows else None

    @rule(who=PEOPLE)
    def ask(self, who):
        user = self.people[who]
        membership = Membership.objects.get(user=user)
        held = Assignment.objects.live().of(user).exists()
        leases.expire_overdue()
        free = WorkItem.objects.open_to(membership).exists()
        given = self.attempt(leases.lease_next, campaign=self.campaign, user=user)
        if given is not None and given.work_item.purpose == "check":
            return
        if membership.state == "active" and Campaign.objects.get().state == "open":
            assert (given is not None) == (free or (held and Assignment.objects.live().of(user).exists()))

    @rule(who=PEOPLE)
    def ask_ahead(self, who):
        held = self.attempt(leases.lease_ahead, campaign=self.campaign, user=self.people[who])
        if held is not None:
            assert held == list(Assignment.objects.live().of(self.people[who]).order_by("leased_at", "pk"))

    @rule(number=NUMBER, scores=SCORES)
    def submit(self, number, scores):
        assignment = self.pick(Assignment.objects.all(), number)
        if assignment:
            self.send(assignment, scores)

    @rule(number=NUMBER, scores=SCORES)
    def submit_late(self, number, scores):
        assignment = self.pick(Assignment.objects.filter(state=Assignment.State.EXPIRED), number)
        if assignment:
            self.send(assignment, scores)

    @rule(number=NUMBER, scores=SCORES)
    def edit(self, number, scores):
        rating = self.pick(Rating.objects.all(), number)
        if rating:
            self.send(rating.assignment, scores, supersedes=rating.pk)

    def send(self, assignment, scores, **given):
        client_id = uuid.uuid4()
        given |= {"assignment_id": assignment.pk, "user": assignment.annotator, "client_id": client_id}
        saved = self.attempt(ratings.submit_rating, scores=scores, **given)
        if saved:
            assert saved.created
            self.saved[client_id] = (saved.rating.pk, saved.rating.answered)

    @precondition(lambda self: self.saved)
    @rule(number=NUMBER)
    def send_again(self, number):
        client_id = sorted(self.saved)[number % len(self.saved)]
        rating = Rating.objects.get(client_id=client_id)
        again = ratings.submit_rating(
            assignment_id=rating.assignment_id, user=rating.annotator, client_id=client_id, scores="whatever"
        )
        assert not again.created
        assert (again.rating.pk, again.rating.answered) == self.saved[client_id]

    @rule(number=NUMBER, verb=st.sampled_from(["release_lease", "renew_lease", "take_back_skip", "skip_item"]))
    def handle_lease(self, number, verb):
        assignment = self.pick(Assignment.objects.all(), number)
        if assignment:
            reason = {"reason": "heavy"} if verb == "skip_item" else {}
            given = {"assignment_id": assignment.pk, "user": assignment.annotator} | reason
            self.attempt(getattr(leases, verb), **given)

    @rule(minutes=st.sampled_from([1, 31, 31, 300]))
    def wait(self, minutes):
        self.now.shift(timedelta(minutes=minutes))

    @rule()
    def sweep(self):
        leases.expire_overdue()
        assert leases.end_stranded() == 0

    @rule(who=PEOPLE, state=st.sampled_from(["active", "active", "paused", "removed"]))
    def change_member(self, who, state):
        membership = Membership.objects.get(user=self.people[who])
        self.attempt(people.change_membership, membership=membership, state=state)
        if state != "active":
            assert not Assignment.objects.live().of(self.people[who]).exists()

    @rule(verb=st.sampled_from(["open", "open", "open", "pause", "close"]))
    def move_campaign(self, verb):
        given = {"reason": "go on"} if verb == "open" else {}
        self.attempt(getattr(campaigns, f"{verb}_campaign"), campaign=self.campaign, **given)
        if Campaign.objects.get().state == "closed":
            assert not Assignment.objects.live().exists()

    @rule(number=NUMBER, verb=st.sampled_from(["withdraw_rating", "restore_rating"]))
    def manage_rating(self, number, verb):
        rating = self.pick(Rating.objects.all(), number)
        if rating:
            self.attempt(getattr(ratings, verb), rating_id=rating.pk)

    @rule(number=NUMBER, value=st.integers(1, 5), rater=st.sampled_from(["r1", "r2"]))
    def bring_in(self, number, value, rater):
        item_id = self.pick(WorkItem.objects.all(), number).response.item_id
        self.attempt(import_ratings, campaign=self.campaign, scores=[ImportedScore(2, item_id, rater, "safety", value)])

    @rule(number=NUMBER, k=st.integers(1, 2))
    def ask_for_more(self, number, k):
        item = items.locked_item(self.pick(WorkItem.objects.all(), number).pk)
        if item.state != WorkItem.State.WITHDRAWN:
            items.ask_for_more(item, k)
            ports.after_ratings_changed(item)

    @rule(give_back=st.booleans())
    def take_case(self, give_back):
        case = self.attempt(cases.take_next, expert=self.expert)
        if case and give_back:
            self.attempt(cases.give_back, case_id=case.pk, expert=self.expert)

    @rule(number=NUMBER, often=st.integers(0, 9))
    def withdraw_item(self, number, often):
        if often == 0:
            item = items.locked_item(self.pick(WorkItem.objects.all(), number).pk)
            self.attempt(items.withdraw_item, item=item)

    @invariant()
    def nothing_is_broken(self):
        assert breaches(self.campaign) == []

    @invariant()
    def what_was_saved_is_there_once(self):
        there = Rating.objects.filter(client_id__in=self.saved).values_list("client_id", "pk", "answered")
        assert {client_id: (pk, answered) for client_id, pk, answered in there} == self.saved

    @invariant()
    def only_items_in_review_have_a_case_that_waits(self):
        reviewed = set(WorkItem.objects.filter(state=WorkItem.State.IN_REVIEW).values_list("pk", flat=True))
        waiting = Case.objects.filter(state=Case.State.WAITING).exclude(work_item__state=WorkItem.State.WITHDRAWN)
        assert set(waiting.values_list("work_item", flat=True)) <= reviewed


@pytest.mark.django_db
def test_the_invariants_hold_whatever_is_done_in_whatever_order():
    run_state_machine_as_test(
        Bench,
        settings=settings(
            max_examples=int(os.environ.get("CONCORD_EXAMPLES", "25")),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
