"""One rater's page: numbers that can be checked by hand, nobody else's name, and what a manager may do."""

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Membership
from annotation.services.people import change_membership
from annotation.services.ratings import withdraw_rating
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.rater_page import measured_of, standing_sentence
from reviews.rater_profile import given_by, most_apart, rater_of, totals_of, with_items
from reviews.services.agreement import compute_agreement
from tests import factories as f
from tests.annotation.pages import signed_in
from tests.annotation.training import attempt_made, campaign_with_training, membership_of
from tests.reviews.pages import page, post
from tests.reviews.rater_pages import at, shown, study_made
from tests.reviews.withdrawing import withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return study_made()


def test_where_they_differ_most_is_their_value_less_the_mean_of_the_others(study):
    found = most_apart(study.campaign, study.anna)
    assert [(one.item, one.dimension, one.own, one.mean, one.difference) for one in found] == [
        (study.items[0].pk, "empathy", 1, 4.5, -3.5),
        (study.items[2].pk, "empathy", 5, 3.5, 1.5),
    ]
    assert [list(one.others) for one in with_items(study.campaign, study.anna, found)] == [[4, 5], [2, 5]]


def test_others_are_those_that_agreement_reads(study):
    """Not a rating that was withdrawn, nor one that disagreement called, nor one that passes the overlap."""
    withdraw_rating(rating_id=study.items[0].ratings.get(annotator=study.chen).pk)
    study.items[2].ratings.filter(annotator=study.bo).update(is_extra=True)
    found = {one.item: one for one in most_apart(study.campaign, study.anna)}
    assert found[study.items[0].pk].mean == 4
    assert found[study.items[2].pk].mean == 2
    study.campaign.overlap = 2
    beyond = study.items[1].ratings.get(annotator=study.chen)
    beyond.scores.filter(dimension="empathy").update(value=1)
    assert study.items[1].pk not in {one.item for one in most_apart(study.campaign, study.anna)}
    study.campaign.overlap = 3
    assert study.items[1].pk in {one.item for one in most_apart(study.campaign, study.anna)}


def test_what_was_given_stands_beside_what_others_gave_on_the_same_items(study):
    f.rating(study.items[3], {"empathy": 1}, user=study.bo)  # she has not rated this one
    given = {one.dimension: one for one in given_by(study.campaign, study.anna)}
    assert given["empathy"].own == {1: 1, 3: 1, 5: 1}
    assert given["empathy"].others == {2: 1, 3: 2, 4: 1, 5: 2}
    assert given["fluency"].own == {5: 3}
    assert given["fluency"].others == {5: 6}


def test_the_totals_are_counted_by_hand(study):
    for seconds, item in zip((10, 40, 20), study.items, strict=False):
        item.ratings.filter(annotator=study.anna).update(seconds=seconds)
    totals = totals_of(study.campaign, study.anna)
    assert (totals.counted, totals.surplus, totals.withdrawn, totals.median_seconds) == (3, 0, 0, 20)
    withdraw_rating(rating_id=study.items[2].ratings.get(annotator=study.anna).pk)
    totals = totals_of(study.campaign, study.anna)
    assert (totals.counted, totals.withdrawn, totals.median_seconds) == (2, 1, 25)
    assert (totals.checks, totals.hits) == (0, 0)


def report(study, **more):
    """One in which Anna is severe on empathy."""
    detail = {
        "rater": rater_codes(study.campaign)[study.anna.pk],
        "n": 3,
        "severity": {"value": 0.8, "ci_low": 0.5, "ci_high": 1.1, "reason": None},
        "drift": -0.2,
        "modal_share": 0.4,
        "longest_run": 2,
        "alpha_without": 0.71,
        "reasons": {},
    }
    other = {**detail, "rater": rater_codes(study.campaign)[study.bo.pk], "alpha_without": 0.33}
    return {"dimensions": {"empathy": {"raters_detail": [other, {**detail, **more}]}}}


