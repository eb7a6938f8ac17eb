import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import User
from scenarios.models import Response, Scenario
from tests.scenarios.samples import SCENARIO, response, rows, scenario, write_lines

pytestmark = pytest.mark.django_db
SCENARIOS, RESPONSES = "/api/v1/datasets/harbour/scenarios/", "/api/v1/datasets/harbour/responses/"


@pytest.fixture
def manager(client: Client, site_manager: User) -> Client:
    client.force_login(site_manager)
    return client


def post(client: Client, address: str, *records: Any, path: Path, kind: str = "application/jsonl") -> Any:
    body = write_lines(path / "body", list(records)).read_bytes()
    return client.post(address, body, content_type=kind)


@pytest.mark.parametrize("kind", ["application/jsonl", "application/x-ndjson", "text/plain", "application/json"])
def test_scenarios_come_in(manager: Client, tmp_path: Path, kind: str) -> None:
    answer = post(manager, SCENARIOS, SCENARIO, scenario(2), path=tmp_path, kind=kind)
    assert answer.status_code == 201, answer.content
    assert answer.json()["created"] == 2
    assert Scenario.objects.current().get(key=SCENARIO["key"]).reference == SCENARIO["reference"]
    again = post(manager, SCENARIOS, SCENARIO, scenario(2), path=tmp_path)
    assert (again.status_code, again.json()["nothing_changed"]) == (200, True)


def test_responses_come_in_with_what_the_query_says(manager: Client, tmp_path: Path, harbour: str) -> None:
    line = {"key": "dialogue_schedule/q001", "text": "x"}
    query = "?companion=org/wren&condition=sap&format=concord"
    answer = post(manager, RESPONSES + query, line, path=tmp_path)
    assert answer.status_code == 201
    assert Response.objects.current().get().item_id == "dialogue_schedule/q001/org%2Fwren/sap"


def test_a_bad_line_is_a_problem_that_names_it(manager: Client, tmp_path: Path, harbour: str) -> None:
    before = rows()
    answer = post(manager, RESPONSES, response(1), response(44), b"{", path=tmp_path)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["detail"].startswith("responses.jsonl:2: the dataset has no scenario")
    assert [fault["line"] for fault in problem["fields"]["lines"]] == [2, 3]
    assert problem["total"] == 2
    assert rows() == before


def test_skip_invalid_leaves_them_out(manager: Client, tmp_path: Path, harbour: str) -> None:
    answer = post(manager, RESPONSES + "?skip_invalid=true", response(1), b"{", path=tmp_path)
    assert answer.status_code == 201
    assert answer.json()["refused_lines"] == {"responses.jsonl": "2"}


def test_a_dry_run_writes_nothing(manager: Client, tmp_path: Path) -> None:
    before = rows()
    answer = post(manager, SCENARIOS + "?dry_run=1", SCENARIO, path=tmp_path)
    assert (answer.status_code, answer.json()["created"]) == (200, 1)
    assert rows() == before


@pytest.mark.parametrize("address", [SCENARIOS, RESPONSES])
def test_an_empty_body_is_refused(manager: Client, harbour: str, address: str) -> None:
    answer = manager.post(address, b"", content_type="application/jsonl")
    assert answer.status_code == 400
    assert "the file is empty" in answer.json()["detail"]


@pytest.mark.parametrize("query", ["?format=csv", "?condition=with", "?skip_invalid=perhaps"])
def test_an_unknown_option_is_named(manager: Client, tmp_path: Path, harbour: str, query: str) -> None:
    answer = post(manager, RESPONSES + query, response(1), path=tmp_path)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [query[1:].split("=")[0]]


def test_only_site_managers_import(client: Client, tmp_path: Path, harbour: str) -> None:
    before = rows()
    assert post(client, SCENARIOS, SCENARIO, path=tmp_path).status_code in (401, 403)
    ann = User.objects.create_user("ann")
    client.force_login(ann)
    after_sign_in = rows()
    for address in (SCENARIOS, RESPONSES):
        assert post(client, address, SCENARIO, path=tmp_path).status_code == 403
    assert rows() == after_sign_in
    assert client.get("/api/v1/datasets/").json() == []
    assert before["scenarios.Scenario"] == Scenario.objects.count()


def test_the_list_tells_how_much_there_is(manager: Client, harbour: str) -> None:
    [told] = manager.get("/api/v1/datasets/").json()
    assert (told["slug"], told["scenarios"], told["responses"]) == ("harbour", 3, 0)


def test_a_large_body_is_streamed(manager: Client, tmp_path: Path) -> None:
    many = [scenario(number, persona="x" * 1000) for number in range(1, 6001)]
    answer = post(manager, SCENARIOS, *many, path=tmp_path)
    assert answer.status_code == 201, json.dumps(answer.json())[:500]
    assert Scenario.objects.current().count() == 6000
