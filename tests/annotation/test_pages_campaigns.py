import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Membership
from annotation.services import leases
from scenarios.models import Dataset
from tests import factories as f
from tests.annotation.pages import campaign_and, page, signed_in

pytestmark = pytest.mark.django_db
Role = Membership.Role


FORM = {
    "title": "Evening talks",
    "seed": "7",
    "overlap": "3",
    "range": "2",
    "safety_at_most": "2",
    "marks_split": "on",
    "asked": "on",
    "audit_percent": "5",
}


class TestList:
    def test_it_sends_visitors_to_sign_in(self, client: Client) -> None:
        assert client.get(page("campaigns")).status_code == 302

    def test_it_shows_a_member_only_their_own_and_no_counts(self) -> None:
        mine = f.campaign(slug="mine", title="My study")
        f.campaign(slug="theirs", title="Their study")
        text = signed_in(f.member(mine)).get(page("campaigns")).content.decode()
        assert "My study" in text
        assert "Their study" not in text
        assert "0 of 3" not in text

    @pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT])
    def test_it_names_the_dataset_to_those_who_run_the_campaign_alone(self, role: Role) -> None:
        campaign = f.campaign()
        Dataset.objects.update(title="Answers of Secretive-7B")
        assert "Secretive-7B" not in signed_in(f.member(campaign, role)).get(page("campaigns")).content.decode()
        assert "Secretive-7B" in signed_in(f.member(campaign, Role.MANAGER)).get(page("campaigns")).content.decode()

    def test_it_shows_a_site_manager_all_with_progress(self) -> None:
        f.campaign(title="My study")
        text = signed_in(f.site_manager()).get(page("campaigns")).content.decode()
        assert "My study" in text
        assert "0 of 3" in text

    def test_it_says_what_to_do_first(self) -> None:
        boss = signed_in(f.site_manager())
        assert "First import scenarios" in boss.get(page("campaigns")).content.decode()
        f.dataset()
        assert page("new_campaign") in boss.get(page("campaigns")).content.decode()

    def test_its_queries_do_not_grow_with_rows(self) -> None:
        boss = f.site_manager()
        client = signed_in(boss)
        f.campaign(by=boss)
        before = queries(client, page("campaigns"))
        for _ in range(3):
            f.campaign(by=boss)
        assert queries(client, page("campaigns")) == before


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


class TestNew:
    def test_it_is_for_site_managers(self) -> None:
        _campaign, client = campaign_and(Role.MANAGER)
        assert client.get(page("new_campaign")).status_code == 403
        assert client.post(page("new_campaign"), FORM).status_code == 403
        assert client.get(page("count_selection")).status_code == 403

    def test_it_asks_for_the_dataset_where_there_are_several(self) -> None:
        f.dataset("one")
        f.dataset("two")
        client = signed_in(f.site_manager())
        assert "?dataset=two" in client.get(page("new_campaign")).content.decode()
        assert client.get(page("new_campaign"), {"dataset": "none"}).status_code == 404

    def test_it_offers_what_the_dataset_holds(self) -> None:
        f.dataset("one", companions=("model-a", "model-b"), tasks=("dialogue_emotion", "itinerary_basic"))
        text = signed_in(f.site_manager()).get(page("new_campaign")).content.decode()
        assert "model-b" in text
        assert "Comfort in distress" in text
        assert "Memory rewritten" not in text

    def test_it_makes_a_draft_and_its_maker_the_manager(self) -> None:
        f.dataset("one", scenarios=4, companions=("model-a", "model-b"))
        boss = f.site_manager()
        chosen = {**FORM, "companions": ["model-b"], "sample": "3", "range": "never", "content_note": "Sad scenes."}
        answer = signed_in(boss).post(page("new_campaign"), chosen)
        made = Campaign.objects.get(slug="evening-talks")
        assert answer.url == page("campaign", "evening-talks")  # type: ignore[attr-defined]
        assert made.state == "draft"
        assert made.items.count() == 3
        assert made.seed == 7
        assert made.content_note == "Sad scenes."
        assert made.rule == {
            "range": None,
            "safety_at_most": 2,
            "marks_split": True,
            "asked": True,
            "audit_share": 0.05,
        }
        assert made.memberships.get(user=boss).role == Role.MANAGER

    def test_it_finds_a_free_short_name(self) -> None:
        f.dataset("stories")
        client = signed_in(f.site_manager())
        for _ in range(2):
            client.post(page("new_campaign"), FORM)
        client.post(page("new_campaign"), {**FORM, "title": "晚间谈话"})
        assert set(Campaign.objects.values_list("slug", flat=True)) == {"evening-talks", "evening-talks-2", "stories"}

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("sample", "99", "A sample of 99 cannot be drawn"),
            ("overlap", "0", "greater than or equal to 1"),
            ("slug", "taken", "There is a campaign taken already"),
            ("slug", "new", "address of Concord"),
            ("slug", "Two Words", "slug"),
            ("audit_percent", "200", "less than or equal to 100"),
            ("companions", "nobody", "not one of the available choices"),
            ("title", "", "required"),
        ],
    )
    def test_it_says_each_error_at_its_field(self, field: str, value: str, said: str) -> None:
        f.campaign(slug="taken", data=f.dataset("one"))
        answer = signed_in(f.site_manager()).post(page("new_campaign"), {**FORM, field: value})
        assert answer.status_code == 422
        assert said in " ".join(answer.context["form"].errors[field])
        assert said in answer.content.decode()
        assert Campaign.objects.count() == 1

    def test_the_count_follows_the_form_before_it_is_whole(self) -> None:
        f.dataset("one", scenarios=4, companions=("model-a", "model-b"))
        client = signed_in(f.site_manager())
        asked = {"dataset": "one", "overlap": "2", "companions": ["model-a"]}
        text = client.get(page("count_selection"), asked).content.decode()
        assert "This selects 4 responses of 4 scenarios: 8 ratings." in text
        text = client.get(page("count_selection"), {"dataset": "one", "overlap": "3", "sample": "5"}).content.decode()
        assert "This draws 5 of 8 responses (of 4 scenarios): 15 ratings." in text
        assert (
            "Choose more widely"
            in client.get(page("count_selection"), {"dataset": f.dataset(scenarios=0).slug}).content.decode()
        )


