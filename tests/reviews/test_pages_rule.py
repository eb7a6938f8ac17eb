"""The rule's page: words for experts, counts and changes for managers; and the comparison of ways to ask raters."""

import html
import json
import re

import pytest
from django.test import Client

from annotation.models import Membership
from annotation.services.campaigns import close_campaign
from jobs import runner
from jobs import services as jobs
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.models import Case
from reviews.rules import Rule
from reviews.services.background import COMPARE_OVERLAPS
from reviews.services.rule import change_rule
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db
Role = Membership.Role
TYPED = {"count": "1", "audit_percent": "0", "extra_raters": "0", "settled_percent": "75", "twice_percent": "0"}
AS_ALL = {f"range.{dimension}": "all" for dimension in factories.DIMENSIONS}


@pytest.fixture
def campaign():
    """One agreed item, two whose raters are two and four levels apart, one that wants raters. Three rate each."""
    made = factories.campaign(slug="study", items=4, rule={"range": 2, "safety_at_most": None})
    scores = ([5, 5, 5], [{"empathy": 3}, 5, 5], [{"fluency": 1}, 5, 5])
    for item, given in zip(factories.items_of(made), scores, strict=False):
        factories.rated_item(given, item=item)
    return made


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def manager(campaign):
    return client_of(factories.member(campaign, Role.MANAGER))


def text(response):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def counted(manager, **typed):
    return page(manager, "rule", "study", **TYPED, **(AS_ALL | typed))


def hidden(response, name):
    return html.unescape(re.search(rf'name="{name}" value="([^"]*)"', response.content.decode()).group(1))


def test_it_is_said_in_words_and_counted(manager):
    said = text(page(manager, "rule", "study"))
    assert "The scores of one dimension are 2 levels or more apart." in said
    assert "On the ratings so far this rule would send 2 of 3 items to an expert: 66.7 %." in said
    assert "1 item still wants its first ratings and is not counted." in said
    assert "Scores 3 levels or more apart 1" in said


def test_an_expert_reads_the_words_and_the_version_and_no_count(campaign, manager):
    said = text(page(client_of(factories.member(campaign, Role.EXPERT)), "rule", "study"))
    assert "The scores of one dimension are 2 levels or more apart." in said
    assert "version 1" in said
    assert "would send" not in said
    assert "Count" not in said
    assert "Versions" not in said


@pytest.mark.parametrize("role", [Role.ANNOTATOR, None])
def test_others_do_not_come_in(campaign, role):
    user = factories.member(campaign, role) if role else factories.site_manager()
    assert page(client_of(user), "rule", "study").status_code == 403
    assert page(client_of(user), "overlap", "study").status_code == 403


def test_what_is_typed_is_counted_and_nothing_is_saved(campaign, manager):
    shown = counted(manager, range="3")
    said = text(shown)
    assert "this rule would send 1 of 3 items to an expert: 33.3 %." in said
    assert "Saved as version 2" in said
    assert "1 waiting case falls." in said
    assert "1 waiting case stays, for the reasons of the new rule." in said
    campaign.refresh_from_db()
    assert (campaign.rule_version, campaign.rule["range"]) == (1, 2)
    assert not Job.objects.exists()


def test_it_is_saved_from_the_count_and_the_items_are_gone_over(campaign, manager):
    shown = counted(manager, range="3")
    sent = {name: hidden(shown, name) for name in ("rule", "seen")}
    answer = post(manager, "rule", "study", **sent, reason="Too many cases.")
    assert answer.status_code == 302
    said = text(page(manager, "rule", "study"))
    assert "Version 2 is saved." in said
    assert "Waiting for a worker" in said
    assert "Version 2" in said
    assert "Too many cases." in said
    assert "No longer: The scores of one dimension are 2 levels or more apart." in said
    assert runner.run(Job.objects.get().pk)
    assert "3 items were looked at. 1 waiting case fell. 1 waiting case stayed." in text(page(manager, "rule", "study"))
    assert Case.objects.standing().get().rule_version == 2


def test_a_rule_that_was_changed_meanwhile_is_not_overwritten(campaign, manager):
    shown = counted(manager, range="3")
    change_rule(campaign=campaign, rule=Rule(range=1))
    sent = {name: hidden(shown, name) for name in ("rule", "seen")}
    post(manager, "rule", "study", **sent)
    assert "The rule was changed meanwhile." in text(page(manager, "rule", "study"))
    campaign.refresh_from_db()
    assert campaign.rule["range"] == 1


@pytest.mark.parametrize("sent", ["", "{", "[]", json.dumps({"range": 99})])
def test_a_damaged_form_saves_nothing(campaign, manager, sent):
    assert post(manager, "rule", "study", rule=sent).status_code == 302
    campaign.refresh_from_db()
    assert campaign.rule_version == 1


