"""From when on, and why: read in the zone of whoever typed it."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.validation import LONGEST_NOTE

LOCAL = "%Y-%m-%dT%H:%M"


class WithdrawalForm(forms.Form):
    """`zone` is the browser's, as js/pages/rater.js fills it in; without a script times are the server's."""

    since = forms.DateTimeField(
        label=_("From this moment on"),
        help_text=_("All that they submitted then or later; an edit by the time when it was made."),
        input_formats=["%Y-%m-%dT%H:%M:%S", LOCAL, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL),
    )
    zone = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput(attrs={"data-zone": ""}))
    reason = forms.CharField(
        label=_("Why"),
        help_text=_("Kept in the campaign’s log, for its managers. The rater is told that it was done, not why."),
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        since, zone = cleaned.get("since"), zone_called(cleaned.get("zone", ""))
        if isinstance(since, datetime) and zone is not None:
            cleaned["since"] = timezone.make_naive(since).replace(tzinfo=zone)
        return cleaned


def zone_called(name: str) -> ZoneInfo | None:
    """The zone of this name; None where there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # unknown, no name of a zone, too long for a file
        return None
