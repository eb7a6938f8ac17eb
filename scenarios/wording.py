"""Reports of imports in words, for the command line and for the pages."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scenarios.models import Import
from scenarios.reading.faults import ImportRefused
from scenarios.services.report import ImportReport

FAULTS_LISTED = 20


def refusal_line(refusal: ImportRefused) -> str:
    """One line: the first fault, how many more there are, and that nothing has happened."""
    first = str(refusal.faults[0])
    more = refusal.total - 1
    if more:
        first += " " + ngettext("(and %(more)s more fault)", "(and %(more)s more faults)", more) % {"more": more}
    return first + ". " + _("Nothing was imported.")


def refusal_list(refusal: ImportRefused) -> Iterator[str]:
    """The faults, a line each, where there are several: twenty, and how many more."""
    if refusal.total == 1:
        return
    listed = refusal.faults[:FAULTS_LISTED]
    yield from (f"  {fault}" for fault in listed)
    if more := refusal.total - len(listed):
        yield "  " + _("and %(more)s more") % {"more": more}


def report_lines(report: ImportReport) -> Iterator[str]:
    """What an import did, as the command says it."""
    yield summary(report)
    yield _(
        "%(lines)s lines read = %(created)s created + %(unchanged)s unchanged + %(new_versions)s new versions"
        " + %(refused)s refused + %(blank)s blank"
    ) % {
        "lines": report.lines,
        "created": report.created,
        "unchanged": report.unchanged,
        "new_versions": report.new_versions,
        "refused": report.refused,
        "blank": report.blank,
    }
    for fault in report.faults:
        yield _("left out: %(fault)s") % {"fault": fault}
    if report.refused > len(report.faults):
        for file, numbers in report.refused_lines.items():
            yield _("all lines left out of %(file)s: %(lines)s") % {"file": file, "lines": numbers}
    for name, times in report.ignored.items():
        yield _("ignored: %(name)s, %(times)s times") % {"name": name, "times": times}
    for name in report.left_alone:
        yield _("not read: %(name)s") % {"name": name}


def summary(report: ImportReport) -> str:
    written = report.created + report.new_versions
    said = {"count": written, "dataset": report.dataset}
    if report.nothing_changed:
        return _("Nothing has changed: dataset %(dataset)s holds these records already.") % said
    if report.dry_run:
        return _("Nothing was written, as asked: %(count)s records would go into dataset %(dataset)s.") % said
    if report.kind == Import.Kind.SCENARIOS:
        return (
            ngettext(
                "Imported %(count)s scenario into dataset %(dataset)s.",
                "Imported %(count)s scenarios into dataset %(dataset)s.",
                written,
            )
            % said
        )
    return (
        ngettext(
            "Imported %(count)s response into dataset %(dataset)s.",
            "Imported %(count)s responses into dataset %(dataset)s.",
            written,
        )
        % said
    )
