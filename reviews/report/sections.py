"""The report from its first section to its last, for the page and the file alike."""

from dataclasses import replace

from django.utils.translation import gettext as _

from reviews.report.apart import apart, violations
from reviews.report.chosen import chosen_words
from reviews.report.levels import levels
from reviews.report.overview import agreement, design
from reviews.report.pairs import pairs
from reviews.report.parts import Part, Report, Section
from reviews.report.slices import slices
from reviews.report.tables import Table, text
from reviews.report.trouble import raters, trouble

MAKE = (design, agreement, slices, levels, pairs, trouble, raters, apart, violations)


def sections_of(report: Report) -> list[Section]:
    return [make(report) for make in MAKE]


def tables_of(report: Report) -> dict[str, Table]:
    """By name: each can be had as CSV, and says in every row whose ratings it is of where they are not everybody's."""
    tables = [part.whole or part.table for section in sections_of(report) for part in _filled(section)]
    if words := chosen_words(report):
        tables = [_with_words(table, words) for table in tables]
    return {table.name: table for table in tables}


def _with_words(table: Table, words: str) -> Table:
    columns = [*table.columns, text("of_raters", _("Raters"))]
    return replace(table, columns=columns, rows=[[*row, words] for row in table.rows])


def _filled(section: Section) -> list[Part]:
    return [part for part in section.parts if part.table.rows]
