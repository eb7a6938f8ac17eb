from datetime import timedelta

import pytest
from django.db.models import F

from annotation.errors import MessageRefused, NotAllowed
from annotation.models import Campaign, Membership, Message, User
from annotation.services.messages import mark_read, mark_thread_read, send_message, send_to_annotators, unread_of
from annotation.services.people import change_membership, deactivate
from tests import factories as f

pytestmark = pytest.mark.django_db
Role = Membership.Role


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(slug="c")


@pytest.fixture
def anna(campaign: Campaign) -> User:
    return f.member(campaign, user=f.person("anna"))


@pytest.fixture
def mira(campaign: Campaign) -> User:
    return f.member(campaign, Role.MANAGER, user=f.person("mira"))


def leave(campaign: Campaign, user: User, state: str) -> None:
    for membership in campaign.memberships.filter(user=user):
        change_membership(membership=membership, state=state)


class TestWhoMayWriteToWhom:
    @pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT])
    def test_a_person_writes_to_the_managers_and_a_manager_to_them(
        self, campaign: Campaign, mira: User, role: Role
    ) -> None:
        person = f.member(campaign, role)
        assert send_message(campaign=campaign, author=person, text="a question").recipient is None
        assert send_message(campaign=campaign, author=mira, recipient=person, text="an answer").recipient == person

    def test_one_annotator_does_not_write_to_another_nor_to_one_manager_alone(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        for recipient in (f.member(campaign), mira):
            with pytest.raises(NotAllowed):
                send_message(campaign=campaign, author=anna, recipient=recipient, text="hello")

    def test_a_paused_person_may_still_ask_why_and_be_answered(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        leave(campaign, anna, "paused")
        send_message(campaign=campaign, author=anna, text="why?")
        send_message(campaign=campaign, author=mira, recipient=anna, text="because")

    @pytest.mark.parametrize("how", ["removed", "deactivated"])
    def test_who_has_left_neither_writes_nor_is_written_to(
        self, campaign: Campaign, anna: User, mira: User, how: str
    ) -> None:
        deactivate(user=anna) if how == "deactivated" else leave(campaign, anna, "removed")
        with pytest.raises(NotAllowed):
            send_message(campaign=campaign, author=anna, text="hello")
        with pytest.raises(MessageRefused, match="no part here now"):
            send_message(campaign=campaign, author=mira, recipient=anna, text="hello")

    def test_strangers_and_site_managers_without_a_role_write_to_nobody(self, campaign: Campaign, anna: User) -> None:
        for person in (f.person(), f.site_manager(), f.member(f.campaign(), Role.MANAGER)):
            with pytest.raises(NotAllowed):
                send_message(campaign=campaign, author=person, text="hello")
            with pytest.raises(NotAllowed):
                send_message(campaign=campaign, author=person, recipient=anna, text="hello")
            with pytest.raises(NotAllowed):
                send_to_annotators(campaign=campaign, author=person, text="hello")
        assert not Message.objects.exists()

    def test_concord_itself_writes_to_both(self, campaign: Campaign, anna: User) -> None:
        assert send_message(campaign=campaign, recipient=anna, text="You are paused.").author is None
        assert send_message(campaign=campaign, text="anna is paused.").recipient is None


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 5001, "a\x00b", "\ud83d", None, 7])
def test_a_text_that_says_nothing_is_too_long_or_cannot_be_stored_is_refused(
    campaign: Campaign, anna: User, mira: User, text: object
) -> None:
    with pytest.raises(MessageRefused) as refused:
        send_message(campaign=campaign, author=anna, text=text)
    assert refused.value.fields["text"]
    with pytest.raises(MessageRefused):
        send_to_annotators(campaign=campaign, author=mira, text=text)
    assert not Message.objects.exists()


def test_five_thousand_characters_of_any_script_are_kept_as_they_are(campaign: Campaign, anna: User) -> None:
    text = "心😀" * 2500
    send_message(campaign=campaign, author=anna, text=text)
    assert Message.objects.get().text == text


