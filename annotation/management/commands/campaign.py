from typing import Any

from django.core.management.base import CommandParser

from annotation.management.door import ConcordCommand, campaign_of
from annotation.progress import progress_of
from annotation.services.campaigns import close_campaign, open_campaign, pause_campaign


class Command(ConcordCommand):
    help = "Open, pause or close a campaign, or say how it stands."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug")
        parser.add_argument("do", choices=["open", "pause", "close", "status"])
        parser.add_argument("--reason", default="", help="why a closed campaign is opened again")

    def run(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_of(options["slug"])
        if options["do"] == "open":
            campaign = open_campaign(campaign=campaign, reason=options["reason"])
        elif options["do"] == "pause":
            campaign = pause_campaign(campaign=campaign)
        elif options["do"] == "close":
            campaign = close_campaign(campaign=campaign)
        return {"campaign": campaign.slug, "state": campaign.state, **progress_of(campaign).as_dict()}
