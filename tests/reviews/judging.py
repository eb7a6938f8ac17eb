"""An expert's word on a case, through the services."""

import uuid
from typing import Any

from annotation.models import User
from reviews.models import Case, Decision
from reviews.services.cases import take_case
from reviews.services.decisions import decide_case


def judge(case: Case, expert: User, value: int = 2, **given: Any) -> Decision:
    """Takes the case and says what empathy is worth."""
    take_case(case_id=case.pk, expert=expert)
    said = {"values": {"empathy": value}, "rationale": "So.", **given}
    decided = decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), **said)
    case.refresh_from_db()
    return decided.decision
