"""Reading a tidy CSV: what is taken, and what is refused with which line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviews.statistics.faults import RatingsRefused
from reviews.statistics.reading import read_ratings
from reviews.statistics.report import agreement
from reviews.statistics.scales import ScaleRefused, parse_scale

HEADER = "item_id,rater_id,dimension,value\n"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "ratings.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def refusal(path: Path, **options: Any) -> RatingsRefused:
    with pytest.raises(RatingsRefused) as caught:
        read_ratings(path, **options)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_it_reads_any_dialect(write: Any, newline: str, delimiter: str, bom: bytes) -> None:
    rows = ["item_id,rater_id,dimension,value", "题一,甲,empathy,3", "题一,乙,empathy,4"]
    text = newline.join(row.replace(",", delimiter) for row in rows) + newline
    frame = read_ratings(write(bom + text.encode()), scale="1-5")
    assert list(frame["item_id"]) == ["题一", "题一"]
    assert list(frame["rater_id"]) == ["甲", "乙"]
    assert list(frame["value"]) == [3.0, 4.0]
    assert list(frame["line"]) == [2, 3]


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "nan", "null", "None", " NONE "])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_a_missing_word_is_counted_and_no_category(write: Any, word: str, level: str) -> None:
    path = write(HEADER + f"i1,a,d,1\ni1,b,d,1\ni2,a,d,2\ni2,b,d,{word}\n")
    result = agreement(read_ratings(path, level=level), level=level).to_json()["dimensions"]["d"]
    assert result["missing"] == 1
    assert result["ratings"] == 3
    assert result["distribution"] == {"1": 2, "2": 1}


def test_a_missing_value_gives_way_to_a_rating(write: Any) -> None:
    frame = read_ratings(write(HEADER + "i1,a,d,\ni1,a,d,4\n"), scale="1-5")
    assert list(frame["value"].dropna()) == [4.0]


@pytest.mark.parametrize("text", ["3.0", "3", " 3 ", "+3", "3.", "3e0"])
def test_a_number_of_the_scale_is_taken_however_written(write: Any, text: str) -> None:
    assert list(read_ratings(write(HEADER + f"i1,a,d,{text}\n"), scale="1-5")["value"]) == [3.0]


@pytest.mark.parametrize(
    "text", ["good", "3x", "inf", "-inf", "1_0", "0x3", "3 4", "３", "6", "0", "-1", "4.5", "3.0000001", "?", "#N/A"]
)
def test_anything_else_is_refused_with_its_line(write: Any, text: str) -> None:
    error = refusal(write(HEADER + f"i1,a,d,1\ni1,b,d,{text}\n"), scale="1-5")
    assert [fault.line for fault in error.faults] == [3]
    assert repr(text) in str(error)


@pytest.mark.parametrize("text", ["1e61", "-1e300", "1e-61", "9" * 80])
@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_a_number_whose_squares_cannot_be_added_up_is_refused(write: Any, text: str, level: str) -> None:
    error = refusal(write(HEADER + f"i1,a,d,1\ni1,b,d,{text}\n"), level=level)
    assert [fault.line for fault in error.faults] == [3]
    assert "1e-60 to 1e+60" in str(error)


def test_large_numbers_and_small_ones_give_numbers(write: Any) -> None:
    path = write(HEADER + "i1,a,d,1e60\ni1,b,d,9e59\ni2,a,d,3\ni2,b,d,-1e60\ni3,a,d,1e-60\ni3,b,d,1\n")
    table = agreement(read_ratings(path, level="interval"), level="interval").to_json()["dimensions"]["d"]
    small = write(HEADER + "i1,a,d,10\ni1,b,d,9\ni2,a,d,0\ni2,b,d,-10\ni3,a,d,0\ni3,b,d,0\n")
    same = agreement(read_ratings(small, level="interval"), level="interval").to_json()["dimensions"]["d"]
    for name in ("alpha", "icc1_1", "icc2_1", "icc2_k"):
        assert table[name]["value"] == pytest.approx(same[name]["value"])


def test_half_points_are_taken_where_the_scale_has_them(write: Any) -> None:
    path = write(HEADER + "i1,a,d,4.5\n")
    assert list(read_ratings(path, scale="1-5/0.5")["value"]) == [4.5]
    assert list(read_ratings(path, level="interval")["value"]) == [4.5]
    assert "whole number" in str(refusal(path))


def test_at_nominal_level_any_text_is_a_value(write: Any) -> None:
    path = write(HEADER + "i1,a,d,good\ni1,b,d,bad\ni2,a,d,3.0\ni2,b,d,3\ni3,a,d,007\ni3,b,d,7\n")
    table = agreement(read_ratings(path, level="nominal"), level="nominal").to_json()["dimensions"]["d"]
    assert table["distribution"] == {"3": 2, "007": 1, "7": 1, "bad": 1, "good": 1}
    assert table["pair_exact"] == pytest.approx(1 / 3)


def test_the_same_rating_again_changes_nothing(write: Any) -> None:
    frame = read_ratings(write(HEADER + "i1,a,d,3\ni1,b,d,4\ni1,a,d,3.0\n"), scale="1-5")
    assert list(frame["line"]) == [2, 3]
    report = agreement(frame, scale="1-5").to_json()
    assert report["data"]["rows"] == 3
    assert report["data"]["ratings"] == 2
    assert any("1 rows repeat" in sentence for sentence in report["data"]["said"])


def test_another_rating_of_the_same_item_is_refused_naming_both_lines(write: Any) -> None:
    error = refusal(write(HEADER + "i1,a,d,3\ni1,b,d,4\ni1,a,d,5\ni1,a,e,5\n"), scale="1-5")
    assert [fault.line for fault in error.faults] == [4]
    assert "line 2 says 3" in str(error)


def test_lines_are_counted_as_an_editor_counts_them(write: Any) -> None:
    text = HEADER + '"i\r\n1",a,d,3\n\n,,,\n"i\n\n2",a,d,9\ni3,a,d,8\n'
    error = refusal(write(text), scale="1-5")
    assert [fault.line for fault in error.faults] == [6, 9]
    assert error.total == 2


def test_every_fault_is_listed_up_to_a_hundred_and_all_are_counted(write: Any) -> None:
    error = refusal(write(HEADER + "".join(f"i{n},a,d,bad\n" for n in range(250))), scale="1-5")
    assert error.total == 250
    assert [fault.line for fault in error.faults] == list(range(2, 102))
    assert str(error).endswith("(and 249 more)")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", 1, "empty"),
        (b"\n \n", 1, "empty"),
        (HEADER.encode(), 1, "no row below the header"),
        (b"PK\x03\x04rest", 1, "zip"),
        (b"\x1f\x8brest", 1, "gzip"),
        ("item_id,value\ni1,3\n".encode("utf-16"), 1, "UTF-16"),
        (HEADER.encode() + b"i1,a,d,3\ni\x00,b,d,3\n", 3, "NUL"),
        (HEADER.encode() + b"i1,a,d,3\ni2,b,d,\xb0\xa1\n", 3, "not UTF-8 (byte 0xb0)"),
        (b"\xef\xbb\xbf" + HEADER.encode() + b"i1,a,d,3\ni2,b,d,\xb0\xa1\n", 3, "not UTF-8 (byte 0xb0)"),
        (b"item_id,rater_id\ni1,a\n", 1, "no column 'value'"),
        (b"item,value\ni1,3\n", 1, "no column 'item_id'"),
        (b"item_id,value,value\ni1,3,4\n", 1, "stands twice"),
        (HEADER.encode() + b"i1,a,d,3\ni1,b,d\n", 3, "3 cells where the header has 4"),
        (HEADER.encode() + b"i1,a,d,3\ni1,b,d,3,4\n", 3, "5 cells where the header has 4"),
        (HEADER.encode() + b'i1,a,d,3\n"i2,b,d,4\ni3,b,d,4\n', 3, "never closed"),
        (HEADER.encode() + b'i1,a,d,3\n"i"2,b,d,4\n', 3, "not CSV"),
        (HEADER.encode() + b'i1,a,d,3\n"' + b"x" * 200_000 + b'",b,d,4\n', 3, "131,072"),
        (b"x" * 200_000 + b"," + HEADER.encode() + b"1,i1,a,d,3\n", 1, "131,072"),
        (b"x" * 200_000, 1, "131,072"),
        (HEADER.encode() + b"i1,a,d,3\n,b,d,4\n", 3, "item_id is empty"),
        (HEADER.encode() + b"i1,a,d,3\ni2,,d,4\n", 3, "rater_id is empty"),
        (HEADER.encode() + b"i1,a,d,3\ni2,a, ,4\n", 3, "dimension is empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(write: Any, content: bytes, line: int, words: str) -> None:
    error = refusal(write(content))
    assert error.faults[0].line == line
    assert words in error.faults[0].reason


def test_an_item_lies_in_one_cluster(write: Any) -> None:
    path = write("item_id,rater_id,value,scenario\ni1,a,3,s1\ni1,b,3,s2\n")
    error = refusal(path, scale="1-5", cluster="scenario")
    assert error.faults[0].line == 3
    assert "'s2', before in 's1'" in str(error)
    assert len(read_ratings(path, scale="1-5")) == 2


def test_a_cluster_column_that_is_not_there_is_named(write: Any) -> None:
    assert "no column 'scene'" in str(refusal(write(HEADER + "i1,a,d,3\n"), cluster="scene"))


def test_a_cluster_column_named_like_the_lines_is_refused(write: Any) -> None:
    path = write("item_id,rater_id,value,line\ni1,a,3,s1\ni1,b,3,s1\n")
    assert "named 'line'" in str(refusal(path, cluster="line"))
    assert len(read_ratings(path)) == 2


def test_values_close_together_are_told_apart(write: Any) -> None:
    path = write(HEADER + "i1,a,d,1e-10\ni1,b,d,1e-10\ni2,a,d,3e-10\ni2,b,d,2e-10\n")
    table = agreement(read_ratings(path, level="interval"), level="interval").to_json()["dimensions"]["d"]
    assert table["distribution"] == {"1e-10": 2, "2e-10": 1, "3e-10": 1}
    assert table["alpha"]["value"] == pytest.approx(8 / 11)


def test_without_rater_ids_ratings_are_anonymous(write: Any) -> None:
    path = write("item_id,value\n" + "i1,3\ni1,3\ni2,4\ni2,5\n")
    report = agreement(read_ratings(path, scale="1-5"), scale="1-5").to_json()
    table = report["dimensions"]["value"]
    assert table["ratings"] == 4
    assert table["pair_exact"] == 0.5
    assert table["alpha"]["value"] is not None
    assert table["icc1_1"]["value"] is not None
    assert table["icc2_1"] == {
        "value": None, "ci_low": None, "ci_high": None, "reason": "no rater ids", "dropped": 0, "ci_f": None,
    }  # fmt: skip
    assert table["raters"] is None
    assert table["pairs"] == table["raters_detail"] == []
    assert table["reasons"]["pairs"] == "no rater ids"
    assert any("one dimension" in sentence for sentence in report["data"]["said"])


def test_an_order_column_gives_the_sequence(write: Any) -> None:
    rows = "".join(f"i{n},{rater},d,{3 if rater == 'b' else 3 + n // 2},{9 - n}\n" for n in range(4) for rater in "ab")
    report = agreement(read_ratings(write(HEADER[:-1] + ",order\n" + rows), scale="1-5"), scale="1-5").to_json()
    assert report["dimensions"]["d"]["raters_detail"][0]["drift"] == -1
    assert "sequence taken from column 'order'" in report["data"]["said"]


def test_columns_it_does_not_use_are_said(write: Any) -> None:
    frame = read_ratings(write("item_id,rater_id,value,seconds,\ni1,a,3,20,\n"), scale="1-5")
    assert frame.attrs["said"] == ["columns not used: seconds"]


def test_the_header_may_be_in_any_case_and_order(write: Any) -> None:
    frame = read_ratings(write("Value;Rater_ID;Item_ID\n3;a;i1\n"), scale="1-5")
    assert (frame["item_id"][0], frame["rater_id"][0], frame["value"][0]) == ("i1", "a", 3.0)


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("1-5", (1, 2, 3, 4, 5)),
        ("0 - 3", (0, 1, 2, 3)),
        ("-2-2", (-2, -1, 0, 1, 2)),
        ("-3--1", (-3, -2, -1)),
        ("1-3/0.5", (1, 1.5, 2, 2.5, 3)),
        ("1,2,5", (1, 2, 5)),
        ("0–1", (0, 1)),
    ],
)
def test_a_scale_is_read(text: str, levels: tuple[float, ...]) -> None:
    scale = parse_scale(text)
    assert scale.levels == levels
    assert parse_scale(scale.text()) == scale


@pytest.mark.parametrize(
    "text",
    [
        "", "5-1", "3-3", "1-5/0", "1-5/0.3", "1-100000", "a-b", "1,,2", "1,1", "good,bad",
        "1-" + "9" * 400, "1-5/" + "9" * 400, "1,5,1e300", "1,inf",
    ],
)  # fmt: skip
def test_a_scale_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ScaleRefused):
        parse_scale(text)


def test_values_that_span_too_much_for_a_scale_ask_for_one(write: Any) -> None:
    with pytest.raises(ScaleRefused, match="declare the scale"):
        read_ratings(write(HEADER + "i1,a,d,1\ni1,b,d,55555\n"))
