"""The rule, as a pure function of what raters said."""

import pytest

from reviews.rules import Kind, RatingSeen, Rule, is_drawn, priority_of, reasons_of, wants_more_raters

RULE = {"range": 2, "safety_at_most": 2, "marks_split": True, "asked": True, "audit_share": 0.05}


def seen(*scores, marks=(), asked=False, hurried=False):
    given = dict(zip(("empathy", "fluency", "safety"), scores, strict=False))
    return RatingSeen(given, None if marks is None else frozenset(marks), asked, hurried)


def reasons(*ratings, rule=RULE, drawn=False, after_extra=False):
    return reasons_of(ratings, Rule.of(rule), after_extra=after_extra, audit_drawn=lambda: drawn)


def found(*ratings, **how):
    return [(reason.kind, reason.dimension) for reason in reasons(*ratings, **how)]


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
    unsafe = reasons(seen(4, 4, 1))
    wide = reasons(seen(1, 4, 5), seen(5, 4, 5))
    narrow = reasons(seen(2, 4, 5), seen(4, 4, 5))
    audit = reasons(seen(4, 4, 5), drawn=True)
    assert priority_of(unsafe) < priority_of(wide) < priority_of(narrow) < priority_of(audit)


def test_raters_on_both_sides_of_a_pass_mark_are_a_reason_however_near_they_are():
    rule = {"straddle": {"empathy": 3}}
    assert found(seen(2, 1, 5), seen(3, 5, 5), rule=rule) == [(Kind.STRADDLE, "empathy")]
    assert found(seen(3, 1, 5), seen(5, 5, 5), rule=rule) == []
    assert found(seen(1, 1, 5), seen(2, 5, 5), rule=rule) == []


def test_an_item_that_all_its_raters_hurried_through_is_a_case_and_one_careful_rater_is_enough():
    rule = {"hurried": True}
    assert found(seen(4, hurried=True), seen(4, hurried=True), rule=rule) == [(Kind.HURRIED, None)]
    assert found(seen(4, hurried=True), seen(4), rule=rule) == []
    assert found(seen(4, hurried=True), rule={}) == []


class TestExtraRaters:
    RULE = RULE | {"extra_raters": 2, "straddle": {"fluency": 3}}

    @pytest.mark.parametrize(
        ("ratings", "wanted"),
        [
            ((seen(1, 5, 5), seen(5, 5, 5)), True),
            ((seen(5, 2, 5), seen(5, 3, 5)), True),
            ((seen(5, 5, 5, marks=["privacy"]), seen(5, 5, 5)), True),
            ((seen(1, 5, 2), seen(5, 5, 5)), False),
            ((seen(1, 5, 5, asked=True), seen(5, 5, 5)), False),
            ((seen(5, 5, 5), seen(5, 5, 5)), False),
        ],
    )
    def test_are_asked_where_raters_merely_disagree(self, ratings, wanted):
        """Danger and a rater's own wish go to the expert at once."""
        rule = Rule.of(self.RULE)
        assert wants_more_raters(reasons(*ratings, rule=self.RULE), rule) is wanted
        assert not wants_more_raters(reasons(*ratings, rule=self.RULE), Rule.of(RULE))

    @pytest.mark.parametrize(
        ("levels", "kinds"),
        [
            ((1, 4, 4, 4), []),  # three of four stand within one level of the median
            ((1, 4, 4, 5, 4), []),
            ((1, 1, 4, 4, 4), [Kind.RANGE]),  # three of five do not
            ((1, 2, 3, 4, 5), [Kind.RANGE]),
        ],
    )
    def test_settle_a_spread_by_a_clear_majority_near_the_median(self, levels, kinds):
        ratings = [seen(level) for level in levels]
        assert [kind for kind, _ in found(*ratings, after_extra=True)] == kinds
        assert [kind for kind, _ in found(*ratings)] == [Kind.RANGE]

    def test_settle_marks_and_pass_marks_by_a_clear_majority_on_either_side(self):
        rule = {"marks_split": True, "straddle": {"empathy": 3}}
        few = [seen(5, marks=["privacy"]), seen(5), seen(5), seen(2)]
        assert found(*few, rule=rule, after_extra=True) == []
        even = [seen(5, marks=["privacy"]), seen(5, marks=["privacy"]), seen(2), seen(2)]
        assert found(*even, rule=rule, after_extra=True) == [(Kind.MARKS_SPLIT, None), (Kind.STRADDLE, "empathy")]

    def test_never_settle_what_is_dangerous(self):
        assert found(seen(5, 5, 1), *[seen(5, 5, 5)] * 4, after_extra=True) == [(Kind.SAFETY, "safety")]


def test_a_rule_comes_back_from_what_a_campaign_keeps_as_it_was():
    rule = Rule(range={"empathy": 2}, straddle={"safety": 3}, extra_raters=1, twice_share=0.1)
    assert Rule.of(rule.as_json()) == rule
    assert Rule.of({"range": None, "unheard": 1}) == Rule()


def test_the_draws_for_audit_and_for_two_experts_have_nothing_to_do_with_each_other():
    items = [f"q{i}/model/sap" for i in range(4_000)]
    audit = {item for item in items if is_drawn(item, seed=7, share=0.5)}
    twice = {item for item in items if is_drawn(item, seed=7, share=0.5, what="twice")}
    assert 900 < len(audit & twice) < 1100
