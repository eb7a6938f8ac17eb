from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from scenarios.management.commands._importing import ImportCommand
from scenarios.services import ImportReport, import_scenarios


class Command(ImportCommand):
    help = "Import scenarios into a dataset, which is made if it is not there: a file is taken whole or not at all."
    own_options = ("title",)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--title", default="", help="of the dataset, where it is new")

    def service(self, path: Path, **options: Any) -> ImportReport:
        return import_scenarios(path, **options)
