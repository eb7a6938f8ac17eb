"""Bringing people in and letting them go. Nobody is ever deleted: what they rated stays."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import ConcordError, InvitationInvalid, NotAllowed, RoleConflict, ShareInvalid
from annotation.models import ApiToken, Assignment, Campaign, Invitation, Membership, Rating, User
from annotation.models.access import hash_of, new_secret
from annotation.services.campaigns import log
from annotation.services.leases import end_leases
from annotation.shortcuts import read_keys
from annotation.validation import can_be_stored
from scenarios.benchmark import LANGUAGE_TAG, Component

Role, State = Membership.Role, Membership.State


@transaction.atomic
def add_person(*, username: str, display_name: str = "", email: str = "") -> User:
    """The person of this name, in any case of its letters, made if there is none. A new one comes in by `invite`."""
    if not all(map(can_be_stored, (username, display_name, email))):
        raise ConcordError(_("The name holds a character that cannot be stored."), fields={"username": [username]})
    user = User.objects.filter(username=username).first() or User.objects.called(username)
    if user is not None:
        return user
    user = User(username=username, display_name=display_name, email=email)
    user.set_unusable_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise ConcordError(" ".join(error.messages), fields=error.message_dict) from error
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:  # made a moment ago by a second click
        return User.objects.get(username=username)
    return user


def one_at_a_time(user: User) -> None:
    """What a person does twice at once waits here; `no_key`, so that what else they do does not. Before any item's."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


@transaction.atomic
def add_member(
    *,
    campaign: Campaign,
    user: User,
    role: str,
    languages: Sequence[str] = (),
    share: int | None = None,
    by: User | None = None,
) -> Membership:
    """Gives a role in a campaign; a removed or paused member comes back. `share`: the most items they may rate here.

    Raises RoleConflict for manager and annotator in one: a manager sees the agreement, and may not rate under it; who
    managed the campaign once it was being rated does not rate in it afterwards either.
    """
    if role not in Role.values:
        raise RoleConflict(_("Unknown role: %(role)s.") % {"role": role}, fields={"role": [role]})
    if not user.is_active:
        raise NotAllowed(_("%(user)s has been deactivated.") % {"user": user})
    unknown = [tag for tag in languages if not LANGUAGE_TAG.fullmatch(tag)]
    if unknown:
        raise RoleConflict(_("Not a language tag: %(tag)s.") % {"tag": unknown[0]}, fields={"languages": unknown})
    if share is not None and not 0 <= share < 2**31:
        raise RoleConflict(_("A share is a number of items, 0 or more."), fields={"share": [share]})
    _refuse_conflict(campaign, user, role)
    given = {"languages": list(languages), "share": share, "state": State.ACTIVE}
    membership, _created = Membership.objects.update_or_create(campaign=campaign, user=user, role=role, defaults=given)
    log(campaign, "member added", by, user=user.username, role=role)
    return membership


def _refuse_conflict(campaign: Campaign, user: User, role: str) -> None:
    """Manager and annotator are never one person; the campaign's row makes two such changes wait for each other."""
    other = {Role.MANAGER: Role.ANNOTATOR, Role.ANNOTATOR: Role.MANAGER}.get(Role(role))
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    if Membership.objects.filter(campaign=campaign, user=user, role=other).exclude(state=State.REMOVED).exists():
        raise RoleConflict(_("A manager does not rate in their own campaign, since they see the agreement."))
    managed = Membership.objects.filter(campaign=campaign, user=user, role=Role.MANAGER)
    if role == Role.ANNOTATOR and managed.exists() and Rating.objects.in_campaign(campaign).exists():
        raise RoleConflict(_("They managed this campaign while it was rated, and have seen what others said."))


@transaction.atomic
def bring_in(
    *,
    campaign: Campaign,
    username: str,
    role: str,
    display_name: str = "",
    email: str = "",
    languages: Sequence[str] = (),
    share: int | None = None,
    by: User | None = None,
) -> Membership:
    """A role for the person of this name, who is made if there is none; where the role is refused, nobody is made."""
    user = add_person(username=username, display_name=display_name, email=email)
    return add_member(campaign=campaign, user=user, role=role, languages=languages, share=share, by=by)


@transaction.atomic
def invite(*, user: User) -> str:
    """The secret of a fresh one-time link; earlier ones stop working."""
    if not user.is_active:
        raise NotAllowed(_("%(user)s has been deactivated.") % {"user": user})
    user.invitations.filter(used_at=None).delete()
    secret = new_secret()
    Invitation.objects.create(
        user=user,
        secret_hash=hash_of(secret),
        expires_at=timezone.now() + timedelta(days=settings.INVITATION_DAYS),
    )
    return secret