def kept(study, result):
    return AgreementReport.objects.create(
        campaign=study.campaign,
        parameters={},
        data_version="d" * 64,
        code_version="0",
        seed=1,
        result=result,
        fingerprint="f" * 64,
    )


def test_it_says_what_the_latest_report_says_of_them(study):
    kept(study, report(study))
    said = shown(study)
    assert "anna rates .8 levels lower than the others on Empathy." in said
    assert "look here" in said
    assert ".71" in said
    assert ".33" not in said
    assert "−.20" in said


def test_fields_that_a_report_lacks_are_left_out(study):
    bare = {"rater": rater_codes(study.campaign)[study.anna.pk]}
    assert [one.name for one in measured_of({"empathy": bare}, study.campaign)] == ["Empathy"]
    kept(study, {"dimensions": {"empathy": {"raters_detail": [bare]}, "fluency": {"raters_detail": None}}})
    assert "rates no dimension half a level or more apart" in shown(study)


def test_without_a_report_it_says_so(study):
    assert "no agreement has been computed" in shown(study)
    assert "has no rating here that stands" in shown(study, f.member(study.campaign))


def test_a_real_report_is_read(study):
    compute_agreement(campaign=study.campaign)
    assert "From the report of" in shown(study)


def test_a_report_from_before_a_withdrawal_is_said_to_be_old(study):
    compute_agreement(campaign=study.campaign)
    assert "compute it again" not in shown(study)
    withdraw(study.campaign, study.anna)
    assert "were withdrawn or brought back since: compute it again" in shown(study)


def test_nobody_else_is_named(study):
    said = shown(study)
    assert "anna" in said
    for other in (study.bo, study.chen):
        assert other.username not in said
    assert "2, 5" in said


def test_it_is_for_the_campaigns_managers_alone(study):
    withdrawal = withdraw(study.campaign, study.anna)
    for role in ("annotator", "expert"):
        web = signed_in(f.member(study.campaign, role))
        assert page(web, "rater", "study", study.anna.pk).status_code == 403
        for name in ("rater_state", "retrain_rater", "withdraw_ratings"):
            assert post(web, name, "study", study.anna.pk).status_code == 403
        for name in ("revert_withdrawal", "resume_withdrawal"):
            assert post(web, name, "study", study.anna.pk, withdrawal.pk).status_code == 403
    assert page(signed_in(study.anna), "rater", "study", study.anna.pk).status_code == 403
    assert page(signed_in(f.site_manager()), "rater", "study", study.anna.pk).status_code == 403
    other = f.member(f.campaign(slug="other"), "manager")
    assert page(signed_in(other), "rater", "study", study.anna.pk).status_code == 404


def test_only_who_rates_or_has_rated_here_has_a_page(study):
    assert page(study.web, "rater", "study", f.person().pk).status_code == 404
    assert page(study.web, "rater", "study", f.member(study.campaign, "expert").pk).status_code == 404
    assert page(study.web, "rater", "study", 10**9).status_code == 404
    change_membership(membership=membership_of(study.campaign, study.anna), state="removed")
    assert rater_of(study.campaign, study.anna.pk) == study.anna
    assert "Pause them" not in shown(study)


def test_who_judges_cases_too_is_not_shown_what_each_gave_by_name(study):
    f.member(study.campaign, "expert", user=study.manager)
    said = shown(study)
    assert "You judge cases here too" in said
    assert "2, 5" not in said


def test_it_takes_as_many_queries_of_much_as_of_little():
    def queries(n):
        campaign = f.campaign(items=n, overlap=2)
        anna, bo, manager = f.member(campaign), f.member(campaign), f.member(campaign, "manager")
        for item in f.items_of(campaign):
            f.rating(item, {"empathy": 1}, user=anna)
            f.rating(item, 5, user=bo)
        web, url = signed_in(manager), reverse("reviews:rater", args=[campaign.slug, anna.pk])
        web.get(url)
        with CaptureQueriesContext(connection) as captured:
            assert web.get(url).status_code == 200
        return len(captured)

    assert queries(2) == queries(12) <= 50


