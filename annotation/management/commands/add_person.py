from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import transaction
from django.urls import reverse

from annotation.management.door import ConcordCommand, campaign_of, words_of
from annotation.models import Membership
from annotation.services.people import add_member, add_person, invite


class Command(ConcordCommand):
    help = "Add a person, with a role in a campaign if one is named, and print a one-time sign-in link."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("username")
        parser.add_argument("--campaign", metavar="SLUG")
        parser.add_argument("--role", choices=Membership.Role.values, default=Membership.Role.ANNOTATOR)
        parser.add_argument("--languages", metavar="en,zh-Hans", help="what they rate in (default: all)")

    def run(self, **options: Any) -> dict[str, Any]:
        result: dict[str, Any] = {"person": options["username"]}
        with transaction.atomic():
            campaign = campaign_of(options["campaign"]) if options["campaign"] else None
            person = add_person(username=options["username"])
            if campaign is not None:
                languages = words_of(options["languages"])
                add_member(campaign=campaign, user=person, role=options["role"], languages=languages)
                result |= {"campaign": campaign.slug, "role": options["role"]}
            result["link"] = settings.SITE_URL + reverse("annotation:welcome", args=[invite(user=person)])
        return result

    def say(self, result: dict[str, Any]) -> None:
        role = f" as {result['role']} of {result['campaign']}" if "role" in result else ""
        self.stdout.write(f"{result['person']} is added{role}. One-time sign-in link:\n{result['link']}")
