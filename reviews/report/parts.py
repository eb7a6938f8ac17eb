"""What a report is made of: sections of words, charts and tables, and the names that its reader may see."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviews.report.charts import Spec
from reviews.report.tables import Table

MOST_ROWS = 12  # longer tables are folded


@dataclass(frozen=True)
class Names:
    """How keys of the stored result are called for this reader, in their language.

    rater: a person's name for managers, their code for others; rater_at: where their page is, empty for others.
    tag: of a slice, (by, key). mark: a violation type.
    """

    dimension: Callable[[str], str]
    rater: Callable[[str], str]
    rater_at: Callable[[str], str]
    tag: Callable[[str, str], str]
    mark: Callable[[str], str]


@dataclass(frozen=True)
class Chart:
    """A picture of the table beside it, which has the same name."""

    name: str
    title: str
    spec: Spec


@dataclass(frozen=True)
class Choice:
    """What a table can be of, to choose from. name: of the parameter in the address; options: (value, words)."""

    name: str
    label: str
    options: Sequence[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class Part:
    """A chart with the table of its numbers, or a table alone.

    choice: where the table is one of several. whole: all of them, for the CSV.
    """

    table: Table
    chart: Chart | None = None
    folded: bool = False
    choice: Choice | None = None
    whole: Table | None = None


@dataclass(frozen=True)
class Section:
    """One numbered part of the report. words: what to know before the numbers."""

    key: str
    title: str
    words: Sequence[str] = ()
    parts: Sequence[Part] = ()


@dataclass(frozen=True)
class Report:
    """The stored result with the reader's names.

    pair: the two raters whose confusion is asked for, as its `Choice` has it.
    """

    result: Mapping[str, Any]
    names: Names
    pair: str = ""
    dimensions: list[tuple[str, str, Mapping[str, Any]]] = field(init=False)

    def __post_init__(self) -> None:
        """dimensions: (key, name, entry) of each, in the rubric's order."""
        entries = self.result["dimensions"].items()
        found = [(key, self.names.dimension(key), entry) for key, entry in entries]
        object.__setattr__(self, "dimensions", found)

    @property
    def levels(self) -> list[str]:
        """All levels of all scales, numbers in their order."""
        return sorted({level for _key, _name, entry in self.dimensions for level in entry["distribution"]}, key=_place)


def _place(level: str) -> tuple[float, str]:
    try:
        return float(level), level
    except ValueError:
        return float("inf"), level
