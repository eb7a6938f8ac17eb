"""What one rater gave from a date on is taken out, exactly that, and comes back as it was where it can."""

import pytest
import time_machine

from annotation.errors import EditClosed, MoveRefused
from annotation.models import CampaignEvent, Message, Rating, WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.items import bar_from_item
from annotation.services.people import change_membership
from annotation.services.ratings import withdraw_rating
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.errors import WithdrawalInvalid
from reviews.models import Case, RatingWithdrawal
from reviews.services.base_ratings import frame_of
from reviews.services.withdrawal_preview import preview_of
from reviews.services.withdrawals import ask_revert, ask_withdrawal, report_of, take_out
from tests import factories
from tests.annotation.training import membership_of
from tests.invariants import breaches
from tests.reviews.published import publish, rows
from tests.reviews.withdrawing import day, far, rate_on, revert, statuses, withdraw

pytestmark = pytest.mark.django_db


def states(campaign):
    return [item.state for item in factories.items_of(campaign)]


def test_exactly_what_is_from_the_date_on_is_taken_out(campaign, anna, rated):
    done = withdraw(campaign, anna, day(3))
    assert statuses(anna) == ["counted", "counted", "withdrawn", "withdrawn"]
    assert Rating.objects.counted().exclude(annotator=anna).count() == 4
    assert states(campaign) == ["settled", "settled", "open", "open"]
    assert [row.rating_id for row in done.rows.order_by("pk")] == [rated[2].pk, rated[3].pk]
    assert report_of(done.pk) == {"withdrawal": done.pk, "ratings": 2, "counted": 2, "surplus": 0, "wanting": 2}
    assert done.finished_at is not None
    assert breaches(campaign) == []


def test_another_campaigns_ratings_of_theirs_stay(campaign, anna, rated):
    elsewhere = factories.campaign(overlap=1)
    factories.member(elsewhere, user=anna)
    other = factories.rating(factories.items_of(elsewhere)[0], user=anna)
    withdraw(campaign, anna, day(1))
    other.refresh_from_db()
    assert other.status == "counted"


def test_an_edit_counts_by_the_time_it_was_made(campaign, anna, rated):
    with time_machine.travel(day(6), tick=False):
        edited = factories.edit(rated[0], 4)
    withdraw(campaign, anna, day(5))
    edited.refresh_from_db()
    assert edited.status == "withdrawn"
    assert statuses(anna) == ["superseded", "counted", "counted", "counted", "withdrawn"]


def test_agreement_and_gold_no_longer_see_it_and_releases_made_before_stay(campaign, anna, rated):
    before = publish(campaign)
    manifest, frame = before.manifest, frame_of(campaign)
    withdraw(campaign, anna, day(3))
    assert (len(frame), len(frame_of(campaign))) == (8 * 3, 6 * 3)
    after = publish(campaign)
    assert {row["item_id"] for row in rows(before, "gold.jsonl")} > {
        row["item_id"] for row in rows(after, "gold.jsonl")
    }
    assert [row["status"] for row in rows(before, "ratings.jsonl")].count("withdrawn") == 0
    written = rows(after, "ratings.jsonl")
    withdrawn = {row["item_id"] for row in written if row["status"] == "withdrawn"}
    assert len(withdrawn) == 2
    assert len(written) == len(rows(before, "ratings.jsonl")), "history is kept"
    before.refresh_from_db()
    assert before.manifest == manifest


def test_surplus_is_taken_out_and_comes_back_as_surplus_though_there_is_a_place_by_then(campaign, anna):
    item = factories.items_of(campaign)[0]
    held = factories.lease(item, anna)
    other = factories.rating(item)
    close_campaign(campaign=campaign)  # ends her lease; what comes after is kept outside agreement and gold
    kept = factories.rating(item, user=anna, assignment=held)
    assert kept.status == "surplus"
    done = withdraw(campaign, anna, day(1))
    assert (report_of(done.pk)["surplus"], report_of(done.pk)["wanting"]) == (1, 0)
    withdraw_rating(rating_id=other.pk)
    assert WorkItem.objects.get(pk=item.pk).has_free_place
    revert(done)
    kept.refresh_from_db()
    assert kept.status == "surplus"


def test_bringing_back_restores_the_state(campaign, anna, rated):
    before = (statuses(anna), states(campaign), len(frame_of(campaign)), frame_of(campaign).attrs["sha256"])
    done = revert(withdraw(campaign, anna, day(2)))
    assert (statuses(anna), states(campaign), len(frame_of(campaign)), frame_of(campaign).attrs["sha256"]) == before
    assert (report_of(done.pk)["again"], report_of(done.pk)["again_surplus"]) == (3, 0)
    assert done.restored_at is not None
    assert breaches(campaign) == []


def test_where_others_have_rated_meanwhile_it_comes_back_as_surplus(campaign, anna, rated):
    done = withdraw(campaign, anna, day(2))
    factories.rating(factories.items_of(campaign)[1])
    factories.lease(factories.items_of(campaign)[2], factories.member(campaign))
    revert(done)
    assert statuses(anna) == ["counted", "surplus", "surplus", "counted"]
    assert (report_of(done.pk)["again"], report_of(done.pk)["again_surplus"]) == (1, 2)
    assert breaches(campaign) == []


