"""Each annotator has an order of their own; every two meet on enough items; no scenario comes twice in a row."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from annotation.design import design_of
from annotation.models import Assignment
from annotation.order import Candidate, draw, in_order, ranks
from annotation.services.leases import lease_next, skip_item
from tests import factories

PEOPLE = dict.fromkeys(("ana", "bo", "chen", "dara", "eva", "fang"), ())


def items(n, *, needed=3, language="en"):
    return [Candidate(pk=place + 1, place=place, language=language, needed=needed) for place in range(n)]


def order_of(person, candidates, *, seed=7, people=PEOPLE):
    return [item.place for item in in_order(candidates, seed=seed, person=person, people=people)]


def test_a_draw_is_the_same_on_every_machine():
    assert draw(7, 3, "ana") == 3349184474556317967
    assert draw(7, 3, "ana") != draw(7, 3, "bo")
    assert draw(1, 23) != draw(12, 3)


def test_an_item_gives_each_person_a_rank_of_their_own():
    assert sorted(ranks(7, 3, tuple(PEOPLE))) == list(range(6))


def test_a_rank_does_not_change_for_those_before_somebody_who_comes():
    """What makes it rendezvous hashing: a newcomer takes ranks of some items and moves nothing else."""
    for place in range(100):
        before = dict(zip("abcd", ranks(7, place, tuple("abcd")), strict=True))
        after = dict(zip("abcde", ranks(7, place, tuple("abcde")), strict=True))
        was = sorted(before, key=before.get)
        assert [name for name in sorted(after, key=after.get) if name != "e"] == was


def test_each_has_an_order_of_their_own_and_the_same_again():
    orders = {person: order_of(person, items(50)) for person in PEOPLE}
    assert len({tuple(order) for order in orders.values()}) == 6
    assert orders == {person: order_of(person, items(50)) for person in PEOPLE}
    assert order_of("ana", items(50), seed=8) != orders["ana"]


def test_first_come_the_items_that_are_meant_for_the_person():
    names = tuple(sorted(PEOPLE))
    mine = [place for place in range(60) if ranks(7, place, names)[names.index("ana")] < 3]
    assert set(order_of("ana", items(60))[: len(mine)]) == set(mine)


def test_only_those_who_read_an_item_are_ranked_by_it():
    people = {"ana": ("en",), "fang": ("zh-Hans",), "chen": ()}
    meant = {place for place in range(60) if ranks(7, place, ("ana", "chen"))[0] == 0}
    assert set(order_of("ana", items(60, needed=1), people=people)[: len(meant)]) == meant


def work(campaign, user, items_to_rate=None):
    """Rates what is given until nothing is, or so many; the items in their order."""
    done = []
    while items_to_rate is None or len(done) < items_to_rate:
        assignment = lease_next(campaign=campaign, user=user)
        if assignment is None:
            break
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        done.append(assignment.work_item)
    return done


@pytest.mark.once
@pytest.mark.django_db
def test_six_who_work_unevenly_all_share_items_with_each_other():
    """Two begin alone, two come in at a third, one works little, one comes last."""
    data = factories.dataset(scenarios=150, companions=("a", "b"))
    campaign = factories.campaign(data=data, overlap=3, seed=11)
    people = [factories.member(campaign, user=factories.person(name)) for name in PEOPLE]
    given = {user: [] for user in people}
    draw_of_hours = random.Random(3)
    for crew, rounds in (([0, 1], 130), ([0, 1, 2, 3], 220), ([1, 2, 3, 4], 200), ([0, 2, 3, 4, 5, 5, 5], 900)):
        for _ in range(rounds):
            user = people[draw_of_hours.choice(crew)]
            given[user] += work(campaign, user, 1)
    assert sum(map(len, given.values())) == 900
    design = design_of(campaign)
    mean = 300 * 3 / design.pairs  # each item makes three pairs
    assert design.connected
    assert (design.raters, design.apart) == (6, 0)
    assert design.least >= mean / 2
    assert design.most <= mean * 2
    for user, order in given.items():
        scenarios = [item.scenario_id for item in order]
        repeats = sum(one == two for one, two in pairwise(scenarios))
        assert repeats <= 2, user  # at the very end only, where nothing else is left
    first = {tuple(item.pk for item in order[:20]) for order in given.values()}
    assert len(first) == 6


@pytest.mark.django_db
def test_the_order_is_the_same_in_another_database():
    """Row numbers do not enter: the same names, seed and responses give the same order."""

    def orders():
        made = factories.campaign(data=factories.dataset(scenarios=8, texts=["Here."]), overlap=1, seed=5)
        user = factories.person("ana")
        factories.member(made, user=user)
        return [item.scenario.key for item in work(made, user)]

    assert orders() == orders()


@pytest.mark.django_db
def test_whoever_works_alone_is_given_everything():
    campaign = factories.campaign(items=12, overlap=2)
    for _ in range(5):
        factories.member(campaign)
    assert len(work(campaign, factories.member(campaign))) == 12


@pytest.mark.django_db
def test_what_is_skipped_counts_as_the_last_scenario_too():
    data = factories.dataset(scenarios=2, companions=("a", "b", "c"))
    campaign = factories.campaign(data=data, overlap=1)
    user = factories.member(campaign)
    scenarios = []
    for _ in range(4):
        assignment = lease_next(campaign=campaign, user=user)
        scenarios.append(assignment.work_item.scenario_id)
        skip_item(assignment_id=assignment.pk, user=user, reason="heavy")
    assert all(one != two for one, two in pairwise(scenarios))
    assert max(Counter(Assignment.objects.values_list("work_item", flat=True)).values()) == 1
