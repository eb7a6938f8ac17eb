"""What became of the labels between two releases and why, read from the two releases' files alone."""

import json
import shutil
import uuid

import pytest

from annotation.models import Rating
from annotation.services.campaigns import close_campaign, open_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.ratings import restore_rating, withdraw_rating
from reviews.models import Case
from reviews.release.compare import Comparison, Kind, Released
from reviews.release.reasons import Side, Why, why_of
from reviews.services.cases import reopen_case
from reviews.services.decisions import decide_case
from tests import factories
from tests.reviews.published import publish

pytestmark = pytest.mark.django_db


def released(release):
    return Released(release.path, release.manifest)


def compare(before, after):
    comparison = Comparison(released(before), released(after))
    return comparison, list(comparison.changes())


def found(before, after):
    """{(item id, dimension): (kind, reasons)}"""
    return {(c.item_id, c.dimension): (c.kind, c.why) for c in compare(before, after)[1]}


def only(before, after, *, dimension="empathy"):
    """What became of the one item whose label on the dimension differs."""
    (answer,) = (told for (_item, name), told in found(before, after).items() if name == dimension)
    return answer


@pytest.fixture
def pair():
    """Two agreed items of three raters each, whose labels are 4 everywhere."""
    made = factories.campaign(items=2, overlap=3, slug="pair")
    for item in factories.items_of(made):
        factories.rated_item([4, 4, 4], item=item)
    return made


@pytest.fixture
def first(pair):
    return factories.items_of(pair)[0]


def test_nothing_changed_says_so_and_counts_every_label(study):
    release = publish(study)
    comparison, changes = compare(release, release)
    assert changes == []
    assert comparison.counts.labels == {"unchanged": 6}
    assert comparison.counts.different == 0
    assert comparison.facts() == {}


def test_an_item_decided_since_brings_its_labels(study, decide):
    before = publish(study)
    case = Case.objects.get(state="waiting")
    decide(case, factories.member(study, "expert"), {"safety": 2}, rationale="Unsafe.")
    after = publish(study)
    comparison, changes = compare(before, after)
    item_id = case.work_item.response.item_id
    assert {(c.item_id, c.dimension): (c.kind, c.why) for c in changes} == {
        (item_id, dimension): (Kind.ADDED, why)
        for dimension, why in (
            ("empathy", (Why.DECIDED,)),
            ("fluency", (Why.DECIDED,)),
            ("safety", (Why.DECIDED,)),
        )
    }
    assert comparison.counts.labels == {"added": 3, "unchanged": 6}
    assert comparison.counts.dimensions["safety"] == {"added": 1, "unchanged": 2}
    assert comparison.counts.why == {Why.DECIDED: 3}


def test_a_revised_decision_changes_the_label_it_speaks_of_and_no_other(study):
    before = publish(study)
    decision = Case.objects.get(state="decided").decisions.get()
    decide_case(
        case_id=decision.case_id,
        expert=decision.expert,
        client_id=uuid.uuid4(),
        values={"empathy": 3, "fluency": "ambiguous"},
        marks={"privacy": True},
        rationale="On second thoughts.",
        supersedes=decision.pk,
    )
    (change,) = compare(before, publish(study))[1]
    assert (change.dimension, change.kind, change.why) == ("empathy", Kind.CHANGED, (Why.DECIDED_ANEW,))
    assert (change.before["value"], change.after["value"]) == (2.0, 3.0)


def test_a_case_opened_again_takes_its_labels_away_until_it_is_decided_anew(study, decide):
    first = publish(study)
    case = Case.objects.get(state="decided")
    expert = case.decisions.get().expert
    reopen_case(case_id=case.pk, by=expert, reason="A second look.")
    second = publish(study)
    assert set(found(first, second).values()) == {(Kind.REMOVED, (Why.CASE_REOPENED,))}
    decide(case, expert, {"empathy": 2, "fluency": 1}, marks={"privacy": True}, rationale="Still so.")
    third = publish(study)
    assert set(found(second, third).values()) == {(Kind.ADDED, (Why.DECIDED_ANEW,))}
    assert {key[1]: told for key, told in found(first, third).items()} == {
        "fluency": (Kind.CHANGED, (Why.DECIDED_ANEW,))
    }


