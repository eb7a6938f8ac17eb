"""In which order a person meets the items: their own, and so that every two raters meet on equally many. Pure.

Each item ranks the people who may rate it by a hash of the campaign's seed, the item and the person (rendezvous
hashing: Thaler and Ravishankar 1998); it is meant for as many of them as it needs, from the first on. Names and places
in the campaign are hashed, never row numbers: the same campaign gives the same order on any database.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

WINDOW = 100  # items looked at a time, so that early ones do not wait for somebody who never comes


class Candidate(NamedTuple):
    """An item that may be given; `place` is its place in the campaign's order, `begun` whether anybody has it yet."""

    pk: int
    place: int
    language: str
    needed: int
    begun: bool = False


def draw(*parts: object) -> int:
    """A number from 0 to 2^64 - 1, the same for the same parts, told by nothing else."""
    return int.from_bytes(blake2b("\0".join(map(str, parts)).encode(), digest_size=8).digest())


@lru_cache(maxsize=4096)
def ranks(seed: int, place: int, people: tuple[str, ...]) -> tuple[int, ...]:
    """The rank that the item at this place gives each of the people, 0 for the first."""
    order = sorted(range(len(people)), key=lambda at: (draw(seed, place, people[at]), people[at]))
    given = [0] * len(people)
    for rank, at in enumerate(order):
        given[at] = rank
    return tuple(given)


def readers(people: Mapping[str, Sequence[str]], language: str) -> tuple[str, ...]:
    """Those who rate in the language; `people`: name to language tags, none being all."""
    return tuple(sorted(name for name, languages in people.items() if not languages or language in languages))


def in_order(
    candidates: Iterable[Candidate], *, seed: int, person: str, people: Mapping[str, Sequence[str]]
) -> list[Candidate]:
    """The best for this person first: those meant for them, then by rank; of these the begun ones, so that items have
    their raters soon; and of these in a random order of the person's own."""
    of_language: dict[str, tuple[tuple[str, ...], int]] = {}

    def key(candidate: Candidate) -> tuple[int, bool, int]:
        if candidate.language not in of_language:
            names = readers(people, candidate.language)
            of_language[candidate.language] = names, names.index(person)
        names, at = of_language[candidate.language]
        beyond = max(0, ranks(seed, candidate.place, names)[at] - candidate.needed + 1)
        return beyond, not candidate.begun, draw(seed, person, candidate.place)

    return sorted(candidates, key=key)
