"""How many cases there are of each sort: one aggregate, read from one index without a join, from which pages count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from reviews.models import Case
from reviews.models.case import not_to_be_judged_by
from reviews.scope import Scope

State = Case.State


@dataclass(frozen=True)
class Cell:
    """So many standing cases of one campaign, in one state, of one task in one language."""

    campaign_id: int
    state: str
    component: str
    language: str
    task: str
    n: int


def tally_of(campaigns: Iterable[int]) -> list[Cell]:
    """A few hundred cells at most, however many cases there are. One query."""
    by = ("campaign_id", "state", "component", "language", "task")  # as the index case_tally has them
    standing = Case.objects.filter(campaign__in=list(campaigns)).standing()
    return [Cell(*row) for row in standing.order_by().values_list(*by).annotate(n=Count("pk"))]


@dataclass(frozen=True)
class Waiting:
    """What waits for one expert, without what is not theirs to judge: in their share, and beyond it."""

    inside: int
    outside: int


def waiting_for(scope: Scope, cells: Iterable[Cell]) -> Waiting:
    """Over the campaigns where the viewer is an expert. One query, of the cases that are not theirs to judge."""
    barred = Case.objects.waiting().filter(not_to_be_judged_by(scope.viewer), campaign__in=list(scope.shares))
    inside = outside = 0
    sorts = [(c.campaign_id, c.component, c.language, c.n) for c in cells if c.state == State.WAITING]
    sorts += [(*row, -1) for row in barred.values_list("campaign_id", "component", "language")]
    for campaign_id, component, language, n in sorts:
        share = scope.shares.get(campaign_id)
        if share is None:
            continue
        if share.holds(component, language):
            inside += n
        else:
            outside += n
    return Waiting(inside, outside)


def present(cells: Iterable[Cell], part: str, names: Mapping[str, object]) -> list[tuple[str, str]]:
    """What a filter offers of a part of the cells ("task", ...): (key, name), in the order of `names`, others after."""
    there = {getattr(cell, part) for cell in cells}
    known = [key for key in names if key in there]
    return [(key, str(names.get(key, key))) for key in [*known, *sorted(there - set(known))]]