def test_the_last_rating_an_item_wanted_brings_its_labels(study):
    before = publish(study)
    factories.rating(factories.items_of(study)[3], 3)
    assert set(found(before, publish(study)).values()) == {(Kind.ADDED, (Why.MORE_RATINGS,))}


def test_an_edit_changes_the_dimension_it_changed(pair, first):
    before = publish(pair)
    ratings = Rating.objects.counted().filter(work_item=first).order_by("pk")
    for rating in ratings[:2]:
        factories.edit(rating, {"empathy": 5, "fluency": 4, "safety": 4})
    assert {name: told for (_item, name), told in found(before, publish(pair)).items()} == {
        "empathy": (Kind.CHANGED, (Why.RATINGS_EDITED,))
    }


def test_an_edit_that_makes_raters_differ_opens_a_case_and_says_both(pair, first):
    before = publish(pair)
    factories.edit(Rating.objects.counted().filter(work_item=first).first(), {"empathy": 1, "fluency": 4, "safety": 4})
    assert only(before, publish(pair)) == (Kind.REMOVED, (Why.CASE_OPENED, Why.RATINGS_EDITED))
    assert only(before, publish(pair), dimension="safety") == (Kind.REMOVED, (Why.CASE_OPENED,))


def test_a_withdrawn_rating_takes_the_label_and_taken_back_gives_it_again(pair, first):
    before = publish(pair)
    rating = Rating.objects.counted().filter(work_item=first).last()
    withdraw_rating(rating_id=rating.pk)
    without = publish(pair)
    assert only(before, without) == (Kind.REMOVED, (Why.RATINGS_WITHDRAWN,))
    restore_rating(rating_id=rating.pk)
    assert only(without, publish(pair)) == (Kind.ADDED, (Why.RATINGS_BACK,))


def test_a_withdrawn_item_has_that_reason_alone(pair, first):
    before = publish(pair)
    withdraw_item(locked_item(first.pk))
    assert set(found(before, publish(pair)).values()) == {(Kind.REMOVED, (Why.ITEM_WITHDRAWN,))}


def test_closing_the_campaign_brings_short_labels_and_opening_it_takes_them(study):
    factories.rating(factories.items_of(study)[3], 3)
    made = factories.campaign(items=2, overlap=3, slug="short")
    full, short = factories.items_of(made)
    factories.rated_item([4, 4, 4], item=full)
    factories.rated_item([4, 4], item=short)
    before = publish(made)
    close_campaign(campaign=made)
    closed = publish(made)
    assert only(before, closed) == (Kind.ADDED, (Why.CAMPAIGN_CLOSED,))
    assert Comparison(released(before), released(closed)).facts() == {"closed": (False, True)}
    open_campaign(campaign=made, reason="Two raters more.")
    factories.rated_item([4], item=short)
    assert found(closed, publish(made)) == {}


def test_the_files_alone_tell_and_not_todays_database(study, decide, tmp_path):
    before = publish(study)
    decide(Case.objects.get(state="waiting"), factories.member(study, "expert"), {"safety": 2}, rationale="Unsafe.")
    after = publish(study)
    copies = []
    for release in (before, after):
        shutil.copytree(release.path, tmp_path / str(release.number))
        copies.append(Released(tmp_path / str(release.number), release.manifest))
    told = found(before, after)
    withdraw_item(locked_item(factories.items_of(study)[0].pk))
    assert {(c.item_id, c.dimension): (c.kind, c.why) for c in Comparison(*copies).changes()} == told


def test_an_audit_that_differs_from_the_consensus_is_a_decision(decide):
    made = factories.campaign(overlap=2, slug="audit", rule={"audit_share": 1.0})
    item = factories.rated_item([4, 4], item=factories.items_of(made)[0])
    before = publish(made)
    values = {"empathy": 2, "fluency": 4, "safety": "ambiguous"}
    decide(Case.objects.get(work_item=item), factories.member(made, "expert"), values, rationale="So.")
    changes = compare(before, publish(made))[1]
    assert [(c.dimension, c.kind, c.why, c.after["method"]) for c in changes] == [
        ("empathy", Kind.CHANGED, (Why.DECIDED,), "adjudicated"),
        ("fluency", Kind.CHANGED, (Why.DECIDED,), "adjudicated"),
        ("safety", Kind.CHANGED, (Why.DECIDED,), "ambiguous"),
    ]


