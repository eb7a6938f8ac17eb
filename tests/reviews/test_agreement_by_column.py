"""`manage.py agreement CSV --by COLUMN`: slices by any column of a file, with the numbers of its ratings alone."""

import json

import pytest
from django.core.management import CommandError, call_command

from reviews.statistics.by_column import MOST_SLICES
from reviews.statistics.slices import Slice
from tests.reviews.statistics.made import ratings


@pytest.fixture
def frame():
    """Of 70 scenarios with four responses each: companion is of an item, version of a rating; both hold empty cells."""
    made = ratings(scenarios=70, pool=4)
    number = made["item_id"].str.extract(r"s(\d+)/(\d+)").astype(int)
    made["Companion"] = ("c" + number[1].astype(str)).where(number[1] > 0, "")
    made["version"] = [1 + at % 2 for at in range(len(made))]
    made["line"] = number[0] % 2
    return made


@pytest.fixture
def path(frame, tmp_path):
    file = tmp_path / "ratings.csv"
    frame.to_csv(file, index=False)
    return str(file)


def asked(capsys, path, **options):
    call_command("agreement", path, **{"json": True, "bootstrap": 200, "seed": 4, "scale": "1-5"} | options)
    return json.loads(capsys.readouterr().out)


def slices(found, by):
    return {one["key"]: one for one in found["dimensions"]["empathy"]["slices"] if one["by"] == by}


def test_each_slice_has_the_numbers_of_a_file_with_its_rows_alone(capsys, frame, path, tmp_path):
    found = asked(capsys, path, by=["Companion", "version"])
    assert list(slices(found, "Companion")) == ["c1", "c2", "c3", ""]
    assert found["parameters"]["by"] == ["Companion", "version"]
    for by, key in (("Companion", "c1"), ("Companion", ""), ("version", "2")):
        frame[frame[by].astype(str) == key].to_csv(tmp_path / "part.csv", index=False)
        alone = asked(capsys, str(tmp_path / "part.csv"))["dimensions"]["empathy"]
        one = slices(found, by)[key]
        assert set(one) == {*Slice.__dataclass_fields__}
        for name in ("units", "pairable_units", "ratings", "clusters", "pair_exact"):
            assert one[name] == pytest.approx(alone[name], abs=1e-12)
        assert alone["alpha"]["ci_low"] is not None
        for name in ("value", "ci_low", "ci_high"):
            assert one["alpha"][name] == pytest.approx(alone["alpha"][name], abs=1e-12)


def test_the_rest_of_the_report_stays_as_it_is(capsys, path):
    plain, sliced = asked(capsys, path), asked(capsys, path, by=["version"])
    assert "by" not in plain["parameters"]
    del sliced["parameters"]["by"], sliced["dimensions"]["empathy"]["slices"]
    for found in (plain, sliced):
        found["data"]["said"] = [said for said in found["data"]["said"] if not said.startswith("columns not used")]
    assert sliced == plain


def test_a_column_that_is_used_is_not_said_to_be_unused(capsys, path):
    said = asked(capsys, path, by=["version", "version"], bootstrap=0)["data"]["said"]
    assert "columns not used: Companion, line" in said


def test_columns_with_a_meaning_of_their_own_slice_too(capsys, path):
    found = asked(capsys, path, by=["line", "Rater_ID", "cluster_id"], bootstrap=0)
    assert [one["units"] for one in slices(found, "line").values()] == [140, 140]
    assert set(slices(found, "Rater_ID")) == {"r0", "r1", "r2", "r3"}
    assert slices(found, "Rater_ID")["r0"]["alpha"]["reason"] == "one rater"
    assert len(slices(found, "cluster_id")) == 70


def test_of_some_raters_the_slices_are_of_them(capsys, frame, path, tmp_path):
    found = asked(capsys, path, by=["Companion"], raters="r0,r1,r2")
    frame[frame["rater_id"] != "r3"].to_csv(tmp_path / "three.csv", index=False)
    expected = asked(capsys, str(tmp_path / "three.csv"), by=["Companion"])
    assert found["dimensions"] == expected["dimensions"]


def test_for_a_person_the_slices_are_lines(capsys, path):
    call_command("agreement", path, scale="1-5", bootstrap=200, by=["Companion"])
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("  Krippendorff’s alpha by Companion")
    assert lines[at + 1].startswith("    c1 ")
    assert lines[at + 1].endswith("]; 70 units")
    assert lines[at + 4].startswith("    no value ")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": ["task"]}, "no column 'task'.*the header has: item_id"),
        ({"by": [""]}, "no column ''"),
        ({"by": ["version"], "campaign": "study"}, "--by is for files"),
    ],
)
def test_what_cannot_slice_is_refused(path, options, told):
    csv = [] if "campaign" in options else [path]
    with pytest.raises(CommandError, match=told):
        call_command("agreement", *csv, **options)


def test_a_column_of_very_many_values_is_refused(tmp_path):
    rows = [f"i{at},{rater},3" for at in range(MOST_SLICES + 1) for rater in "ab"]
    (tmp_path / "many.csv").write_text("\n".join(["item_id,rater_id,value", *rows]))
    with pytest.raises(CommandError, match="501 different values: slices are made of at most 500"):
        call_command("agreement", str(tmp_path / "many.csv"), by=["item_id"])


def test_without_rater_ids_raters_cannot_be_chosen(tmp_path):
    (tmp_path / "anonymous.csv").write_text("item_id,value\na,1\na,2\n")
    with pytest.raises(CommandError, match="no rater ids"):
        call_command("agreement", str(tmp_path / "anonymous.csv"), raters="r1")
