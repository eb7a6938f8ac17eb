"""The rating page on the demo server: from Enter to the next item on screen, and what the first load costs.

Chromium at the desk of the demo's ana; she reads for a second before each Enter, so that what the page fetches ahead is
there. A time runs from the key press to the frame that shows the next response. Then the same with 300 ms of latency
added to every request. Figures to read, not a test: a loaded machine shows.
"""

import argparse
import json
import platform
import statistics
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, WHY_NONE
from tests.browser.wire import Wire
from tests.throwaway import WebServer

SIGN_IN = """
import json
from django.utils import timezone
from annotation.models import Campaign, Membership, User
from tests.sessions import session_of
Membership.objects.update(note_read_at=timezone.now())
scales = Campaign.objects.get(slug="demo").rubric.content["dimensions"]
print(json.dumps({"session": session_of(User.objects.get(username="ana")), "scales": len(scales)}))
"""

# The time of a frame's end: a message that the frame's own callback posts comes after it is painted.
PROBE = """
window.painted = [];
let pressed = 0, before = null;
window.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  pressed = event.timeStamp;
  before = document.getElementById("response")?.textContent;
}, true);
const look = () => {
  const now = document.getElementById("response")?.textContent;
  if (!pressed || !now || now === before) return;
  const from = pressed;
  pressed = 0;
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.painted.push(performance.now() - from);
    channel.port2.postMessage(0);
  });
};
new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
"""

# Whether as many have been painted, within half a minute. (Playwright's own waiting is refused by the page's policy.)
WAIT = """(count) => new Promise((resolve) => {
  const end = performance.now() + 30000;
  const look = () => {
    if (window.painted.length >= count || performance.now() > end) resolve(window.painted.length >= count);
    else setTimeout(look, 20);
  };
  look();
})"""


def rate(page: Page, *, items: int, scales: int, reading: float) -> list[float]:
    """Rates as many items by keyboard; milliseconds from each Enter to the next response on screen."""
    begun = page.evaluate("window.painted.length")
    for done in range(1, items + 1):
        for _scale in range(scales):
            page.keyboard.press("4")
        page.wait_for_timeout(reading * 1000)
        page.keyboard.press("Enter")
        if not page.evaluate(WAIT, begun + done):
            raise SystemExit(f"No next item came after item {done}: {page.url} says {page.inner_text('main')[:300]}")
    times: list[float] = page.evaluate("window.painted")
    return times[begun:]


def told(name: str, times: list[float]) -> str:
    ninth = statistics.quantiles(times, n=10)[-1] if len(times) > 1 else times[0]
    middle, most = statistics.median(times), max(times)
    return f"  {name:22} median {middle:6.0f} ms   p90 {ninth:6.0f} ms   max {most:6.0f} ms   ({len(times)} items)"


def measure(web: WebServer, options: argparse.Namespace) -> None:
    known: dict[str, Any] = json.loads(
        web.manage("shell", "--verbosity=0", "-c", SIGN_IN).stdout.strip().splitlines()[-1]
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-GB")
        context.add_cookies([{"name": "sessionid", "value": known["session"], "url": web.url}])
        page = context.new_page()
        page.add_init_script(PROBE)
        wire = Wire(page)
        print(f"{platform.platform()}, Chromium {browser.version}, two gunicorn workers of four threads")
        for name in ("first load", "second load"):
            start = time.perf_counter()
            wire.load(f"{web.url}/campaigns/demo/rate/")
            seconds = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
            print(
                f"  {name:22} {wire.bytes:,} bytes in {len(wire.asked)} requests, loaded in {seconds:.2f} s, "
                f"still after {time.perf_counter() - start:.2f} s"
            )
        work = {"items": options.items, "scales": known["scales"], "reading": options.reading}
        print(told("Enter to next item", rate(page, **work)))
        slow = {"offline": False, "latency": options.latency, "downloadThroughput": -1, "uploadThroughput": -1}
        wire.cdp.send("Network.emulateNetworkConditions", slow)
        print(told(f"the same, +{options.latency} ms", rate(page, **work)))
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=20, help="how many items in each round (20)")
    parser.add_argument("--latency", type=int, default=300, help="milliseconds added in the second round (300)")
    parser.add_argument("--reading", type=float, default=1.0, help="seconds between the scores and Enter (1)")
    options = parser.parse_args()
    if not CHROMIUM:
        raise SystemExit(WHY_NONE)
    with WebServer() as web:
        web.manage("load_demo")
        measure(web, options)


if __name__ == "__main__":
    main()
