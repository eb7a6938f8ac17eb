"""Moves of a Case. The caller holds the lock of its item."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import MoveRefused
from annotation.models import User
from reviews.models import Case, CaseEvent

State = Case.State
# The log's word for a move.
WORDS = {
    State.TAKEN: "taken",
    State.WAITING: "given back",
    State.DECIDED: "decided",
    State.SECOND_OPINION: "second opinion asked",
    State.FALLEN: "fallen away",
}


def move_case(
    case: Case, to: Case.State, *, by: User | None = None, word: str = "", detail: dict[str, Any] | None = None
) -> CaseEvent:
    """Moves and saves the case and writes its log. Raises MoveRefused for what the tables of moves do not list."""
    if to not in Case.MOVES[State(case.state)]:
        names = {"now": case.get_state_display(), "to": to.label}
        raise MoveRefused(_("A case that is %(now)s cannot become %(to)s.") % names)
    case.state = to
    if to in (State.WAITING, State.FALLEN):
        case.let_go()
    case.decided_at = timezone.now() if to == State.DECIDED else None
    case.save()
    return CaseEvent.objects.create(case=case, kind=word or WORDS[to], by=by, detail=detail or {})