def test_it_brings_back_only_what_it_took_out_itself(campaign, anna, rated):
    withdraw_rating(rating_id=rated[1].pk)
    second = withdraw(campaign, anna, day(4))
    first = withdraw(campaign, anna, day(1))
    assert sorted(first.rows.values_list("rating", flat=True)) == [rated[0].pk, rated[2].pk]
    revert(first)
    assert statuses(anna) == ["counted", "withdrawn", "counted", "withdrawn"]
    revert(second)
    assert statuses(anna) == ["counted", "withdrawn", "counted", "counted"]
    with pytest.raises(MoveRefused):
        ask_revert(withdrawal_id=second.pk)


def test_a_decided_case_stays_decided_and_a_waiting_one_falls(campaign, anna, decide):
    expert = factories.member(campaign, "expert")
    for n, item in enumerate(factories.items_of(campaign)[:2], 1):
        rate_on(n, item, {"empathy": 1}, user=anna)
        rate_on(5, item)
    decided, waiting = Case.objects.order_by("pk")
    decide(decided, expert)
    preview = preview_of(campaign, anna, day(1))
    assert (preview.counted, preview.items, preview.decided, preview.open_cases) == (2, 2, 1, 1)
    done = withdraw(campaign, anna, day(1))
    decided.refresh_from_db()
    waiting.refresh_from_db()
    assert (decided.state, waiting.state) == ("decided", "fallen")
    revert(done)
    assert states(campaign)[:2] == ["settled", "in_review"]
    assert Case.objects.standing().count() == 2


def test_the_preview_counts_what_the_withdrawal_then_does(campaign, anna, rated):
    items = factories.items_of(campaign)
    withdraw_rating(rating_id=items[3].ratings.exclude(annotator=anna).get().pk)  # this one wants a rater already
    preview = preview_of(campaign, anna, day(3))
    assert (preview.ratings, preview.counted, preview.surplus, preview.items) == (2, 2, 0, 1)
    done = report_of(withdraw(campaign, anna, day(3)).pk)
    assert (done["counted"], done["surplus"], done["wanting"]) == (2, 0, 1)
    assert preview_of(campaign, anna, day(1)).ratings == 2
    assert preview_of(campaign, anna, far()).ratings == 0


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"since": far()}, "since"),
        ({"reason": " "}, "reason"),
        ({"reason": "x" * 2001}, "reason"),
        ({"reason": "a\x00b"}, "reason"),
        ({"since": day(9)}, "since"),
    ],
)
def test_it_is_refused_without_a_reason_or_anything_to_take_out(campaign, anna, rated, given, field):
    with pytest.raises(WithdrawalInvalid) as refused:
        ask_withdrawal(**{"campaign": campaign, "annotator": anna, "since": day(1), "reason": "why"} | given)
    assert list(refused.value.fields) == [field]
    assert not RatingWithdrawal.objects.exists()


def test_asked_twice_it_is_one_withdrawal(campaign, anna, rated):
    ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    with pytest.raises(WithdrawalInvalid):
        ask_withdrawal(campaign=campaign, annotator=anna, since=day(2), reason="why")
    assert RatingWithdrawal.objects.count() == 1


def test_it_is_logged_and_its_rater_told_without_the_reason(campaign, anna, rated):
    manager = factories.member(campaign, "manager")
    done = withdraw(campaign, anna, day(3), reason="Looks like a bot.", by=manager)
    event = CampaignEvent.objects.get(kind="ratings withdrawn from a date on")
    told = {"withdrawal": done.pk, "user": anna.username, "since": day(3).isoformat(), "reason": "Looks like a bot."}
    assert (event.by, event.detail) == (manager, told)
    assert CampaignEvent.objects.filter(kind="rating withdrawn", by=manager).count() == 2
    message = Message.objects.get(recipient=anna)
    assert "2026-03-12 12:00" not in message.text
    assert "2026-03-03 12:00" in message.text
    assert "bot" not in message.text
    revert(done, by=manager)
    assert CampaignEvent.objects.get(kind="withdrawal of ratings taken back").by == manager
    assert Message.objects.filter(recipient=anna).count() == 2


def test_who_has_left_is_sent_nothing(campaign, anna, rated):
    change_membership(membership=membership_of(campaign, anna), state="removed")
    withdraw(campaign, anna)
    assert not Message.objects.filter(recipient=anna).exists()
    assert set(statuses(anna)) == {"withdrawn"}


def test_its_rater_cannot_edit_what_was_withdrawn(campaign, anna, rated):
    withdraw(campaign, anna)
    with pytest.raises(EditClosed):
        factories.edit(rated[0], 1)


def test_what_they_rate_afterwards_counts(campaign, anna):
    first, second = factories.items_of(campaign)[:2]
    factories.rating(first, user=anna)
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    factories.rating(second, user=anna)
    take_out(withdrawal_id=asked.pk)
    assert statuses(anna) == ["withdrawn", "counted"]


def test_what_was_edited_meanwhile_is_taken_out_as_it_stands(campaign, anna, rated):
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    edited = factories.edit(rated[1], 2)
    take_out(withdrawal_id=asked.pk)
    edited.refresh_from_db()
    assert edited.status == "withdrawn"
    assert asked.rows.filter(rating=edited, was="counted").count() == 1


def test_a_rating_barred_since_comes_back_as_it_was(campaign, anna, rated):
    """Who has seen what others gave keeps what they gave before."""
    done = withdraw(campaign, anna, day(4))
    bar_from_item(factories.items_of(campaign)[3], anna)
    revert(done)
    assert statuses(anna)[3] == "counted"
