"""The campaign a crowd works on, and what its database says afterwards. `python -m tests.crowd.stage VERB [options]`,
the options as JSON there or through stdin.

Runs beside the server, with its settings and on its database; prints JSON.
"""

import json
import random
import select
import sys
from collections import defaultdict
from datetime import timedelta
from typing import Any

import django
from django.conf import settings

django.setup()

from django.db.models import Count, F, OuterRef, Q, Subquery  # noqa: E402
from django.db.models.functions import Coalesce  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.models import ApiToken, Assignment, Campaign, Rating, WorkItem  # noqa: E402
from annotation.models.access import hash_of  # noqa: E402
from annotation.services.people import make_token  # noqa: E402
from tests import factories  # noqa: E402
from tests.invariants import breaches  # noqa: E402

CHECKS = factories.CHECKS | {"one_in": 5, "pause_after": 0}


def prepare(people: int, campaigns: dict[str, dict[str, int]]) -> Any:
    """Open campaigns `slug: {items, overlap}`, this many annotators in each, and a manager; their tokens.

    `ahead` items are leased beside the first (1 unless said); of `checks` hidden ones every fifth item is one, and none
    pauses anybody.
    """
    persons = [factories.person(f"rater-{i + 1:02}") for i in range(people)]
    manager = factories.person("manager")
    for slug, options in campaigns.items():
        data = factories.dataset(f"data-{slug}", scenarios=options["items"])
        campaign = factories.campaign(slug=slug, data=data, overlap=options["overlap"])
        Campaign.objects.filter(pk=campaign.pk).update(
            ahead=options.get("ahead", 1), checks=CHECKS if options.get("checks") else {}
        )
        for _ in range(options.get("checks", 0)):
            factories.check_item(campaign)
        factories.member(campaign, "manager", user=manager)
        for person in persons:
            factories.member(campaign, user=person)
    tokens = [make_token(user=person, name="crowd") for person in persons]
    return {"tokens": tokens, "manager": make_token(user=manager, name="crowd")}


def _counts(rows: Any) -> Any:
    grouped = rows.filter(work_item=OuterRef("pk")).order_by().values("work_item").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(grouped), 0)


def watch(age: bool) -> Any:
    """Until its input is closed: looks for an item that breaks the law, in one statement and so at one moment.

    With `age`, it lets a live lease's time run out at each look, so that sweeps and late work come into play too.
    """
    wrong = WorkItem.objects.annotate(
        rated=_counts(Rating.objects.counted()), held=_counts(Assignment.objects.live())
    ).filter(Q(rated__gt=F("needed") - F("held")) | ~Q(rated=F("counted")) | ~Q(held=F("leased")))
    draw, looks, aged = random.Random(7), 0, 0
    found: list[str] = []
    while not select.select([sys.stdin], [], [], 0.3)[0]:
        found += [f"{item}: {item.counted} counted, {item.leased} leased of {item.needed}" for item in wrong[:5]]
        looks += 1
        live = list(Assignment.objects.live().values_list("pk", flat=True)) if age else []
        if live:
            aged += Assignment.objects.live().filter(pk=draw.choice(live)).update(expires_at=timezone.now())
    return {"wrong": found, "looks": looks, "aged": aged}


def check(campaigns: list[str], nothing: list[list[Any]], twins: list[list[int]]) -> Any:
    """Breaches of the invariants, every rating, which of them are of checks, and the answers that were not true:
    "nothing is left", and a second assignment while the first was live."""
    chosen = Campaign.objects.filter(slug__in=campaigns)
    ratings = Rating.objects.filter(work_item__campaign__in=chosen).order_by("pk")
    of_checks = ratings.filter(work_item__purpose=WorkItem.Purpose.CHECK)
    ratings = ratings.values_list("pk", "client_id", "answered", "work_item__campaign__slug")
    return {
        "breaches": [breach for campaign in chosen for breach in breaches(campaign)],
        "ratings": [[pk, str(client_id), answered, slug] for pk, client_id, answered, slug in ratings],
        "checks": list(of_checks.values_list("pk", flat=True)),
        "untrue": _untrue(nothing),
        "twins": [pair for pair in twins if not any(map(_ran_out, Assignment.objects.filter(pk__in=pair)))],
        "settled": WorkItem.objects.filter(campaign__in=chosen, state=WorkItem.State.SETTLED).count(),
    }


def _ran_out(assignment: Assignment) -> bool:
    """`watch` let its time run out, so that the second of two requests could be given another."""
    return assignment.expires_at - assignment.leased_at < timedelta(minutes=settings.LEASE_MINUTES)


MARGIN = 3.0  # seconds between the moment that a row names and the moment that others see it


def _untrue(nothing: list[list[Any]]) -> list[str]:
    """Each 204 while an item had a place, all the while, that the person had never been given.

    A place is taken from a lease's beginning until it was handed back, or for good where it was rated.
    """
    people = dict(ApiToken.objects.values_list("secret_hash", "user"))
    slugs = dict(Campaign.objects.values_list("slug", "pk"))
    taken: dict[int, list[tuple[float, float]]] = defaultdict(list)
    theirs: dict[int, set[int]] = defaultdict(set)
    for item, who, state, start, end in Assignment.objects.values_list(
        "work_item", "annotator", "state", "leased_at", "ended_at"
    ):
        over = end.timestamp() + MARGIN if end and state != Assignment.State.SUBMITTED else float("inf")
        taken[item].append((start.timestamp() - MARGIN, over))
        theirs[who].add(item)
    items = list(WorkItem.objects.values_list("pk", "campaign", "needed"))
    found = []
    for token, slug, asked, answered in nothing:
        who = people[hash_of(token)]
        for item, campaign, needed in items:
            held = sum(start <= answered and end >= asked for start, end in taken[item])
            if campaign == slugs[slug] and item not in theirs[who] and held < needed:
                found.append(f"person {who} was told nothing is left, item {item} had {needed - held} places")
                break
    return found


if __name__ == "__main__":
    verb, *given = sys.argv[1:]
    options = json.loads(given[0]) if given else json.load(sys.stdin)
    print(json.dumps({"prepare": prepare, "watch": watch, "check": check}[verb](**options)))
