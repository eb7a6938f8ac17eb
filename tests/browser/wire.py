"""What a page costs: every request that a browser makes for it, with the bytes that came over the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, Response

WATCH_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


@dataclass
class Request:
    """url, bytes as sent by the server (compressed, head and body), and what the answer's head said of it."""

    url: str
    bytes: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    from_cache: bool = False

    @property
    def path(self) -> str:
        return urlsplit(self.url).path


class Wire:
    """Listens to what a page asks for, from the moment it is made until `load` returns."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: dict[str, Request] = {}
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.on("Network.requestWillBeSent", self._sent)
        self.cdp.on("Network.responseReceived", self._answered)
        self.cdp.on("Network.requestServedFromCache", self._not_asked)
        self.cdp.on("Network.loadingFinished", self._finished)
        self.cdp.send("Network.enable")
        page.add_init_script(WATCH_VIOLATIONS)

    def load(self, url: str) -> Response:
        """Opens the page and waits until it asks for nothing more."""
        self.requests.clear()
        response = self.page.goto(url, wait_until="networkidle")
        assert response is not None
        return response

    @property
    def asked(self) -> list[Request]:
        """Requests that went out, the dearest first; what the page carries in itself (data:) is none."""
        out = [one for one in self.requests.values() if not one.url.startswith("data:") and not one.from_cache]
        return sorted(out, key=lambda one: -one.bytes)

    @property
    def bytes(self) -> int:
        return sum(one.bytes for one in self.asked)

    @property
    def violations(self) -> list[str]:
        """Where the content security policy refused something."""
        found: list[str] = self.page.evaluate("window.violations")
        return found

    def table(self, rows: int = 0) -> str:
        """The dearest requests, one a line."""
        asked = self.asked
        lines = [f"{one.bytes:9,d}  {one.path}" for one in asked[: rows or len(asked)]]
        return "\n".join([*lines, f"{self.bytes:9,d}  in {len(asked)} requests"])

    def _sent(self, event: dict[str, Any]) -> None:
        self.requests[event["requestId"]] = Request(event["request"]["url"])

    def _answered(self, event: dict[str, Any]) -> None:
        if one := self.requests.get(event["requestId"]):
            response = event["response"]
            one.headers = {name.lower(): value for name, value in response["headers"].items()}
            one.from_cache |= bool(response.get("fromDiskCache") or response.get("fromServiceWorker"))

    def _not_asked(self, event: dict[str, Any]) -> None:
        if one := self.requests.get(event["requestId"]):
            one.from_cache = True

    def _finished(self, event: dict[str, Any]) -> None:
        if one := self.requests.get(event["requestId"]):
            one.bytes += int(event["encodedDataLength"])
