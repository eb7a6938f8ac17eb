"""What lies on the desk: one assignment's parts, the ones leased ahead of it, or why there is none."""

import json
from collections.abc import Collection
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.crypto import salted_hmac

from annotation.drafts import drafts_of
from annotation.errors import CampaignNotOpen, ConcordError, NotAllowed, NotQualified
from annotation.models import Assignment, Campaign, Membership
from annotation.own_work import OwnWork, own_work
from annotation.services.leases import lease_ahead, lease_next
from annotation.showing import item_shown
from annotation.views.rating_form import Filled


def own_assignment(membership: Membership, assignment_id: int) -> Assignment:
    return get_object_or_404(_own_assignments(membership), pk=assignment_id)


def _own_assignments(membership: Membership) -> Any:
    mine = Assignment.objects.of(membership.user).filter(campaign=membership.campaign)
    return mine.select_related("work_item__scenario", "work_item__response")


def desk(
    membership: Membership, assignment: Assignment, filled: Filled | None = None, error: ConcordError | None = None
) -> dict[str, Any]:
    """What the desk shows of one assignment."""
    drafts = drafts_of(membership.user, [assignment.work_item_id])
    return _desk(membership, assignment, own_work(membership), drafts, filled, error)


def _desk(
    membership: Membership,
    assignment: Assignment,
    work: OwnWork,
    drafts: dict[int, dict[str, Any]],
    filled: Filled | None = None,
    error: ConcordError | None = None,
) -> dict[str, Any]:
    filled, faults = filled or Filled(), error.fields if error else {}
    return {
        "membership": membership,
        "campaign": membership.campaign,
        "assignment": assignment,
        "draft": _draft_name(assignment, filled),
        # An edit has none: it holds no lease, and what it changes is kept in the browser alone.
        "stored": "" if filled.supersedes else _as_json(drafts.get(assignment.work_item_id)),
        "shown": item_shown(assignment.work_item),
        "filled": filled,
        "scales": [
            {
                "dimension": dimension,
                "value": filled.scores.get(dimension.key),
                "error": next(iter(faults.get(f"scores.{dimension.key}", [])), ""),
            }
            for dimension in membership.campaign.rubric.dimensions
        ],
        "error": error,
        "faults": [fault for name, found in faults.items() if not name.startswith("scores.") for fault in found],
        "work": work,
        **skipping(),
    }


def _as_json(draft: dict[str, Any] | None) -> str:
    return json.dumps(draft, ensure_ascii=False) if draft else ""


def _draft_name(assignment: Assignment, filled: Filled) -> str:
    """Where the browser keeps what is typed: the same when the item is leased anew, and telling nothing of it."""
    about = f"{assignment.annotator_id}:{assignment.work_item_id}:{filled.supersedes or ''}"
    return salted_hmac("annotation.desk.draft", about).hexdigest()[:24]


def skipping() -> dict[str, Any]:
    return {"reasons": Assignment.SkipReason.choices}


def next_on_desk(membership: Membership) -> dict[str, Any]:
    """The desk with the next item; else why there is none, in `why`."""
    held, why = _held(membership, ahead=False)
    if held:
        return desk(membership, own_assignment(membership, held[0].pk))
    return _none(membership, own_work(membership), why)


def ahead_on_desk(request: HttpRequest, membership: Membership, have: Collection[int]) -> dict[str, Any]:
    """What a script needs to go on without asking, as JSON.

    `items` are the live leases, in the order of work, each {"assignment", "expires_at", "main"}: the desk as HTML, null
    for those that the script has. `none` is the page that says why there is no item, null where there is one.
    """
    held, why = _held(membership, ahead=True)
    work = own_work(membership)
    wanted = {each.pk: each for each in _own_assignments(membership).filter(pk__in={a.pk for a in held} - set(have))}
    drafts = drafts_of(membership.user, [each.work_item_id for each in wanted.values()])
    mains = {pk: _main(request, _desk(membership, each, work, drafts)) for pk, each in wanted.items()}
    return {
        "work": {"done": work.done, "total": work.total},
        "items": [
            {"assignment": each.pk, "expires_at": each.expires_at.isoformat(), "main": mains.get(each.pk)}
            for each in held
        ],
        "none": None if held else _main(request, _none(membership, work, why)),
    }


def edit_on_desk(
    request: HttpRequest, membership: Membership, assignment: Assignment, filled: Filled
) -> dict[str, Any]:
    """The edit of a rating, as one of the `items` of `ahead_on_desk`; it has no lease."""
    main = _main(request, desk(membership, assignment, filled))
    return {"assignment": assignment.pk, "expires_at": None, "main": main}


def _main(request: HttpRequest, context: dict[str, Any]) -> str:
    return render_to_string("annotation/_rate_main.html", context, request)


def _held(membership: Membership, *, ahead: bool) -> tuple[list[Assignment], str]:
    """The person's live leases, topped up; and why they can be given none, in a word."""
    campaign, user = membership.campaign, membership.user
    works = membership.state == Membership.State.ACTIVE and campaign.state != Campaign.State.CLOSED
    if works and membership.note_is_unread:
        return [], "note"
    try:
        if ahead:
            return lease_ahead(campaign=campaign, user=user), ""
        return _one(lease_next(campaign=campaign, user=user)), ""
    except NotQualified:
        return [], "training"
    except NotAllowed:
        return [], "member_paused"
    except CampaignNotOpen:
        campaign.refresh_from_db(fields=["state"])
        if campaign.state != Campaign.State.PAUSED:
            return [], campaign.state
        # What is under way may be finished.
        under_way = Assignment.objects.of(user).live().filter(campaign=campaign).order_by("leased_at", "id")
        return list(under_way), campaign.state


def _one(assignment: Assignment | None) -> list[Assignment]:
    return [] if assignment is None else [assignment]


def _none(membership: Membership, work: OwnWork, why: str) -> dict[str, Any]:
    why = why or ("share" if work.share_reached else "nothing")
    return {"membership": membership, "campaign": membership.campaign, "work": work, "why": why}


def numbers(text: str) -> set[int]:
    """Of a list like 3,5,8, what are numbers."""
    return {int(part) for part in text.split(",")[:20] if part.isascii() and part.isdecimal() and len(part) < 18}
