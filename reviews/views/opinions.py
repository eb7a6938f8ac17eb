"""The opinions of several experts on one case, as a table: a column an expert, a row what they spoke of."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.models import Rubric
from reviews.shown import ShownCase, ShownDecision
from reviews.verdict import AMBIGUOUS


@dataclass(frozen=True)
class OpinionRow:
    """said: in the columns' order; empty where an expert did not speak of it."""

    name: str
    said: list[str]

    @property
    def differs(self) -> bool:
        return len(set(self.said)) > 1


@dataclass(frozen=True)
class Opinions:
    columns: list[ShownDecision]
    rows: list[OpinionRow]


def opinions_of(shown: ShownCase, rubric: Rubric) -> Opinions:
    """Those that the viewer may see, in the rubric's order; rows that nobody spoke of are left out."""
    columns = shown.opinions
    scales = [OpinionRow(d.name, [_value(o.values.get(d.key)) for o in columns]) for d in rubric.dimensions]
    marks = [OpinionRow(k.name, [_ruling(o.marks.get(k.key)) for o in columns]) for k in rubric.violation_types]
    return Opinions(columns, [row for row in scales + marks if any(row.said)])


def _value(value: int | str | None) -> str:
    return _("not decidable") if value == AMBIGUOUS else "" if value is None else str(value)


def _ruling(ruling: bool | None) -> str:
    return "" if ruling is None else _("confirmed") if ruling else _("struck")
