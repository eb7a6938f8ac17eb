"""Names under which an expert meets the raters of a case: Rater A, B, C, in an order that leaks nothing."""

from collections.abc import Iterable
from string import ascii_uppercase

from django.utils.crypto import salted_hmac

from annotation.models import Rating


def pseudonyms_of(ratings: Iterable[Rating], *, overlap: int) -> dict[int, str]:
    """{annotator pk: letter} of the raters of one item; give it every rating the item ever had.

    The order is drawn by a keyed hash of item and person: neither who they are nor who came first can be read from
    it, and nobody is the same letter everywhere. Raters beyond the overlap come behind, so that letters stay.
    """
    first_rank: dict[tuple[int, int], int] = {}
    for rating in ratings:
        rater = (rating.work_item_id, rating.annotator_id)
        first_rank[rater] = min(rating.rank, first_rank.get(rater, rating.rank))
    drawn = sorted(first_rank, key=lambda rater: (first_rank[rater] > overlap, _draw(*rater)))
    return {annotator: letter_of(place) for place, (_item, annotator) in enumerate(drawn)}


def letter_of(place: int) -> str:
    """A, B, … Z, AA, AB, …"""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, len(ascii_uppercase))
        letters = ascii_uppercase[rest] + letters
    return letters


def _draw(item_pk: int, annotator_pk: int) -> str:
    return salted_hmac("reviews.pseudonyms", f"{item_pk}:{annotator_pk}", algorithm="sha256").hexdigest()
