from typing import Any

from django.core.management.base import CommandParser

from annotation.management.door import ConcordCommand, dataset_of, words_of
from annotation.services.campaigns import Selection, create_campaign, latest_rubric


class Command(ConcordCommand):
    help = "Make a draft campaign over a dataset's responses."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", help="its short name: a-z, 0-9 and hyphens")
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument("--title", default="")
        parser.add_argument("--overlap", type=int, default=3, help="raters an item needs (default 3)")
        parser.add_argument("--rubric", default="default", help="rubric key; its newest version is taken")
        parser.add_argument("--tasks", metavar="A,B", help="only these tasks")
        parser.add_argument("--companions", metavar="A,B", help="only these companions")
        parser.add_argument("--conditions", metavar="A,B", help="only these conditions (sap, no_sap)")
        parser.add_argument("--languages", metavar="A,B", help="only these languages (en, zh-Hans)")
        parser.add_argument("--sample", type=int, metavar="N", help="draw N responses at random")
        parser.add_argument("--seed", type=int, default=0, help="of the sample, the order of items and the audit")

    def run(self, **options: Any) -> dict[str, Any]:
        campaign = create_campaign(
            slug=options["slug"],
            title=options["title"],
            dataset=dataset_of(options["dataset"]),
            rubric=latest_rubric(options["rubric"]),
            overlap=options["overlap"],
            selection=Selection(
                tasks=words_of(options["tasks"]),
                companions=words_of(options["companions"]),
                conditions=words_of(options["conditions"]),
                languages=words_of(options["languages"]),
                sample=options["sample"],
            ),
            seed=options["seed"],
        )
        return {
            "campaign": campaign.slug,
            "state": campaign.state,
            "items": campaign.items.count(),
            "overlap": campaign.overlap,
            "next": f"manage.py campaign {campaign.slug} open",
        }
