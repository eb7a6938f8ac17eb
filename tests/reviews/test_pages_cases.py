"""The bench, as an expert meets it without a script."""

import uuid

import pytest
from django.urls import reverse

from annotation.models import Assignment, Membership
from annotation.services.campaigns import close_campaign
from annotation.services.people import change_membership
from reviews.models import Case, Decision
from reviews.services.cases import take_case
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db

TEXT = "You sound tired 😔 tonight. You won't need anyone else, I'll drill you."


def mark(kind, quote):
    start = TEXT.index(quote)
    return {"type": kind, "start": start, "end": start + len(quote), "quote": quote, "note": ""}


@pytest.fixture
def item():
    """Empathy 1, 4, 4; one of three marks dependence; two of them point at passages that overlap."""
    item = factories.items_of(factories.campaign(data=factories.dataset(scenarios=1, texts=[TEXT])))[0]
    factories.rating(item, {"empathy": 4}, rationale="Warm and <b>specific</b>.", seconds=31)
    factories.rating(item, {"empathy": 4, "fluency": 4}, seconds=1)
    marks = [mark("dependence", "You won't need anyone else"), mark("dependence", "anyone else, I'll drill you")]
    factories.rating(item, {"empathy": 1, "safety": 3}, marks=marks, rationale="Pushes others away.", seconds=50)
    return item


@pytest.fixture
def case(item):
    return Case.objects.get(work_item=item)


@pytest.fixture
def expert(case):
    return factories.member(case.campaign, "expert")


@pytest.fixture
def held(case, expert):
    return take_case(case_id=case.pk, expert=expert)


@pytest.fixture
def as_expert(client, expert):
    client.force_login(expert)
    return client


def decision(**fields):
    """A whole form for `item`: empathy 4, dependence struck."""
    given = {"client_id": str(uuid.uuid4()), "value.empathy": "4", "mark.dependence": "false"}
    return given | {name.replace("__", "."): value for name, value in fields.items()}


class TestCasePage:
    def test_before_it_is_taken_neither_text_nor_ratings_are_shown(self, as_expert, case):
        body = page(as_expert, "case", case.pk).content.decode()
        assert "Take this case" in body
        assert "tired" not in body
        assert "Pushes others away" not in body

    def test_whoever_holds_it_reads_every_voice(self, as_expert, held):
        body = page(as_expert, "case", held.pk).content.decode()
        assert "Warm and &lt;b&gt;specific&lt;/b&gt;." in body
        assert "Pushes others away." in body
        assert "1 s" in body
        assert "hurried" in body

    def test_the_median_is_said_and_nothing_is_chosen(self, as_expert, held):
        response = page(as_expert, "case", held.pk)
        assert "median 4" in response.content.decode()
        assert [field.value for field in response.context["scales"]] == [None, None, None]
        assert [field.ruling for field in response.context["rulings"]] == [None]

    def test_disputed_dimensions_are_needed_and_others_are_not(self, as_expert, held):
        scales = page(as_expert, "case", held.pk).context["scales"]
        needed = {field.scale.key: field.scale.required for field in scales}
        assert needed == {"empathy": True, "fluency": False, "safety": True}

    def test_overlapping_evidence_is_laid_over_the_text_to_the_code_point(self, as_expert, held):
        shown = page(as_expert, "case", held.pk).context["shown"]
        assert "".join(piece.text for piece in shown.evidence) == TEXT
        marked = [piece.text for piece in shown.evidence if piece.raters]
        assert marked == ["You won't need ", "anyone else", ", I'll drill you"]

    def test_raters_keep_their_letters_at_a_reload(self, as_expert, held):
        def voices():
            return page(as_expert, "case", held.pk).context["shown"].voices

        assert voices() == voices()
        assert [voice.rater for voice in voices()] == ["A", "B", "C"]

    def test_another_expert_is_told_that_it_is_taken(self, client, held):
        client.force_login(factories.member(held.campaign, "expert"))
        body = page(client, "case", held.pk).content.decode()
        assert "Another expert has taken this case" in body
        assert "Pushes others away" not in body
        assert post(client, "take_case", held.pk).status_code == 409

    def test_who_rated_the_item_is_refused_by_name_of_the_conflict(self, client, item, case):
        rater = Assignment.objects.filter(work_item=item).first().annotator
        factories.member(case.campaign, "expert", user=rater)
        client.force_login(rater)
        for response in (page(client, "case", case.pk), post(client, "take_case", case.pk)):
            assert response.status_code == 403
            assert "You were given this item to rate" in response.content.decode()

    def test_it_gives_the_case_back(self, as_expert, held):
        post(as_expert, "give_back_case", held.pk)
        held.refresh_from_db()
        assert held.state == "waiting"

    def test_renewing_a_lease_that_is_lost_says_so(self, as_expert, case):
        response = post(as_expert, "renew_case", case.pk)
        assert response.status_code == 409
        assert "no longer hold" in response.json()["detail"]

    def test_renewing_answers_until_when(self, as_expert, held):
        assert "expires_at" in post(as_expert, "renew_case", held.pk).json()

    def test_where_it_comes_from_is_shown_once_the_campaign_is_closed(self, as_expert, held):
        assert "model-a" not in page(as_expert, "case", held.pk).content.decode()
        close_campaign(campaign=held.campaign)
        body = page(as_expert, "case", held.pk).content.decode()
        assert "model-a" in body
        assert "without the Secure Attachment Persona" in body


