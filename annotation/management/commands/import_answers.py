import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.door import ConcordCommand, campaign_of
from annotation.services.answers import import_answers
from scenarios.reading.faults import ImportRefused
from scenarios.wording import refusal_line, refusal_list


class Command(ConcordCommand):
    help = "Bring known answers (JSONL) into a campaign, for its training round and its checks. Whole, or not at all."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="JSONL: item_id, use (training or check), scores, marks, reasons")
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--dry-run", action="store_true", help="check and report; write nothing")

    def run(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_of(options["campaign"])
        try:
            report = import_answers(campaign=campaign, path=options["file"], dry_run=options["dry_run"])
        except ImportRefused as refusal:
            if options["json"]:
                self.stdout.write(json.dumps(refusal.as_json(), ensure_ascii=False, indent=2))
            raise CommandError("\n".join([refusal_line(refusal), *refusal_list(refusal)])) from None
        return {"campaign": campaign.slug, **report.as_json(), "written": not options["dry_run"]}
