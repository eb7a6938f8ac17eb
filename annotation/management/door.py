"""What every command of Concord shares: one clear line on stderr and exit 1 for what a person can mend; `--json`."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import ConcordError
from annotation.models import Campaign
from scenarios.models import Dataset


class ConcordCommand(BaseCommand):
    """A command whose named errors become one line; subclasses write `run(**options) -> dict | None`."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = self.run(**options)
        except ConcordError as error:
            raise CommandError(str(error), returncode=1) from error
        if result is None:
            return
        if options.get("json"):
            # Whatever is not plain JSON is a fault here, and NaN is none of JSON's numbers.
            self.stdout.write(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False))
        else:
            self.say(result)

    def run(self, **options: Any) -> dict[str, Any] | None:
        raise NotImplementedError

    def say(self, result: dict[str, Any]) -> None:
        """The result in words, for a person."""
        for name, value in result.items():
            self.stdout.write(f"{name.replace('_', ' ')}: {value}")


def campaign_of(slug: str) -> Campaign:
    found = Campaign.objects.filter(slug=slug).select_related("dataset", "rubric").first()
    if found is None:
        raise ConcordError(f"There is no campaign {slug}.")
    return found


def dataset_of(slug: str) -> Dataset:
    found = Dataset.objects.filter(slug=slug).first()
    if found is None:
        raise ConcordError(
            f"There is no dataset {slug}. Make one with: manage.py import_scenarios PATH --dataset {slug}"
        )
    return found


def words_of(text: str | None) -> list[str]:
    """`A,B` as a list."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]
