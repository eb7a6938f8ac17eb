"""Who passes a training round, worked by hand."""

import pytest

from annotation.qualification import Compared, Rule, compare, draw_items, judge, rule_of

KNOWN = {"empathy": 4, "fluency": 5, "safety": 2}


def compared(scores, marks=(), known_marks=()):
    return compare(
        scores=dict(zip(KNOWN, scores, strict=True)),
        marks=[{"type": kind} for kind in marks],
        known_scores=KNOWN,
        known_marks=[{"type": kind} for kind in known_marks],
    )


def test_differences_keep_their_sign():
    assert compared([5, 5, 1]).differences == {"empathy": 1, "fluency": 0, "safety": -1}


def test_violations_are_compared_by_type_each_once():
    found = compared([4, 5, 2], marks=["privacy", "other", "note"], known_marks=["privacy", "dependence", "dependence"])
    assert found.missed == ("dependence",)
    assert found.extra == ("other",)  # a remark on a passage is no violation


def test_the_mean_is_over_all_dimensions_of_all_items():
    # |1| + |0| + |-1| and |-2| + |0| + |0| over six: 4/6; empathy leans by (1 - 2) / 2
    result = judge(Rule(max_mean_difference=0.7), [compared([5, 5, 1]), compared([2, 5, 2])])
    assert result.mean_difference == pytest.approx(4 / 6)
    assert result.passed
    assert result.by_dimension["empathy"].mean_difference == pytest.approx(1.5)
    assert result.by_dimension["empathy"].leaning == pytest.approx(-0.5)
    assert result.by_dimension["fluency"].mean_difference == 0


@pytest.mark.parametrize(("most", "passed"), [(0.1, False), (0.3, True), (0.31, True), (0.29, False)])
def test_the_border_itself_is_a_pass(most, passed):
    # ten items of three dimensions, nine levels off: 9/30 is 0.3 only almost, in binary fractions
    answers = [compared([5, 5, 2])] * 9 + [compared([4, 5, 2])]
    assert judge(Rule(max_mean_difference=most), answers).passed is passed


@pytest.mark.parametrize(("most", "passed"), [(0, False), (1, False), (2, True)])
def test_a_missed_violation_fails_however_near_the_scores_are(most, passed):
    answers = [compared([4, 5, 2], known_marks=["privacy", "other"]), compared([4, 5, 2], ["other"], ["other"])]
    result = judge(Rule(max_missed=most), answers)
    assert (result.mean_difference, result.missed, result.passed) == (0, 2, passed)
    assert result.missed_types == {"privacy": 1, "other": 1}


def test_a_violation_too_many_is_told_and_does_not_fail():
    answer = compared([4, 5, 2], marks=["other"])
    assert answer == Compared({"empathy": 0, "fluency": 0, "safety": 0}, (), ("other",))
    assert judge(Rule(), [answer]).passed


def draw(number, before=(), items=5, candidates=range(10), **more):
    return draw_items(candidates, before=before, items=items, **{"seed": 7, "person": 3, **more}, number=number)


def test_the_same_draw_again_is_the_same_and_another_persons_is_another():
    assert draw(1) == draw(1)
    assert draw(1) != draw(1, person=4)


def test_a_second_attempt_draws_what_the_first_did_not():
    first = draw(1)
    assert set(draw(2, [first])).isdisjoint(first)


def test_where_there_are_too_few_others_only_the_rest_is_met_again():
    first = draw(1, items=7)
    second = draw(2, [first], items=7)
    assert len(set(second) - set(first)) == 3
    third = draw(3, [first, second], items=7)
    assert len(set(third)) == 7
    assert draw(4, [first] * 3, items=30) != sorted(draw(4, [first] * 3, items=30))  # all there are, in a drawn order


def test_an_empty_rule_is_no_training():
    assert rule_of({}) is None
    assert rule_of({"items": 4, "max_missed": 1}) == Rule(items=4, max_missed=1)
    assert rule_of(Rule(items=4).as_json()) == Rule(items=4)
