from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import transaction

from annotation.errors import ConcordError
from annotation.management.door import ConcordCommand, campaign_of
from annotation.models import Campaign, Membership
from annotation.progress import progress_of
from annotation.services.people import add_member, add_person, make_token, revoke_token
from annotation.simulation import NoServer, Refused, simulate

MOST = 200


class Command(ConcordCommand):
    help = "Let virtual annotators work on an open campaign, through the real HTTP API of a server on this database."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--annotators", type=int, required=True, metavar="N", help=f"how many, up to {MOST}")
        parser.add_argument("--url", default=settings.SITE_URL, help="where the server is (default %(default)s)")
        parser.add_argument("--seconds", type=float, metavar="N", help="for how long (default: until nothing is left)")
        parser.add_argument("--seed", type=int, default=0, help="draws their characters and what they say")

    def run(self, **options: Any) -> dict[str, Any]:
        campaign, count, url = campaign_of(options["campaign"]), options["annotators"], options["url"]
        if not 1 <= count <= MOST:
            raise ConcordError(f"--annotators is 1 to {MOST}.")
        if not url.startswith(("http://", "https://")):
            raise ConcordError(f"--url is an address such as {settings.SITE_URL}, not {url}.")
        if campaign.state != Campaign.State.OPEN:
            raise ConcordError(f"{campaign.slug} is {campaign.state}. Open it: manage.py campaign {campaign.slug} open")
        tokens = self._people(campaign, count)
        try:
            work = simulate(
                url=url, campaign=campaign.slug, tokens=tokens, seconds=options["seconds"], seed=options["seed"]
            )
        except NoServer as error:
            raise ConcordError(
                f"No Concord answers at {url}. Start one with ./run demo, or name it by --url."
            ) from error
        except Refused as error:
            raise ConcordError(f"{url}: {error} Does that server work on this database?") from error
        finally:
            self._leave()
        progress = progress_of(campaign)
        return {
            "campaign": campaign.slug,
            "annotators": count,
            "seconds": round(work.seconds, 1),
            "requests": work.requests,
            "ratings": work.ratings,
            "surplus": work.surplus,
            "skipped": work.skipped,
            "marks": work.marks,
            "refused": dict(work.refused),
            "nothing_left": work.nothing_left,
            "places_left": progress.left,
        }

    def _people(self, campaign: Campaign, count: int) -> dict[str, str]:
        """The tokens of sim-01, sim-02 and so on, made members where they are none."""
        self.made: list[tuple[Any, int]] = []
        tokens = {}
        with transaction.atomic():
            for number in range(1, count + 1):
                person = add_person(username=f"sim-{number:02}", display_name=f"Simulated {number}")
                rates = campaign.memberships.active().filter(user=person, role=Membership.Role.ANNOTATOR)
                if not rates.exists():
                    add_member(campaign=campaign, user=person, role=Membership.Role.ANNOTATOR)
                tokens[person.username] = make_token(user=person, name="simulate")
                newest = person.api_tokens.order_by("-pk").values_list("pk", flat=True)[0]
                self.made.append((person, newest))
        return tokens

    def _leave(self) -> None:
        """Their tokens end with the run."""
        for person, token_id in self.made:
            revoke_token(user=person, token_id=token_id)
