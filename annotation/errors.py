"""Named errors of the annotation room: what happened and what to do, in one sentence; doors show it."""

from typing import Any

from django.utils.translation import gettext_lazy as _


class ConcordError(Exception):
    """Something a person can mend. `status` is the HTTP answer a door gives."""

    status = 400
    message: Any = _("This cannot be done.")

    def __init__(self, message: Any = None, *, fields: dict[str, Any] | None = None, **more: Any) -> None:
        super().__init__(message or self.message)
        self.fields = fields or {}
        self.more = more

    def __str__(self) -> str:
        return str(self.args[0])


class NotAllowed(ConcordError):
    status = 403
    message = _("You may not do this.")


class MoveRefused(ConcordError):
    """A state change that the tables of moves do not list."""

    status = 409


class CampaignNotOpen(ConcordError):
    status = 409
    message = _("This campaign is not open.")


class NotYourLease(ConcordError):
    status = 404
    message = _("There is no such assignment of yours.")


class LeaseLost(ConcordError):
    status = 409
    message = _("This item is no longer yours. Ask for the next one.")


class AlreadyRated(ConcordError):
    """A second rating of one assignment that does not say which one it supersedes."""

    status = 409
    message = _("You have already rated this item. To change your rating, edit it.")


class DraftOlder(ConcordError):
    """The stored one comes with it, as `draft`."""

    status = 409
    message = _("A newer draft of this item is kept, from another page or machine.")


class NothingToUndo(ConcordError):
    status = 404
    message = _("There is no rating of yours here that can still be changed.")


class EditClosed(ConcordError):
    status = 409
    message = _("This rating can no longer be edited: an expert has taken the item, or the campaign is closed.")


class RatingInvalid(ConcordError):
    message = _("The rating is not complete or not valid; see the fields named.")


class FlagInvalid(ConcordError):
    """A flag on a scenario without a fault, or with a note that cannot be stored."""


class InvitationInvalid(ConcordError):
    status = 410
    message = _("This link was used or has expired. Ask the person who sent it for a new one.")


class RoleConflict(ConcordError):
    status = 409


class ShareInvalid(ConcordError):
    message = _("These cases cannot be dealt so; see the fields named.")


class SelectionInvalid(ConcordError):
    """A campaign that cannot be made as asked."""


class NotQualified(ConcordError):
    """The campaign has a training round that this annotator has not passed yet."""

    status = 403
    message = _("This campaign begins with a training round. Pass it first; then you are given items.")


class ReferenceRefused(ConcordError):
    """A known answer that cannot be kept, replaced or removed."""

    status = 409


class TrainingRefused(ConcordError):
    """A training attempt that cannot begin or go on."""

    status = 409


class RuleInvalid(ConcordError):
    """A rule of the training round or of the checks that cannot be met, or makes no sense; by field."""


class KeysInvalid(ConcordError):
    message = _("These keys cannot be used; see what is said of each.")


class MessageRefused(ConcordError):
    """A message that cannot be sent: its text, what it answers, or a reader who has left."""


class ExampleRefused(ConcordError):
    """An item that cannot stand in the guideline."""

    status = 409


class ExampleInvalid(ConcordError):
    message = _("The example is not complete or not valid; see the fields named.")


class SettingsInvalid(ConcordError):
    message = _("These settings are not valid; see the fields named.")
