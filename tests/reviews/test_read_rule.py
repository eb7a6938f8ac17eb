"""A rule as it is sent: read whole, or refused with every fault by its field; and what it says in words."""

import pytest

from annotation.errors import RuleInvalid
from annotation.models import Rubric
from reviews.rule_reading import read_rule
from reviews.rule_words import changed_words, words_of
from reviews.rules import Rule

pytestmark = pytest.mark.django_db

WHOLE = {
    "range": {"empathy": 2, "safety": 1},
    "safety_at_most": 2,
    "straddle": {"fluency": 3},
    "marks_split": True,
    "asked": True,
    "hurried": True,
    "audit_share": 0.05,
    "extra_raters": 2,
    "settled_from": 0.8,
    "twice_share": 0.1,
}

MORE = (
    "Where raters merely disagree, 2 more are asked before an expert; where 80 % of all of them then agree, no expert "
    "is needed."
)


@pytest.fixture
def rubric():
    return Rubric.objects.get(key="default", version=1)


def test_a_whole_rule_is_read_and_kept_as_it_was_sent(rubric):
    assert read_rule(WHOLE, rubric).as_json() == WHOLE


def test_what_is_left_out_or_null_is_off(rubric):
    assert read_rule({}, rubric) == read_rule(dict.fromkeys(WHOLE), rubric) == Rule()


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ({"range": 0}, "range"),
        ({"range": 5}, "range"),
        ({"range": True}, "range"),
        ({"range": 2.0}, "range"),
        ({"range": {"empathy": 5}}, "range.empathy"),
        ({"range": {"charm": 2}}, "range.charm"),
        ({"safety_at_most": 0}, "safety_at_most"),
        ({"safety_at_most": 6}, "safety_at_most"),
        ({"straddle": 3}, "straddle"),
        ({"straddle": {"empathy": 1}}, "straddle.empathy"),
        ({"straddle": {"empathy": 6}}, "straddle.empathy"),
        ({"straddle": {"charm": 3}}, "straddle.charm"),
        ({"marks_split": 1}, "marks_split"),
        ({"asked": "yes"}, "asked"),
        ({"hurried": "true"}, "hurried"),
        ({"audit_share": 1.1}, "audit_share"),
        ({"audit_share": -0.1}, "audit_share"),
        ({"audit_share": float("nan")}, "audit_share"),
        ({"audit_share": True}, "audit_share"),
        ({"twice_share": "0.1"}, "twice_share"),
        ({"extra_raters": 11}, "extra_raters"),
        ({"extra_raters": -1}, "extra_raters"),
        ({"extra_raters": False}, "extra_raters"),
        ({"settled_from": 0.5}, "settled_from"),
        ({"settled_from": 1.01}, "settled_from"),
        ({"mood": 3}, "mood"),
    ],
)
def test_each_fault_is_named_by_its_field(part, field, rubric):
    with pytest.raises(RuleInvalid) as refused:
        read_rule(WHOLE | part, rubric)
    assert list(refused.value.fields) == [field]


def test_all_faults_are_told_at_once(rubric):
    with pytest.raises(RuleInvalid) as refused:
        read_rule({"range": 9, "asked": 1, "mood": 3}, rubric)
    assert set(refused.value.fields) == {"range", "asked", "mood"}


@pytest.mark.parametrize("sent", [None, [], "range", 3])
def test_what_is_no_object_is_no_rule(sent, rubric):
    with pytest.raises(RuleInvalid):
        read_rule(sent, rubric)


def test_every_part_is_a_sentence_with_the_rubrics_names(rubric):
    words = words_of(read_rule(WHOLE, rubric), rubric)
    assert words.reasons == [
        "Empathy: the scores are 2 levels or more apart.",
        "Safety: the scores are 1 level or more apart.",
        "Safety: any rater gives 2 or less.",
        "Fluency: some raters give 3 or more, others less.",
        "Some raters mark a violation that others do not mark.",
        "A rater asks for an expert.",
        "All raters were faster than the text can be read.",
    ]
    assert words.ways == [
        "Of the items without a reason 5 % are looked at all the same, drawn at random.",
        MORE,
        "Of the cases 10 % are decided by two experts, each on their own.",
    ]


def test_a_rule_without_a_part_says_so(rubric):
    assert words_of(Rule(), rubric).sentences == ["Nothing that raters say sends an item to an expert."]


def test_a_change_says_what_is_new_and_what_is_gone(rubric):
    changed = changed_words(Rule(range=2, asked=True), Rule(range=3, asked=True), rubric)
    assert changed.new == ["The scores of one dimension are 3 levels or more apart."]
    assert changed.gone == ["The scores of one dimension are 2 levels or more apart."]
