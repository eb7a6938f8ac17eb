import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scenarios.reading.sources import FORMATS
from scenarios.services import ImportBusy, ImportRefused, ImportReport
from scenarios.wording import refusal_line, refusal_list, report_lines


class ImportCommand(BaseCommand):
    """What both import commands have in common; a subclass says which service it is the door of."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="a .jsonl file, or a folder of TASK.jsonl files")
        parser.add_argument("--dataset", required=True, metavar="SLUG", help="the dataset's short name")
        parser.add_argument("--format", choices=list(FORMATS), help="told from the file where not given")
        parser.add_argument("--task", help="the task, where neither a line nor the file's name says it")
        parser.add_argument("--language", default="zh-Hans", help="of records that do not say (default: zh-Hans)")
        parser.add_argument("--skip-invalid", action="store_true", help="leave out bad lines and report each")
        parser.add_argument(
            "--new-version", action="store_true", help="take a record with other content under its key as a new version"
        )
        parser.add_argument("--dry-run", action="store_true", help="check and report; write nothing")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def service(self, path: Path, **options: Any) -> ImportReport:
        raise NotImplementedError

    def handle(self, **options: Any) -> None:
        as_json = options["json"]
        names = ("dataset", "format", "task", "language", "skip_invalid", "new_version", "dry_run", *self.own_options)
        try:
            report = self.service(options["path"], **{name: options[name] for name in names})
        except ImportBusy as busy:
            raise CommandError(str(busy)) from None
        except ImportRefused as refusal:
            if as_json:
                self.stdout.write(json.dumps(refusal.as_json(), ensure_ascii=False, indent=2))
            raise CommandError("\n".join([refusal_line(refusal), *refusal_list(refusal)])) from None
        if as_json:
            self.stdout.write(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
            return
        for line in report_lines(report):
            self.stdout.write(line)

    # Options that only one of the commands has, handed to its service as they are.
    own_options: tuple[str, ...] = ()
