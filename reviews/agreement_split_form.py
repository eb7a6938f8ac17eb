"""How ratings are split in two, as a small form for each way. What is valid is said by agreement_split."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from reviews.agreement_split import PERIODS, RATERS, RETRAINING, RUBRICS, Split, read_split, retrained_of, rubrics_of
from reviews.errors import SplitInvalid
from reviews.rater_codes import names_of_codes
from reviews.withdrawal_form import zone_called


class SplitForm(forms.Form):
    """`split` is what it says once it is valid. Subclasses: BY, and the fields that read_split asks for."""

    BY = ""
    use_required_attribute = False

    def __init__(self, data: Mapping[str, Any] | None = None, *, campaign: Campaign) -> None:
        super().__init__(data, auto_id=f"id_{self.BY}_%s")
        self.campaign = campaign
        self.split: Split | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            sent = {**cleaned, "by": self.BY, "since": _in_zone(cleaned.get("since"), cleaned.get("zone", ""))}
            try:
                self.split = read_split(sent, self.campaign)
            except SplitInvalid as refusal:
                for name, faults in refusal.fields.items():
                    self.add_error(name if name in self.fields else None, faults)
        return cleaned

    @property
    def is_possible(self) -> bool:
        """There is something to choose from."""
        return True


def _in_zone(day: date | None, zone: str) -> datetime | None:
    """The beginning of the day where it was typed; in UTC where that is not known."""
    return None if day is None else datetime.combine(day, time(), zone_called(zone) or UTC)


def _day(*, required: bool = True, help_text: Any = "") -> forms.DateField:
    return forms.DateField(
        label=_("From this day on"),
        required=required,
        help_text=help_text,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


def _zone() -> forms.CharField:
    """The browser's, as js/parts/zone.js fills it in."""
    return forms.CharField(required=False, max_length=100, widget=forms.HiddenInput(attrs={"data-zone": ""}))


class PeriodsForm(SplitForm):
    BY = PERIODS
    since = _day(help_text=_("Ratings submitted before it are compared with those from then on."))
    zone = _zone()


class RubricsForm(SplitForm):
    BY = RUBRICS
    a = forms.ChoiceField(label=_("First version"))
    b = forms.ChoiceField(label=_("Second version"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, campaign: Campaign) -> None:
        super().__init__(data, campaign=campaign)
        self.versions = rubrics_of(campaign)
        for name, first in zip("ab", self.versions[:2], strict=False):
            self.fields[name].initial = first
        for name in "ab":
            self.fields[name].choices = [(version, version) for version in self.versions]  # type: ignore[attr-defined]

    @property
    def is_possible(self) -> bool:
        return len(self.versions) > 1


class RatersForm(SplitForm):
    BY = RATERS
    a = forms.MultipleChoiceField(label=_("First group"), widget=forms.CheckboxSelectMultiple)
    b = forms.MultipleChoiceField(label=_("Second group"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: Mapping[str, Any] | None = None, *, campaign: Campaign) -> None:
        super().__init__(data, campaign=campaign)
        self.raters = _raters(campaign)
        for name in "ab":
            self.fields[name].choices = self.raters  # type: ignore[attr-defined]

    @property
    def is_possible(self) -> bool:
        return len(self.raters) > 1


class RetrainingForm(SplitForm):
    BY = RETRAINING
    rater = forms.ChoiceField(
        label=_("Rater"),
        help_text=_("With all who rated the same items: those that the rater rated before, and those after."),
    )
    since = _day(required=False, help_text=_("Left empty, when they were last asked to train again."))
    zone = _zone()

    def __init__(self, data: Mapping[str, Any] | None = None, *, campaign: Campaign) -> None:
        super().__init__(data, campaign=campaign)
        retrained = retrained_of(campaign)
        # who was trained again stands first
        self.raters = sorted(_raters(campaign), key=lambda rater: rater[0] not in retrained)
        self.fields["rater"].choices = self.raters  # type: ignore[attr-defined]

    @property
    def is_possible(self) -> bool:
        return bool(self.raters)


def _raters(campaign: Campaign) -> list[tuple[str, str]]:
    return sorted(names_of_codes(campaign).items(), key=lambda pair: pair[1].casefold())


FORMS: dict[str, type[SplitForm]] = {form.BY: form for form in (PeriodsForm, RubricsForm, RatersForm, RetrainingForm)}
