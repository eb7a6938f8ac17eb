"""Making a campaign and moving it through its states."""

import random
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import MoveRefused, SelectionInvalid
from annotation.models import Assignment, Campaign, CampaignEvent, Membership, Rubric, User, WorkItem
from annotation.models.campaign import default_rule
from annotation.services.leases import end_leases
from annotation.validation import can_be_stored, fault_of_reason
from scenarios.benchmark import CONDITIONS, TASKS
from scenarios.models import Companion, Dataset, Response, Scenario

State = Campaign.State
BATCH = 2000
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RESERVED = ("new",)  # /campaigns/new/ makes one: the page of a campaign of that name could not be reached
LONGEST = {
    "slug": Campaign._meta.get_field("slug").max_length or 0,
    "title": Campaign._meta.get_field("title").max_length or 0,
}


@dataclass(frozen=True)
class Selection:
    """Which current responses of a dataset; an empty part takes all. `sample` draws that many at random."""

    tasks: Sequence[str] = ()
    companions: Sequence[str] = ()
    conditions: Sequence[str] = ()
    languages: Sequence[str] = ()
    sample: int | None = None


def selected_responses(dataset: Dataset, selection: Selection) -> Any:
    """The queryset of current responses that the selection names (before any sample is drawn)."""
    # An answer to a scenario that has been revised since is no answer to the scenario as it stands.
    standing = {"scenario__superseded": False, "scenario__withdrawn": False}
    responses = Response.objects.current().filter(scenario__dataset=dataset, **standing)
    filters = {
        "scenario__task__in": selection.tasks,
        "companion__name__in": selection.companions,
        "condition__in": selection.conditions,
        "scenario__language__in": selection.languages,
    }
    return responses.filter(**{field: list(values) for field, values in filters.items() if values})


@transaction.atomic
def create_campaign(
    *,
    slug: str,
    dataset: Dataset,
    title: str = "",
    rubric: Rubric | None = None,
    overlap: int = 3,
    selection: Selection | None = None,
    rule: dict[str, Any] | None = None,
    content_note: str = "",
    seed: int = 0,
    by: User | None = None,
) -> Campaign:
    """A draft with its items, in an order drawn by the seed. Whoever makes it in the browser becomes its manager.

    Raises SelectionInvalid: nothing selected, a sample larger than what there is, an overlap under 1, a slug that is
    in use or reserved.
    """
    selection = selection or Selection()
    _check_new(slug=slug, title=title, overlap=overlap, seed=seed)
    rubric = rubric or latest_rubric("default")
    chosen = _drawn(dataset, selection, seed)
    try:
        with transaction.atomic():
            campaign = Campaign.objects.create(
                slug=slug,
                title=title or slug,
                dataset=dataset,
                rubric=rubric,
                overlap=overlap,
                rule=default_rule() | (rule or {}),
                selection={key: list(value) if key != "sample" else value for key, value in asdict(selection).items()},
                seed=seed,
                content_note=content_note,
                created_by=by,
            )
    except IntegrityError as error:  # made a moment ago by someone else, or by a second click
        raise _slug_taken(slug) from error
    heavy = set(Scenario.objects.filter(dataset=dataset, tags__heavy=True).values_list("pk", flat=True))
    items = (
        WorkItem(
            campaign=campaign,
            response_id=response["pk"],
            scenario_id=response["scenario_id"],
            task=response["scenario__task"],
            language=response["scenario__language"],
            heavy=response["scenario_id"] in heavy,
            needed=overlap,
            priority=place,
        )
        for place, response in enumerate(chosen)
    )
    WorkItem.objects.bulk_create(items, batch_size=BATCH)
    if by is not None:
        Membership.objects.create(campaign=campaign, user=by, role=Membership.Role.MANAGER)
    log(campaign, "created", by, items=len(chosen), overlap=overlap, seed=seed, rubric=rubric.hash)
    return campaign


def _check_new(*, slug: str, title: str, overlap: int, seed: int) -> None:
    if not SLUG.fullmatch(slug) or len(slug) > LONGEST["slug"]:
        raise SelectionInvalid(
            _("A short name is made of a-z, 0-9 and hyphens, at most %(most)s.") % {"most": LONGEST["slug"]},
            fields={"slug": [slug]},
        )
    if slug in RESERVED:
        raise SelectionInvalid(
            _("This short name is an address of Concord's own. Choose another."), fields={"slug": [slug]}
        )
    if len(title) > LONGEST["title"] or not can_be_stored(title):
        raise SelectionInvalid(
            _("A title has at most %(most)s characters, and no NUL.") % {"most": LONGEST["title"]},
            fields={"title": [title]},
        )
    if Campaign.objects.filter(slug=slug).exists():
        raise _slug_taken(slug)
    if not 1 <= overlap <= 50:
        raise SelectionInvalid(_("The overlap is 1 to 50 raters an item."), fields={"overlap": [overlap]})
    if not 0 <= seed < 2**63:
        raise SelectionInvalid(_("A seed is a whole number from 0 to 2^63 - 1."), fields={"seed": [seed]})


