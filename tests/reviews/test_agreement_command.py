"""`manage.py agreement CSV`: no database, one clear line for what cannot be read."""

import json
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

DATA = Path(__file__).resolve().parent.parent / "data"
COMPLAINTS = json.loads((DATA / "complaints" / "expected.json").read_text())
FILES = [name for name in COMPLAINTS if name.endswith(".csv")]


@pytest.mark.parametrize("name", FILES)
def test_what_users_of_other_tools_complained_of(name, capsys):
    call_command("agreement", str(DATA / "complaints" / name), scale="1-5", json=True)
    found = json.loads(capsys.readouterr().out)["dimensions"]
    for dimension, expected in COMPLAINTS[name].items():
        for statistic, value in expected.items():
            if not isinstance(value, dict):
                assert found[dimension][statistic] == value
            elif value["value"] is None:
                assert found[dimension][statistic]["value"] is None
                assert found[dimension][statistic]["reason"]
            else:
                assert found[dimension][statistic]["value"] == pytest.approx(value["value"])


def test_the_same_file_gives_the_same_bytes(capsys):
    printed = []
    for _ in range(2):
        call_command("agreement", str(DATA / "complaints" / "missing.csv"), json=True)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_for_a_person_it_says_the_words_first(capsys):
    call_command("agreement", str(DATA / "complaints" / "all_equal.csv"), scale="1-5")
    lines = capsys.readouterr().out.splitlines()
    assert "safety (ordinal, scale 1-5)" in lines
    assert "  alpha is undefined: all ratings equal" in lines


def test_no_bootstrap_leaves_the_intervals_out(capsys):
    call_command("agreement", str(DATA / "complaints" / "missing.csv"), bootstrap=0, json=True)
    (dimension,) = json.loads(capsys.readouterr().out)["dimensions"].values()
    assert dimension["alpha"]["ci_low"] is None


def write(folder: Path, *lines: str) -> str:
    path = folder / "ratings.csv"
    path.write_text("\n".join(("item_id,rater_id,dimension,value", *lines)) + "\n")
    return str(path)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["a,r1,empathy,6"], "line 2"),
        (["a,r1,empathy,4", "a,r2,empathy,good"], "line 3"),
        (["a,r1,empathy,4", "a,r1,empathy,5"], "line 3"),
        (["a,r1,empathy,4.5"], "line 2"),
        (["a,r1"], "line 2"),
    ],
)
def test_a_bad_line_is_named_and_the_command_ends_with_1(tmp_path, lines, told):
    with pytest.raises(CommandError) as refused:
        call_command("agreement", write(tmp_path, *lines), scale="1-5")
    assert refused.value.returncode == 1
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"campaign": "a", "csv": "b"},
        {"csv": "nowhere.csv"},
        {"csv": "x", "bootstrap": -1},
        {"csv": "x", "seed": -1},
    ],
)
def test_what_cannot_be_asked_is_refused(options):
    csv = options.pop("csv", None)
    with pytest.raises(CommandError):
        call_command("agreement", *([csv] if csv else []), **options)


def test_nominal_values_may_be_any_text(tmp_path, capsys):
    path = write(tmp_path, "a,r1,kind,warm", "a,r2,kind,warm", "b,r1,kind,cold", "b,r2,kind,warm")
    call_command("agreement", path, level="nominal", json=True, bootstrap=0)
    assert json.loads(capsys.readouterr().out)["dimensions"]["kind"]["distribution"] == {"cold": 1, "warm": 3}
    with pytest.raises(CommandError):
        call_command("agreement", path)


def test_a_file_whose_name_is_no_text_is_read_too(tmp_path, capsys):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv")
    Path(path).write_bytes((DATA / "complaints" / FILES[0]).read_bytes())
    call_command("agreement", path, json=True, bootstrap=0)
    assert json.loads(capsys.readouterr().out)["data"]["source"] == "?.csv"


def test_a_file_is_read_of_some_raters_alone(tmp_path, capsys):
    every = [("r1", 1), ("r2", 2), ("r3", 5)]
    rows = [f"i{at},{rater},{min(value + at % 2, 5)}" for at in range(12) for rater, value in every]
    for name, kept in (("all", rows), ("two", [row for row in rows if ",r3," not in row])):
        (tmp_path / f"{name}.csv").write_text("\n".join(["item_id,rater_id,value", *kept]))
    asked = {"bootstrap": 0, "scale": "1-5", "json": True}
    call_command("agreement", str(tmp_path / "two.csv"), **asked)
    expected = json.loads(capsys.readouterr().out)["dimensions"]
    call_command("agreement", str(tmp_path / "all.csv"), raters="r2,r1", **asked)
    found = json.loads(capsys.readouterr().out)
    assert found["dimensions"] == expected
    assert (found["parameters"]["raters"], found["parameters"]["raters_of"]) == (["r1", "r2"], 3)
    call_command("agreement", str(tmp_path / "all.csv"), raters="r2,r1", bootstrap=0)
    assert "24 ratings by 2 of 3 raters (r1, r2) of 12 units" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no rating is by rater 'r9'"):
        call_command("agreement", str(tmp_path / "all.csv"), raters="r9", **asked)
