"""Letters to the raters of a decided case, as each reads them: what was decided, beside what they gave themselves.

Put together at reading from what stood when it was sent (Message.outcome) and the reader's own rating. No other rater
is in it: no name, no score, no number of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Campaign, Message, Rating


@dataclass(frozen=True)
class ValueShown:
    """decided: a level, or None where it cannot be decided. own: the reader's score, None where they gave none."""

    name: str
    decided: int | None
    own: int | None


@dataclass(frozen=True)
class RulingShown:
    """confirmed: it stands, else it was struck. own: the reader had marked it."""

    name: str
    confirmed: bool
    own: bool


@dataclass(frozen=True)
class Letter:
    """text: of the response, empty where it is hard to read: that is announced before it shows, and never here.

    assignment: of the reader's rating, for the way to it; None where it stands no more.
    """

    values: list[ValueShown]
    rulings: list[RulingShown]
    rationale: str
    text: str
    language: str
    assignment: int | None


def with_letters(messages: Sequence[Message]) -> list[tuple[Message, Letter | None]]:
    """Each message with the letter in it, None where it is a plain one. Few queries, however many letters."""
    letters = [message for message in messages if message.outcome is not None]
    if not letters:
        return [(message, None) for message in messages]
    standing = Rating.objects.standing().filter(
        work_item__in={message.work_item_id for message in letters},
        annotator__in={message.recipient_id for message in letters},
    )
    said = standing.select_related("work_item__response").prefetch_related("scores", "marks")
    own = {(rating.work_item_id, rating.annotator_id): rating for rating in said}
    campaigns = Campaign.objects.select_related("rubric").in_bulk({message.campaign_id for message in letters})
    return [
        (
            message,
            None
            if message.outcome is None
            else _letter(
                message.outcome,
                campaigns[message.campaign_id],
                own.get((message.work_item_id or 0, message.recipient_id or 0)),
            ),
        )
        for message in messages
    ]


def _letter(outcome: dict[str, Any], campaign: Campaign, own: Rating | None) -> Letter:
    scores = {score.dimension: score.value for score in own.scores.all()} if own else {}
    marked = {mark.type for mark in own.marks.all()} if own else set()
    decided, rulings, rubric = outcome["scores"], outcome["marks"], campaign.rubric
    return Letter(
        values=[
            ValueShown(one.name, None if decided[one.key] == "ambiguous" else decided[one.key], scores.get(one.key))
            for one in rubric.dimensions
            if one.key in decided
        ],
        rulings=[
            RulingShown(kind.name, rulings[kind.key], kind.key in marked)
            for kind in rubric.violation_types
            if kind.key in rulings
        ],
        rationale=outcome["rationale"],
        text=own.work_item.response.text if own and not own.work_item.heavy else "",
        language=own.work_item.language if own else "",
        assignment=own.assignment_id if own else None,
    )
