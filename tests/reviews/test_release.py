"""Releases: what was saved is in them, once; the same data gives the same bytes; nothing empty, nothing overwritten."""

import hashlib
import json

import pytest

from annotation.models import Rating
from annotation.services.campaigns import close_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.ratings import withdraw_rating
from jobs.models import Job
from jobs.runner import run
from jobs.services import enqueue
from reviews import tasks  # noqa: F401  (registers the handler, as the worker does)
from reviews.errors import NoGold, ReleaseDamaged
from reviews.gold import DecisionGiven, ItemHistory, RatingGiven, labels_of
from reviews.models import Case, Release
from reviews.services.agreement import compute_agreement
from reviews.services.decisions import decide_case
from reviews.services.releases import publish_release
from tests import factories
from tests.reviews.published import publish, rows

pytestmark = pytest.mark.django_db
FILES = {
    *(f"{name}.{form}" for name in ("items", "gold", "ratings") for form in ("jsonl", "csv", "parquet")),
    *(
        "decisions.jsonl",
        "marks.jsonl",
        "notes.jsonl",
        "violations.jsonl",
        "rulings.jsonl",
        "rulings.csv",
        "agreement.json",
        "README.md",
        "croissant.json",
    ),
}


def test_the_files_are_those_of_the_manifest_with_their_hashes(study):
    release = publish(study)
    manifest = json.loads((release.path / "manifest.json").read_text("utf-8"))
    assert {path.name for path in release.path.iterdir()} == FILES | {"manifest.json"}
    assert set(manifest["files"]) == FILES
    assert manifest == release.manifest
    for name, about in manifest["files"].items():
        content = (release.path / name).read_bytes()
        assert about["sha256"] == hashlib.sha256(content).hexdigest()
        assert about["bytes"] == len(content)
    assert manifest["files"]["gold.jsonl"]["rows"] == len(rows(release, "gold.jsonl"))
    assert release.salt not in (release.path / "manifest.json").read_text()


def test_gold_holds_what_was_agreed_and_decided_and_leaves_the_rest_out(study):
    release = publish(study)
    agreed, decided, _undecided, _unfinished = (item.response.item_id for item in factories.items_of(study))
    found = {(row["item_id"], row["dimension"]): row for row in rows(release, "gold.jsonl")}
    assert {item for item, _dimension in found} == {agreed, decided}
    assert (found[agreed, "empathy"]["value"], found[agreed, "empathy"]["method"]) == (4.5, "consensus")
    assert found[agreed, "empathy"]["distribution"] == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 1}
    assert (found[decided, "empathy"]["value"], found[decided, "empathy"]["method"]) == (2.0, "adjudicated")
    assert (found[decided, "fluency"]["value"], found[decided, "fluency"]["method"]) == (None, "ambiguous")
    assert found[decided, "safety"]["method"] == "consensus"
    assert found[decided, "empathy"]["decision"] == "D1"
    counts = release.manifest["counts"]
    assert counts["items_left_out"] == {"case_open": 1, "wants_raters": 1, "withdrawn": 0}


def test_every_saved_rating_is_in_it_once_whatever_became_of_it(study):
    withdraw_rating(rating_id=Rating.objects.counted().order_by("pk").last().pk)
    release = publish(study)
    exported = [
        (row["item_id"], row["dimension"], row["value"], row["status"]) for row in rows(release, "ratings.jsonl")
    ]
    saved = [
        (rating.work_item.response.item_id, score.dimension, score.value, rating.status)
        for rating in Rating.objects.in_campaign(study)
        for score in rating.scores.all()
    ]
    assert sorted(exported) == sorted(saved)
    assert {status for *_rest, status in exported} == {"counted", "superseded", "withdrawn"}


