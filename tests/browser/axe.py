"""Is the page as it stands fit for everyone? axe-core's answer, in light and dark, on a desk and on a phone."""

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WIDE = {"width": 1360, "height": 900}
PHONE = {"width": 390, "height": 844}


def looks(page: Page) -> Iterator[str]:
    """Puts the page into each of its looks in turn."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for name, size in (("1360", WIDE), ("390", PHONE)):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            yield f"{name}-{scheme}"


def assert_fit(page: Page) -> None:
    """No violation in any look, and nothing that makes a phone scroll sideways."""
    for look in looks(page):
        found = Axe().run(page)
        assert not found.violations_count, f"{page.url} {look}: {found.generate_report()}"
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 0, f"{page.url} {look}: scrolls sideways by {overflow} px"
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")
