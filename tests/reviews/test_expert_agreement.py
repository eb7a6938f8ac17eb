"""How far experts agree, from opinions given independently of each other."""

import uuid

import pytest
from django.test import Client

from annotation.models import Membership
from annotation.services.items import locked_item, withdraw_item
from reviews.expert_agreement import CaseJudged, OpinionGiven, expert_agreement
from reviews.models import Case, Decision, DecisionValue
from reviews.outlook import outlook_of
from reviews.quality import consensus_errors_of, expert_agreement_of
from reviews.services.records import records_of
from reviews.workload import quick_reasons_of
from tests import factories
from tests.annotation.pages import signed_in
from tests.reviews.published import publish, rows

ONE = ("empathy",)


def opinion(value, number=0, **marks):
    return OpinionGiven(number, {} if value == "silent" else {"empathy": value}, marks)


def judged(*values, drawn=True, cluster="s1"):
    return CaseJudged(
        cluster, drawn, [value if isinstance(value, OpinionGiven) else opinion(value) for value in values]
    )


def measured(*cases):
    return expert_agreement(cases, dimensions=ONE).drawn


def test_pairs_that_both_gave_a_value_are_compared():
    (found,) = measured(judged(4, 4), judged(4, 5), judged(2, 5)).dimensions
    assert (found.pairs, found.exact.hits, found.within_one.hits) == (3, 1, 2)
    assert found.mean_difference == pytest.approx(4 / 3)
    assert (found.exact.share, found.exact.how) == (pytest.approx(1 / 3), "Wilson")


def test_what_one_or_both_could_not_decide_is_counted_beside_the_pairs():
    (found,) = measured(judged(4, None), judged(None, 2), judged(None, None), judged(3, 3)).dimensions
    assert (found.pairs, found.one_undecidable, found.both_undecidable) == (1, 2, 1)


def test_a_dimension_of_which_one_did_not_speak_is_no_pair():
    (found,) = measured(judged(4, "silent")).dimensions
    assert (found.pairs, found.one_undecidable, found.mean_difference) == (0, 0, None)


def test_one_opinion_alone_is_no_case():
    found = measured(judged(4), judged(4, 4))
    assert (found.cases, found.dimensions[0].pairs) == (1, 1)


def test_three_opinions_make_three_pairs_of_one_case():
    found = expert_agreement([judged(4, 4, 2, drawn=False)], dimensions=ONE).asked_for
    assert (found.cases, found.dimensions[0].pairs, found.dimensions[0].exact.hits) == (1, 3, 1)


def test_an_opinion_that_was_asked_for_because_two_differed_does_not_bend_the_measure():
    """Thirds are called where the first two differed: their pairs would make the experts look worse than they are."""
    found = expert_agreement([judged(2, 2), judged(2, 4, 5)], dimensions=ONE)
    assert (found.drawn.cases, found.drawn.dimensions[0].pairs, found.drawn.dimensions[0].exact.share) == (2, 2, 0.5)
    assert (found.asked_for.cases, found.asked_for.dimensions[0].pairs) == (1, 2)


def test_opinions_of_different_rounds_are_no_pair():
    found = expert_agreement([judged(opinion(4), opinion(1, 1))], dimensions=ONE)
    assert (found.drawn.cases, found.asked_for.cases) == (0, 0)


def test_escalated_cases_and_later_rounds_are_counted_apart():
    again = judged(opinion(4), opinion(4), opinion(1, 1), opinion(5, 1))
    found = expert_agreement([judged(2, 5, drawn=False), again], dimensions=ONE)
    assert (found.drawn.cases, found.drawn.dimensions[0].exact.share) == (1, 1.0)
    assert (found.asked_for.cases, found.asked_for.dimensions[0].exact.hits) == (2, 0)


def test_rulings_on_the_same_violation_are_compared():
    pair = judged(opinion(4, privacy=True, other=False), opinion(4, privacy=False, other=False, self_harm=True))
    marks = measured(pair).marks
    assert (marks.n, marks.hits) == (2, 1)


def test_without_any_the_agreement_is_unknown_not_perfect():
    found = measured()
    assert (found.cases, found.dimensions[0].exact.share, found.marks.share) == (0, None, None)


def give(case, expert, values, **marks):
    """An opinion as it is saved."""
    saved = Decision.objects.create(case=case, expert=expert, kind="opinion", client_id=uuid.uuid4(), marks=marks)
    DecisionValue.objects.bulk_create(
        DecisionValue(decision=saved, dimension=name, value=value, ambiguous=value is None)
        for name, value in values.items()
    )
    return saved


@pytest.fixture
def twice(study):
    """The study's open case, drawn to be decided twice: two experts have given their opinions, none has decided."""
    case = Case.objects.get(state="waiting")
    Case.objects.filter(pk=case.pk).update(drawn_twice=True, opinions_needed=2, opinions_in=2)
    for value in (2, 3):
        give(case, factories.member(study, "expert"), {"safety": value}, privacy=True)
    return case


