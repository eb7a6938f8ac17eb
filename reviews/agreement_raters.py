"""Whose ratings a report is of: read one way for the page and the API. None is everybody's."""

from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Campaign, Rating, WorkItem
from reviews.errors import OptionsInvalid
from reviews.rater_codes import names_of_codes, rater_codes


def codes_to_choose(campaign: Campaign) -> set[str]:
    """Of the raters whose ratings agreement may read."""
    rows = Rating.objects.base().in_campaign(campaign).exclude(work_item__state=WorkItem.State.WITHDRAWN)
    codes = rater_codes(campaign)
    return {codes[pk] for pk in rows.order_by().values_list("annotator", flat=True).distinct()}


def raters_to_choose(campaign: Campaign) -> list[tuple[str, str]]:
    """(code, name) of the same in the order of their names, for managers."""
    known = codes_to_choose(campaign)
    named = [(code, name) for code, name in names_of_codes(campaign).items() if code in known]
    return sorted(named, key=lambda pair: pair[1].casefold())


def read_raters(given: Any, campaign: Campaign) -> list[str] | None:
    """Codes in their order, each once. Raises OptionsInvalid, with the fault under `raters`."""
    if given is None:
        return None
    if not isinstance(given, list) or not given or not all(isinstance(code, str) for code in given):
        raise _refused(_("Must be a list of raters’ codes, at least one."))
    known = codes_to_choose(campaign)
    if strangers := [code for code in given if code not in known]:
        raise stranger(strangers[0])
    return sorted(set(given))


def stranger(code: str) -> OptionsInvalid:
    """Refuses a rater whom agreement does not know."""
    return _refused(_("No rating that agreement reads is by “%(rater)s”.") % {"rater": code[:80]})


def _refused(fault: str) -> OptionsInvalid:
    return OptionsInvalid(fault, fields={"raters": [fault]})
