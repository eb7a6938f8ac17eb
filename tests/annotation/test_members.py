"""Who may be what in a campaign; and that who leaves, leaves their ratings and their name."""

import pytest

from annotation.errors import ConcordError, NotAllowed, RoleConflict
from annotation.models import ApiToken, Membership, Rating, User
from annotation.services.leases import lease_next
from annotation.services.people import add_member, add_person, change_membership, deactivate, invite, make_token
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("first", "second"), [("manager", "annotator"), ("annotator", "manager")])
def test_manager_and_annotator_are_never_one_person(first, second):
    campaign = factories.campaign()
    user = factories.member(campaign, first)
    with pytest.raises(RoleConflict):
        add_member(campaign=campaign, user=user, role=second)


def test_a_manager_here_may_rate_elsewhere():
    user = factories.member(factories.campaign(), "manager")
    assert add_member(campaign=factories.campaign(), user=user, role="annotator").state == "active"


@pytest.mark.parametrize("other", ["annotator", "manager"])
def test_an_expert_may_hold_the_other_role_too(other):
    campaign = factories.campaign()
    user = factories.member(campaign, other)
    assert add_member(campaign=campaign, user=user, role="expert").role == "expert"


@pytest.mark.parametrize("state", ["active", "paused"])
def test_a_removed_annotator_who_manages_now_does_not_come_back_as_annotator(state):
    campaign = factories.campaign()
    user = factories.member(campaign)
    rater = Membership.objects.get(user=user)
    change_membership(membership=rater, state="removed")
    add_member(campaign=campaign, user=user, role="manager")
    with pytest.raises(RoleConflict):
        change_membership(membership=rater, state=state)


def test_who_managed_while_it_was_rated_does_not_rate_in_it_afterwards():
    campaign = factories.campaign()
    user = factories.member(campaign, "manager")
    factories.rating(factories.items_of(campaign)[0])
    change_membership(membership=Membership.objects.get(user=user, role="manager"), state="removed")
    with pytest.raises(RoleConflict, match="have seen"):
        add_member(campaign=campaign, user=user, role="annotator")


def test_who_managed_before_anything_was_rated_may():
    campaign = factories.campaign()
    user = factories.member(campaign, "manager")
    change_membership(membership=Membership.objects.get(user=user), state="removed")
    assert add_member(campaign=campaign, user=user, role="annotator").state == "active"


def test_a_removed_member_comes_back():
    campaign = factories.campaign()
    user = factories.member(campaign)
    change_membership(membership=Membership.objects.get(user=user), state="removed")
    add_member(campaign=campaign, user=user, role="annotator")
    assert lease_next(campaign=campaign, user=user)


def test_an_unknown_role_is_refused():
    with pytest.raises(RoleConflict):
        add_member(campaign=factories.campaign(), user=factories.person(), role="owner")


def test_an_unknown_state_is_refused():
    factories.member(factories.campaign())
    with pytest.raises(RoleConflict):
        change_membership(membership=Membership.objects.get(), state="asleep")


@pytest.mark.parametrize("share", [-1, 2**31])
def test_a_share_that_is_no_number_of_items_is_refused(share):
    with pytest.raises(RoleConflict):
        add_member(campaign=factories.campaign(), user=factories.person(), role="annotator", share=share)


@pytest.mark.parametrize("tag", ["english please", "e", "", "en_GB", "中文"])
def test_a_language_is_a_tag(tag):
    with pytest.raises(RoleConflict):
        add_member(campaign=factories.campaign(), user=factories.person(), role="annotator", languages=[tag])


def test_the_same_person_is_added_once():
    assert add_person(username="mei") == add_person(username="mei")


@pytest.mark.parametrize("name", ["", "two words", "x" * 151, "a/b", "nul\x00"])
def test_a_name_that_cannot_be_one_is_refused(name):
    with pytest.raises(ConcordError):
        add_person(username=name)


def test_who_leaves_leaves_their_ratings():
    rating = factories.rating(factories.items_of(factories.campaign())[0])
    deactivate(user=rating.annotator)
    rating.refresh_from_db()
    assert rating.status == "counted"


def test_the_name_of_who_left_is_free_for_a_new_person():
    campaign = factories.campaign()
    old = factories.person("mei")
    factories.rating(factories.items_of(campaign)[0], user=factories.member(campaign, user=old))
    deactivate(user=old)
    new = add_person(username="mei")
    assert new != old
    assert not Rating.objects.of(new).exists()
    assert Rating.objects.of(old).count() == 1


def test_who_left_is_out(client):
    user = factories.person("mei", password="correct horse")
    campaign = factories.campaign()
    factories.member(campaign, user=user)
    make_token(user=user, name="mine")
    client.force_login(user)
    deactivate(user=user)
    assert "_auth_user_id" not in client.session or client.get("/api/v1/campaigns/").status_code in (401, 403)
    assert not ApiToken.objects.exists()
    assert not client.login(username="mei", password="correct horse")
    with pytest.raises(NotAllowed):
        lease_next(campaign=campaign, user=user)
    with pytest.raises(NotAllowed):
        invite(user=user)
    with pytest.raises(NotAllowed):
        add_member(campaign=campaign, user=user, role="expert")


def test_two_people_of_one_long_name_may_leave_one_after_the_other():
    for _ in range(2):
        deactivate(user=add_person(username="m" * 150))
    assert User.objects.filter(is_active=False).count() == 2
