"""Every label can be made again: from the files of a release alone, and from the history that the database keeps."""

import itertools
import json
import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.models import Rating
from annotation.services.campaigns import close_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.ratings import withdraw_rating
from reviews.gold import labels_of, violations_of
from reviews.models import Case
from reviews.records import DecisionRecord, ItemRecord, MarkRecord, RatingRecord
from reviews.release.reading import Shelves, histories_in, history_of
from reviews.release.rows import Naming, Rows, Scale
from reviews.services.cases import reopen_case
from reviews.services.decisions import decide_case
from reviews.services.records import records_of
from tests import factories
from tests.reviews.published import publish, rows

pytestmark = pytest.mark.django_db
DIMENSIONS = factories.DIMENSIONS


def label_rows(items, *, closed):
    """Labels as gold.jsonl holds them."""
    return [
        {
            "item_id": label.item_id,
            "dimension": label.dimension,
            "value": None if label.value is None else float(label.value),
            "method": str(label.method),
            "short": label.short,
            "raters": label.raters,
            "spread": label.spread,
            "distribution": {str(level): label.distribution.get(level, 0) for level in range(1, 6)},
            "decision": None if label.decision is None else f"D{label.decision}",
        }
        for item in items
        for label in labels_of(item, dimensions=DIMENSIONS, closed=closed)
    ]


def violation_rows(items, *, closed):
    return [vars(label) for item in items for label in violations_of(item, closed=closed)]


def assert_rebuilt(release):
    """The release's labels follow from its other files, and from nothing else."""
    closed = release.manifest["closed"]
    gold = rows(release, "gold.jsonl")
    assert gold
    found = label_rows(histories_in(release.path), closed=closed)
    assert [{name: row[name] for name in told} for row, told in zip(gold, found, strict=True)] == found
    assert violation_rows(histories_in(release.path), closed=closed) == rows(release, "violations.jsonl")


def without_numbers(found):
    """Decisions are numbered anew in each release."""
    return [{**row, "decision": row["decision"] is not None} for row in found]


def happen(study, decide):
    """One after the other what can happen to a campaign; yields after each."""
    agreed, decided, undecided, unfinished = factories.items_of(study)
    yield "as it is"
    factories.rating(unfinished, {"safety": 4}, marks=["privacy"])
    yield "a rating more"
    for rating in Rating.objects.counted().filter(work_item=agreed):
        factories.edit(rating, {"empathy": 3, "fluency": 4, "safety": 4})
    yield "edited"
    case = Case.objects.get(work_item=decided)
    expert = case.decisions.get().expert
    reopen_case(case_id=case.pk, by=expert, reason="Once more.")
    yield "opened again"
    decide(case, expert, {"empathy": "ambiguous", "fluency": 1}, marks={"privacy": False}, rationale="Again.")
    yield "decided anew"
    decide_case(
        case_id=case.pk,
        expert=expert,
        client_id=uuid.uuid4(),
        values={"empathy": 3},
        marks={"privacy": True},
        rationale="A third look.",
        supersedes=case.decisions.order_by("-pk").first().pk,
    )
    yield "revised"
    decide(Case.objects.get(work_item=undecided), expert, {"safety": 1}, rationale="Unsafe.")
    yield "the other decided"
    withdraw_rating(rating_id=Rating.objects.counted().filter(work_item=agreed).first().pk)
    yield "a rating withdrawn"
    withdraw_item(locked_item(unfinished.pk))
    yield "an item withdrawn"
    close_campaign(campaign=study)
    study.refresh_from_db()
    yield "closed"


def test_each_release_is_rebuilt_from_its_own_files_whatever_happened(study, decide):
    releases = []
    for happened in happen(study, decide):
        release = publish(study)
        assert release not in releases, happened
        assert_rebuilt(release)
        releases.append(release)
    assert {row["method"] for release in releases for row in rows(release, "gold.jsonl")} == {
        "consensus",
        "adjudicated",
        "ambiguous",
    }


def test_the_history_in_the_database_gives_the_same_labels_as_the_release(study, decide):
    for happened in happen(study, decide):
        closed = study.state == "closed"
        from_history = label_rows((record.history() for record in records_of(study)), closed=closed)
        released = label_rows(histories_in(publish(study).path), closed=closed)
        assert without_numbers(from_history) == without_numbers(released), happened


