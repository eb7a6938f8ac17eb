"""What people found twice in other tools' results is here once: an edited rating, in agreement, gold and export."""

import json

import pytest

from annotation.models import Rating
from reviews.services.agreement import compute_agreement
from reviews.services.releases import publish_release
from tests import factories as f

pytestmark = pytest.mark.django_db


def test_who_changed_their_mind_has_one_rating_in_agreement_gold_and_export() -> None:
    campaign = f.campaign(items=2, overlap=2)
    people = [f.member(campaign) for _person in range(2)]
    given = [f.rating(item, 5, user=user) for item in f.items_of(campaign) for user in people]
    edited = f.edit(given[0], 4)
    assert Rating.objects.of(people[0]).count() == 3

    report, _new = compute_agreement(campaign=campaign)
    assert report.result["dimensions"]["empathy"]["ratings"] == 4

    release = publish_release(campaign=campaign).release
    gold, ratings = (
        [json.loads(line) for line in (release.path / name).read_text("utf-8").splitlines()]
        for name in ("gold.jsonl", "ratings.jsonl")
    )
    counts = {row["item_id"]: row["distribution"] for row in gold if row["dimension"] == "empathy"}
    assert counts[edited.work_item.response.item_id] == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 1}
    assert all(sum(levels.values()) == 2 for levels in counts.values())
    standing = [(row["item_id"], row["rater"]) for row in ratings if row["status"] == "counted"]
    assert len(standing) == len(ratings) - 3 == 12
    assert len(set(standing)) == 4
