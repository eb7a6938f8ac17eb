"""A band, and the verdict on an interval, in the reader's language."""

from django.utils.translation import gettext as _

from reviews.statistics.bands import Verdict


def verdict_words(verdict: Verdict) -> str:
    """The band that the interval lies in, or those of its two ends."""
    low, high = band_words(verdict.low), band_words(verdict.high)
    return low if verdict.is_certain else _("%(low)s to %(high)s") % {"low": low, "high": high}


def band_words(band: str) -> str:
    """The name of a band in the reader's language."""
    words = {
        "rely": _("rely"),
        "tentative": _("tentative"),
        "do not use": _("do not rely"),
        "poor": _("poor"),
        "moderate": _("moderate"),
        "good": _("good"),
        "excellent": _("excellent"),
        "slight": _("slight"),
        "fair": _("fair"),
        "substantial": _("substantial"),
        "almost perfect": _("almost perfect"),
    }
    return words.get(band, band)


def level_words(level: str) -> str:
    """The level of measurement."""
    words = {"nominal": _("nominal"), "ordinal": _("ordinal"), "interval": _("interval"), "ratio": _("ratio")}
    return words.get(level, level)
