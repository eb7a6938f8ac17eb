"""The training round's pages: what the annotator meets, what the manager sees and sets, and who may."""

import json
import re
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import ReferenceAnswer, TrainingAnswer
from annotation.qualification import Rule
from annotation.services.campaigns import close_campaign
from annotation.services.desk_rules import save_training_rule
from annotation.services.training import begin_attempt, let_in
from annotation.views.references import PAGE_OF_PEOPLE
from tests import factories as f
from tests.annotation.api import assert_problem, client_of, post
from tests.annotation.pages import page, signed_in
from tests.annotation.training import (
    EXPERT_SAYS,
    KNOWN,
    answer,
    attempt_made,
    campaign_with_training,
    membership_of,
    training_items_of,
)

pytestmark = pytest.mark.django_db
TEXT = "I hear you. <b>You only need me</b> 👋, always."
MARK = {"type": "dependence", "start": 15, "end": 31, "quote": "You only need me"}


@pytest.fixture
def campaign():
    return campaign_with_training(slug="c", texts=(TEXT,), marks=(MARK,))


@pytest.fixture
def anna(campaign):
    return f.member(campaign, user=f.person("anna"))


def sent(scores=4, **more):
    levels = {f"score.{key}": level for key, level in f.full_scores(scores).items()}
    return {"client_id": str(uuid.uuid4()), "marks": "[]", "seconds": "7", **levels, **more}


def begin(client):
    return client.post(page("practice", "c"))["Location"]


def test_the_desk_sends_to_the_training(campaign, anna):
    client = signed_in(anna)
    desk = client.get(page("rate", "c")).content.decode()
    assert page("practice", "c") in desk
    problem = client.post("/api/v1/campaigns/c/next/")
    assert problem.status_code == 403
    assert "training round" in problem.json()["detail"]


def test_an_item_is_shown_without_the_experts_answer_until_it_is_answered(campaign, anna):
    client = signed_in(anna)
    assert "Before you rate for real" in client.get(page("practice", "c")).content.decode()
    address = begin(client)
    before = client.get(address).content.decode()
    assert EXPERT_SAYS not in before
    assert "Experts" not in before
    assert client.post(address, sent({"empathy": 2, "fluency": 4, "safety": 5}))["Location"] == address
    after = client.get(address).content.decode()
    assert EXPERT_SAYS in after
    assert "2 levels lower than the expert" in after
    assert "1 level higher than the expert" in after
    assert "missed" in after
    assert "&lt;b&gt;<mark>You only need me</mark>&lt;/b&gt;" in after


def test_an_incomplete_answer_is_said_and_kept_in_the_form(campaign, anna):
    client = signed_in(anna)
    address = begin(client)
    given = sent(3, rationale="half")
    del given["score.safety"]
    refused = client.post(address, given)
    assert refused.status_code == 400
    assert "Not rated yet: Safety" in refused.content.decode()
    assert "half" in refused.content.decode()
    assert not TrainingAnswer.objects.exists()


def test_a_reload_goes_on_where_it_was_and_nothing_is_met_ahead(campaign, anna):
    client = signed_in(anna)
    address = begin(client)
    client.post(address, sent())
    attempt = begin_attempt(campaign=campaign, user=anna)
    second = page("practice_item", "c", attempt.items[1])
    assert begin(client) == second
    assert "Go on with the training" in client.get(page("practice", "c")).content.decode()
    others = [item.pk for item in training_items_of(campaign) if item.pk not in attempt.items]
    assert client.get(page("practice_item", "c", others[0]))["Location"] == page("practice", "c")


def test_an_item_further_on_is_not_shown_before_its_turn(campaign, anna):
    client = signed_in(anna)
    first = begin(client)
    attempt = begin_attempt(campaign=campaign, user=anna)
    assert client.get(page("practice_item", "c", attempt.items[1]))["Location"] == first


def test_from_a_second_tab_the_first_answer_stands_and_is_said(campaign, anna):
    client = signed_in(anna)
    address = begin(client)
    client.post(address, sent(3))
    again = client.post(address, sent(5), follow=True).content.decode()
    assert "your first answer stands" in again
    assert TrainingAnswer.objects.get().scores["empathy"] == 3