def invited_person(secret: str) -> User:
    """Whom the link is for; looking does not use it up (mail programs look at links too)."""
    return _invitation(secret).user


@transaction.atomic
def accept_invitation(*, secret: str, password: str) -> User:
    """Sets the password and uses the link up. Raises InvitationInvalid, ConcordError for a weak password."""
    invitation = _invitation(secret)
    user = invitation.user
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise ConcordError(" ".join(error.messages), fields={"password": error.messages}) from error
    invitation.used_at = timezone.now()
    invitation.save(update_fields=["used_at"])
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _invitation(secret: str) -> Invitation:
    open_ones = (
        Invitation.objects.select_for_update()
        if transaction.get_connection().in_atomic_block
        else (Invitation.objects.all())
    )
    found = open_ones.filter(secret_hash=hash_of(secret), used_at=None, expires_at__gt=timezone.now()).first()
    if found is None or not found.user.is_active:
        raise InvitationInvalid
    return found


def change_membership(*, membership: Membership, state: str, by: User | None = None) -> Membership:
    """Active, paused or removed. Pausing and removing end the person's open leases at once.

    Raises RoleConflict where one removed comes back beside the role that has taken its place.
    """
    if state not in State.values:
        raise RoleConflict(_("Unknown state: %(state)s.") % {"state": state}, fields={"state": [state]})
    with transaction.atomic():
        if state != State.REMOVED and Membership.objects.filter(pk=membership.pk, state=State.REMOVED).exists():
            _refuse_conflict(membership.campaign, membership.user, membership.role)
        membership.state = State(state)
        membership.save(update_fields=["state"])
        log(membership.campaign, f"member {state}", by, user=membership.user.username, role=membership.role)
    if membership.role == Role.ANNOTATOR and state != State.ACTIVE:
        end_leases(campaign=membership.campaign, user=membership.user, state=Assignment.State.WITHDRAWN)
    return membership


@transaction.atomic
def deal_share(
    *, membership: Membership, components: Sequence[str], languages: Sequence[str], by: User | None = None
) -> Membership:
    """Which cases this expert is given next: of these components and languages; none named is all of them.

    What they hold stays theirs, and they may still take any case they choose. Raises ShareInvalid.
    """
    if membership.role != Role.EXPERT:
        raise ShareInvalid(_("Cases are dealt to experts."), fields={"role": [membership.role]})
    unknown = {
        "components": [name for name in components if name not in Component.values],
        "languages": [tag for tag in languages if not LANGUAGE_TAG.fullmatch(tag)],
    }
    if faults := {name: found for name, found in unknown.items() if found}:
        raise ShareInvalid(fields=faults)
    membership.components = [component for component in Component.values if component in components]
    membership.languages = list(dict.fromkeys(languages))
    membership.save(update_fields=["components", "languages"])
    dealt = {"components": membership.components, "languages": membership.languages}
    log(membership.campaign, "share dealt", by, user=membership.user.username, **dealt)
    return membership


def deactivate(*, user: User) -> User:
    """The person leaves: no sign-in, no leases, no tokens; their ratings stay. The name is free for a new person."""
    with transaction.atomic():
        user.is_active = False
        user.username = f"{user.username[:120]}~{user.pk}"
        user.set_unusable_password()
        user.save()
        user.invitations.filter(used_at=None).delete()
        user.api_tokens.all().delete()
    for campaign in Campaign.objects.filter(assignments__annotator=user, assignments__state="leased").distinct():
        end_leases(campaign=campaign, user=user, state=Assignment.State.WITHDRAWN)
    return user


@transaction.atomic
def make_token(*, user: User, name: str) -> str:
    """A new API token's secret: shown once, stored as a hash."""
    if len(name) > 100 or not can_be_stored(name):
        raise ConcordError(_("A token's name has at most 100 characters."), fields={"name": [name]})
    secret = new_secret()
    ApiToken.objects.create(user=user, name=name or _("token"), secret_hash=hash_of(secret))
    return secret


@transaction.atomic
def revoke_token(*, user: User, token_id: int) -> None:
    user.api_tokens.filter(pk=token_id).delete()


def choose_keys(*, user: User, keys: dict[str, Any]) -> None:
    """Their single keys from now on: {action: key}, {"off": true}; {} is the usual ones. Raises KeysInvalid."""
    user.keys = read_keys(keys)
    user.save(update_fields=["keys"])
