"""Hidden checks stand outside everything that counts."""

import json
import random

import pytest
from django.core.management import call_command

from annotation import ports
from annotation.errors import MoveRefused
from annotation.models import Campaign, Rating, WorkItem
from annotation.progress import progress_by_task, progress_of, who_did_what
from annotation.services.leases import (
    lease_next,
)
from annotation.services.ratings import withdraw_rating
from annotation.standing import stuck_items, urgent_items
from reviews.models import Case
from tests import factories
from tests.annotation.api import client_of
from tests.annotation.checking import answer_check, is_check, to_the_next_check, with_checks

pytestmark = pytest.mark.django_db


def test_no_rule_is_asked_and_no_count_moves(monkeypatch):
    campaign = with_checks()
    user = factories.member(campaign)
    check = to_the_next_check(campaign, user)
    asked, before = [], progress_of(campaign)
    monkeypatch.setattr(ports, "after_ratings_changed", asked.append)
    rating = factories.rating(check.work_item, {"safety": 1}, user=user, assignment=check, marks=["self_harm"])
    factories.edit(rating, {"safety": 2})
    assert asked == []
    assert progress_of(campaign) == before
    item = WorkItem.everything.get(pk=check.work_item_id)
    assert (item.counted, item.leased, item.state, item.urgent_at) == (0, 0, "open", None)
    statuses = Rating.objects.filter(work_item=item).order_by("pk").values_list("status", "answered")
    assert list(statuses) == [("superseded", "counted"), ("check", "counted")]


def test_a_manager_cannot_withdraw_it():
    campaign = with_checks()
    rating = answer_check(campaign, factories.member(campaign), 5)
    with pytest.raises(MoveRefused):
        withdraw_rating(rating_id=rating.pk)


def test_a_campaign_with_checks_comes_to_what_it_comes_to_without(tmp_path):
    """The same people say the same of the same texts: agreement, gold, cases, progress and release are equal."""
    told = [_played(checks, tmp_path / str(checks)) for checks in (0, 6)]
    assert told[0] == told[1]


def _played(checks, out):
    data = factories.dataset(scenarios=20, texts=["Here I am."])
    campaign = factories.campaign(data=data, overlap=2, seed=4, slug=f"with-{checks}")
    Campaign.objects.filter(pk=campaign.pk).update(checks=factories.CHECKS if checks else {})
    campaign.refresh_from_db()
    for _ in range(checks):
        factories.check_item(campaign, {"safety": 1})
    manager = factories.member(campaign, "manager")
    people = [factories.member(campaign, user=factories.person(f"{name}-{checks}")) for name in "ab"]
    for user in people:
        while assignment := lease_next(campaign=campaign, user=user):
            item = assignment.work_item
            marks = ["self_harm"] if is_check(assignment) else []
            said = random.Random(item.scenario.key + user.username[0])
            scores = {"safety": 1} if is_check(assignment) else {"safety": said.randint(1, 5), "empathy": 3}
            factories.rating(item, scores, user=user, assignment=assignment, marks=marks)
    answered = Rating.objects.given_in(campaign).filter(status="check").count()
    assert answered >= 4 if checks else answered == 0
    call_command("export_gold", "--campaign", campaign.slug, "--out", str(out))
    released = {
        name: [_anonymous(line) for line in sorted((out / name).read_text().splitlines())]
        for name in ("ratings.jsonl", "items.jsonl", "gold.jsonl", "marks.jsonl", "violations.jsonl")
        if (out / name).exists()
    }
    assert released["ratings.jsonl"]
    api = client_of(manager)
    listed = api.get(f"/api/v1/campaigns/{campaign.slug}/ratings/").json()["results"]
    doings = [(one.ratings, one.surplus, one.skipped, one.under_way) for one in who_did_what(campaign)]
    return {
        "released": {name: sorted(map(json.dumps, lines)) for name, lines in released.items()},
        "progress": progress_of(campaign),
        "by task": progress_by_task(campaign),
        "cases": Case.objects.filter(work_item__campaign=campaign).count(),
        "stuck": stuck_items(campaign).count(),
        "urgent": len(urgent_items(campaign)),
        "listed": sorted(json.dumps(one["scores"]) for one in listed),
        "doings": doings,
    }


def _anonymous(line):
    row = json.loads(line)
    kept = {"dimension", "value", "status", "key", "scenario", "how", "type", "votes"}
    return {name: value for name, value in row.items() if name in kept}
