import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Membership, Message, User
from annotation.services.messages import send_message
from annotation.services.people import change_membership, deactivate
from tests import factories as f
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db
Role = Membership.Role


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(slug="c", title="Winter")


@pytest.fixture
def anna(campaign: Campaign) -> User:
    return f.member(campaign, user=f.person("anna", display_name="Anna"))


@pytest.fixture
def mira(campaign: Campaign) -> User:
    return f.member(campaign, Role.MANAGER, user=f.person("mira", display_name="Mira"))


def to_anna(campaign: Campaign, mira: User, anna: User, text: str = "Please look again.") -> Message:
    return send_message(campaign=campaign, author=mira, recipient=anna, text=text)


class TestHome:
    def test_shows_a_message_by_the_managers_name_unread_first(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        older = to_anna(campaign, mira, anna, "An older word.")
        to_anna(campaign, mira, anna, "A read word.")
        signed_in(anna).post(page("read_message", Message.objects.latest("pk").pk))
        shown = signed_in(anna).get(page("home")).text
        assert "Mira" in shown
        assert shown.index("An older word.") < shown.index("A read word.")
        assert f'name="reply_to" value="{older.pk}"' in shown

    def test_looking_at_it_reads_nothing(self, campaign: Campaign, anna: User, mira: User) -> None:
        to_anna(campaign, mira, anna)
        client = signed_in(anna)
        for address in (page("home"), page("messages", "c")):
            client.get(address)
        assert Message.objects.get().read_at is None

    def test_the_count_in_the_bar_goes_when_it_is_read(self, campaign: Campaign, anna: User, mira: User) -> None:
        message = to_anna(campaign, mira, anna)
        client = signed_in(anna)
        assert '<span class="count">1<' in client.get(page("home")).text
        client.post(page("read_message", message.pk))
        assert '<span class="count">' not in client.get(page("home")).text

    def test_a_script_is_answered_with_nothing_more(self, campaign: Campaign, anna: User, mira: User) -> None:
        url = page("read_message", to_anna(campaign, mira, anna).pk)
        assert signed_in(anna).post(url, headers={"Accept": "application/json"}).status_code == 204

    def test_a_reply_goes_to_the_managers_and_comes_back_home(self, campaign: Campaign, anna: User, mira: User) -> None:
        message = to_anna(campaign, mira, anna)
        sent = {"text": "I did.", "reply_to": message.pk, "from_home": "1"}
        answer = signed_in(anna).post(page("messages", "c"), sent)
        assert answer.headers["Location"] == page("home")
        reply = Message.objects.get(author=anna)
        assert (reply.recipient, reply.reply_to, reply.text) == (None, message, "I did.")
        message.refresh_from_db()
        assert message.read_at
        assert "1 unread message" in signed_in(mira).get(page("home")).text

    def test_what_one_was_sent_stays_when_one_has_left_without_a_way_to_answer(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        to_anna(campaign, mira, anna, "Thank you for all.")
        change_membership(membership=Membership.objects.get(user=anna), state="removed")
        shown = signed_in(anna).get(page("home")).text
        assert "Thank you for all." in shown
        assert "reply_to" not in shown


class TestThePersonsPage:
    def test_holds_their_own_conversation_alone(self, campaign: Campaign, anna: User, mira: User) -> None:
        bo = f.member(campaign, user=f.person("bo", display_name="Boris"))
        to_anna(campaign, mira, bo, "For Boris alone.")
        send_message(campaign=campaign, author=bo, text="Of Boris alone.")
        send_message(campaign=campaign, text="Concord paused Boris.")
        to_anna(campaign, mira, anna, "For Anna.")
        shown = signed_in(anna).get(page("messages", "c")).text
        assert "For Anna." in shown
        assert "Boris" not in shown

    def test_a_text_that_is_refused_is_kept_and_said(self, campaign: Campaign, anna: User) -> None:
        answer = signed_in(anna).post(page("messages", "c"), {"text": "x" * 5001})
        assert answer.status_code == 422
        assert "at most 5000 characters" in answer.text
        assert "x" * 5001 in answer.text
        assert signed_in(anna).post(page("messages", "c"), {"text": " "}).status_code == 422
        assert not Message.objects.exists()

    def test_markup_is_shown_as_it_was_typed(self, campaign: Campaign, anna: User) -> None:
        client = signed_in(anna)
        client.post(page("messages", "c"), {"text": "<b>hello</b>"})
        assert "&lt;b&gt;hello&lt;/b&gt;" in client.get(page("messages", "c")).text


class TestTheManagersPages:
    def test_the_unread_stand_first_with_the_persons_name(self, campaign: Campaign, anna: User, mira: User) -> None:
        send_message(campaign=campaign, author=anna, text="An open question.")
        to_anna(campaign, mira, f.member(campaign, user=f.person("bo", display_name="Boris")))
        shown = signed_in(mira).get(page("messages", "c")).text
        assert shown.index("Anna") < shown.index("Boris")
        assert "1 unread" in shown

    def test_opening_marks_what_was_on_the_page_and_not_what_came_since(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        seen = send_message(campaign=campaign, author=anna, text="one")
        send_message(campaign=campaign, author=anna, text="two")
        client = signed_in(mira)
        client.post(page("read_thread", "c", anna.pk), {"up_to": seen.pk})
        assert list(Message.objects.filter(read_at=None).values_list("text", flat=True)) == ["two"]
        assert "1 unread" in client.get(page("messages", "c")).text

    def test_a_message_to_all_is_one_to_each(self, campaign: Campaign, anna: User, mira: User) -> None:
        f.member(campaign)
        answer = signed_in(mira).post(page("message_everyone", "c"), {"text": "We close on Friday."}, follow=True)
        assert "Sent to 2 annotators" in answer.text
        assert Message.objects.count() == 2
        assert signed_in(mira).post(page("message_everyone", "c"), {"text": ""}).status_code == 422

    def test_what_was_meant_for_the_managers_is_never_sent_to_all(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        """Somebody who has become a manager since the page was opened."""
        assert signed_in(mira).post(page("messages", "c"), {"text": "private"}).status_code == 403
        assert not Message.objects.exists()

    def test_a_conversation_with_one_who_has_left_stays_readable(
        self, campaign: Campaign, anna: User, mira: User
    ) -> None:
        send_message(campaign=campaign, author=anna, text="My last word.")
        deactivate(user=anna)
        client = signed_in(mira)
        shown = client.get(page("thread", "c", anna.pk)).text
        assert "My last word." in shown
        assert "<textarea" not in shown
        assert client.post(page("thread", "c", anna.pk), {"text": "hello"}).status_code == 422

    def test_somebody_of_another_campaign_is_not_there(self, campaign: Campaign, mira: User) -> None:
        stranger = f.member(f.campaign())
        assert signed_in(mira).get(page("thread", "c", stranger.pk)).status_code == 404

    def test_what_concord_said_stands_apart_and_is_marked_read(self, campaign: Campaign, mira: User) -> None:
        note = send_message(campaign=campaign, text="anna was paused by the rule on checks.")
        client = signed_in(mira)
        assert "paused by the rule" in client.get(page("messages", "c")).text
        client.post(page("read_messages", "c"), {"up_to": note.pk})
        note.refresh_from_db()
        assert note.read_at

    def test_the_rows_of_people_lead_to_the_conversation(self, campaign: Campaign, anna: User, mira: User) -> None:
        to = page("thread", "c", anna.pk)
        client = signed_in(mira)
        assert to in client.get(page("people", "c")).text
        assert to in client.get(page("campaign", "c")).text
        assert page("campaign_hours", "c") in client.get(page("campaign", "c")).text
        assert to not in signed_in(f.site_manager()).get(page("people", "c")).text


def test_the_lists_take_as_many_queries_of_much_as_of_little(campaign: Campaign, anna: User, mira: User) -> None:
    def asked(client: Client, address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        return len(captured)

    def all_asked() -> list[int]:
        manager, person = signed_in(mira), signed_in(anna)
        thread = page("thread", "c", anna.pk)
        list_, home = page("messages", "c"), page("home")
        return [asked(manager, list_), asked(manager, thread), asked(person, list_), asked(person, home)]

    def talk(n: int) -> None:
        send_message(campaign=campaign, author=anna, text=f"question {n}")
        to_anna(campaign, mira, anna, f"answer {n}")
        send_message(campaign=campaign, author=f.member(campaign), text="another's")
        send_message(campaign=campaign, text="Concord's")

    talk(0)
    all_asked()
    few = all_asked()
    for n in range(1, 8):
        talk(n)
    assert all_asked() == few
