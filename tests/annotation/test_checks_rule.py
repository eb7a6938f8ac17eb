"""The rule of hidden checks, without a database: where they come, what is a hit, when it pauses."""

import pytest

from annotation.checks import Course, Known, Rule, block_due, is_hit, pauses, rule_of, to_come
from tests import factories
from tests.annotation.checking import RULE

KNOWN = Known(scores={"empathy": 4, "safety": 2}, marks=[{"type": "self_harm"}])


def walk(rule, *, items, unused=10**6, seed=1, person="ana"):
    """What a person with so many real items is given, C for a check; and what is left at each step."""
    real, blocks, given, left = 0, frozenset(), "", []
    while True:
        course = Course(seed, person, real=real, given=blocks)
        left.append(items - real + to_come(course, left=items - real, unused=unused, rule=rule))
        due = block_due(course, left=items - real, rule=rule)
        if unused and due is not None:
            given, blocks, unused = given + "C", blocks | {due}, unused - 1
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
    course = Course(1, "ana", real=500)
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
