"""Rows as files. The same rows give the same bytes: fixed order, fixed settings, no clock."""

import csv
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.spreadsheets import guarded
from reviews.release.columns import Kind, Table

Row = dict[str, Any]
ROW_GROUP = 20_000


def time_text(moment: datetime) -> str:
    """2026-12-02T08:30:00.250000Z"""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class Jsonl:
    """One JSON object a line, UTF-8; the exact form."""

    def __init__(self, path: Path, table: Table) -> None:
        self.path, self.table = path, table
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            line = {column.name: _json(column.kind, row[column.name]) for column in self.table.columns}
            self._file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")

    def close(self) -> None:
        self._file.close()


def _json(kind: Kind, value: Any) -> Any:
    return time_text(value) if kind == Kind.TIME and value is not None else value


class Csv:
    """UTF-8 with BOM, RFC 4180, text guarded: a spreadsheet shows it right and runs nothing."""

    def __init__(self, path: Path, table: Table) -> None:
        self.path, self.table = path, table
        self._file = path.open("w", encoding="utf-8-sig", newline="")
        self._writer = csv.writer(self._file, lineterminator="\r\n")
        self._writer.writerow([column.name for column in table.columns])

    def write(self, rows: Sequence[Row]) -> None:
        columns = self.table.columns
        self._writer.writerows([_cell(column.kind, row[column.name]) for column in columns] for row in rows)

    def close(self) -> None:
        self._file.close()


def _cell(kind: Kind, value: Any) -> str:
    if value is None:
        return ""
    if kind == Kind.TEXT:
        return guarded(value)
    if kind == Kind.BOOLEAN:
        return "true" if value else "false"
    if kind == Kind.TIME:
        return time_text(value)
    return str(value) if kind in (Kind.INTEGER, Kind.NUMBER) else json.dumps(value, ensure_ascii=False)


class Parquet:
    """Typed columns, exact; row groups of 20,000."""

    def __init__(self, path: Path, table: Table, *, levels: Sequence[str]) -> None:
        self.path, self.table = path, table
        fields = [pa.field(column.name, _arrow(column.kind, levels)) for column in table.columns]
        self._schema = pa.schema(fields)
        self._writer = pq.ParquetWriter(
            path, self._schema, version="2.6", data_page_version="1.0", compression="zstd", write_statistics=True
        )
        self._rows: list[Row] = []

    def write(self, rows: Sequence[Row]) -> None:
        self._rows.extend(rows)
        while len(self._rows) >= ROW_GROUP:
            self._flush(ROW_GROUP)

    def _flush(self, count: int) -> None:
        part, self._rows = self._rows[:count], self._rows[count:]
        self._writer.write_table(pa.Table.from_pylist(part, schema=self._schema), row_group_size=ROW_GROUP)

    def close(self) -> None:
        if self._rows:
            self._flush(len(self._rows))
        self._writer.close()


def _arrow(kind: Kind, levels: Sequence[str]) -> pa.DataType:
    return {
        Kind.TEXT: pa.string(),
        Kind.INTEGER: pa.int64(),
        Kind.NUMBER: pa.float64(),
        Kind.BOOLEAN: pa.bool_(),
        Kind.TIME: pa.timestamp("us", tz="UTC"),
        Kind.COUNTS: pa.struct([(level, pa.int64()) for level in levels]),
        Kind.RULINGS: pa.list_(pa.struct([("type", pa.string()), ("gold", pa.bool_())])),
    }[kind]


class TableFiles:
    """All files of one table."""

    def __init__(self, folder: Path, table: Table, *, levels: Sequence[str]) -> None:
        makers: dict[str, Any] = {
            "jsonl": Jsonl,
            "csv": Csv,
            "parquet": lambda path, table: Parquet(path, table, levels=levels),
        }
        self.rows = 0
        self.writers = [makers[form](folder / f"{table.name}.{form}", table) for form in table.formats]

    def write(self, rows: Sequence[Row]) -> None:
        self.rows += len(rows)
        for writer in self.writers:
            writer.write(rows)

    def close(self) -> None:
        for writer in self.writers:
            writer.close()

    @property
    def names(self) -> list[str]:
        return [writer.path.name for writer in self.writers]
