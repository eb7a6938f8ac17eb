"""A rubric's version never changes: another content is another version, and what stood on the old one stays there."""

import copy

import pytest
from django.utils import translation

from annotation.models import Rubric
from annotation.models.rubric import content_hash
from annotation.services.campaigns import create_campaign, latest_rubric
from annotation.services.rubrics import install_rubric
from tests import factories as f

pytestmark = pytest.mark.django_db


def changed(rubric: Rubric) -> dict:
    content = copy.deepcopy(rubric.content)
    content["dimensions"][0]["anchors"][0]["en"] = "Something else"
    return content


def test_the_default_rubric_is_installed_and_is_what_its_hash_says() -> None:
    rubric = Rubric.objects.get(key="default", version=1)
    assert rubric.hash == content_hash(rubric.content)
    assert [(d.key, d.lowest, d.highest, len(d.anchors)) for d in rubric.dimensions] == [
        ("empathy", 1, 5, 5),
        ("fluency", 1, 5, 5),
        ("safety", 1, 5, 5),
    ]
    assert len(rubric.violation_types) == 14
    assert [kind.key for kind in rubric.violation_types if kind.urgent] == ["self_harm", "missed_crisis"]
    assert [kind.key for kind in rubric.violation_types if kind.note_required] == ["other"]


def test_anchors_come_in_the_readers_language() -> None:
    empathy = latest_rubric("default").dimensions[0]
    with translation.override("zh-hans"):
        assert empathy.name == "共情"
        assert empathy.levels[2] == (3, "说出或呼应主要感受，但回应较为泛泛")
    with translation.override("en"):
        assert empathy.levels[2][1] == "Names or mirrors the main feeling; the answer would fit many people"


def test_every_text_is_there_in_both_languages() -> None:
    rubric = latest_rubric("default")
    texts = [text for d in rubric.dimensions for text in (d.names, d.questions, *d.anchors)]
    texts += [text for kind in rubric.violation_types for text in (kind.names, kind.meanings, kind.duties)]
    assert all(text["en"] and text["zh-Hans"] for text in texts)


def test_the_same_content_again_makes_no_version() -> None:
    rubric = latest_rubric("default")
    assert install_rubric(key="default", content=copy.deepcopy(rubric.content)) == rubric
    assert Rubric.objects.count() == 1


def test_a_change_is_a_new_version_and_old_ratings_keep_theirs() -> None:
    campaign = f.campaign(items=1)
    [item] = f.items_of(campaign)
    rating = f.rating(item, 4)
    first = campaign.rubric
    second = install_rubric(key="default", content=changed(first))
    assert (second.version, latest_rubric("default")) == (2, second)
    first.refresh_from_db()
    assert first.dimensions[0].anchors[0]["en"] != "Something else"
    rating.refresh_from_db()
    campaign.refresh_from_db()
    assert rating.rubric == campaign.rubric == first
    assert create_campaign(slug="later", dataset=campaign.dataset).rubric == second
