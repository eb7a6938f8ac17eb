"""A table of a report: what the page shows and its CSV holds are the same cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reviews.figures import Figure


@dataclass(frozen=True)
class Linked:
    """A text that leads to a page of its own; url: empty where the reader may not go there."""

    words: str
    url: str

    def __str__(self) -> str:
        return self.words


# A cell: text, a count, a figure (a number with its interval, or why there is none), or nothing.
Cell = str | int | Figure | Linked | None


@dataclass(frozen=True)
class Column:
    """key: its name in the CSV; title: on the page. is_figure: a number whose interval and reason stand beside it."""

    key: str
    title: str
    is_figure: bool = False
    is_count: bool = False


@dataclass(frozen=True)
class Table:
    """name: of its CSV. rows: a cell a column each; the first cell names the row."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    @property
    def shown(self) -> list[list[tuple[Column, Cell]]]:
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]

    def csv_rows(self) -> Iterator[list[Any]]:
        """Numbers in full, not as the page rounds them; a figure is four columns."""
        header: list[str] = []
        for column in self.columns:
            header += [column.key]
            if column.is_figure:
                header += [f"{column.key}_low", f"{column.key}_high", f"{column.key}_reason"]
        yield header
        for row in self.rows:
            cells: list[Any] = []
            for column, cell in zip(self.columns, row, strict=True):
                cells.append(_alone(cell))
                if column.is_figure and isinstance(cell, Figure):
                    cells += [*map(_full, cell.ends or (None, None)), cell.why]
                elif column.is_figure:
                    cells += ["", "", ""]
            yield cells


def _alone(cell: Cell) -> str | int:
    """In one column of the CSV."""
    if isinstance(cell, Figure):
        return _full(cell.value)
    return "" if cell is None else cell if isinstance(cell, int) else str(cell)


def _full(number: float | None) -> str:
    return "" if number is None else repr(number)


def text(key: str, title: str) -> Column:
    return Column(key, title)


def count(key: str, title: str) -> Column:
    return Column(key, title, is_count=True)


def number(key: str, title: str) -> Column:
    """Cells are figures without an interval: rounded on the page, in full in one column of the CSV."""
    return Column(key, title)


def figure(key: str, title: str) -> Column:
    return Column(key, title, is_figure=True)
