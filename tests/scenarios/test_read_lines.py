import hashlib
from pathlib import Path

import pytest

from scenarios.reading.faults import BadLine
from scenarios.reading.json_lines import parse_object
from scenarios.reading.lines import LONGEST_LINE, ForeignFile, ReadFile, TooLong


def lines_of(path: Path, content: bytes) -> list[tuple[int, bytes | BadLine]]:
    path.write_bytes(content)
    return list(ReadFile(path).lines())


def test_it_divides_at_line_feeds_only(tmp_path: Path) -> None:
    content = "a\u2028b\x85c\x0bd\re\nf".encode()
    assert lines_of(tmp_path / "f", content) == [(1, "a\u2028b\x85c\x0bd\re".encode()), (2, b"f")]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_it_takes_both_line_endings(tmp_path: Path, end: bytes) -> None:
    assert lines_of(tmp_path / "f", b"a" + end + end + b"b" + end) == [(1, b"a"), (2, b""), (3, b"b")]


def test_it_drops_the_bom_of_the_file_and_no_other(tmp_path: Path) -> None:
    bom = b"\xef\xbb\xbf"
    assert lines_of(tmp_path / "f", bom + b"a\n" + bom + b"b\n") == [(1, b"a"), (2, bom + b"b")]


def test_an_empty_file_has_no_line(tmp_path: Path) -> None:
    assert lines_of(tmp_path / "f", b"") == []


def test_a_line_of_just_one_mebibyte_is_taken(tmp_path: Path) -> None:
    line = b"x" * LONGEST_LINE
    assert lines_of(tmp_path / "f", b"\xef\xbb\xbf" + line + b"\r\nb") == [(1, line), (2, b"b")]


def test_a_longer_line_is_passed_over_and_the_next_is_read(tmp_path: Path) -> None:
    found = lines_of(tmp_path / "f", b"a\n" + b"x" * (10 * LONGEST_LINE) + b"\nc\n" + b"y" * (LONGEST_LINE + 1))
    assert found[0] == (1, b"a")
    assert found[2] == (3, b"c")
    assert [(number, type(line)) for number, line in found[1::2]] == [(2, TooLong), (4, TooLong)]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x03\x04rest", "ZIP"),
        (b"\x1f\x8brest", "gzip"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        ('{"a": 1}'.encode("utf-16-be"), "UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_a_file_of_another_kind_is_told_by_its_first_bytes(tmp_path: Path, content: bytes, kind: str) -> None:
    [(number, fault)] = lines_of(tmp_path / "f", content)
    assert number == 1
    assert isinstance(fault, ForeignFile)
    assert kind in str(fault)


def test_the_hash_is_that_of_the_file(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbfa\r\n" + b"x" * (3 * LONGEST_LINE) + b"\nb"
    (tmp_path / "f").write_bytes(content)
    read = ReadFile(tmp_path / "f")
    list(read.lines())
    assert read.sha256 == hashlib.sha256(content).hexdigest()
    assert read.bytes_read == len(content)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"a": "b', "cut short"),
        (b'{"a": ', "cut short"),
        (b'{"a": 1', "cut short"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 8"),
        ('{"a": "中"}'.encode("gb18030"), "not UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a": "\\u0000"}', "NUL"),
        (b'{"a\\u0000": 1}', "NUL"),
        (b'{"a": [{"b": "\\u0000"}]}', "NUL"),
        (b'{"a": "\x00"}', "NUL"),
        (b'{"a": "\\ud83d"}', "surrogate"),
        (b'{"a": "\\udc4d\\ud83d"}', "surrogate"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1e999}', "1e999"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"a": 1, "a": 2}', "“a” stands twice"),
        (b'{"a": {"b": 1, "b": 1}}', "“b” stands twice"),
        (b"[1]", "object"),
        (b'"text"', "object"),
        (b"key,task", "not JSON"),
        (b'{"a": 1} {"b": 2}', "not JSON"),
        (b'{"a": "tab\there"}', "control character"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'\xef\xbb\xbf{"a": 1}', "not JSON"),
    ],
)  # fmt: skip
def test_a_bad_line_is_refused_with_its_reason(line: bytes, reason: str) -> None:
    with pytest.raises(BadLine) as refusal:
        parse_object(line)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_what_is_odd_but_right_is_taken_as_it_is() -> None:
    line = '{"a": "\\ud83d\\udc4d 👍 \\u2028\u2028 \\r\\n \\\\u0000", "b": 0.5}'.encode()
    assert parse_object(line) == {"a": "👍 👍 \u2028\u2028 \r\n \\u0000", "b": 0.5}
