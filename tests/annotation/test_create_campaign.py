"""Which responses a campaign takes, and in which order."""

import pytest

from annotation.errors import SelectionInvalid
from annotation.models import Campaign, Membership
from annotation.services.campaigns import Selection, create_campaign
from annotation.services.rubrics import install_rubric
from scenarios.models import Response
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def data():
    """Twelve scenarios of two tasks, two companions, both conditions: 48 responses."""
    return factories.dataset(
        "d",
        scenarios=12,
        companions=("model-a", "vendor/model%b"),
        conditions=("sap", "no_sap"),
        tasks=("dialogue_base", "itinerary_basic"),
    )


def made(data, **options):
    options.setdefault("slug", "c")
    return create_campaign(dataset=data, **options)


def ids(campaign):
    return [item.response.item_id for item in factories.items_of(campaign)]


def test_it_takes_all_current_responses(data):
    campaign = made(data)
    assert campaign.state == "draft"
    assert campaign.items.count() == 48
    assert set(campaign.items.values_list("needed", "counted", "leased", "state")) == {(3, 0, 0, "open")}


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        ({"tasks": ["dialogue_base"]}, 24),
        ({"companions": ["vendor/model%b"]}, 24),
        ({"conditions": ["sap"]}, 24),
        ({"languages": ["en"]}, 48),
        ({"tasks": ["dialogue_base"], "companions": ["model-a"], "conditions": ["no_sap"]}, 6),
        ({"tasks": ["dialogue_base", "itinerary_basic"], "sample": 7}, 7),
    ],
)
def test_it_takes_what_the_selection_names(data, selection, count):
    campaign = made(data, selection=Selection(**selection))
    assert campaign.items.count() == count
    for name, path in {"tasks": "task", "companions": "response__companion__name"}.items():
        if name in selection:
            assert set(campaign.items.values_list(path, flat=True)) == set(selection[name])


def test_it_leaves_out_what_a_newer_version_replaced(data):
    Response.objects.filter(condition="sap").update(superseded=True)
    assert made(data).items.count() == 24


def test_it_keeps_for_the_record_what_was_asked_for(data):
    campaign = made(data, selection=Selection(tasks=["dialogue_base"], sample=5), seed=9)
    assert campaign.selection["tasks"] == ["dialogue_base"]
    assert (campaign.selection["sample"], campaign.seed) == (5, 9)


def test_the_same_seed_draws_the_same_sample_in_the_same_order(data):
    selection = Selection(sample=20)
    first, again, other = (
        ids(made(data, slug=slug, selection=selection, seed=seed)) for slug, seed in [("a", 5), ("b", 5), ("c", 6)]
    )
    assert first == again
    assert set(first) != set(other)


def test_the_order_is_drawn_too(data):
    drawn = ids(made(data, seed=5))
    assert drawn != sorted(drawn)
    assert drawn != ids(made(data, slug="b", seed=6))


def test_the_draw_is_the_same_on_every_database(data):
    """Written down: neither the database's order of texts nor its row numbers may have a part in it."""
    assert ids(made(data, selection=Selection(sample=4), seed=2024)) == [
        "itinerary_basic/q004/vendor%2Fmodel%25b/no_sap",
        "dialogue_base/q005/vendor%2Fmodel%25b/sap",
        "itinerary_basic/q012/vendor%2Fmodel%25b/no_sap",
        "itinerary_basic/q008/model-a/sap",
    ]


def test_who_makes_it_manages_it(data):
    user = factories.site_manager()
    campaign = made(data, by=user)
    assert list(Membership.objects.values_list("user", "role")) == [(user.pk, "manager")]
    assert campaign.events.get().detail["items"] == 48


def test_it_takes_the_newest_version_of_the_rubric(data):
    older = made(data).rubric
    newer = install_rubric(key="default", content=older.content | {"introduction": {"en": "Changed."}})
    assert made(data, slug="d").rubric == newer != older
    assert Campaign.objects.get(slug="c").rubric == older


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"slug": "Not a slug"}, "slug"),
        ({"slug": ""}, "slug"),
        ({"slug": "x" * 61}, "slug"),
        ({"slug": "-a"}, "slug"),
        ({"slug": "new"}, "slug"),
        ({"title": "x" * 201}, "title"),
        ({"title": "nul\x00"}, "title"),
        ({"overlap": 0}, "overlap"),
        ({"overlap": 51}, "overlap"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"selection": Selection(sample=0)}, "sample"),
        ({"selection": Selection(sample=-1)}, "sample"),
        ({"selection": Selection(sample=49)}, "sample"),
        ({"selection": Selection(tasks=["dialogue_base", "dialog"])}, "tasks"),
        ({"selection": Selection(companions=["model-a", "modela"])}, "companions"),
        ({"selection": Selection(conditions=["SAP"])}, "conditions"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(data, options, field):
    with pytest.raises(SelectionInvalid) as error:
        made(data, **options)
    assert list(error.value.fields) == [field]
    assert not Campaign.objects.exists()


def test_a_selection_of_nothing_is_refused(data):
    with pytest.raises(SelectionInvalid, match="no response"):
        made(data, selection=Selection(languages=["zh-Hans"]))


def test_a_short_name_in_use_is_refused(data):
    made(data)
    with pytest.raises(SelectionInvalid, match="already"):
        made(data)
    assert Campaign.objects.count() == 1


def test_it_leaves_out_answers_to_a_scenario_that_was_revised_since(data):
    revised = data.scenarios.order_by("pk").first()
    type(revised).objects.filter(pk=revised.pk).update(superseded=True)
    campaign = made(data)
    assert campaign.items.count() == 44
    assert not campaign.items.filter(scenario=revised).exists()
