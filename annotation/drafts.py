"""A draft: what was typed of an item and not submitted. Unfinished is right; what no draft can be is refused."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotation.errors import RatingInvalid
from annotation.models import Draft, Rubric, User
from annotation.validation import LONGEST_TEXT, MOST_MARKS, can_be_stored, level_of

LONGEST_NAME = 50
LONGEST_SECONDS = 86_400
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class DraftGiven:
    """`content` is {"scores": {dimension: level}, "marks", "rationale", "needs_expert"}."""

    content: dict[str, Any]
    seconds: int
    saved_at: datetime


def read_draft(*, rubric: Rubric, sent: dict[str, Any]) -> DraftGiven:
    """A draft as a client sent it: scores and marks may be missing or wrong, but have the shape of scores and marks.

    Raises RatingInvalid by field.
    """
    scores = _given(sent, "scores", {})
    if isinstance(scores, dict):
        scores = {key: level for key, level in scores.items() if level is not None}
    content = {
        "scores": scores,
        "marks": _given(sent, "marks", []),
        "rationale": _given(sent, "rationale", ""),
        "needs_expert": _given(sent, "needs_expert", False),
    }
    seconds, saved_at = _given(sent, "seconds", 0), _moment(sent.get("saved_at"))
    sound = {
        "scores": _are_scores(rubric, scores),
        "marks": _are_marks(content["marks"]),
        "rationale": _is_text(content["rationale"]),
        "needs_expert": isinstance(content["needs_expert"], bool),
        "seconds": _is_number(seconds) and 0 <= seconds <= LONGEST_SECONDS,
        "saved_at": saved_at is not None,
    }
    if not all(sound.values()) or saved_at is None:
        wrong = _("This is none that a draft can have.")
        raise RatingInvalid(
            _("The draft is not valid; see the fields named."),
            fields={field: [wrong] for field, is_sound in sound.items() if not is_sound},
        )
    # A clock that is ahead would keep every other machine's draft out until its time had come.
    return DraftGiven(content, round(seconds), min(saved_at, timezone.now()))


def draft_json(draft: Draft) -> dict[str, Any]:
    """As a client is sent it, and sends it."""
    return {**draft.content, "seconds": draft.seconds, "saved_at": draft.saved_at.isoformat()}


def drafts_of(user: User, item_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """{item id: the person's draft of it as JSON}, in one query."""
    found = Draft.objects.filter(annotator=user, work_item__in=list(item_ids))
    return {draft.work_item_id: draft_json(draft) for draft in found}


def _given(sent: dict[str, Any], field: str, default: Any) -> Any:
    return default if sent.get(field) is None else sent[field]


def _moment(given: Any) -> datetime | None:
    try:
        read = parse_datetime(given) if isinstance(given, str) else None
        return read if read is not None and timezone.is_aware(read) and read >= EARLIEST else None
    except (ValueError, OverflowError):
        return None


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _is_text(given: Any, longest: int = LONGEST_TEXT) -> bool:
    return isinstance(given, str) and len(given) <= longest and can_be_stored(given)


def _are_scores(rubric: Rubric, given: Any) -> bool:
    dimensions = {dimension.key: dimension for dimension in rubric.dimensions}
    return isinstance(given, dict) and all(
        key in dimensions and level_of(dimensions[key], level) is not None for key, level in given.items()
    )


def _are_marks(given: Any) -> bool:
    return isinstance(given, list) and len(given) <= MOST_MARKS and all(_is_mark(mark) for mark in given)


def _is_mark(given: Any) -> bool:
    if not isinstance(given, dict) or given.keys() - {"type", "start", "end", "quote", "note"}:
        return False
    places = (given.get("start"), given.get("end"))
    texts = (given.get("quote"), given.get("note"))
    return (
        _is_text(given.get("type"), LONGEST_NAME)
        and all(place is None or (isinstance(place, int) and 0 <= place < 2**31) for place in places)
        and all(text is None or _is_text(text, longest=LONGEST_TEXT * 10) for text in texts)
    )
