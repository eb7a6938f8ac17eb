"""The card on the campaign's page: managers see it while rating goes on, it asks again; nobody else learns of it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from annotation.models import Campaign, Membership
from annotation.services.campaigns import close_campaign, pause_campaign
from reviews.models import LiveAgreement
from reviews.services.live_numbers import compute_live_agreement
from tests import factories as f
from tests import world
from tests.addresses import addresses
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db
Role = Membership.Role
HTMX = {"HX-Request": "true"}
CANARY = 0.4242424242
SHOWN = re.compile(r"(?<!\d)0?\.42")  # however many digits of it; the fraction of a second stands behind digits


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(slug="study", items=4, overlap=2)


@pytest.fixture
def manager(campaign: Campaign) -> Client:
    return signed_in(f.member(campaign, Role.MANAGER))


def step(items: int, value: float | None, low: float | None, high: float | None, reason: str | None = None) -> Any:
    found = {"value": value, "ci_low": low, "ci_high": high, "reason": reason, "dropped": 0}
    return {"items": items, "scenarios": items // 2, **found}


def keep(campaign: Campaign, *steps: Any, narrower: Any = (), seconds: float = 2.0, items: int = 900) -> LiveAgreement:
    """The stored row, of one dimension."""
    more = {"scenarios": 100, "responses": 2, "raters": 3, "reason": None, "items": 200}
    more["narrower"] = [{"raters": raters, "share": share} for raters, share in narrower]
    entry = {"steps": list(steps), "reason": None if steps else "no item with two ratings", "more_raters": more}
    return LiveAgreement.objects.update_or_create(
        campaign=campaign,
        defaults={
            "computed_at": timezone.now(),
            "data_version": "d" * 64,
            "seconds": seconds,
            "result": {
                "ratings": 1600,
                "items": items,
                "replicates": 1000,
                "seed": 0,
                "dimensions": {"empathy": entry},
            },
        },
    )[0]


MANY = (step(100, 0.69, 0.57, 0.8), step(200, 0.7, 0.6, 0.8))


def page(client: Client, **query: str) -> str:
    answer = client.get(reverse("annotation:campaign", args=["study"]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def part(client: Client, **query: str) -> Any:
    return client.get(reverse("reviews:live_agreement", args=["study"]), query, headers=HTMX)


def said(client: Client, **query: str) -> str:
    answer = part(client, **query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_managers_alone_see_it(campaign: Campaign, manager: Client) -> None:
    keep(campaign, *MANY)
    assert "Agreement so far" in page(manager)
    assert "Agreement so far" not in page(signed_in(f.site_manager()))
    for user in (f.site_manager(), f.member(campaign, Role.EXPERT), f.member(campaign, Role.ANNOTATOR)):
        client = signed_in(user)
        assert part(client).status_code == 403
        assert client.get("/api/v1/campaigns/study/agreement/live/").status_code == 403
    close_campaign(campaign=campaign)
    assert part(signed_in(f.member(campaign, Role.EXPERT))).status_code == 403


def test_it_is_there_while_rating_goes_on(campaign: Campaign, manager: Client) -> None:
    keep(campaign, *MANY)
    pause_campaign(campaign=campaign)
    assert "Agreement so far" in page(manager)
    close_campaign(campaign=campaign)
    assert "Agreement so far" not in page(manager)
    assert "hx-trigger" not in said(manager)


def test_before_the_first_numbers_it_says_when_they_come(manager: Client) -> None:
    assert "within a minute of the first ratings" in page(manager)
    assert part(manager, since="").status_code == 204


def test_it_says_alpha_its_interval_and_from_when(campaign: Campaign, manager: Client) -> None:
    live = keep(campaign, *MANY)
    found = page(manager)
    for words in (".70", ".60 to .80", "do not rely to rely", "items: 200, scenarios: 100"):
        assert words in found
    assert f'datetime="{live.computed_at.isoformat()}"' in found  # type: ignore[union-attr]
    assert "From 1,600 ratings, as of" in " ".join(found.split())
    assert "New ratings are in it within a minute." in found


def test_of_much_it_says_that_it_takes_longer(campaign: Campaign, manager: Client) -> None:
    keep(campaign, *MANY, seconds=40)
    assert "new ratings are in it after 6 minutes or so" in said(manager)
    assert "within a minute" not in said(manager)


def test_without_an_alpha_or_an_interval_it_says_why(campaign: Campaign, manager: Client) -> None:
    few = "too few clusters for an interval: 30 are needed"
    keep(campaign, step(8, 0.7, None, None, few))
    assert "too few scenarios for an interval" in said(manager)
    keep(campaign, step(8, None, None, None, "all ratings equal"))
    assert "all ratings equal" in said(manager)
    keep(campaign)
    assert "no item with two ratings" in said(manager)
    assert "No item has two ratings yet." in said(manager, part="steps")


@pytest.mark.parametrize(
    ("width", "narrower", "words"),
    [
        ("", [(4, 0.8), (5, 0.4)], "It is ± .100 now. About 602 more items would do (scenarios: 301 more)."),
        ("", [(4, 0.8), (5, 0.4)], "Or 5 raters an item instead of 3."),
        ("0.05", [(4, 0.8), (5, 0.7)], "4 raters an item instead of 3 would make it ± .080, 5 would ± .070."),
        ("0.05", [(4, 1.01), (5, 0.98)], "More raters an item would hardly narrow it."),
        ("0.05", [], "What more raters an item would bring cannot be foretold from these ratings."),
        ("0.2", [(4, 0.8)], "It is ± .100 now: narrow enough."),
    ],
)
def test_the_planner_answers(campaign: Campaign, manager: Client, width: str, narrower: Any, words: str) -> None:
    keep(campaign, *MANY, narrower=narrower)
    assert words in said(manager, width=width)
    assert words in " ".join(page(manager, width=width).split())  # without a script


def test_it_says_where_the_campaign_has_too_few_items(campaign: Campaign, manager: Client) -> None:
    keep(campaign, *MANY, items=230)
    assert "The campaign has 30 items left that are not in this yet." in said(manager)
    keep(campaign, *MANY, items=900)
    assert "items left" not in said(manager)


def test_what_is_no_width_is_told_and_the_usual_one_taken(campaign: Campaign, manager: Client) -> None:
    keep(campaign, *MANY)
    found = said(manager, width="wide")
    assert "The width is a number from .001 to .5." in found
    assert "Until ± 0.05" in found


def test_it_asks_again_with_its_width_and_is_sent_only_what_is_new(campaign: Campaign, manager: Client) -> None:
    live = keep(campaign, *MANY)
    stamp = live.computed_at.isoformat()  # type: ignore[union-attr]
    found = said(manager, width="0.02")
    assert "width=0.02" in found
    assert stamp.replace("+", "%2B").replace(":", "%3A") in found
    assert part(manager, since=stamp, width="0.02").status_code == 204
    keep(campaign, *MANY)
    assert "Until ± 0.02" in said(manager, since=stamp, width="0.02")
    manager.logout()
    assert part(manager, since=stamp).status_code == 401


def test_the_steps_are_a_chart_and_its_table(campaign: Campaign, manager: Client) -> None:
    keep(campaign, *MANY)
    found = said(manager, part="steps")
    assert "data-chart" in found
    assert found.count('<th scope="row">') == 2
    assert "after 100 items: .69, .57 to .80" in found
    assert "style=" not in page(manager)


def test_in_the_readers_language(campaign: Campaign) -> None:
    keep(campaign, *MANY)
    with translation.override("zh-hans"):
        found = said(signed_in(f.member(campaign, Role.MANAGER, user=f.person(language="zh-hans"))))
    assert "共情" in found


def test_the_api_gives_what_is_stored_and_the_outlook(campaign: Campaign, manager: Client) -> None:
    url = "/api/v1/campaigns/study/agreement/live/"
    assert manager.get(url).status_code == 404
    f.rated_item([1, 5], item=f.items_of(campaign)[0])
    live = compute_live_agreement(campaign=campaign)
    found = manager.get(url).json()
    assert found["data_version"] == live.data_version
    assert found["dimensions"]["empathy"]["steps"] == live.result["dimensions"]["empathy"]["steps"]  # type: ignore[index]
    keep(campaign, *MANY, narrower=[(4, 0.5)])
    outlook = manager.get(url, {"width": "0.06"}).json()["dimensions"]["empathy"]["outlook"]
    assert (outlook["width"], outlook["raters_needed"]) == (0.06, 4)
    refused = manager.get(url, {"width": "0"})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["width"])


class TestNobodyElseLearns:
    @pytest.fixture
    def there(self) -> world.World:
        made = world.build()
        low, high = CANARY - 0.1, CANARY + 0.1
        keep(made.campaign, step(200, CANARY, low, high), narrower=[(4, 0.5)])
        return made

    def answers(self, there: world.World, who: str) -> Iterator[tuple[str, str]]:
        for address in addresses():
            for values in there.values_of(address, who):
                for headers in ({}, HTMX):
                    url = address.at(values)
                    yield url, there.ask(who, "GET", url, headers=headers).seen

    @pytest.mark.once
    @pytest.mark.timeout(300)
    @pytest.mark.parametrize("who", ["annotator", "expert", "both"])
    def test_no_address_gives_a_figure(self, there: world.World, who: str) -> None:
        for url, seen in self.answers(there, who):
            assert not SHOWN.search(seen), f"{who} reads alpha at {url}"
            assert "live-figures" not in seen, f"{who} is given the card at {url}"

    @pytest.mark.parametrize("who", ["manager", "chief"])
    def test_a_manager_reads_it(self, there: world.World, who: str) -> None:
        for url in ("/campaigns/{}/", "/campaigns/{}/agreement/live/", "/api/v1/campaigns/{}/agreement/live/"):
            assert SHOWN.search(there.ask(who, "GET", url.format(there.campaign.slug)).seen)
