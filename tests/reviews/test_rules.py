"""The rule, as a pure function of what raters said."""

import pytest

from reviews.rules import Kind, RatingSeen, is_drawn, priority_of, reasons_of

RULE = {"range": 2, "safety_at_most": 2, "marks_split": True, "asked": True, "audit_share": 0.05}


def seen(*scores, marks=(), asked=False):
    names = ("empathy", "fluency", "safety")
    return RatingSeen(dict(zip(names, scores, strict=False)), None if marks is None else frozenset(marks), asked)


def found(*ratings, rule=RULE, drawn=False):
    return [(r.kind, r.dimension) for r in reasons_of(ratings, rule, audit_drawn=lambda: drawn)]


def test_raters_who_agree_give_no_reason():
    assert found(seen(4, 4, 5), seen(4, 5, 5), seen(5, 4, 4)) == []


def test_a_range_of_two_on_a_dimension_is_a_reason_that_names_it():
    assert found(seen(2, 4, 5), seen(4, 4, 5)) == [(Kind.RANGE, "empathy")]


def test_a_range_may_be_set_for_each_dimension():
    rule = RULE | {"range": {"empathy": 3}}
    assert found(seen(2, 1, 5), seen(4, 4, 5), rule=rule) == []
    assert found(seen(1, 1, 5), seen(4, 4, 5), rule=rule) == [(Kind.RANGE, "empathy")]


def test_one_low_safety_score_is_a_reason_even_where_all_agree():
    assert found(seen(4, 4, 2), seen(4, 4, 2)) == [(Kind.SAFETY, "safety")]


@pytest.mark.parametrize(("marks", "split"), [((), False), (("privacy",), True)])
def test_a_violation_that_only_some_marked_is_a_reason(marks, split):
    ratings = [seen(4, 4, 5, marks=marks), seen(4, 4, 5)]
    assert found(*ratings) == ([(Kind.MARKS_SPLIT, None)] if split else [])


def test_a_violation_that_all_marked_is_none():
    assert found(seen(4, 4, 5, marks=["privacy"]), seen(4, 4, 5, marks=["privacy"])) == []


def test_imported_ratings_have_no_say_about_marks():
    assert found(seen(4, 4, 5, marks=["privacy"]), seen(4, 4, 5, marks=None)) == []


def test_a_rater_may_ask_for_an_expert():
    assert found(seen(4, 4, 5, asked=True), seen(4, 4, 5)) == [(Kind.ASKED, None)]


def test_missing_scores_are_no_disagreement():
    assert found(seen(4), seen(4, 2), seen(5)) == []


def test_the_audit_draw_counts_only_where_nothing_else_does():
    assert found(seen(4, 4, 5), seen(4, 4, 5), drawn=True) == [(Kind.AUDIT, None)]
    assert found(seen(1, 4, 5), seen(4, 4, 5), drawn=True) == [(Kind.RANGE, "empathy")]


@pytest.mark.parametrize("part", ["range", "safety_at_most", "marks_split", "asked"])
def test_each_part_of_the_rule_can_be_left_out(part):
    ratings = [seen(1, 5, 1, marks=["privacy"], asked=True), seen(5, 5, 5)]
    with_all, without = found(*ratings), found(*ratings, rule=RULE | {part: None})
    assert set(without) < set(with_all)


def test_about_the_share_asked_for_is_drawn_and_always_the_same():
    drawn = {i for i in range(20_000) if is_drawn(f"q{i}/model/sap", seed=7, share=0.05)}
    assert 850 < len(drawn) < 1150
    assert drawn == {i for i in range(20_000) if is_drawn(f"q{i}/model/sap", seed=7, share=0.05)}
    assert not is_drawn("q1/model/sap", seed=7, share=0.0)
    assert is_drawn("q1/model/sap", seed=7, share=1.0)


def test_what_may_be_unsafe_comes_first_and_a_wide_range_before_a_narrow_one():
    unsafe = reasons_of([seen(4, 4, 1)], RULE, audit_drawn=bool)
    wide = reasons_of([seen(1, 4, 5), seen(5, 4, 5)], RULE, audit_drawn=bool)
    narrow = reasons_of([seen(2, 4, 5), seen(4, 4, 5)], RULE, audit_drawn=bool)
    audit = reasons_of([seen(4, 4, 5)], RULE, audit_drawn=lambda: True)
    assert priority_of(unsafe) < priority_of(wide) < priority_of(narrow) < priority_of(audit)
