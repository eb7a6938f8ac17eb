from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand
from reviews.demo import generator, loading
from reviews.demo.journal import JOURNAL


class Command(ConcordCommand):
    help = "Make fixtures/demo/journal.jsonl anew, with the demo's seed, in an empty database."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", default=str(JOURNAL))

    def run(self, **options: Any) -> dict[str, Any]:
        if loading.is_loaded():
            raise ConcordError("This database holds the demo already; name an empty one with DATABASE_URL.")
        return {"events": generator.build(options["out"]), "written": options["out"]}
