"""Filters of the list of cases that a person keeps under names of their own."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import User
from annotation.services.people import one_at_a_time
from annotation.validation import can_be_stored
from reviews.asked import Asked
from reviews.errors import ViewInvalid
from reviews.models import SavedView

MOST = 20
LONGEST_NAME: int = SavedView._meta.get_field("name").max_length or 0
LONGEST_QUERY: int = SavedView._meta.get_field("query").max_length or 0


@transaction.atomic
def save_view(*, user: User, name: str, query: Mapping[str, Any]) -> SavedView:
    """Keeps the filter of a query string, without its cursor; a view of the same name is replaced.

    Raises ListInvalid for a filter that cannot be read, ViewInvalid for a name that cannot be kept or one too many.
    """
    name, kept = " ".join(name.split()), Asked.of(query).as_query()
    if not name or len(name) > LONGEST_NAME or not can_be_stored(name):
        told = _("A view needs a name of at most %(most)s characters.") % {"most": LONGEST_NAME}
        raise ViewInvalid(told, fields={"name": [told]})
    if len(kept) > LONGEST_QUERY:
        told = _("This filter is too long to be kept: search for fewer words.")
        raise ViewInvalid(told, fields={"q": [told]})
    one_at_a_time(user)
    others = SavedView.objects.filter(user=user).exclude(name=name)
    if others.count() >= MOST:
        raise ViewInvalid(_("You keep %(most)s views already. Delete one first.") % {"most": MOST})
    view, _created = SavedView.objects.update_or_create(user=user, name=name, defaults={"query": kept})
    return view


def delete_view(*, view: SavedView) -> None:
    """The caller has seen that it is the person's own."""
    view.delete()
