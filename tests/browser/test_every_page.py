"""Every page of the site is fit for everyone: in both themes, at every width, enlarged, without motion."""

import logging
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests import pages
from tests.browser import axe
from tests.world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
NARROW = {"width": 320, "height": 640}
ZOOMED = {"width": 640, "height": 400}  # a window of 1280 at 200 %
ENLARGED = {**ZOOMED, "deviceScaleFactor": 2, "mobile": False}


@pytest.fixture
def there(live_server: LiveServer) -> Iterator[World]:
    logging.disable(logging.CRITICAL)
    yield pages.build()
    logging.disable(logging.NOTSET)


def sign_in(page: Page, server: LiveServer, there: World, who: str) -> None:
    page.context.clear_cookies()
    cookies = [{"name": name, "value": value, "url": server.url} for name, value in there.cookies_of(who).items()]
    if cookies:
        page.context.add_cookies(cookies)  # type: ignore[arg-type]


def sizes(page: Page) -> list[str]:
    """Where the page scrolls sideways: at the narrowest width, and enlarged to 200 %."""
    found = []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    if (over := page.evaluate(axe.OVERFLOW)) > 0:
        found.append(f"{page.url} at 320 px: scrolls sideways by {over} px")
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setDeviceMetricsOverride", ENLARGED)
    if (over := page.evaluate(axe.OVERFLOW)) > 0:
        found.append(f"{page.url} at 200 %: scrolls sideways by {over} px")
    cdp.send("Emulation.clearDeviceMetricsOverride")
    cdp.detach()
    page.set_viewport_size(axe.WIDE)  # type: ignore[arg-type]
    return found


def test_every_page_is_fit_for_everyone(page: Page, live_server: LiveServer, there: World) -> None:
    found: list[str] = []
    visits = sorted(pages.visits(there), key=lambda visit: visit.who)
    who = ""
    for visit in visits:
        if visit.who != who:
            sign_in(page, live_server, there, who := visit.who)
        answer = page.goto(live_server.url + visit.url)
        assert answer is not None
        assert answer.status == visit.status, f"{visit}: {answer.status}"
        found += [f"{visit.who}: {fault}" for fault in axe.faults(page)]
        found += [f"{visit.who}: {fault}" for fault in sizes(page)]
        if moving := page.evaluate(axe.MOVING):
            found.append(f"{visit}: moves though the reader asked for none: {moving[:5]}")
    print(f"{len(visits)} pages")
    assert not found, "\n\n".join(found)


# The element that has the focus: its name, and what is amiss with how it shows.
FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const shown = element.closest("label:has(input[type=radio], input[type=checkbox])") ?? element;
  const box = shown.getBoundingClientRect();
  const name = `${element.tagName} ${element.id || element.name || element.innerText.slice(0, 30)}`;
  const rings = [element, shown, ...shown.querySelectorAll("*")].some((one) => {
    const style = getComputedStyle(one);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
  });
  const amiss = [];
  if (!rings) amiss.push("no ring");
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  if (!box.width || !box.height || !inside) amiss.push("out of sight");
  else {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, Math.min(Math.max(y, 1), innerHeight - 1));
    if (top && !shown.contains(top) && !top.contains(shown)) amiss.push(`covered by ${top.tagName}.${top.className}`);
  }
  const key = `${name}@${Math.round(box.left + scrollX)},${element.tabIndex}`;
  return { name, key, amiss };
}"""


@pytest.mark.parametrize("size", [axe.WIDE, axe.PHONE, ZOOMED], ids=["wide", "phone", "enlarged"])
def test_each_tab_stop_of_the_rating_page_is_seen(
    page: Page, live_server: LiveServer, there: World, size: dict[str, int]
) -> None:
    """It has a ring, stands in the window, and lies under no bar (WCAG 2.4.7 and 2.4.11)."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    sign_in(page, live_server, there, "annotator")
    page.goto(f"{live_server.url}/campaigns/{there.campaign.slug}/rate/")
    page.locator("h1, #response").first.wait_for()
    page.evaluate("document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus()")
    stops: list[str] = []
    amiss: list[str] = []
    for _step in range(120):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None or stop["key"] in stops[:1]:
            break
        stops.append(stop["key"])
        amiss += [f"{stop['name']}: {fault}" for fault in stop["amiss"]]
    assert len(stops) > 8, stops
    assert not amiss, "\n".join(amiss)