def test_all_parts_are_read_and_shown_again(manager):
    typed = {
        "range": "2",
        "range.empathy": "",
        "range.safety": "1",
        "straddle.fluency": "3",
        "safety_at_most": "1",
        "marks_split": "on",
        "asked": "on",
        "hurried": "on",
        "audit_percent": "2.5",
        "extra_raters": "1",
        "twice_percent": "10",
    }
    shown = page(manager, "rule", "study", **(TYPED | AS_ALL | typed))
    assert json.loads(hidden(shown, "rule")) == {
        "range": {"fluency": 2, "safety": 1},
        "safety_at_most": 1,
        "straddle": {"fluency": 3},
        "marks_split": True,
        "asked": True,
        "hurried": True,
        "audit_share": 0.025,
        "extra_raters": 1,
        "settled_from": 0.75,
        "twice_share": 0.1,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("settled_percent", "50"),
        ("audit_percent", "101"),
        ("extra_raters", "11"),
        ("range", "9"),
        ("twice_percent", ""),
    ],
)
def test_what_is_not_valid_is_told_at_its_field(manager, field, value):
    shown = page(manager, "rule", "study", **(TYPED | AS_ALL | {field: value}))
    assert shown.status_code == 422
    assert "Nothing was counted: see the fields marked below." in text(shown)
    assert f'id="id_{field}_error"' in shown.content.decode()


def test_a_closed_campaign_only_says_what_its_rule_was(campaign, manager):
    close_campaign(campaign=campaign)
    said = text(page(manager, "rule", "study"))
    assert "would send 2 of 3 items" in said
    assert "Another rule" not in said
    post(manager, "rule", "study", rule=json.dumps({"range": 1}))
    assert "This campaign is closed: its rule stays as it was." in text(page(manager, "rule", "study"))


def test_work_that_was_cancelled_can_be_asked_for_again(campaign, manager):
    chief = factories.person()
    change_rule(campaign=campaign, rule=Rule(range=3), by=chief)
    jobs.cancel(Job.objects.get(), by=chief)
    assert "Go over the items once more" in text(page(manager, "rule", "study"))
    assert post(manager, "apply_rule", "study").status_code == 302
    assert Job.objects.unfinished().get().arguments == {"campaign": "study", "version": 2}


def test_the_campaigns_page_says_the_rule_and_in_a_draft_the_count():
    from annotation.services.imported import ImportedScore, import_ratings

    draft = factories.campaign(slug="draft", overlap=2, opened=False, rule={"range": 2, "extra_raters": 1})
    manager = client_of(factories.member(draft, Role.MANAGER))
    address = "/campaigns/draft/"
    assert "this rule would send" not in text(manager.get(address))
    item = factories.items_of(draft)[0].response.item_id
    given = [ImportedScore(n, item, rater, "empathy", value) for n, (rater, value) in enumerate([("a", 1), ("b", 5)])]
    import_ratings(campaign=draft, scores=given)
    said = text(manager.get(address))
    assert "this rule would send 0 of 1 item to an expert" in said
    assert "Of 1 item more raters would be asked first." in said
    assert "Where raters merely disagree, 1 more is asked before an expert" in said
    assert "this rule would send" not in text(client_of(factories.site_manager()).get(address))


class TestOverlaps:
    def test_without_enough_ratings_it_says_what_is_needed(self):
        made = factories.campaign(slug="pairs", overlap=2)
        factories.rated_item([5, 5], item=factories.items_of(made)[0])
        said = text(page(client_of(factories.member(made, Role.MANAGER)), "overlap", "pairs"))
        assert "No item has three independent ratings yet" in said
        assert "Compare" not in said

    def test_it_is_asked_for_computed_and_said_in_words_first(self, campaign, manager):
        assert "Nothing compared yet" in text(page(manager, "overlap", "study"))
        post(manager, "compare_overlaps", "study")
        assert "Waiting for a worker" in text(page(manager, "overlap", "study"))
        assert runner.run(Job.objects.get(kind=COMPARE_OVERLAPS).pk)
        said = text(page(manager, "overlap", "study"))
        # Two of three items have pairs of which two in three want a third.
        assert (
            "Asking 2 raters first and 1 more where they disagree would have cost 18.5 % fewer ratings than 3" in said
        )
        assert "It would have sent 44.4 % of the items to an expert, not 66.7 %." in said
        assert "2, then up to 1" in said
        assert "Without intervals: they need 30 scenarios." in said
        assert Job.objects.get().result["data_version"] in said

    def test_it_says_so_where_the_rule_has_changed_since(self, campaign, manager):
        post(manager, "compare_overlaps", "study")
        runner.run(Job.objects.get(kind=COMPARE_OVERLAPS).pk)
        change_rule(campaign=campaign, rule=Rule(range=1))
        assert "rule has changed since this was compared" in text(page(manager, "overlap", "study"))

    def test_a_refusal_is_told(self, manager):
        made = factories.campaign(slug="none")
        chief = client_of(factories.member(made, Role.MANAGER))
        post(chief, "compare_overlaps", "none")
        runner.run(Job.objects.get(kind=COMPARE_OVERLAPS).pk)
        assert "No item has three independent ratings yet: two first" in text(page(chief, "overlap", "none"))
