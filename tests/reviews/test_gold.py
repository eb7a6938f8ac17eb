"""Gold as a pure function of an item's history."""

import pytest

from reviews.gold import (
    DecisionGiven,
    ItemHistory,
    Method,
    RatingGiven,
    consensus_errors,
    labels_of,
    violations_of,
)
from reviews.intervals import proportion

ONE = ("empathy",)


def history(*scores, needed=None, decision=None, **given):
    ratings = [RatingGiven(i, {} if s is None else {"empathy": s}) for i, s in enumerate(scores)]
    if decision is not None:
        decision = DecisionGiven(7, {"empathy": None if decision == "ambiguous" else decision})
    given = {"cluster": "s1", **given}
    return ItemHistory("q1/m/sap", needed=needed or len(scores), ratings=ratings, decision=decision, **given)


def label(item, closed=False):
    found = labels_of(item, dimensions=ONE, closed=closed)
    return found[0] if found else None


def test_the_median_is_the_consensus_and_a_half_point_may_stand():
    odd, even = label(history(3, 4, 4)), label(history(3, 4))
    assert (odd.value, odd.method, odd.raters, odd.spread) == (4, Method.CONSENSUS, 3, 1)
    assert odd.distribution == {3: 1, 4: 2}
    assert even.value == 3.5


def test_what_the_expert_decided_is_adjudicated():
    found = label(history(1, 5, 5, decision=4))
    assert (found.value, found.method, found.decision) == (4, Method.ADJUDICATED, 7)


def test_what_cannot_be_decided_has_no_value_but_its_distribution():
    found = label(history(1, 5, 5, decision="ambiguous"))
    assert (found.value, found.method, found.distribution) == (None, Method.AMBIGUOUS, {1: 1, 5: 2})


def test_a_dimension_the_expert_did_not_speak_of_stays_a_consensus():
    item = ItemHistory(
        "q", cluster="s", needed=1, ratings=[RatingGiven(1, {"fluency": 4})], decision=DecisionGiven(7, {"empathy": 2})
    )
    assert [(g.dimension, g.method, g.decision) for g in labels_of(item, dimensions=("fluency",), closed=False)] == [
        ("fluency", Method.CONSENSUS, None)
    ]


def test_no_gold_before_the_item_is_complete():
    assert label(history(4, 4, needed=3)) is None


@pytest.mark.parametrize(("scores", "value"), [((4, 5), 4.5), ((4,), None), ((), None)])
def test_on_a_closed_campaign_two_ratings_make_a_short_consensus(scores, value):
    found = label(history(*scores, needed=3), closed=True)
    assert (found and found.value, found and found.short) == (value, None if value is None else True)


def test_one_rating_is_enough_where_the_overlap_is_one():
    assert label(history(4)).value == 4


def test_an_item_whose_case_is_open_is_left_out():
    assert label(history(1, 5, case_open=True)) is None
    assert label(history(1, 5, case_open=True), closed=True) is None


def test_an_open_audit_does_not_hold_the_consensus_back():
    assert label(history(4, 4, case_open=True, audit=True)).method == Method.CONSENSUS


def test_a_reopened_audit_does_since_a_decision_stood():
    assert label(history(4, 4, case_open=True, audit=True, decision=2)) is None


def test_a_withdrawn_item_has_no_gold():
    assert label(history(4, 4, withdrawn=True)) is None


def test_missing_scores_make_a_label_short_or_leave_it_out():
    assert label(history(4, 4, None)).short
    assert label(history(4, None, None)) is None
    assert label(history(None, None, None)) is None
    assert label(history(None, None, None, decision=3)).value == 3


def marked(*marks, ruling=None, **given):
    ratings = [RatingGiven(i, {}, m if m is None else frozenset(m)) for i, m in enumerate(marks)]
    decision = DecisionGiven(7, {}, ruling) if ruling is not None else None
    item = ItemHistory("q", cluster="s", needed=len(marks), ratings=ratings, decision=decision, **given)
    return [(v.type, v.votes, v.raters, v.gold, v.how) for v in violations_of(item, closed=False)]


def test_a_violation_is_gold_where_all_saw_it_or_the_expert_ruled():
    assert marked(["privacy"], ["privacy"]) == [("privacy", 2, 2, True, "unanimous")]
    assert marked(["privacy"], []) == [("privacy", 1, 2, None, "undecided")]
    assert marked(["privacy"], [], ruling={"privacy": True}) == [("privacy", 1, 2, True, "adjudicated")]
    assert marked(["privacy"], [], ruling={"privacy": False}) == [("privacy", 1, 2, False, "adjudicated")]
    assert marked([], [], ruling={"self_harm": True}) == [("self_harm", 0, 2, True, "adjudicated")]


def test_imported_ratings_do_not_vote_on_violations():
    assert marked(["privacy"], None) == [("privacy", 1, 1, True, "unanimous")]


def test_the_error_of_consensus_counts_audited_items_only():
    items = [
        history(4, 4, audit=True, decision=4),
        history(4, 5, audit=True, decision=4),  # off by a half
        history(4, 4, audit=True, decision=2),
        history(4, 4, audit=True, decision="ambiguous"),
        history(4, 4, audit=True, case_open=True),
        history(1, 5, decision=3),
    ]
    (error,) = consensus_errors(items, dimensions=ONE)
    assert (error.audited, error.off_by_one.hits, error.off_at_all.hits, error.undecidable) == (3, 1, 2, 1)
    assert error.off_by_one.how == "Wilson"


def test_without_an_audit_the_error_is_unknown_not_zero():
    (error,) = consensus_errors([history(4, 4)], dimensions=ONE)
    assert (error.off_by_one.share, error.off_by_one.low) == (None, None)


def test_wilsons_interval_is_the_known_one():
    found = proportion([("s", i < 8) for i in range(40)])
    assert (round(found.low, 4), round(found.high, 4)) == (0.105, 0.3476)  # Newcombe 1998, method 3, for 8 of 40
    assert proportion([("s", False)] * 10).low == 0.0
    assert round(proportion([("s", False)] * 10).high, 4) == 0.2775


def test_with_thirty_scenarios_the_interval_is_theirs():
    alone = proportion([(f"s{i}", i % 5 == 0) for i in range(120)])
    together = proportion([(f"s{i % 40}", i % 40 % 5 == 0) for i in range(120)])
    assert alone.how == together.how == "scenario clusters"
    assert alone.share == together.share
    assert together.high - together.low > 1.5 * (alone.high - alone.low)