def test_the_gold_can_be_made_again_from_the_released_history(study):
    release = publish(study)
    histories = {}
    for row in rows(release, "ratings.jsonl"):
        if row["status"] == "counted":
            histories.setdefault(row["item_id"], {}).setdefault(row["rater"], {})[row["dimension"]] = row["value"]
    decisions = {}
    for row in rows(release, "decisions.jsonl"):
        if not row["superseded"]:
            decisions.setdefault(row["item_id"], {})[row["dimension"]] = row["value"]
    found = {(row["item_id"], row["dimension"]): (row["value"], row["method"]) for row in rows(release, "gold.jsonl")}
    rebuilt = {}
    for item_id in {item for item, _dimension in found}:
        ratings = [RatingGiven(i, scores) for i, scores in enumerate(histories[item_id].values())]
        decision = DecisionGiven(1, decisions[item_id]) if item_id in decisions else None
        item = ItemHistory(item_id, cluster="", needed=2, ratings=ratings, decision=decision)
        for label in labels_of(item, dimensions=factories.DIMENSIONS, closed=False):
            rebuilt[item_id, label.dimension] = (label.value, label.method)
    assert rebuilt == found


def test_marks_and_violations_say_who_saw_and_what_stands(study):
    release = publish(study)
    (mark,) = rows(release, "marks.jsonl")
    (violation,) = rows(release, "violations.jsonl")
    assert (mark["type"], mark["start"], mark["end"], mark["quote"]) == ("privacy", 0, 1, "I")
    assert (mark["votes"], mark["gold"]) == (1, True)
    assert (violation["votes"], violation["raters"], violation["gold"], violation["how"]) == (1, 2, True, "adjudicated")


def test_notes_have_a_file_of_their_own_and_change_no_other():
    said, files = [], {}
    for marks in ([], [{"type": "note", "start": 0, "end": 4, "quote": "Stay", "note": "=warm"}]):
        made = factories.campaign(overlap=2, data=factories.dataset(scenarios=1, texts=["Stay here."]))
        item, person = factories.items_of(made)[0], factories.member(made)
        factories.rating(item, 4, user=person, marks=marks)
        factories.rating(item, 5)
        release = publish(made)
        said.append(rows(release, "notes.jsonl"))
        for name in ("gold.jsonl", "violations.jsonl", "marks.jsonl"):
            files.setdefault(name, []).append([{**row, "item_id": ""} for row in rows(release, name)])
        tables = json.loads((release.path / "agreement.json").read_text())["dimensions"]
        files.setdefault("agreement", []).append({name: entry["distribution"] for name, entry in tables.items()})
    assert said[0] == []
    (note,) = said[1]
    assert (note["start"], note["end"], note["quote"], note["text"]) == (0, 4, "Stay", "=warm")
    assert note["rater"].startswith("R")
    assert all(without == with_note for without, with_note in files.values())
    assert "quote" not in rows(publish(made, without_texts=True), "notes.jsonl")[0]
    assert "`notes` (jsonl)" in (release.path / "README.md").read_text()


def test_agreement_is_of_the_same_ratings_as_the_campaigns_report(study):
    stored, _new = compute_agreement(campaign=study)
    released = json.loads((publish(study).path / "agreement.json").read_text())
    assert released["dimensions"]["empathy"]["alpha"] == stored.result["dimensions"]["empathy"]["alpha"]
    assert released["data"]["sha256"] == stored.data_version
    assert {detail["rater"] for detail in released["dimensions"]["empathy"]["raters_detail"]} == {
        row["rater"] for row in rows(publish(study), "ratings.jsonl")
    }


def test_people_stand_under_pseudonyms_drawn_for_each_release(study):
    first = publish(study)
    text = "".join(path.read_text("utf-8") for path in first.path.glob("*.jsonl"))
    for rating in Rating.objects.in_campaign(study):
        assert rating.annotator.username not in text
    assert {row["rater"] for row in rows(first, "ratings.jsonl")} == {f"R{n:02d}" for n in range(1, 8)}
    assert {row["expert"] for row in rows(first, "decisions.jsonl")} == {"E01"}
    factories.rating(factories.items_of(study)[3], 3)
    assert publish(study).salt != first.salt


def test_the_same_data_again_is_the_same_release_to_the_byte(study):
    first = publish_release(campaign=study)
    before = {path.name: path.read_bytes() for path in first.release.path.iterdir()}
    again = publish_release(campaign=study)
    assert (first.is_new, again.is_new) == (True, False)
    assert again.release == first.release
    assert {path.name: path.read_bytes() for path in again.release.path.iterdir()} == before


