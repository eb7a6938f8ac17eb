"""The live agreement of a campaign: its steps as items came in, and what more raters would bring.

Imports pandas: for the worker, never for what serves pages.
"""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from django.db.models import Q
from django.utils import timezone

from annotation.models import Campaign
from reviews.models import LiveAgreement
from reviews.services.agreement import refusing, scales_of
from reviews.services.base_ratings import BaseRatings, base_ratings
from reviews.services.coded_ratings import coded
from reviews.services.live import seen_of
from reviews.services.snapshot import snapshot
from reviews.statistics.patterns import DimensionRatings, dimension_of
from reviews.statistics.planning_needed import present_design
from reviews.statistics.planning_raters import more_raters
from reviews.statistics.sequential import REPLICATES, sequence_of

Pulse = Callable[[], None]
# What more raters would bring is simulated anew once there are so many times the items; it moves little with them.
GROWN = 1.1


def compute_live_agreement(*, campaign: Campaign, pulse: Pulse = lambda: None) -> LiveAgreement:
    """Computes and keeps it; an older one never takes the place of a newer one. Raises OptionsInvalid.

    pulse: called now and then, to show life.
    """
    began = monotonic()
    kept, _made = LiveAgreement.objects.get_or_create(campaign=campaign)
    with snapshot() as outside:
        moment = timezone.now()
        seen = seen_of(campaign)
        base = base_ratings(campaign, pulse=lambda: outside(pulse))
    made = {
        "computed_at": moment,
        "seen": seen,
        "data_version": base.data_version,
        "result": result_of(campaign, base, before=kept.result, pulse=pulse),
        "seconds": round(monotonic() - began, 3),
    }
    older = Q(computed_at=None) | Q(computed_at__lte=moment)
    LiveAgreement.objects.filter(older, campaign=campaign).update(**made)
    kept.refresh_from_db()
    return kept


def result_of(
    campaign: Campaign, base: BaseRatings, *, before: Mapping[str, Any] | None = None, pulse: Pulse = lambda: None
) -> dict[str, Any]:
    """The stored result, plain JSON; the seed is the campaign's, so that equal ratings have equal intervals.

    before: the last result, of which what more raters would bring is taken over while the items are about as many.
    """
    made: dict[str, Any] = {
        "ratings": len(base),
        "items": len(base.items.pk),
        "replicates": REPLICATES,
        "seed": campaign.seed,
        "dimensions": {},
    }
    if not len(base):
        return made
    known = (before or {}).get("dimensions", {})
    with refusing():
        ratings = coded(base, scale=scales_of(campaign))
    for at, name in enumerate(ratings.dimension_names):
        one = dimension_of(ratings, at, "ordinal")
        found = sequence_of(one, seed=campaign.seed, pulse=pulse).to_json()
        last = found["steps"][-1] if found["steps"] else None
        more = None
        if last and last["ci_low"] is not None:
            more = _more_raters(one, last["items"], known.get(name, {}).get("more_raters"), campaign.seed)
            pulse()
        made["dimensions"][name] = found | {"more_raters": more}
    return made


def _more_raters(one: DimensionRatings, items: int, before: Mapping[str, Any] | None, seed: int) -> dict[str, Any]:
    design = present_design(one)
    now = (design.responses, design.raters)
    if before and now == (before["responses"], before["raters"]) and 1 <= items / before["items"] <= GROWN:
        return dict(before)
    return more_raters(one, seed=seed).to_json() | {"items": items}