class TestStanding:
    @pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT])
    def test_it_is_not_for_annotators_and_experts(self, role: str) -> None:
        campaign, client = campaign_and(role)
        assert client.get(page("campaign", campaign.slug)).status_code == 403

    def test_nobody_else_learns_that_it_exists(self) -> None:
        campaign = f.campaign()
        stranger = signed_in(f.person())
        assert stranger.get(page("campaign", campaign.slug)).status_code == 404
        assert stranger.get(page("campaign", "no-such")).status_code == 404
        assert stranger.post(page("close_campaign", campaign.slug)).status_code == 404

    def test_a_manager_sees_how_things_stand_and_who_did_what(self) -> None:
        campaign, client = campaign_and(Role.MANAGER, items=2, overlap=2)
        anna = f.member(campaign, user=f.person(display_name="Anna"))
        f.rating(f.items_of(campaign)[0], user=anna)
        text = client.get(page("campaign", campaign.slug)).content.decode()
        assert "1 of 4 ratings are in; 0 of 2 items are settled." in text
        assert "Anna" in text
        assert "Comfort in distress" in text

    def test_a_site_manager_who_is_no_member_sees_counts_and_no_rating(self) -> None:
        item = f.rated_item([{"safety": 1}, 5], slug="study")
        manager = signed_in(f.member(item.campaign, Role.MANAGER)).get(page("campaign", "study")).content.decode()
        site = signed_in(f.site_manager()).get(page("campaign", "study")).content.decode()
        assert "Safety 1: 1 of 2" in manager
        assert "Who did what" in manager
        assert "2 of 2 ratings are in" in site
        assert "Safety 1" not in site
        assert "Who did what" not in site

    def test_it_says_what_to_do_next(self) -> None:
        campaign, client = campaign_and(Role.MANAGER, opened=False)
        url = page("campaign", campaign.slug)
        assert "Each item needs 3 raters; annotators here: 0" in client.get(url).content.decode()
        for _ in range(3):
            f.member(campaign)
        text = client.get(url).content.decode()
        assert "Each item needs" not in text
        assert "A draft gives out no items" in text
        assert "Nobody is there to decide" in text

    def test_it_shows_what_is_stuck(self) -> None:
        campaign, client = campaign_and(Role.MANAGER, items=2, overlap=2)
        one, two = f.member(campaign), f.member(campaign)
        url = page("campaign", campaign.slug)
        item = f.items_of(campaign)[0]
        f.rating(item, user=one)
        assert client.get(url).context["stuck_count"] == 0
        lease = f.lease(item, two)
        leases.skip_item(assignment_id=lease.pk, user=two, reason="unsure")
        shown = client.get(url)
        assert [stuck.pk for stuck in shown.context["stuck"]] == [item.pk]
        assert "1 item has nobody left to rate it" in shown.content.decode()

    def test_items_that_nobody_can_read_are_stuck(self) -> None:
        campaign, client = campaign_and(Role.MANAGER, data=f.dataset(scenarios=2, language="zh-Hans"))
        f.member(campaign, languages=["en"])
        assert client.get(page("campaign", campaign.slug)).context["stuck_count"] == 2
        f.member(campaign)
        assert client.get(page("campaign", campaign.slug)).context["stuck_count"] == 0

    def test_a_used_up_share_leaves_items_stuck(self) -> None:
        campaign, client = campaign_and(Role.MANAGER, items=2, overlap=1)
        anna = f.member(campaign)
        campaign.memberships.filter(user=anna).update(share=1)
        assert client.get(page("campaign", campaign.slug)).context["stuck_count"] == 0
        f.rating(f.items_of(campaign)[0], user=anna)
        assert client.get(page("campaign", campaign.slug)).context["stuck_count"] == 1

    def test_the_page_asks_for_its_middle_part_alone(self) -> None:
        campaign, client = campaign_and(Role.MANAGER)
        part = client.get(page("campaign", campaign.slug), headers={"HX-Request": "true"})
        assert part.content.decode().count('id="standing"') == 1
        assert "<html" not in part.content.decode()
        client.logout()
        assert client.get(page("campaign", campaign.slug), headers={"HX-Request": "true"}).status_code == 401

    def test_its_queries_do_not_grow_with_rows(self) -> None:
        campaign, client = campaign_and(Role.MANAGER, items=6, overlap=3)
        url = page("campaign", campaign.slug)
        items = f.items_of(campaign)
        f.rated_item([{"safety": 1}, 5, 5], item=items[0])
        f.rating(items[1])
        before = queries(client, url)
        for item in items[2:5]:
            f.rated_item([{"safety": 1}, 5, 5], item=item)
        assert queries(client, url) <= before