class TestTwoClicks:
    def test_are_one_message(self, campaign: Campaign, anna: User, mira: User) -> None:
        first = send_message(campaign=campaign, author=anna, text="hello")
        assert send_message(campaign=campaign, author=anna, text="hello") == first
        send_message(campaign=campaign, author=mira, recipient=anna, text="hello")
        assert [send_to_annotators(campaign=campaign, author=mira, text="all") for _click in range(2)] == [1, 1]
        assert Message.objects.count() == 3

    def test_the_same_words_later_or_to_another_are_said_again(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        send_message(campaign=campaign, author=mira, recipient=anna, text="thank you")
        send_message(campaign=campaign, author=mira, recipient=f.member(campaign), text="thank you")
        assert Message.objects.count() == 2
        Message.objects.update(sent_at=F("sent_at") - timedelta(minutes=2))
        send_message(campaign=campaign, author=mira, recipient=anna, text="thank you")
        assert Message.objects.count() == 3


def test_all_annotators_get_one_each_the_paused_among_them(campaign: Campaign, anna: User, mira: User) -> None:
    paused, removed, gone = f.member(campaign), f.member(campaign), f.member(campaign)
    f.member(campaign, Role.EXPERT)
    leave(campaign, paused, "paused")
    leave(campaign, removed, "removed")
    deactivate(user=gone)
    assert send_to_annotators(campaign=campaign, author=mira, text="We close on Friday.") == 2
    assert {message.recipient for message in Message.objects.all()} == {anna, paused}


class TestReading:
    def test_what_is_replied_to_is_read_and_nothing_else(self, campaign: Campaign, anna: User, mira: User) -> None:
        asked = send_message(campaign=campaign, author=mira, recipient=anna, text="one?")
        other = send_message(campaign=campaign, author=mira, recipient=anna, text="two?")
        answer = send_message(campaign=campaign, author=anna, text="yes", reply_to=asked)
        asked.refresh_from_db()
        other.refresh_from_db()
        assert asked.read_at
        assert other.read_at is None
        assert answer.read_at is None
        send_message(campaign=campaign, author=mira, recipient=anna, text="good", reply_to=answer)
        answer.refresh_from_db()
        assert answer.read_at

    def test_a_reply_into_another_conversation_is_refused(self, campaign: Campaign, anna: User, mira: User) -> None:
        bo = f.member(campaign)
        to_bo = send_message(campaign=campaign, author=mira, recipient=bo, text="for bo")
        elsewhere = send_message(campaign=f.campaign(), text="from another campaign")
        notice = send_message(campaign=campaign, text="bo is paused")
        for message in (to_bo, elsewhere, notice):
            with pytest.raises(MessageRefused):
                send_message(campaign=campaign, author=anna, text="hello", reply_to=message)
            with pytest.raises(MessageRefused):
                send_message(campaign=campaign, author=mira, recipient=anna, text="hello", reply_to=message)

    def test_only_whom_it_was_sent_to_reads_it(self, campaign: Campaign, anna: User, mira: User) -> None:
        to_anna = send_message(campaign=campaign, author=mira, recipient=anna, text="for anna")
        to_managers = send_message(campaign=campaign, author=anna, text="for the managers")
        for message, people in {
            to_anna: [mira, f.member(campaign), f.site_manager()],
            to_managers: [anna, f.member(campaign, Role.EXPERT), f.site_manager()],
        }.items():
            for person in people:
                with pytest.raises(NotAllowed):
                    mark_read(message=message, user=person)
        first = mark_read(message=to_anna, user=anna).read_at
        assert first
        assert mark_read(message=to_anna, user=anna).read_at == first
        assert mark_read(message=to_managers, user=f.member(campaign, Role.MANAGER)).read_at

    def test_what_waits_is_counted_for_each_side(
        self, campaign: Campaign, anna: User, mira: User, django_assert_num_queries
    ) -> None:
        send_message(campaign=campaign, author=mira, recipient=anna, text="one")
        send_message(campaign=campaign, author=mira, recipient=f.member(campaign), text="not for anna")
        send_message(campaign=campaign, author=anna, text="two")
        seen = send_message(campaign=campaign, text="from Concord").pk
        send_message(campaign=campaign, author=anna, text="came while the page stood open")
        with django_assert_num_queries(2):
            assert (unread_of(anna), unread_of(mira)) == (1, 3)
        assert unread_of(f.site_manager()) == unread_of(f.member(campaign, Role.EXPERT)) == 0
        assert mark_thread_read(campaign=campaign, user=mira, person=anna, up_to=seen) == 1
        assert mark_thread_read(campaign=campaign, user=mira, up_to=seen) == 1
        assert mark_thread_read(campaign=campaign, user=anna, up_to=seen) == 1
        assert (unread_of(anna), unread_of(mira)) == (0, 1)

    def test_a_manager_who_is_paused_is_told_of_nothing(self, campaign: Campaign, anna: User, mira: User) -> None:
        send_message(campaign=campaign, author=anna, text="a question")
        leave(campaign, mira, "paused")
        assert unread_of(mira) == 0


def test_a_person_has_what_they_got_and_wrote_and_nothing_of_others(campaign: Campaign, anna: User, mira: User) -> None:
    bo = f.member(campaign)
    mine = [
        send_message(campaign=campaign, author=anna, text="mine"),
        send_message(campaign=campaign, author=mira, recipient=anna, text="to me"),
    ]
    send_message(campaign=campaign, author=bo, text="bo's")
    send_message(campaign=campaign, author=mira, recipient=bo, text="to bo")
    assert list(Message.objects.of(anna)) == mine
    assert list(Message.objects.of(mira)) == []


def test_the_same_word_to_two_questions_is_two_answers(campaign: Campaign, anna: User, mira: User) -> None:
    asked = [send_message(campaign=campaign, author=anna, text=text) for text in ("May I skip?", "May I rest?")]
    sent = [send_message(campaign=campaign, author=mira, recipient=anna, text="Yes", reply_to=one) for one in asked]
    assert sent[0] != sent[1]
    assert all(Message.objects.get(pk=one.pk).read_at for one in asked)
