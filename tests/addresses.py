"""Every address of the site, read from its resolver: so that no new page or verb escapes the tests of the laws."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

CONVERTED = re.compile(r"<(?:\w+:)?(\w+)>")
GROUP = re.compile(r"\(\?P<(\w+)>[^)]*\)")


@dataclass(frozen=True, order=True)
class Address:
    """`path` as a template: campaigns/{slug}/cases/."""

    path: str

    @property
    def names(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)

    def at(self, values: Mapping[str, object]) -> str:
        return "/" + self.path.format(**values)


def addresses() -> list[Address]:
    return list(dict.fromkeys(Address(path) for path in _paths(get_resolver().url_patterns)))


def _paths(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for entry in patterns:
        path = prefix + _as_template(str(entry.pattern))
        if isinstance(entry, URLResolver):
            yield from _paths(entry.url_patterns, path)
        else:
            yield path


def _as_template(route: str) -> str:
    return CONVERTED.sub(r"{\1}", GROUP.sub(r"{\1}", route.removeprefix("^").removesuffix("$")))
