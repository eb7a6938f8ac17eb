"""What a page says to its reader, from its HTML: texts, names and descriptions, and what its scripts will say."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

NAMES = {"aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"}
SILENT = {"script", "style", "code", "kbd", "samp", "template"}
EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "rect", "circle"}


class _Reader(HTMLParser):
    """Passes over code, keys, verbatim texts, and whatever is marked as being of a language of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []
        self.open: list[tuple[str, bool]] = []  # element, and whether it is passed over
        self.language = ""

    @property
    def passing_over(self) -> bool:
        return any(silent for _tag, silent in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = given.get("lang", "")
        silent = tag in SILENT or "verbatim" in given.get("class", "").split() or given.get("translate") == "no"
        silent |= "lang" in given and given["lang"].lower() != self.language.lower()
        if not (self.passing_over or silent):
            will_be_said = given.get("id") == "words"
            names = {name for name in given if name in NAMES or (will_be_said and name.startswith("data-"))}
            if tag == "input" and given.get("type") in ("submit", "button"):
                names.add("value")
            self.said += [(f"{tag} {name}", given[name]) for name in sorted(names) if not given[name].startswith("{")]
        if tag not in EMPTY:
            self.open.append((tag, silent))

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place][0] == tag:
                del self.open[place:]
                return

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.passing_over:
            self.said.append((self.open[-1][0] if self.open else "", " ".join(data.split())))


def said_by(html: str) -> Iterator[tuple[str, str]]:
    """(where, text) of everything that the page says in the reader's language."""
    reader = _Reader()
    reader.feed(html)
    yield from reader.said
