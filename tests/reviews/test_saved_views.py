"""Views of the list that a person keeps: theirs alone, under names of their own."""

import pytest
from django.urls import reverse

from reviews.errors import ListInvalid, ViewInvalid
from reviews.models import SavedView
from reviews.services.saved_views import MOST, save_view
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_expert(client, expert):
    client.force_login(expert)
    return client


def test_the_present_filter_is_kept_under_a_name_and_opens_as_it_was(as_expert, case):
    shown = page(as_expert, "cases", case.campaign.slug, dimension="empathy", sort="oldest", cursor="")
    kept = post(as_expert, "save_view", name=" Empathy,  oldest ", query=shown.context["query"])
    view = SavedView.objects.get()
    assert view.name == "Empathy, oldest"
    assert view.query == f"campaign={case.campaign.slug}&dimension=empathy&sort=oldest"
    assert kept.url == reverse("reviews:all_cases") + "?" + view.query
    opened = as_expert.get(kept.url)
    assert [row.id for row in opened.context["listed"].rows] == [case.pk]
    assert opened.context["views"] == [(view, True)]


def test_the_same_name_replaces(expert):
    for sort in ("oldest", "newest"):
        save_view(user=expert, name="Mine", query={"sort": sort})
    assert SavedView.objects.get().query == "sort=newest"


def test_two_people_may_use_one_name(case, expert):
    for user in (expert, factories.member(case.campaign, "expert")):
        save_view(user=user, name="Mine", query={})
    assert SavedView.objects.count() == 2


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x00"])
def test_a_name_that_cannot_be_kept_is_refused(expert, name):
    with pytest.raises(ViewInvalid) as refused:
        save_view(user=expert, name=name, query={})
    assert list(refused.value.fields) == ["name"]


def test_a_filter_that_cannot_be_read_or_kept_is_refused(expert):
    with pytest.raises(ListInvalid):
        save_view(user=expert, name="Mine", query={"state": "lost"})
    with pytest.raises(ViewInvalid):
        save_view(user=expert, name="Mine", query={"q": "雨" * 200})
    assert not SavedView.objects.exists()


def test_there_are_twenty_at_most_and_those_can_still_be_replaced(expert):
    for number in range(MOST):
        save_view(user=expert, name=f"View {number}", query={})
    with pytest.raises(ViewInvalid):
        save_view(user=expert, name="One more", query={})
    assert save_view(user=expert, name="View 3", query={"sort": "oldest"}).query == "sort=oldest"
    assert SavedView.objects.count() == MOST


def test_one_deletes_ones_own(as_expert, expert):
    view = save_view(user=expert, name="Mine", query={})
    assert post(as_expert, "delete_view", view.pk).url == reverse("reviews:all_cases")
    assert not SavedView.objects.exists()


def test_views_of_others_are_not_there(as_expert, case):
    other = save_view(user=factories.member(case.campaign, "expert"), name="Secret lens", query={})
    assert "Secret lens" not in page(as_expert, "all_cases").content.decode()
    assert post(as_expert, "delete_view", other.pk).status_code == 404
    assert SavedView.objects.count() == 1


def test_a_view_of_a_campaign_one_has_left_says_so(as_expert, expert):
    view = save_view(user=expert, name="Mine", query={"campaign": "gone"})
    opened = as_expert.get(f"{reverse('reviews:all_cases')}?{view.query}")
    assert opened.status_code == 400
    assert "cannot be filtered so" in opened.content.decode()
