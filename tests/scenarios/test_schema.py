"""The JSON Schemas that ship with the project say what the reader does."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scenarios.benchmark import CONDITIONS, TASKS
from scenarios.reading import concord
from scenarios.reading.faults import BadLine
from scenarios.reading.records import Place
from tests.scenarios.samples import SCENARIO, response

SCHEMAS = Path(__file__).parents[2] / "scenarios" / "schema"
PLACE = Place(file="f", line=1, task=None, language="en")
GOOD_SCENARIOS: list[dict[str, Any]] = [
    SCENARIO,
    {"key": "a", "task": "dialogue_base"},
    {"key": "a", "task": "dialogue_base", "persona": None, "turns": None, "tags": None, "language": None},
    {"key": "a", "task": "dialogue_base", "other": 1},
]
BAD_SCENARIOS: list[dict[str, Any]] = [
    {"task": "dialogue_base"},
    {"key": "a"},
    {**SCENARIO, "key": ""},
    {**SCENARIO, "key": " a"},
    {**SCENARIO, "key": "k" * 201},
    {**SCENARIO, "task": "chat"},
    {**SCENARIO, "language": "in English"},
    {**SCENARIO, "turns": [{"role": "user"}]},
    {**SCENARIO, "turns": [{"role": "system", "text": "x"}]},
    {**SCENARIO, "memories": [1]},
    {**SCENARIO, "memories": [{"text": "x", "category": 1}]},
    {**SCENARIO, "memories": [{"text": "x", "importance": True}]},
    {**SCENARIO, "schedule": [{"time": "09:00"}]},
    {**SCENARIO, "reference": 1},
    {**SCENARIO, "tags": []},
]
GOOD_RESPONSES = [
    response(1),
    {"key": "a", "text": "x"},
    {"key": "a", "text": " x\n", "companion": None},
    response(1, text=""),
    response(1, text="  "),
]
BAD_RESPONSES = [
    {"key": "a"},
    {"text": "x"},
    response(1, text=None),
    response(1, text=7),
    response(1, condition="SAP"),
    response(1, companion=" x"),
    response(1, companion=7),
]


def schema(name: str) -> Draft202012Validator:
    content = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(content)
    return Draft202012Validator(content)


@pytest.mark.parametrize("record", GOOD_SCENARIOS)
def test_what_the_schema_allows_of_scenarios_is_read(record: dict[str, Any]) -> None:
    schema("scenario").validate(record)
    concord.scenario(record, PLACE)


@pytest.mark.parametrize("record", BAD_SCENARIOS)
def test_what_the_schema_forbids_of_scenarios_is_refused(record: dict[str, Any]) -> None:
    assert not schema("scenario").is_valid(record)
    with pytest.raises(BadLine):
        concord.scenario(record, PLACE)


@pytest.mark.parametrize("record", GOOD_RESPONSES)
def test_what_the_schema_allows_of_responses_is_read(record: dict[str, Any]) -> None:
    schema("response").validate(record)
    concord.response(record, PLACE)


@pytest.mark.parametrize("record", BAD_RESPONSES)
def test_what_the_schema_forbids_of_responses_is_refused(record: dict[str, Any]) -> None:
    assert not schema("response").is_valid(record)
    with pytest.raises(BadLine):
        concord.response(record, PLACE)


def test_the_fixed_tables_are_the_same() -> None:
    assert schema("scenario").schema["properties"]["task"]["enum"] == list(TASKS)
    assert set(CONDITIONS) <= set(schema("response").schema["properties"]["condition"]["enum"])