def test_the_end_says_what_went_wrong_and_what_comes_next(campaign, anna):
    client = signed_in(anna)
    attempt_made(campaign, anna, {"empathy": 1, "fluency": 4, "safety": 4})
    seen = client.get(page("practice", "c")).content.decode()
    assert "Not passed yet" in seen
    assert "mostly lower than the expert" in seen
    assert "1 attempt left" in " ".join(seen.split())
    attempt_made(campaign, anna, 1)
    seen = client.get(page("practice", "c")).content.decode()
    assert "were told" in seen
    assert "attempts left" not in seen
    assert "no attempt left" in client.post(page("practice", "c"), follow=True).content.decode()


def test_passed_opens_the_desk(campaign, anna):
    save_training_rule(campaign=campaign, rule=Rule(items=2, max_missed=9))
    attempt_made(campaign, anna)
    seen = signed_in(anna).get(page("practice", "c")).content.decode()
    assert "Passed" in seen
    assert page("rate", "c") in seen


def test_without_a_round_the_page_leads_to_the_desk_and_a_closed_campaign_says_so(campaign, anna):
    client = signed_in(anna)
    begin(client)
    close_campaign(campaign=campaign)
    assert "training is over" in client.get(page("practice", "c")).content.decode()
    item = training_items_of(campaign)[0].pk
    assert client.get(page("practice_item", "c", item)).status_code == 302
    plain = f.campaign(slug="plain")
    f.member(plain, user=anna)
    assert client.get(page("practice", "plain"))["Location"] == page("rate", "plain")


def test_nothing_of_where_a_training_item_comes_from_is_sent(campaign, anna):
    client = signed_in(anna)
    seen = client.get(begin(client)).content.decode()
    key = training_items_of(campaign)[0].scenario.key
    for word in ("model-t", "no_sap", key):
        assert word not in seen


class TestTheManager:
    @pytest.fixture
    def boss(self, campaign):
        return signed_in(f.member(campaign, "manager"))

    def test_sees_every_attempt_and_each_answer_beside_the_experts(self, campaign, anna, boss):
        attempt = attempt_made(campaign, anna, {"empathy": 1, "fluency": 4, "safety": 4})
        second = begin_attempt(campaign=campaign, user=anna)
        answer(second, second.items[0], rationale="I was torn.")
        seen = boss.get(page("training", "c")).content.decode()
        assert "not passed" in seen
        assert "mean difference 1.00, missed 2" in re.sub(r"\s+", " ", seen)
        assert "under way, 1 of 2" in re.sub(r"\s+", " ", seen)
        one = boss.get(page("attempt", "c", attempt.pk)).content.decode()
        assert one.count("3 levels lower than the expert") == 2
        assert "I was torn." in boss.get(page("attempt", "c", second.pk)).content.decode()

    def test_lets_in_and_gives_another_attempt(self, campaign, anna, boss):
        mine = membership_of(campaign, anna)
        attempt_made(campaign, anna, 1)
        attempt_made(campaign, anna, 1)
        assert "Another attempt" in boss.get(page("training", "c")).content.decode()
        boss.post(page("another_attempt", "c", mine.pk))
        assert begin_attempt(campaign=campaign, user=anna).number == 3
        boss.post(page("let_in", "c", mine.pk))
        mine.refresh_from_db()
        assert mine.qualified_at

    def test_sets_the_rules_and_is_told_by_field_what_cannot_be_met(self, campaign, boss):
        rule = {"training-items": 99, "training-max_mean_difference": 0.5, "training-max_missed": 1}
        refused = boss.post(page("training_rule", "c"), rule | {"training-attempts": 2})
        assert refused.status_code == 422
        assert "There are 4 training items" in refused.content.decode()
        boss.post(page("training_rule", "c"), rule | {"training-attempts": 2, "training-items": 3})
        campaign.refresh_from_db()
        assert campaign.training == {"items": 3, "max_mean_difference": 0.5, "max_missed": 1, "attempts": 2}
        boss.post(page("training_rule", "c"), {"off": "1"})
        campaign.refresh_from_db()
        assert campaign.training == {}
        checks = {"checks-one_in": 10, "checks-max_difference": 1, "checks-pause_after": 3, "checks-window": 10}
        assert "no check items yet" in boss.post(page("checks_rule", "c"), checks).content.decode()

    def test_uploads_a_file_and_sees_its_faults(self, campaign, boss):
        item = training_items_of(campaign)[0]
        line = {"item_id": item.response.item_id, "use": "training", "scores": KNOWN | {"safety": 2}}
        refused = boss.post(page("known_answers", "c"), {"file": upload(line | {"use": "gold"})})
        assert refused.status_code == 422
        assert "answers.jsonl:1: " in refused.content.decode()
        taken = boss.post(page("known_answers", "c"), {"file": upload(line)}, follow=True)
        assert "1 line read = 0 new + 1 replaced + 0 unchanged." in taken.content.decode()
        assert ReferenceAnswer.objects.get(work_item=item).scores["safety"] == 2
        assert boss.post(page("known_answers", "c"), {}).status_code == 422

    def test_removes_an_answer_that_nobody_met(self, campaign, anna, boss):
        attempt = begin_attempt(campaign=campaign, user=anna)
        assert "stays" in boss.post(page("drop_answer", "c", attempt.items[0]), follow=True).content.decode()
        free = next(item for item in training_items_of(campaign) if item.pk not in attempt.items)
        boss.post(page("drop_answer", "c", free.pk))
        assert not ReferenceAnswer.objects.filter(work_item=free.pk).exists()

    def test_is_told_what_to_do_where_there_is_nothing(self):
        f.campaign(slug="fresh")
        boss = signed_in(f.member(f.Campaign.objects.get(slug="fresh"), "manager"))
        assert "Upload known answers" in boss.get(page("training", "fresh")).content.decode()
        assert "None yet" in boss.get(page("known_answers", "fresh")).content.decode()

    def test_asks_no_more_queries_for_more_people(self, campaign, boss, django_assert_max_num_queries):
        for _each in range(PAGE_OF_PEOPLE + 2):
            attempt_made(campaign, f.member(campaign), 1)
        let_in(membership=membership_of(campaign, f.member(campaign)))
        with django_assert_max_num_queries(20):
            seen = boss.get(page("training", "c")).content.decode()
        assert "page 1 of 2" in re.sub(r"\s+", " ", seen)


