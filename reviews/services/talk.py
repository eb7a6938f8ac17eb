"""What the experts of a case say to each other once all their opinions are in, and how they call one more."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import MoveRefused
from annotation.models import User
from annotation.services.messages import SAME_CLICK
from annotation.validation import LONGEST_NOTE, can_be_stored
from reviews import policy
from reviews.errors import NobodyElse, NotAmongThem, RemarkInvalid
from reviews.models import Case, CaseEvent, CaseRemark
from reviews.panel import LARGEST_PANEL
from reviews.services.cases import locked_case, refuse_unless_adjudicator
from reviews.services.opinions import widen


@transaction.atomic
def say(*, case_id: int, expert: User, text: Any) -> CaseRemark:
    """A word on the case, to the others who gave their opinions on it.

    Raises CaseNotFound, NotAnExpert, ConflictOfInterest, NotAmongThem before all opinions are in, RemarkInvalid.
    """
    _item, case = locked_case(case_id, expert)
    refuse_unless_adjudicator(case, expert)
    if not policy.may_talk(expert, case):
        raise NotAmongThem
    said = _checked(text)
    again = case.remarks.filter(author=expert, text=said, at__gt=timezone.now() - SAME_CLICK).first()
    return again or CaseRemark.objects.create(case=case, author=expert, text=said)


def _checked(text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        told = _("Write something first.")
    elif len(text) > LONGEST_NOTE:
        told = _("A remark has at most %(most)s characters.") % {"most": LONGEST_NOTE}
    elif not can_be_stored(text):
        told = _("Contains a character that cannot be stored.")
    else:
        return text
    raise RemarkInvalid(told, fields={"text": [told]})


@transaction.atomic
def call_another(*, case_id: int, expert: User) -> Case:
    """Those who gave their opinions do not come to one: one expert more is asked, who sees none of theirs.

    Raises CaseNotFound, NotAnExpert, ConflictOfInterest, NotAmongThem, NobodyElse, MoveRefused for a panel too large.
    """
    _item, case = locked_case(case_id, expert)
    refuse_unless_adjudicator(case, expert)
    if not policy.may_talk(expert, case):
        raise NotAmongThem
    if case.taken_by_id not in (None, expert.pk):
        raise MoveRefused(_("Another expert is deciding this case just now."))
    if case.opinions_needed >= LARGEST_PANEL:
        raise NobodyElse(_("A panel has at most %(most)s experts.") % {"most": LARGEST_PANEL})
    widen(case, expert, case.opinions_in + 1)
    case.let_go()
    case.save()
    CaseEvent.objects.create(case=case, kind="another expert asked", by=expert)
    return case