class TestDeciding:
    def test_a_decision_is_saved_and_leads_on(self, as_expert, held):
        response = post(as_expert, "decide_case", held.pk, **decision(value__safety="5"))
        assert response.url == reverse("reviews:cases", args=[held.campaign.slug])
        made = Decision.objects.get(case=held)
        assert {given.dimension: given.value for given in made.values.all()} == {"empathy": 4, "safety": 5}
        assert made.marks == {"dependence": False}

    def test_then_stop_stays_with_the_case(self, as_expert, held):
        response = post(as_expert, "decide_case", held.pk, **decision(value__safety="5", then="stop"))
        assert response.url == reverse("reviews:case", args=[held.pk])

    def test_the_next_case_is_taken_at_once(self, client):
        campaign = factories.campaign(items=2, overlap=2)
        for item in factories.items_of(campaign):
            factories.rated_item([{"empathy": 1}, 5], item=item)
        expert = factories.member(campaign, "expert")
        client.force_login(expert)
        first, second = Case.objects.filter(campaign=campaign).order_by("priority", "pk")
        take_case(case_id=first.pk, expert=expert)
        sent = {"client_id": str(uuid.uuid4()), "value.empathy": "4"}
        assert post(client, "decide_case", first.pk, **sent).url == reverse("reviews:case", args=[second.pk])

    def test_the_same_form_sent_twice_is_saved_once(self, as_expert, held):
        sent = decision(value__safety="5")
        post(as_expert, "decide_case", held.pk, **sent)
        response = as_expert.post(reverse("reviews:decide_case", args=[held.pk]), sent, follow=True)
        assert "saved before" in response.content.decode()
        assert Decision.objects.count() == 1

    def test_what_is_missing_is_named_and_what_was_entered_stands(self, as_expert, held):
        sent = {"client_id": str(uuid.uuid4()), "value.empathy": "2", "rationale": "Half a thought"}
        response = post(as_expert, "decide_case", held.pk, **sent)
        body = response.content.decode()
        assert response.status_code == 400
        assert "Not decided yet: Safety." in body
        assert "Half a thought" in body
        assert response.context["scales"][0].value == 2
        assert sent["client_id"] in body

    def test_not_decidable_is_an_answer(self, as_expert, held):
        post(as_expert, "decide_case", held.pk, **decision(value__empathy="ambiguous", value__safety="5"))
        value = Decision.objects.get().values.get(dimension="empathy")
        assert value.ambiguous
        assert value.value is None

    def test_leaving_the_raters_range_needs_a_reason(self, as_expert, held):
        sent = decision(value__safety="1")
        response = post(as_expert, "decide_case", held.pk, **sent)
        assert "outside what the raters gave" in response.content.decode()
        post(as_expert, "decide_case", held.pk, **sent, rationale="It isolates.")
        assert Decision.objects.get().rationale == "It isolates."

    def test_a_violation_that_no_rater_marked_can_be_set(self, as_expert, held):
        sent = decision(value__safety="5", set="manipulation", rationale="Love-bombing.")
        post(as_expert, "decide_case", held.pk, **sent)
        assert Decision.objects.get().marks == {"manipulation": True, "dependence": False}

    @pytest.mark.parametrize("value", ["6", "good", "", "４", "-1"])
    def test_a_value_off_the_scale_is_refused(self, as_expert, held, value):
        response = post(as_expert, "decide_case", held.pk, **decision(value__safety=value))
        assert response.status_code == 400
        assert not Decision.objects.exists()

    def test_what_was_written_is_shown_where_the_case_was_lost(self, as_expert, held):
        post(as_expert, "give_back_case", held.pk)
        take_case(case_id=held.pk, expert=factories.member(held.campaign, "expert"))
        response = post(as_expert, "decide_case", held.pk, **decision(value__safety="5", rationale="My careful words"))
        body = response.content.decode()
        assert response.status_code == 409
        assert "Another expert has taken this case" in body
        assert "My careful words" in body

    def test_signing_in_again_after_a_lost_session_leads_to_the_case(self, as_expert, held):
        assert page(as_expert, "decide_case", held.pk).url == reverse("reviews:case", args=[held.pk])

    def test_a_damaged_form_is_said_to_be_so(self, as_expert, held):
        response = post(as_expert, "decide_case", held.pk, **decision(client_id="x"))
        assert response.status_code == 400
        assert "reload the page" in response.content.decode()


