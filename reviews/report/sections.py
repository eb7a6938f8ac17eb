"""The report from its first section to its last, for the page and the file alike."""

from reviews.report.apart import apart, violations
from reviews.report.levels import levels
from reviews.report.overview import agreement, design
from reviews.report.pairs import pairs
from reviews.report.parts import Part, Report, Section
from reviews.report.slices import slices
from reviews.report.tables import Table
from reviews.report.trouble import raters, trouble

MAKE = (design, agreement, slices, levels, pairs, trouble, raters, apart, violations)


def sections_of(report: Report) -> list[Section]:
    return [make(report) for make in MAKE]


def tables_of(report: Report) -> dict[str, Table]:
    """By name: each can be had as CSV."""
    return {part.table.name: part.whole or part.table for section in sections_of(report) for part in _filled(section)}


def _filled(section: Section) -> list[Part]:
    return [part for part in section.parts if part.table.rows]
