"""What a decided case teaches, without a script: the fold under it, the letter as its reader meets it, the versions."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Membership, Message, ReferenceAnswer
from annotation.services.campaigns import close_campaign
from annotation.services.people import change_membership
from annotation.services.ratings import withdraw_rating
from reviews.models import Case
from reviews.services.lessons import make_example
from reviews.services.letters import write_to_raters
from tests import factories
from tests.annotation.api import assert_problem, client_of
from tests.annotation.api import post as api_post
from tests.annotation.pages import signed_in
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db

FOLD = "What this case teaches"
WHY = "It hears her, and no more."


@pytest.fixture
def decided(case, expert, decide):
    decide(case, expert, {"empathy": 4}, rationale=WHY)
    return case


@pytest.fixture
def as_expert(client, expert):
    client.force_login(expert)
    return client


def annotation_page(client: Client, name, *arguments, **query):
    return client.get(reverse(f"annotation:{name}", args=arguments), query)


def body_of(response):
    return response.content.decode()


class TestTheFold:
    def test_stands_under_a_decided_case_alone(self, as_expert, case, expert, decide):
        assert FOLD not in body_of(page(as_expert, "case", case.pk))
        decide(case, expert, {"empathy": 4})
        assert FOLD in body_of(page(as_expert, "case", case.pk))

    def test_a_manager_has_it_too(self, decided):
        manager = factories.member(decided.campaign, "manager")
        assert FOLD in body_of(page(signed_in(manager), "case", decided.pk))

    def test_not_who_cannot_read_what_was_decided(self, decided):
        both = factories.member(decided.campaign, "expert")
        factories.member(decided.campaign, user=both)
        assert FOLD not in body_of(page(signed_in(both), "case", decided.pk))

    def test_what_stands_in_the_example_s_form_is_the_case(self, as_expert, decided):
        body = body_of(page(as_expert, "case", decided.pk))
        assert decided.work_item.response.text in body
        assert '<option value="empathy" selected>Empathy · 4</option>' in body
        assert f">{WHY}</textarea>" in body

    def test_a_closed_campaign_still_lets_one_write(self, as_expert, decided):
        close_campaign(campaign=decided.campaign)
        body = body_of(page(as_expert, "case", decided.pk))
        assert "Write to its raters" in body
        assert "Add it to the guideline" not in body
        assert "Make it a training item" not in body

    def test_an_item_that_wants_raters_again_teaches_later(self, as_expert, decided):
        withdraw_rating(rating_id=decided.work_item.ratings.get(rank=1).pk)
        body = body_of(page(as_expert, "case", decided.pk))
        assert "once its item is settled again" in body
        assert "Add it to the guideline" not in body


class TestTheLetter:
    def test_it_is_sent_and_the_page_says_to_how_many(self, as_expert, decided):
        response = post(as_expert, "write_to_raters", decided.pk, text="Look again.\r\nAt the end.")
        body = body_of(as_expert.get(response["Location"]))
        assert "Sent to 3 raters, to each by themselves." in body
        assert Message.objects.first().text == "Look again.\nAt the end."

    def test_without_words_the_form_comes_back_open_and_says_so(self, as_expert, decided):
        response = post(as_expert, "write_to_raters", decided.pk, text=" ")
        assert response.status_code == 400
        assert '<details class="context lessons" open>' in body_of(response)
        assert "Write something first." in body_of(response)

    def test_where_nobody_is_left_that_is_said(self, as_expert, decided):
        for membership in Membership.objects.filter(campaign=decided.campaign, role="annotator"):
            change_membership(membership=membership, state=Membership.State.REMOVED)
        body = body_of(post(as_expert, "write_to_raters", decided.pk, text="Look again."))
        assert "None of its raters is here to read a letter." in body
        assert ">Look again.</textarea>" in body

    def test_the_rater_reads_it_at_home_without_a_name(self, decided, expert):
        write_to_raters(case_id=decided.pk, by=expert, text="Look again.")
        rater = decided.work_item.ratings.get(rank=1).annotator
        body = body_of(annotation_page(signed_in(rater), "home"))
        for said in ("An expert", "on a decided case of", "Look again.", WHY, "See it among my ratings"):
            assert said in body
        assert str(expert) not in body
        assert '<td class="number">4</td>' in body  # decided
        assert '<td class="number">1</td>' in body  # theirs

    def test_its_link_leads_to_that_rating_alone(self, decided, expert):
        rating = decided.work_item.ratings.get(rank=1)
        other = factories.rating(factories.items_of(factories.campaign())[0], 5)
        write_to_raters(case_id=decided.pk, by=expert, text="Look again.")
        client = signed_in(rating.annotator)
        query = {"assignment": rating.assignment_id}
        body = body_of(annotation_page(client, "mine", decided.campaign.slug, **query))
        assert "Show all" in body
        assert "you have seen since what others say of it" in body or "an expert has taken it" in body
        query = {"assignment": other.assignment_id}
        assert "Nothing found" in body_of(annotation_page(client, "mine", decided.campaign.slug, **query))

    def test_managers_see_in_the_thread_who_wrote_and_as_what(self, decided, expert):
        write_to_raters(case_id=decided.pk, by=expert, text="Look again.")
        rater = decided.work_item.ratings.get(rank=1).annotator
        manager = factories.member(decided.campaign, "manager")
        body = body_of(annotation_page(signed_in(manager), "thread", decided.campaign.slug, rater.pk))
        for said in (str(expert), "as an expert, to a rater of a decided case", "Look again.", "their rating"):
            assert said in body
        assert "See it among my ratings" not in body
        assert "Look again." in body_of(annotation_page(signed_in(manager), "messages", decided.campaign.slug))

    def test_a_manager_s_own_letter_has_their_name(self, decided):
        manager = factories.member(decided.campaign, "manager", user=factories.person("mira"))
        write_to_raters(case_id=decided.pk, by=manager, text="Look again.")
        rater = decided.work_item.ratings.get(rank=1).annotator
        assert "mira" in body_of(annotation_page(signed_in(rater), "home"))


class TestTheTrainingItem:
    def test_it_is_made_and_the_page_says_so(self, as_expert, decided):
        response = post(as_expert, "make_training_item", decided.pk)
        body = body_of(as_expert.get(response["Location"]))
        assert "This case is a training item now" in body
        assert "It is a training item." in body
        assert ReferenceAnswer.objects.get().scores["empathy"] == 4

    def test_a_level_that_nobody_settled_on_is_asked_for(self, decide):
        item = factories.rated_item([{"empathy": 1}, {"fluency": 4}])
        case = Case.objects.get(work_item=item)
        expert = factories.member(case.campaign, "expert")
        client = signed_in(expert)
        decide(case, expert, {"empathy": 4})
        assert "Level to be learned: Fluency" in body_of(page(client, "case", case.pk))
        refused = post(client, "make_training_item", case.pk)
        assert refused.status_code == 400
        assert "give the one that is to be learned" in body_of(refused)
        post(client, "make_training_item", case.pk, **{"level.fluency": "4"})
        assert ReferenceAnswer.objects.get().scores == {"empathy": 4, "fluency": 4, "safety": 5}

    def test_a_refusal_is_shown_in_its_own_words(self, as_expert, decided, expert):
        make_example(case_id=decided.pk, by=expert)
        response = post(as_expert, "make_training_item", decided.pk)
        assert response.status_code == 409
        assert "stands in the guideline as an example" in body_of(response)


class TestTheExample:
    def test_one_click_makes_it(self, as_expert, decided):
        body = body_of(page(as_expert, "case", decided.pk))
        assert "Add it to the guideline" in body
        fields = {"passage": decided.work_item.response.text, "dimension": "empathy", "why.en": WHY, "why.zh-Hans": ""}
        response = post(as_expert, "make_example", decided.pk, **fields)
        assert "version 2 is in use from now on" in body_of(as_expert.get(response["Location"]))
        again = post(as_expert, "make_example", decided.pk, **fields)
        assert "stands in the guideline already, in version 2" in body_of(as_expert.get(again["Location"]))

    def test_what_was_sent_stays_in_the_form_that_is_refused(self, as_expert, decided):
        fields = {"passage": "Never said.", "dimension": "empathy", "why.en": "", "why.zh-Hans": "因为。"}
        response = post(as_expert, "make_example", decided.pk, **fields)
        body = body_of(response)
        assert response.status_code == 400
        assert ">Never said.</textarea>" in body
        assert ">因为。</textarea>" in body
        assert "This does not stand in the response" in body

    def test_the_guideline_and_the_help_show_it(self, decided, expert):
        make_example(case_id=decided.pk, by=expert)
        rater = factories.member(decided.campaign)
        guideline = body_of(annotation_page(signed_in(rater), "guideline", decided.campaign.slug))
        assert decided.work_item.response.text in guideline
        assert WHY in guideline
        assert "Empathy · 4" in guideline

    def test_a_rater_is_told_of_their_own_ratings_on_each_version_and_of_no_others(self, decided, expert):
        make_example(case_id=decided.pk, by=expert)
        rater = decided.work_item.ratings.get(rank=1).annotator
        body = body_of(annotation_page(signed_in(rater), "guideline", decided.campaign.slug))
        assert "1 rating of yours stands on it" in body
        assert "counted ratings" not in body

    def test_the_manager_s_page_says_which_ratings_stand_on_which_version(self, decided, expert):
        make_example(case_id=decided.pk, by=expert)
        manager = factories.member(decided.campaign, "manager")
        body = body_of(annotation_page(signed_in(manager), "campaign", decided.campaign.slug))
        for said in ("Version 1", "Version 2", "3 counted ratings stand on it", "0 counted ratings", "New example:"):
            assert said in body

    def test_a_voice_on_an_older_version_is_marked(self, as_expert, decided, expert):
        assert "of the guideline" not in body_of(page(as_expert, "case", decided.pk)).split(FOLD)[0]
        make_example(case_id=decided.pk, by=expert)
        assert body_of(page(as_expert, "case", decided.pk)).count("rated on version 1 of the guideline") == 3


class TestByApi:
    @pytest.fixture
    def api(self, expert):
        return client_of(expert)

    def test_a_letter(self, api, decided):
        answer = api_post(api, f"cases/{decided.pk}/letter/", {"text": "Look again."})
        assert (answer.status_code, answer.json()) == (201, {"raters": 3})
        assert_problem(api_post(api, f"cases/{decided.pk}/letter/", {}), 400, "text")

    def test_a_training_item(self, api, decided):
        answer = api_post(api, f"cases/{decided.pk}/training-item/", {})
        assert answer.status_code == 201
        assert answer.json()["scores"] == {"empathy": 4, "fluency": 5, "safety": 5}
        assert answer.json()["reasons"] == {"empathy": WHY}
        wrong = api_post(api, f"cases/{decided.pk}/training-item/", {"levels": {"empathy": 1}})
        assert_problem(wrong, 400, "levels.empathy")

    def test_an_example(self, api, decided):
        answer = api_post(api, f"cases/{decided.pk}/example/", {})
        decided.campaign.refresh_from_db()
        assert answer.status_code == 201
        assert answer.json() == {"rubric": decided.campaign.rubric.hash, "version": 2}
        assert api_post(api, f"cases/{decided.pk}/example/", {}).status_code == 200
        assert_problem(api_post(api, f"cases/{decided.pk}/example/", {"passage": "Never said."}), 400, "text")

    def test_of_what_is_not_decided_nothing(self, api, case):
        for verb in ("letter", "training-item", "example"):
            assert_problem(api_post(api, f"cases/{case.pk}/{verb}/", {"text": "Look."}), 409)
