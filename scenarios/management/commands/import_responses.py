from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from scenarios.benchmark import CONDITIONS
from scenarios.management.commands._importing import ImportCommand
from scenarios.services import ImportReport, import_responses


class Command(ImportCommand):
    help = "Import what a companion said to the scenarios of a dataset: a file is taken whole or not at all."
    own_options = ("companion", "condition")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--companion", metavar="NAME", help="the companion, where the lines do not name it")
        parser.add_argument("--condition", choices=CONDITIONS, help="where the lines do not say (default: no_sap)")

    def service(self, path: Path, **options: Any) -> ImportReport:
        return import_responses(path, **options)