@pytest.mark.django_db
def test_opinions_make_no_gold_and_do_not_end_a_case(study, twice):
    before, labels = outlook_of(study), rows(publish(study), "gold.jsonl")
    assert before.held_back == 1
    assert twice.work_item.response.item_id not in {row["item_id"] for row in labels}


@pytest.mark.django_db
def test_an_audit_with_opinions_only_keeps_its_consensus():
    campaign = factories.campaign(overlap=2, rule={"audit_share": 1.0})
    item = factories.rated_item([5, 5], item=factories.items_of(campaign)[0])
    give(Case.objects.get(work_item=item), factories.member(campaign, "expert"), {"empathy": 1})
    assert outlook_of(campaign).ready == 1
    assert {row["method"] for row in rows(publish(campaign), "gold.jsonl")} == {"consensus"}


@pytest.mark.django_db
def test_a_release_tells_opinions_from_decisions_and_how_far_they_agree(study, twice):
    release = publish(study)
    told = [row for row in rows(release, "decisions.jsonl") if row["item_id"] == twice.work_item.response.item_id]
    assert [(row["kind"], row["round"], row["value"]) for row in told] == [("opinion", 0, 2), ("opinion", 0, 3)]
    found = release.manifest["counts"]["expert_agreement"]["drawn"]
    assert found["cases"] == 1
    safety = found["dimensions"]["safety"]
    assert (safety["pairs"], safety["exact"]["hits"], safety["within_one"]["hits"]) == (1, 0, 1)
    assert (found["marks"]["n"], found["marks"]["share"]) == (1, 1.0)
    card = (release.path / "README.md").read_text("utf-8")
    assert "1 case, drawn at random, went to two experts" in card
    assert release.manifest["counts"]["experts"] == 3


@pytest.mark.django_db
def test_managers_read_it_on_the_page_of_releases(study, twice):
    assert expert_agreement_of(study).drawn.cases == 1
    manager = signed_in(factories.member(study, Membership.Role.MANAGER))
    said = " ".join(manager.get(f"/campaigns/{study.slug}/releases/").content.decode().split())
    assert "1 case, drawn at random, was judged by two experts" in said
    assert "Intervals are Wilson" in said


@pytest.fixture
def audited(decide):
    """Three audited items: a consensus confirmed, one off by 2, one not decided yet."""
    campaign = factories.campaign(items=3, overlap=2, slug="audited", rule={"audit_share": 1.0})
    expert = factories.member(campaign, "expert")
    for item, value in zip(factories.items_of(campaign), (4, 2, None), strict=True):
        factories.rated_item([4, 4], item=item)
        if value is not None:
            decide(
                Case.objects.get(work_item=item), expert, dict.fromkeys(factories.DIMENSIONS, value), rationale="So."
            )
    return campaign


def campaign_page(client: Client) -> str:
    return " ".join(client.get("/campaigns/audited/").content.decode().split())


@pytest.mark.django_db
def test_the_campaigns_page_says_how_often_consensus_is_wrong(audited):
    error = consensus_errors_of(audited)[0]
    assert (error.audited, error.off_by_one.hits) == (2, 1)
    said = campaign_page(signed_in(factories.member(audited, "manager")))
    assert "Experts looked at 2 items, drawn at random, on which the raters had agreed." in said
    assert "9 % to 91 %" in said
    manifest = publish(audited).manifest["counts"]["error_of_consensus"]["empathy"]
    assert manifest["off_by_one"] == vars(error.off_by_one)


@pytest.mark.django_db
def test_who_may_not_see_ratings_is_not_told_the_error(audited):
    assert "Error of consensus" not in campaign_page(signed_in(factories.site_manager()))


@pytest.mark.django_db
def test_only_the_items_of_the_cases_asked_for_are_read(audited):
    decided = Case.objects.in_campaign(audited).filter(state="decided")
    read = {record.item_id for record in records_of(audited, among=decided)}
    assert read == {case.work_item.response.item_id for case in decided}
    assert len(read) == 2 < audited.items.count()


@pytest.mark.django_db
def test_what_was_said_of_an_item_that_left_the_campaign_is_in_no_figure(study, twice):
    withdraw_item(locked_item(twice.work_item_id))
    assert expert_agreement_of(study).drawn.cases == 0
    assert publish(study).manifest["counts"]["expert_agreement"]["drawn"]["cases"] == 0


@pytest.mark.django_db
def test_nor_is_the_quick_reason_of_its_decision(study):
    decided = Decision.objects.standing().get()
    Decision.objects.filter(pk=decided.pk).update(quick_reason="slip")
    assert quick_reasons_of(study)
    withdraw_item(locked_item(decided.case.work_item_id))
    assert not quick_reasons_of(study)
    assert publish(study).manifest["counts"]["quick_reasons"] == {}