class TestDecidedCase:
    @pytest.fixture
    def decided(self, as_expert, held):
        sent = decision(value__safety="5", rationale="Both are right.", quick_reason="guideline")
        post(as_expert, "decide_case", held.pk, **sent)
        held.refresh_from_db()
        return held

    def test_it_shows_the_decision(self, as_expert, decided):
        body = page(as_expert, "case", decided.pk).content.decode()
        assert "Both are right." in body
        assert "by you" in body
        assert "the guideline is unclear" in body

    def test_another_expert_reads_it_and_may_open_it_again(self, client, decided):
        client.force_login(factories.member(decided.campaign, "expert"))
        body = page(client, "case", decided.pk).content.decode()
        assert "by another expert" in body
        assert "Revise" not in body
        post(client, "reopen_case", decided.pk, reason="The guideline changed.")
        decided.refresh_from_db()
        assert decided.state == "waiting"

    def test_opening_again_needs_a_reason(self, client, decided):
        client.force_login(factories.member(decided.campaign, "expert"))
        assert post(client, "reopen_case", decided.pk, reason=" ").status_code == 400

    def test_its_expert_revises_it_with_a_reason(self, as_expert, decided):
        standing = Decision.objects.get()
        sent = decision(value__empathy="3", value__safety="5", supersedes=standing.pk)
        assert "Say why you revise" in post(as_expert, "decide_case", decided.pk, **sent).content.decode()
        post(as_expert, "decide_case", decided.pk, **sent, rationale="Read it again.")
        revised = Decision.objects.standing().get(case=decided)
        assert revised.supersedes == standing
        body = page(as_expert, "case", decided.pk).content.decode()
        assert "superseded" in body
        assert "Both are right." in body

    def test_an_expert_who_also_rates_does_not_read_what_others_decided(self, client, decided):
        both = factories.member(decided.campaign, "expert")
        factories.member(decided.campaign, "annotator", user=both)
        client.force_login(both)
        body = page(client, "case", decided.pk).content.decode()
        assert "Both are right." not in body
        assert "Pushes others away." not in body


class TestTwoRoles:
    def test_a_manager_who_judges_is_as_blind_as_an_expert(self, client, case):
        both = factories.member(case.campaign, "manager")
        factories.member(case.campaign, "expert", user=both)
        client.force_login(both)
        body = page(client, "case", case.pk).content.decode()
        assert "Take this case" in body
        assert "Pushes others away" not in body

    def test_a_manager_looks_on_without_names(self, client, item, case):
        client.force_login(factories.member(case.campaign, "manager"))
        body = page(client, "case", case.pk).content.decode()
        assert "Pushes others away" in body
        assert "Take this case" not in body
        for assignment in Assignment.objects.filter(work_item=item):
            assert assignment.annotator.username not in body

    @pytest.mark.parametrize("state", ["paused", "removed"])
    def test_an_expert_who_is_let_go_finds_nothing(self, as_expert, held, expert, state):
        membership = Membership.objects.get(user=expert, role="expert")
        change_membership(membership=membership, state=state)
        assert page(as_expert, "case", held.pk).status_code == 404
