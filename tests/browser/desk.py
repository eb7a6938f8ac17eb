"""What the stories of the desk share: coming in, the parts of the page, what the server has kept."""

from typing import Any

from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign, Rating, User
from tests import factories as f
from tests.browser.coming_in import come_in

COMPOSING = "({ isComposing, keyCode }) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
COMPOSING += "{ key: 'Enter', isComposing, keyCode, bubbles: true, cancelable: true }))"


class Desk:
    """One annotator at the desk of one campaign."""

    def __init__(self, page: Page, server: LiveServer, campaign: Campaign, user: User | None = None) -> None:
        self.page, self.server, self.campaign = page, server, campaign
        self.user = user or f.member(campaign)

    def sign_in(self) -> None:
        come_in(self.page, self.server, self.user)

    def sit_down(self) -> "Desk":
        self.sign_in()
        self.open("annotation:rate")
        return self

    def open(self, name: str, *more: Any) -> None:
        self.page.goto(self.server.url + reverse(name, args=[self.campaign.slug, *more]))

    @property
    def response(self) -> Locator:
        return self.page.locator("#response")

    @property
    def trouble(self) -> Locator:
        return self.page.locator("#trouble")

    def scale(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=name)

    def level(self, name: str, level: int) -> Locator:
        return self.scale(name).get_by_role("radio", name=str(level))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def expect_rated(self, done: int, total: int) -> None:
        expect(self.page.locator("#rate-count")).to_contain_text(f"{done} / {total} rated")

    def expect_state(self, state: str) -> None:
        expect(self.page.locator("#saving")).to_have_text(state)

    def expect_waiting(self, n: int) -> None:
        """So many submits wait to be sent."""
        waiting = self.page.locator("#waiting")
        expect(waiting).to_be_hidden() if n == 0 else expect(waiting).to_contain_text(f"{n} waiting to be sent")

    def kept(self) -> list[Rating]:
        """What the server has of this annotator, once nothing waits to be sent."""
        self.expect_waiting(0)
        return list(Rating.objects.of(self.user).order_by("pk").prefetch_related("scores", "marks"))

    def select(self, text: str) -> None:
        """Selects the passage in the response as a pointer would."""
        self.page.evaluate(
            """(passage) => {
              const said = document.getElementById("response");
              const walker = document.createTreeWalker(said, NodeFilter.SHOW_TEXT);
              for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(passage);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + passage.length);
                document.getSelection().removeAllRanges();
                document.getSelection().addRange(range);
                return;
              }
              throw new Error("not in the response: " + passage);
            }""",
            text,
        )


def scores_of(rating: Rating) -> dict[str, int]:
    return {score.dimension: score.value for score in rating.scores.all()}
