"""Letters to the raters of a decided case: they learn the outcome and the reason, nothing of each other."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import EditClosed, MessageRefused, NotAllowed
from annotation.letters import with_letters
from annotation.models import Assignment, Membership, Message, Rating, User
from annotation.services.care import flag_heavy
from annotation.services.imported import ImportedScore, import_ratings
from annotation.services.messages import send_message
from annotation.services.people import change_membership, deactivate
from annotation.services.ratings import withdraw_rating
from reviews.errors import CaseNotDecided, CaseNotFound, ConflictOfInterest
from reviews.models import Case
from reviews.services.cases import reopen_case, take_case
from reviews.services.decisions import decide_case
from reviews.services.letters import write_to_raters
from tests import factories

pytestmark = pytest.mark.django_db

WHY = "It names the feeling and stays with it."


@pytest.fixture
def case(disputed):
    return Case.objects.get(work_item=disputed)


@pytest.fixture
def decided(case, expert, decide):
    decide(case, expert, {"empathy": 4, "fluency": "ambiguous"}, marks={"privacy": False}, rationale=WHY)
    return case


def raters(case):
    return list(User.objects.filter(ratings__work_item=case.work_item_id).order_by("ratings__rank"))


def write(case, by, text="Please read it once more."):
    return write_to_raters(case_id=case.pk, by=by, text=text)


def letter_of(person):
    [(_message, letter)] = with_letters(list(Message.objects.filter(recipient=person)))
    return letter


class TestTheLetter:
    def test_each_rater_gets_one_with_the_outcome_beside_their_own_rating(self, decided, expert):
        assert write(decided, expert) == 3
        first, second, _third = raters(decided)
        for person, own in ((first, 1), (second, 5)):
            letter = letter_of(person)
            assert [(value.decided, value.own) for value in letter.values] == [(4, own), (None, 5)]
            assert [(ruling.confirmed, ruling.own) for ruling in letter.rulings] == [(False, False)]
            assert letter.rationale == WHY
            assert letter.assignment == Assignment.objects.get(annotator=person).pk

    def test_it_carries_nobody(self, decided, expert):
        write(decided, expert)
        outcome = Message.objects.first().outcome
        assert outcome == {
            "scores": {"empathy": 4, "fluency": "ambiguous"},
            "marks": {"privacy": False},
            "rationale": WHY,
            "by": "expert",
        }

    def test_a_later_revision_leaves_it_as_it_was_sent(self, decided, expert):
        write(decided, expert)
        standing = decided.decisions.get()
        given = {"values": {"empathy": 2, "fluency": 3}, "rationale": "I had misread it.", "supersedes": standing.pk}
        decide_case(case_id=decided.pk, expert=expert, client_id=uuid.uuid4(), **given)
        letter = letter_of(raters(decided)[0])
        assert (letter.values[0].decided, letter.rationale) == (4, WHY)
        write(decided, expert, "It is decided anew.")
        assert Message.objects.latest("pk").outcome["scores"] == {"empathy": 2, "fluency": 3}

    def test_the_same_words_within_a_minute_are_one_letter(self, decided, expert):
        assert [write(decided, expert), write(decided, expert)] == [3, 3]
        assert Message.objects.count() == 3
        write(decided, expert, "Something else.")
        Message.objects.update(sent_at=timezone.now() - timedelta(minutes=2))
        write(decided, expert)
        assert Message.objects.count() == 9

    def test_the_same_words_of_another_case_are_another_letter(self, decide):
        campaign = factories.campaign(items=2, overlap=2)
        people = [factories.member(campaign) for _ in range(2)]
        expert = factories.member(campaign, "expert")
        for item in factories.items_of(campaign):
            factories.rated_item([1, 5], item=item, raters=people)
            case = Case.objects.get(work_item=item)
            decide(case, expert, dict.fromkeys(factories.DIMENSIONS, 4))
            assert write(case, expert) == 2
        assert Message.objects.filter(recipient=people[0]).count() == 2

    @pytest.mark.parametrize("text", ["", "  ", None, 5, "a\x00b", "x" * 5001])
    def test_words_are_needed_and_have_an_end(self, decided, expert, text):
        with pytest.raises(MessageRefused):
            write(decided, expert, text)
        assert not Message.objects.exists()

    def test_of_what_is_hard_to_read_no_word_stands_in_it(self, decided, expert, disputed):
        write(decided, expert)
        rater = raters(decided)[0]
        assert letter_of(rater).text == disputed.response.text
        flag_heavy(item=disputed, heavy=True)
        assert letter_of(rater).text == ""

    def test_a_reply_goes_to_the_managers(self, decided, expert):
        write(decided, expert)
        rater = raters(decided)[0]
        got = Message.objects.get(recipient=rater)
        reply = send_message(campaign=decided.campaign, author=rater, text="I see.", reply_to=got)
        got.refresh_from_db()
        assert reply.recipient is None
        assert got.read_at

    def test_the_case_keeps_who_wrote(self, decided, expert):
        write(decided, expert)
        event = decided.events.get(kind="letter")
        assert (event.by, event.detail) == (expert, {"readers": 3})


class TestWhoReadsIt:
    def test_who_has_left_or_whose_rating_no_longer_counts_gets_none(self, decided, expert):
        gone, withdrawn, stays = raters(decided)
        change_membership(
            membership=Membership.objects.get(user=gone, campaign=decided.campaign), state=Membership.State.REMOVED
        )
        withdraw_rating(rating_id=Rating.objects.get(annotator=withdrawn).pk)
        assert write(decided, expert) == 1
        assert Message.objects.get().recipient == stays

    def test_imported_raters_cannot_sign_in_and_get_none(self):
        campaign = factories.campaign(overlap=2, slug="c")
        item = factories.items_of(campaign)[0]
        levels = [("r1", key, 1) for key in factories.DIMENSIONS] + [("r2", key, 5) for key in factories.DIMENSIONS]
        scores = [ImportedScore(n, item.response.item_id, *one) for n, one in enumerate(levels, 2)]
        import_ratings(campaign=campaign, scores=scores)
        case, expert = Case.objects.get(work_item=item), factories.member(campaign, "expert")
        take_case(case_id=case.pk, expert=expert)
        values = dict.fromkeys(factories.DIMENSIONS, 4)
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values=values)
        with pytest.raises(MessageRefused, match="None of its raters"):
            write(case, expert)

    def test_who_got_it_knows_the_verdict_and_can_change_nothing_any_more(self, decided, expert, disputed):
        """Also where the item opens again, and somebody unlocks it."""
        write(decided, expert)
        disputed.refresh_from_db()
        assert all(disputed.is_barred_to(person.pk) for person in raters(decided))
        disputed.locked = False
        disputed.save()
        with pytest.raises(EditClosed, match="seen since"):
            factories.edit(disputed.ratings.get(rank=1), 4)

    def test_who_did_not_get_it_is_not_barred(self, decided, expert, disputed):
        gone = raters(decided)[0]
        deactivate(user=gone)
        write(decided, expert)
        disputed.refresh_from_db()
        assert not disputed.is_barred_to(gone.pk)


class TestWhoWrites:
    def test_a_manager_may_and_is_no_expert_in_it(self, decided):
        assert write(decided, factories.member(decided.campaign, "manager")) == 3
        message = Message.objects.first()
        assert message.outcome["by"] == "manager"
        assert not message.is_from_an_expert

    def test_another_expert_may_once_it_is_decided(self, decided):
        assert write(decided, factories.member(decided.campaign, "expert")) == 3

    def test_who_was_given_the_item_may_not(self, decided):
        rater = raters(decided)[0]
        factories.member(decided.campaign, "expert", user=rater)
        with pytest.raises(ConflictOfInterest):
            write(decided, rater)

    def test_an_expert_who_rates_here_too_and_did_not_decide_it_may_not(self, decided):
        """They are not shown what was decided either: they could still be given the item."""
        both = factories.member(decided.campaign, "expert")
        factories.member(decided.campaign, user=both)
        with pytest.raises(NotAllowed):
            write(decided, both)

    @pytest.mark.parametrize("role", ["annotator", None])
    def test_for_all_others_there_is_no_such_case(self, decided, role):
        person = factories.member(decided.campaign, role) if role else factories.person()
        with pytest.raises(CaseNotFound):
            write(decided, person)

    def test_only_of_a_decided_case(self, case, decide, expert):
        with pytest.raises(CaseNotDecided):
            write(case, expert)
        decide(case, expert)
        reopen_case(case_id=case.pk, by=expert, reason="Once more.")
        with pytest.raises(CaseNotDecided):
            write(case, expert)
        assert not Message.objects.exists()