def test_the_list_is_paged(study):
    campaign = f.campaign(slug="long", items=26, overlap=2)
    anna, bo = f.member(campaign), f.member(campaign)
    for item in f.items_of(campaign):
        f.rating(item, {"empathy": 1}, user=anna)
        f.rating(item, 5, user=bo)
    web = signed_in(f.member(campaign, "manager"))
    assert page(web, "rater", "long", anna.pk).content.decode().count("Empathy</td>") == 25
    assert page(web, "rater", "long", anna.pk, page=2).content.decode().count("Empathy</td>") == 1


def test_the_people_and_the_agreement_page_lead_there(study):
    url = reverse("reviews:rater", args=["study", study.anna.pk])
    assert url in study.web.get(reverse("annotation:people", args=["study"])).content.decode()
    compute_agreement(campaign=study.campaign)
    assert url in page(study.web, "agreement", "study").content.decode()
    site = signed_in(f.site_manager())
    assert url not in site.get(reverse("annotation:people", args=["study"])).content.decode()


def test_they_are_paused_and_go_on(study):
    held = f.lease(study.items[3], study.anna)
    at(study, "rater_state", state="paused")
    held.refresh_from_db()
    assert (membership_of(study.campaign, study.anna).state, held.state) == ("paused", "withdrawn")
    assert "Let them go on" in shown(study)
    at(study, "rater_state", state="active")
    assert membership_of(study.campaign, study.anna).state == "active"
    assert at(study, "rater_state", state="removed").status_code == 400
    assert study.campaign.events.filter(kind="member paused", by=study.manager).exists()


def test_one_who_was_removed_is_not_brought_back_from_here(study):
    change_membership(membership=membership_of(study.campaign, study.anna), state="removed")
    at(study, "rater_state", state="active")
    assert Membership.objects.get(user=study.anna).state == "removed"


def test_without_a_training_round_it_says_so_and_offers_no_button(study):
    said = shown(study)
    assert "no training round" in said
    assert reverse("reviews:retrain_rater", args=["study", study.anna.pk]) not in said
    answer = at(study, "retrain_rater")
    assert [str(one) for one in get_messages(answer.wsgi_request)] == ["This campaign has no training round."]


def test_they_are_trained_again():
    campaign = campaign_with_training(slug="study")
    anna, manager = f.member(campaign), f.member(campaign, "manager")
    attempt_made(campaign, anna, 4)
    web = signed_in(manager)
    assert "Train them again" in page(web, "rater", "study", anna.pk).content.decode()
    post(web, "retrain_rater", "study", anna.pk)
    assert membership_of(campaign, anna).qualified_at is None
    said = page(web, "rater", "study", anna.pk).content.decode()
    assert "training to pass" in said
    assert "Train them again" not in said


def test_the_sentence_names_every_dimension_that_stands_out(study):
    far = {"value": -0.6, "ci_low": -0.9, "ci_high": -0.2, "reason": None}
    details = {key: {"rater": "x", "severity": far} for key in ("empathy", "safety")}
    found = measured_of(details, study.campaign)
    said = standing_sentence(study.anna, totals_of(study.campaign, study.anna), found, AgreementReport())
    assert said == "anna rates .6 levels higher than the others on Empathy, .6 levels higher than the others on Safety."


def test_the_sentence_says_where_they_gave_one_level_in_long_runs(study):
    near = {"value": 0.0, "ci_low": -0.1, "ci_high": 0.1, "reason": None}
    details = {
        key: {"rater": "x", "severity": near, "straight_lining": flags}
        for key, flags in (("empathy", ["modal_share", "run"]), ("safety", ["modal_share"]))
    }
    found = measured_of(details, study.campaign)
    said = standing_sentence(study.anna, totals_of(study.campaign, study.anna), found, AgreementReport())
    assert said.endswith("They gave one level in long runs while the others did not: Empathy.")