def _slug_taken(slug: str) -> SelectionInvalid:
    return SelectionInvalid(_("There is a campaign %(slug)s already.") % {"slug": slug}, fields={"slug": [slug]})


def latest_rubric(key: str) -> Rubric:
    found = Rubric.objects.filter(key=key).order_by("-version").first()
    if found is None:
        raise SelectionInvalid(_("There is no rubric %(key)s.") % {"key": key}, fields={"rubric": [key]})
    return found


def _drawn(dataset: Dataset, selection: Selection, seed: int) -> list[dict[str, Any]]:
    """The chosen responses in their order: both drawn from the item ids and the seed, so the same everywhere."""
    _refuse_unknown_names(selection)
    fields = ("pk", "scenario_id", "scenario__task", "scenario__language")
    names = ("scenario__key", "companion__name", "condition")
    found = list(selected_responses(dataset, selection).order_by().values(*fields, *names))
    found.sort(key=lambda response: [response[name] for name in names])  # not by the database: collations differ
    if not found:
        raise SelectionInvalid(_("The selection holds no response. Import responses first, or choose more widely."))
    draw = random.Random(seed)
    size = selection.sample if selection.sample is not None else len(found)
    if not 1 <= size <= len(found):
        counts = {"asked": size, "there": len(found)}
        raise SelectionInvalid(
            _("A sample of %(asked)s cannot be drawn: the selection holds %(there)s.") % counts,
            fields={"sample": [size]},
        )
    return draw.sample(found, size)


def _refuse_unknown_names(selection: Selection) -> None:
    """A slip of the pen would otherwise leave out a part without a word."""
    companions = Companion.objects.filter(name__in=selection.companions).values_list("name", flat=True)
    known = {"tasks": TASKS, "companions": set(companions), "conditions": CONDITIONS}
    for part, names in known.items():
        unknown = [name for name in getattr(selection, part) if name not in names]
        if unknown:
            raise SelectionInvalid(_("There is no %(name)s to select.") % {"name": unknown[0]}, fields={part: unknown})


def log(campaign: Campaign, kind: str, by: User | None, **detail: Any) -> None:
    CampaignEvent.objects.create(campaign=campaign, kind=kind, by=by, detail=detail)


def _move(campaign: Campaign, to: Campaign.State, by: User | None, **detail: Any) -> Campaign:
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if to not in Campaign.MOVES[State(campaign.state)]:
        names = {"now": campaign.get_state_display(), "to": to.label}
        raise MoveRefused(_("A campaign that is %(now)s cannot become %(to)s.") % names)
    campaign.state = to
    log(campaign, to.value, by, **detail)
    return campaign


@transaction.atomic
def open_campaign(*, campaign: Campaign, by: User | None = None, reason: str = "") -> Campaign:
    """Draft or paused to open; a closed one is opened again only with a reason."""
    was = Campaign.objects.select_for_update().get(pk=campaign.pk).state
    if was == State.CLOSED and not reason.strip():
        fields = {"reason": [_("A reason is needed.")]}
        raise MoveRefused(_("Say why a closed campaign is opened again."), fields=fields)
    if told := fault_of_reason(reason):
        raise MoveRefused(told, fields={"reason": [told]})
    campaign = _move(campaign, State.OPEN, by, reason=reason)
    campaign.opened_at = campaign.opened_at or timezone.now()
    campaign.closed_at = None
    campaign.save()
    return campaign


@transaction.atomic
def pause_campaign(*, campaign: Campaign, by: User | None = None) -> Campaign:
    """No one is given a new item; what is under way may be submitted."""
    campaign = _move(campaign, State.PAUSED, by)
    campaign.save()
    return campaign


def close_campaign(*, campaign: Campaign, by: User | None = None) -> Campaign:
    """The end of rating: leases end, later work is kept as surplus, model and condition may be shown."""
    with transaction.atomic():
        campaign = _move(campaign, State.CLOSED, by)
        campaign.closed_at = timezone.now()
        campaign.save()
    end_leases(campaign=campaign, user=None, state=Assignment.State.EXPIRED)
    return campaign