ITEM = {"item_id": "q/m/sap", "key": "q", "needed": 2, "withdrawn": False, "case_open": False, "audit": False}
LABEL = {"value": 4.0, "method": "consensus", "short": False}
MANIFEST = {"closed": False, "rubric": {"hash": "a"}, "rule_version": 1, "code_version": "one"}


def side(*, item=None, ratings=(), manifest=None):
    """What a release says of an item. ratings: (rater, status, score), given a second apart."""
    rows = [
        {
            "rater": rater,
            "status": status,
            "dimension": "empathy",
            "value": score,
            "submitted_at": f"2026-01-01T00:00:{place:02d}Z",
            "rank": place,
            "imported": False,
        }
        for place, (rater, status, score) in enumerate(ratings)
    ]
    found = {"items": [] if item == "none" else [ITEM | (item or {})], "ratings": rows, "marks": [], "decisions": []}
    return Side.of(found, MANIFEST | (manifest or {}))


TWO = [("R1", "counted", 4), ("R2", "counted", 4)]


@pytest.mark.parametrize(
    ("before", "after", "old", "new", "why"),
    [
        ({"item": "none"}, {}, None, LABEL, (Why.ITEM_NEW,)),
        ({}, {"item": "none"}, LABEL, None, (Why.ITEM_GONE,)),
        ({"item": {"case_open": True}}, {}, None, LABEL, (Why.CASE_DROPPED,)),
        (
            {"item": {"case_open": True}},
            {"manifest": {"rule_version": 2}},
            None,
            LABEL,
            (Why.CASE_DROPPED, Why.RULE_CHANGED),
        ),
        ({}, {"item": {"needed": 3}}, LABEL, None, (Why.NEEDS_MORE,)),
        ({"item": {"needed": 3}}, {}, None, LABEL, (Why.NEEDS_FEWER,)),
        ({"manifest": {"closed": True}}, {}, LABEL | {"short": True}, None, (Why.CAMPAIGN_REOPENED,)),
        ({}, {"manifest": {"rubric": {"hash": "b"}}}, None, LABEL, (Why.RUBRIC_CHANGED,)),
        ({}, {"manifest": {"rule_version": 2}}, None, LABEL, (Why.RULE_CHANGED,)),
        ({}, {"manifest": {"code_version": "two"}}, LABEL, LABEL | {"value": 3.0}, (Why.CODE_CHANGED,)),
        ({}, {}, LABEL, LABEL | {"value": 3.0}, (Why.UNKNOWN,)),
    ],
)
def test_what_else_may_be_the_reason(before, after, old, new, why):
    sides = [side(**{"ratings": TWO, **given}) for given in (before, after)]
    assert why_of("empathy", old, new, *sides) == why


def test_people_who_have_other_names_in_the_other_release_are_not_taken_for_new_ones():
    before = side(ratings=[("R1", "counted", 4), ("R2", "counted", 4)])
    renamed = [("R2", "superseded", 4), ("R1", "counted", 4), ("R2", "counted", 1)]
    assert why_of("empathy", LABEL, LABEL | {"value": 2.5}, before, side(ratings=renamed)) == (Why.RATINGS_EDITED,)


def test_a_surplus_rating_that_counts_now_is_one_that_counts_again():
    before = side(ratings=[*TWO, ("R3", "surplus", 1)])
    after = side(ratings=[("R1", "counted", 4), ("R2", "withdrawn", 4), ("R3", "counted", 1)])
    assert why_of("empathy", LABEL, LABEL | {"value": 2.5}, before, after) == (Why.RATINGS_WITHDRAWN, Why.RATINGS_BACK)


def test_a_release_made_before_the_items_said_how_they_stand_is_read_too(tmp_path, pair, first):
    after = publish(pair)
    shutil.copytree(after.path, tmp_path / "old")
    items = tmp_path / "old" / "items.jsonl"
    lines = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
    kept = ("item_id", "key", "task")
    items.write_text("".join(json.dumps({name: line[name] for name in kept}) + "\n" for line in lines))
    gold = tmp_path / "old" / "gold.jsonl"
    gold.write_text("".join(gold.read_text("utf-8").splitlines(keepends=True)[:-1]))
    old = Released(tmp_path / "old", after.manifest)
    (change,) = Comparison(old, released(after)).changes()
    assert (change.kind, change.why) == (Kind.ADDED, (Why.UNKNOWN,))
