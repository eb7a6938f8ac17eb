"""Is the page as it stands fit for everyone? axe-core's answer, in light and dark, on a desk and on a phone."""

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import Page

WIDE = {"width": 1360, "height": 900}
PHONE = {"width": 390, "height": 844}
# All that axe knows by itself (WCAG 2.2 A and AA, good practice), and the size of targets, which it would leave out.
RULES: dict[str, Any] = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
# What may differ where nothing but the colours do.
COLOURS: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Anything that would move for longer than a hundredth of a second, by its style.
MOVING = """() => {
  const longest = (list) => Math.max(...list.split(",").map(parseFloat));
  const found = [];
  for (const element of document.querySelectorAll("*"))
    for (const part of [null, "::before", "::after", "::backdrop"]) {
      const style = getComputedStyle(element, part);
      const runs = style.animationName !== "none" && longest(style.animationDuration) > 0.01;
      if (runs || longest(style.transitionDuration) > 0.01 || style.scrollBehavior === "smooth")
        found.push(element.tagName + "." + element.className + (part ?? ""));
    }
  return found;
}"""


def looks(page: Page) -> Iterator[str]:
    """Puts the page into each of its looks in turn."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for name, size in (("1360", WIDE), ("390", PHONE)):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            yield f"{name}-{scheme}"


def faults(page: Page) -> list[str]:
    """What is wrong with the page in any look: axe's violations, and a page that scrolls sideways."""
    found = []
    for look in looks(page):
        seen = _run(page, RULES if look.endswith("light") else COLOURS)
        if seen.violations_count:
            found.append(f"{page.url} {look}: {seen.generate_report()}")
        if (overflow := page.evaluate(OVERFLOW)) > 0:
            found.append(f"{page.url} {look}: scrolls sideways by {overflow} px")
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")
    return found


def assert_fit(page: Page) -> None:
    """No violation in any look, and nothing that makes a phone scroll sideways."""
    found = faults(page)
    assert not found, "\n".join(found)


def _run(page: Page, options: dict[str, Any]) -> AxeResults:
    axe = Axe()
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe.axe_script)
    return AxeResults(page.evaluate("(options) => axe.run(options)", options))
