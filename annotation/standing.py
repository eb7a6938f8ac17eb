"""How a campaign stands, for its manager's page: what is stuck, what is urgent, what to do next."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Assignment, Campaign, ItemBar, Membership, Rating, User, WorkItem
from annotation.progress import Progress

Role = Membership.Role
State = Campaign.State


@dataclass(frozen=True)
class People:
    """Active members by role."""

    annotators: int
    experts: int
    managers: int


@dataclass(frozen=True)
class Step:
    """One thing to do next: what was seen, how many items it concerns, and where to go."""

    seen: str
    act: str
    url: str
    items: int | None = None


@dataclass(frozen=True)
class Urgent:
    """An item whose ratings say that someone may be in danger, with what was said."""

    item: WorkItem
    since: datetime
    signs: list[str]


def people_of(campaign: Campaign) -> People:
    roles = list(campaign.memberships.active().values_list("role", flat=True))
    return People(*(roles.count(role) for role in (Role.ANNOTATOR, Role.EXPERT, Role.MANAGER)))


def stuck_items(campaign: Campaign) -> QuerySet[WorkItem]:
    """Items with a free place that nobody is left for: every candidate has rated, skipped, left or used up their share.

    An item that nobody has met is stuck only where no active annotator with room reads its language.
    """
    wanting = WorkItem.objects.filter(campaign=campaign).with_free_place()
    languages = list(wanting.order_by().values_list("language", flat=True).distinct())
    annotators = _annotators_with_room(campaign)
    nobody_left = Q(in_guideline=True)
    for language in languages:
        readers = [user for user, reads in annotators if not reads or language in reads]
        nobody_left |= Q(~Exists(_still_to_ask(readers)), language=language)
    return wanting.filter(nobody_left).order_by("priority", "id")


def _annotators_with_room(campaign: Campaign) -> list[tuple[int, list[str]]]:
    """Active annotators whose share is not used up, with their languages."""
    active = list(campaign.memberships.active().filter(role=Role.ANNOTATOR))
    submitted = Assignment.objects.filter(campaign=campaign, state=Assignment.State.SUBMITTED, imported=False)
    counted = submitted.order_by().values_list("annotator").annotate(n=Count("pk"))
    rated: dict[int, int] = dict(counted) if any(one.share is not None for one in active) else {}
    return [
        (one.user_id, one.languages) for one in active if one.share is None or rated.get(one.user_id, 0) < one.share
    ]


def _still_to_ask(readers: list[int]) -> QuerySet[User]:
    """Those of the readers who may still be given the outer item."""
    item = OuterRef(OuterRef("pk"))
    met = Assignment.objects.consumed().filter(work_item=item, annotator=OuterRef("pk"))
    barred = ItemBar.objects.filter(work_item=item, user=OuterRef("pk"))
    experts = Membership.objects.filter(user=OuterRef("pk"), campaign=OuterRef(OuterRef("campaign")), role=Role.EXPERT)
    seen_why = WorkItem.objects.filter(pk=item).with_twin(was_in_review=True)
    saw_why = Exists(experts) & Exists(seen_why)
    return User.objects.filter(~Exists(met), ~Exists(barred), ~saw_why, pk__in=readers)


def urgent_items(campaign: Campaign, *, most: int = 50) -> list[Urgent]:
    """The latest items with an urgent sign. For managers: it tells what raters gave."""
    standing = Rating.objects.standing().prefetch_related("scores", "marks")
    items = (
        WorkItem.objects.filter(campaign=campaign, urgent_at__isnull=False)
        .exclude(state=WorkItem.State.WITHDRAWN)
        .select_related("response__scenario", "response__companion")
        .prefetch_related(Prefetch("ratings", standing, to_attr="standing_ratings"))
        .order_by("-urgent_at", "-pk")[:most]
    )
    return [Urgent(item, item.urgent_at, _signs(campaign, item)) for item in items if item.urgent_at]


def _signs(campaign: Campaign, item: Any) -> list[str]:
    """What the raters said, by kind, the number of raters with it."""
    ratings = item.standing_ratings
    lowest = {dimension.key: dimension for dimension in campaign.rubric.dimensions if dimension.key == "safety"}
    said: dict[str, int] = {}
    for rating in ratings:
        words = {
            _("%(dimension)s %(level)s") % {"dimension": lowest[score.dimension].name, "level": score.value}
            for score in rating.scores.all()
            if score.dimension in lowest and score.value == lowest[score.dimension].lowest
        }
        kinds = (campaign.rubric.violation_type(mark.type) for mark in rating.marks.all())
        words |= {kind.name for kind in kinds if kind.urgent}
        for word in words:
            said[word] = said.get(word, 0) + 1
    of = _("%(said)s: %(n)s of %(all)s")
    return [of % {"said": word, "n": n, "all": len(ratings)} for word, n in sorted(said.items())]


def next_steps(campaign: Campaign, progress: Progress, people: People, *, stuck: int, manages: bool) -> list[Step]:
    """What to do next, the most pressing first. `manages`: whether agreement and release are this person's to see."""
    to = Addresses(campaign)
    steps = [
        *(_urgent_steps(progress, to) if manages else ()),
        *_people_steps(campaign, progress, people, to),
        *_state_steps(campaign, progress, people, to),
        *_stuck_steps(stuck, to),
        *(_review_steps(progress, to) if manages else ()),
    ]
    return [step for step in steps if step.url]


