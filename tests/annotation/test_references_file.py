"""A file of known answers is taken whole or refused, every fault with its line; by the command and by the page."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import ReferenceAnswer, WorkItem
from annotation.services.answers import import_answers
from annotation.services.campaigns import Selection
from scenarios.models import Response
from scenarios.reading.faults import ImportRefused
from tests import factories as f

pytestmark = pytest.mark.django_db
TEXT = "👋 别怕，有我就够了。别怕，我在。"
SCORES = {"empathy": 4, "fluency": 5, "safety": 2}


@pytest.fixture
def campaign():
    data = f.dataset(scenarios=6, companions=["model-a", "model-b"], texts=[TEXT])
    return f.campaign(data=data, slug="c", selection=Selection(companions=["model-a"]))


def line(place=0, **more):
    responses = Response.objects.filter(companion__name="model-b").order_by("pk").with_names()
    return {"item_id": responses[place].item_id, "use": "training", "scores": SCORES} | more


@pytest.fixture
def take(campaign, tmp_path):
    def taken(*lines, **more):
        path = tmp_path / "answers.jsonl"
        rows = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in lines]
        path.write_text("\n".join(rows), encoding="utf-8")
        return import_answers(campaign=campaign, path=path, **more)

    return taken


def faults_of(take, *lines):
    with pytest.raises(ImportRefused) as refusal:
        take(*lines)
    assert not ReferenceAnswer.objects.exists()
    return [(fault.line, fault.reason) for fault in refusal.value.faults]


def test_counts_add_up_and_the_same_file_again_is_unchanged(take):
    lines = [line(), "", line(1, use="check"), line(2)]
    report = take(*lines)
    assert (report.lines, report.created, report.training, report.check) == (3, 3, 2, 1)
    again = take(*lines)
    assert (again.lines, again.created, again.replaced, again.unchanged) == (3, 0, 0, 3)
    changed = take(line(scores=SCORES | {"safety": 3}), *lines[2:])
    assert (changed.replaced, changed.unchanged) == (1, 2)


def test_an_item_is_named_by_its_parts_too(take):
    response = Response.objects.filter(companion__name="model-b").first()
    named = {"key": response.scenario.key, "companion": "model-b", "condition": "no_sap", "use": "check"}
    assert take(named | {"scores": SCORES}).created == 1
    assert WorkItem.everything.get(purpose="check").response == response


def test_the_place_of_a_quote_is_found_in_code_points(take):
    take(line(marks=[{"type": "dependence", "quote": "有我就够了", "note": "排他"}, {"type": "privacy"}]))
    marks = ReferenceAnswer.objects.get().marks
    assert (marks[0]["start"], marks[0]["end"]) == (5, 10)
    assert TEXT[5:10] == "有我就够了"
    assert marks[1]["start"] is None


def test_every_fault_is_told_with_its_line_and_nothing_is_kept(take):
    found = faults_of(
        take,
        line(),
        "{",
        line(1, use="gold"),
        line(2, scores={"empathy": 7, "fluency": 1, "safety": 1}),
        line(3, marks=[{"type": "dependence", "quote": "别怕"}]),
        line(4, marks=[{"type": "dependence", "quote": "nowhere"}]),
        line(),
        line(item_id="dialogue_emotion/q999/model-b/sap"),
        line(item_id="q1"),
        line(1, reason="x"),
    )
    assert [number for number, _reason in found] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    reasons = dict(found)
    assert "scores.empathy" in reasons[4]
    assert "2 times" in reasons[5]
    assert "does not stand" in reasons[6]
    assert "line 1" in reasons[7]
    assert "no response" in reasons[8]
    assert "KEY/COMPANION/CONDITION" in reasons[9]


def test_a_quote_that_stands_twice_is_taken_with_its_place(take):
    take(line(marks=[{"type": "dependence", "quote": "别怕", "start": 11, "end": 13}]))
    assert ReferenceAnswer.objects.get().marks[0]["start"] == 11


def test_a_response_rated_for_real_is_refused(take):
    real = Response.objects.filter(companion__name="model-a").with_names().first()
    assert "rated for real" in faults_of(take, line(item_id=real.item_id))[0][1]


def test_files_that_hold_nothing_are_refused(take):
    assert faults_of(take, "", "")[0][1] == "the file is empty"
    assert faults_of(take, "PK\x03\x04")[0][0] == 1


def test_a_dry_run_writes_nothing(take):
    assert take(line(), dry_run=True).created == 1
    assert not WorkItem.everything.exclude(purpose="rating").exists()


def test_the_command_says_what_it_did_and_what_is_wrong(campaign, tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line()))
    call_command("import_answers", str(path), campaign="c", json=True)
    assert json.loads(capsys.readouterr().out)["created"] == 1
    path.write_text(json.dumps(line(scores={})))
    with pytest.raises(CommandError, match=r"a\.jsonl:1: scores"):
        call_command("import_answers", str(path), campaign="c")
    with pytest.raises(CommandError, match="no campaign"):
        call_command("import_answers", str(path), campaign="none")