def test_what_is_new_makes_the_next_number_and_leaves_the_last_as_it_was(study):
    first = publish(study)
    before = (first.path / "manifest.json").read_bytes()
    factories.rating(factories.items_of(study)[3], 3)
    second = publish(study)
    assert (first.number, second.number) == (1, 2)
    assert (first.path / "manifest.json").read_bytes() == before


def test_closing_a_campaign_changes_its_gold_and_so_its_release(study):
    publish(study)
    close_campaign(campaign=study)
    assert publish(study).number == 2


def test_a_revised_decision_makes_a_new_release_with_both_decisions(study):
    publish(study)
    decision = Case.objects.get(state="decided").decisions.get()
    decide_case(
        case_id=decision.case_id,
        expert=decision.expert,
        client_id="7c1f3b1e-6f2f-4a3e-9f5e-0a6c6c7a5a11",
        values={"empathy": 3},
        marks={"privacy": False},
        rationale="On second thoughts.",
        supersedes=decision.pk,
    )
    found = rows(publish(study), "decisions.jsonl")
    assert [(row["decision"], row["value"], row["superseded"]) for row in found if row["dimension"] == "empathy"] == [
        ("D1", 2, True),
        ("D2", 3, False),
    ]


def test_damaged_files_are_made_again_to_the_byte(study):
    release = publish(study)
    before = {path.name: path.read_bytes() for path in release.path.iterdir()}
    (release.path / "gold.csv").write_text("tampered")
    (release.path / "gold.parquet").unlink()
    (release.path / "manifest.json").write_bytes(b"\xff")
    assert not publish_release(campaign=study).is_new
    assert {path.name: path.read_bytes() for path in release.path.iterdir()} == before


def test_what_cannot_be_made_again_is_said_and_left_as_it_is(study):
    release = publish(study)
    manifest = release.manifest
    manifest["files"]["gold.csv"]["sha256"] = "0" * 64
    Release.objects.filter(pk=release.pk).update(manifest=manifest)
    with pytest.raises(ReleaseDamaged):
        publish_release(campaign=study)
    assert (release.path / "gold.csv").exists()


def test_an_empty_release_is_refused_with_the_reason():
    made = factories.campaign(slug="empty", overlap=2)
    factories.rated_item([1, 5], item=factories.items_of(made)[0])
    with pytest.raises(NoGold, match="no item is decided yet"):
        publish_release(campaign=made)
    assert not Release.objects.exists()


def test_without_texts_nothing_of_a_response_is_in_it(study):
    release = publish(study, without_texts=True)
    assert "text" not in rows(release, "items.jsonl")[0]
    assert "quote" not in rows(release, "marks.jsonl")[0]
    texts = [item.response.text for item in factories.items_of(study)]
    for path in release.path.iterdir():
        content = path.read_bytes()
        assert not any(text.encode() in content for text in texts), path.name
    assert publish(study).number == 2
    assert publish(study, without_texts=True).number == 1


def test_a_withdrawn_item_keeps_its_ratings_and_has_no_gold(study):
    agreed = factories.items_of(study)[0]
    withdraw_item(locked_item(agreed.pk))
    release = publish(study)
    item_id = agreed.response.item_id
    assert item_id in {row["item_id"] for row in rows(release, "ratings.jsonl")}
    assert item_id not in {row["item_id"] for row in rows(release, "gold.jsonl")}
    assert release.manifest["counts"]["items_left_out"]["withdrawn"] == 1


def test_on_a_closed_campaign_a_short_consensus_says_that_it_is_short():
    made = factories.campaign(overlap=3)
    (item,) = factories.items_of(made)
    factories.rated_item([4, 5], item=item)
    close_campaign(campaign=made)
    found = rows(publish(made), "gold.jsonl")
    assert [(row["value"], row["short"]) for row in found] == [(4.5, True)] * 3


def test_the_job_says_which_release_it_is(study):
    for is_new in (True, False):
        job = enqueue(kind="publish_release", arguments={"campaign": "study"}, by=None)
        run(job.pk)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.error
        assert job.result == {"release": 1, "new": is_new}