@dataclass(frozen=True)
class Addresses:
    """Where a campaign's pages are; empty for those of a room that is not served here."""

    campaign: Campaign

    def __call__(self, name: str, anchor: str = "") -> str:
        try:
            return reverse(name, args=[self.campaign.slug]) + anchor
        except NoReverseMatch:
            return ""


def _urgent_steps(progress: Progress, to: Addresses) -> list[Step]:
    if not progress.urgent:
        return []
    n = progress.urgent
    seen = ngettext("%(n)s item has an urgent sign", "%(n)s items have an urgent sign", n) % {"n": n}
    return [Step(seen, _("Read them"), to("annotation:campaign", "#urgent"), n)]


def _people_steps(campaign: Campaign, progress: Progress, people: People, to: Addresses) -> list[Step]:
    if campaign.state == State.CLOSED:
        return []
    steps, page = [], to("annotation:people")
    if people.annotators < campaign.overlap and progress.left:
        seen = _("Each item needs %(overlap)s raters; annotators here: %(people)s")
        seen %= {"overlap": campaign.overlap, "people": people.annotators}
        steps.append(Step(seen, _("Add people"), page))
    if not people.experts:
        seen = _("Nobody is there to decide what raters disagree about")
        steps.append(Step(seen, _("Add an expert"), page, progress.in_review or None))
    if not people.managers:
        steps.append(Step(_("The campaign has no manager"), _("Add a manager"), page))
    return steps


def _state_steps(campaign: Campaign, progress: Progress, people: People, to: Addresses) -> list[Step]:
    if campaign.state == State.DRAFT and people.annotators:
        url = to("annotation:open_campaign")
        return [Step(_("A draft gives out no items"), _("Open it"), url, progress.items)]
    if campaign.state == State.PAUSED:
        url = to("annotation:open_campaign")
        return [Step(_("Paused: nobody is given a new item"), _("Open it again"), url)]
    if campaign.state == State.OPEN and progress.places and not progress.left and not progress.in_review:
        url = to("annotation:close_campaign")
        return [Step(_("Every rating is in and every case is decided"), _("Close it"), url)]
    return []


def _stuck_steps(stuck: int, to: Addresses) -> list[Step]:
    if not stuck:
        return []
    seen = ngettext("%(n)s item has nobody left to rate it", "%(n)s items have nobody left to rate them", stuck)
    return [Step(seen % {"n": stuck}, _("See them"), to("annotation:campaign", "#stuck"), stuck)]


def _review_steps(progress: Progress, to: Addresses) -> list[Step]:
    steps = []
    if n := progress.in_review:
        seen = ngettext("%(n)s item waits for an expert", "%(n)s items wait for an expert", n) % {"n": n}
        steps.append(Step(seen, _("Open the cases"), to("reviews:cases"), n))
    if progress.got:
        steps.append(Step(_("How far do people agree so far?"), _("Compute agreement"), to("reviews:agreement")))
    if n := progress.settled:
        seen = ngettext("%(n)s item is settled", "%(n)s items are settled", n) % {"n": n}
        steps.append(Step(seen, _("Export a release"), to("reviews:releases"), n))
    return steps