def upload(*lines):
    text = "\n".join(json.dumps(line) for line in lines)
    return SimpleUploadedFile("answers.jsonl", text.encode(), content_type="application/jsonl")


class TestTheApi:
    def test_goes_through_an_attempt_item_by_item(self, campaign, anna):
        api = client_of(anna)
        state = api.get("/api/v1/campaigns/c/training/").json()
        assert (state["needed"], state["attempts_left"], state["attempts"]) == (True, 2, [])
        for place in (1, 2):
            given = post(api, "campaigns/c/training/").json()
            assert (given["place"], given["of"], given["item"]["text"]) == (place, 2, TEXT)
            assert EXPERT_SAYS not in json.dumps(given)
            body = {"client_id": str(uuid.uuid4()), "scores": KNOWN, "marks": [MARK]}
            answered = post(api, f"campaigns/c/training/{given['training_item']}/", body)
            assert answered.status_code == 201
            assert answered.json()["expert"]["reasons"] == {"empathy": EXPERT_SAYS}
            assert answered.json()["finished"] is (place == 2)
            again = post(api, f"campaigns/c/training/{given['training_item']}/", body)
            assert (again.status_code, again.json()["scores"]) == (200, KNOWN)
        assert api.get("/api/v1/campaigns/c/training/").json()["attempts"][0]["passed"] is True
        assert_problem(post(api, "campaigns/c/training/"), 409)
        assert post(api, "campaigns/c/next/").status_code == 200

    def test_faults_are_named_by_field(self, campaign, anna):
        api = client_of(anna)
        item = post(api, "campaigns/c/training/").json()["training_item"]
        body = {"client_id": str(uuid.uuid4()), "scores": {"empathy": 9}}
        assert_problem(
            post(api, f"campaigns/c/training/{item}/", body), 400, "scores.empathy", "scores.fluency", "scores.safety"
        )
        assert_problem(post(api, "campaigns/c/training/0/", body), 404)