def test_old_releases_stay_as_they_are_to_the_byte_whatever_happens_after(study, decide):
    kept = {}
    for _happened in happen(study, decide):
        release = publish(study)
        kept[release] = {path.name: path.read_bytes() for path in release.path.iterdir()}
    assert len(kept) == 10
    for release, files in kept.items():
        assert {path.name: path.read_bytes() for path in release.path.iterdir()} == files


def test_no_person_can_be_followed_from_release_to_release(study):
    """That four draws give seven people the same names is less likely than 1 in 10 to the 11th."""
    agreed, names = factories.items_of(study)[0], []
    for level in range(1, 5):
        if names:
            factories.edit(
                Rating.objects.counted().filter(work_item=agreed).first(), {"empathy": 4, "fluency": 2 + level % 2}
            )
        release = publish(study)
        found = {}
        for row in rows(release, "ratings.jsonl"):
            if row["status"] == "counted" and row["dimension"] == "safety":
                found.setdefault(row["item_id"], set()).add(row["rater"])
        names.append(found)
    assert any(one != other for one, other in itertools.combinations(names, 2))


level = st.integers(1, 5)
some_scores = st.dictionaries(st.sampled_from(DIMENSIONS), level, min_size=1)
KINDS = ("privacy", "dependence")


@st.composite
def ratings(draw):
    """Of up to four people, each with one counted rating at most, among others that do not count."""
    made = []
    for rater in range(draw(st.integers(0, 4))):
        others = draw(st.lists(st.sampled_from(["superseded", "withdrawn", "surplus"]), max_size=2))
        for status in draw(st.permutations([*others, *draw(st.sampled_from([[], ["counted"]]))])):
            imported = draw(st.booleans())
            marked = [] if imported else draw(st.lists(st.sampled_from(KINDS), max_size=2))
            made.append(
                RatingRecord(
                    number=len(made),
                    rater=rater,
                    status=status,
                    rank=rater + 1,
                    is_extra=draw(st.booleans()),
                    rubric=1,
                    submitted_at=datetime(2026, 1, 1, 0, 0, len(made), tzinfo=UTC),
                    seconds=20,
                    rationale="",
                    needs_expert=False,
                    imported=imported,
                    scores=draw(some_scores),
                    marks=[MarkRecord(kind, None, None, "", "") for kind in marked],
                )
            )
    return made


@st.composite
def decisions(draw):
    """Rulings, all but the last superseded or not, with opinions between them."""
    return [
        DecisionRecord(
            number=place,
            expert=1,
            kind=draw(st.sampled_from(["ruling", "opinion"])),
            round=0,
            values=draw(st.dictionaries(st.sampled_from(DIMENSIONS), st.one_of(level, st.none()))),
            marks=draw(st.dictionaries(st.sampled_from(KINDS), st.booleans())),
            rationale="",
            quick_reason="",
            decided_at=datetime(2026, 1, 2, 0, 0, place, tzinfo=UTC),
            superseded=draw(st.booleans()),
        )
        for place in range(draw(st.integers(0, 3)))
    ]


@st.composite
def records(draw):
    about = dict.fromkeys(("task", "component", "language", "companion", "condition", "text", "arrival"), "")
    flags = {name: draw(st.booleans()) for name in ("withdrawn", "case_open", "audit", "twice")}
    return ItemRecord(
        item_id="q/m/sap",
        key="q",
        needed=draw(st.integers(1, 4)),
        ratings=draw(ratings()),
        decisions=draw(decisions()),
        **about,
        **flags,
    )


def read_back(record, *, closed):
    """The history that a reader of the release's files finds, from rows as JSON Lines holds them."""
    naming = Naming(
        raters={rater: f"R{rater:02d}" for rater in range(4)},
        experts={1: "E01"},
        sequences={rating.number: 1 for rating in record.ratings},
        rubrics={1: ("default 1", "0" * 64)},
    )
    scales = [Scale(name, range(1, 6)) for name in DIMENSIONS]
    found = Rows(naming=naming, scales=scales, closed=closed).of(record, record.history())
    written = json.loads(json.dumps(found, default=str))
    return history_of({name: written[name] for name in Shelves.NAMES})


@settings(max_examples=300, deadline=None)
@given(record=records(), closed=st.booleans())
def test_whatever_is_on_record_of_an_item_its_rows_give_the_same_labels(record, closed):
    again = read_back(record, closed=closed)
    labels = label_rows([record.history()], closed=closed)
    assert without_numbers(label_rows([again], closed=closed)) == without_numbers(labels)
    assert violation_rows([again], closed=closed) == violation_rows([record.history()], closed=closed)
