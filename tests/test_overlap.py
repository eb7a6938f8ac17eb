"""Overlap is exact: whoever asks at once, no item is given to more people than it needs, nor twice to one.

Thirty-two client processes on a real server, on both databases; CONCORD_LOAD_SECONDS sets for how long (60 is the
full measure). What must hold of the services step by step stands in test_invariants.py.
"""

import json
import os
import subprocess
import sys
import urllib.request

import pytest

from tests.crowd import Crowd, Report, stage
from tests.throwaway import WebServer
from tests.throwaway.concord import ROOT

pytestmark = [pytest.mark.servers, pytest.mark.timeout(600)]

SECONDS = float(os.environ.get("CONCORD_LOAD_SECONDS", "6"))
PEOPLE = 32
# Few items for many people, and many: there one fights for each place, here the server works at full speed, with hidden
# checks among the items and more of them leased ahead.
CAMPAIGNS = {
    "few": {"items": 6, "overlap": 3},
    "many": {"items": int(60 * SECONDS) + 200, "overlap": 3, "ahead": 3, "checks": 20},
}


@pytest.fixture(scope="module")
def load(concord: WebServer) -> tuple[Report, dict, dict]:
    """The crowd at work, watched; what it reports, what was seen meanwhile, what the database says afterwards."""
    cast = stage(concord, "prepare", people=PEOPLE, campaigns=CAMPAIGNS)
    watching = [sys.executable, "-m", "tests.crowd.stage", "watch", json.dumps({"age": True})]
    watcher = subprocess.Popen(
        watching, cwd=ROOT, env=concord.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    crowd = Crowd(concord.url, cast["tokens"], list(CAMPAIGNS), seconds=SECONDS, at_least=12)
    try:
        report = crowd.report()
        seen = json.loads(watcher.communicate(timeout=60)[0])
    finally:
        crowd.stop()
        watcher.kill()
    print(f"\n{'PostgreSQL' if concord.postgres_url else 'SQLite'}, {PEOPLE} clients: {report}")
    found = stage(concord, "check", campaigns=list(CAMPAIGNS), nothing=report.nothing, twins=report.twins)
    return report, seen, found | {"manager": cast["manager"]}


def test_no_request_fails(load):
    report, _seen, _found = load
    assert report.unexpected == []
    assert not [status for status in report.statuses if status.startswith("5")]
    assert report.rounds > PEOPLE


def test_two_requests_of_one_person_at_once_are_given_the_same_item(load):
    _report, _seen, found = load
    assert found["twins"] == []


def test_no_item_is_over_its_overlap_at_any_moment(load):
    _report, seen, _found = load
    assert seen["wrong"] == []
    assert seen["looks"] > 3
    assert seen["aged"] > 0


def test_the_rows_bear_the_counters_out(load):
    _report, _seen, found = load
    assert found["breaches"] == []
    assert found["settled"] > 0


def test_every_rating_that_was_called_saved_is_there_once(load):
    report, _seen, found = load
    saved = {one.rating: (one.client_id, one.status) for one in report.saved}
    assert len(saved) == len(report.saved)
    assert {pk: (client_id, answered) for pk, client_id, answered, _ in found["ratings"]} == saved


def test_the_api_gives_out_what_was_saved(load, concord):
    report, _seen, found = load
    there = {}
    for slug in CAMPAIGNS:
        cursor = "0"
        while cursor:
            ask = urllib.request.Request(
                f"{concord.url}/api/v1/campaigns/{slug}/ratings/?cursor={cursor}",
                headers={"Authorization": f"Bearer {found['manager']}"},
            )
            with urllib.request.urlopen(ask) as answer:
                page = json.load(answer)
            there |= {row["rating"]: row["scores"] for row in page["results"]}
            cursor = page["next"]
    assert there == {one.rating: one.scores for one in report.saved if one.rating not in found["checks"]}


def test_the_release_holds_what_was_saved(load, concord, tmp_path):
    """Each rating carries its client_id as its rationale, and so is found again."""
    report, _seen, found = load
    concord.manage("export_gold", "--campaign", "many", "--out", str(tmp_path / "release"))
    exported: dict[str, dict[str, int]] = {}
    for line in (tmp_path / "release" / "ratings.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        scores = exported.setdefault(row["rationale"], {})
        assert row["dimension"] not in scores
        scores[row["dimension"]] = row["value"]
    here = {pk for pk, _, _, slug in found["ratings"] if slug == "many"} - set(found["checks"])
    assert exported == {one.client_id: one.scores for one in report.saved if one.rating in here}


def test_checks_are_among_them_and_told_as_any_other(load):
    report, _seen, found = load
    assert found["checks"]
    assert {one.status for one in report.saved if one.rating in found["checks"]} == {"counted"}


def test_nobody_was_told_that_nothing_is_left_while_there_was_a_place_for_them(load):
    report, _seen, found = load
    assert report.nothing, "the few items were to run out"
    assert found["untrue"] == []
