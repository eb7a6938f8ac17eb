import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand
from reviews.demo import loading


class Command(ConcordCommand):
    help = "Load the demo pack (fixtures/demo) by replaying its journal through the services. Twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--logins", action="store_true", help="print one sign-in a role, as JSON, and do no more")

    def run(self, **options: Any) -> dict[str, Any] | None:
        if options["logins"]:
            if not loading.is_loaded():
                raise ConcordError("The demo is not loaded yet: manage.py load_demo")
            self.stdout.write(json.dumps(loading.logins(), indent=1))
            return None
        loaded = loading.load_demo()
        return {"demo": "loaded" if loaded else "was there already; nothing changed"}
