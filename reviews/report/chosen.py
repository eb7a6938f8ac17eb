"""Whose ratings a report is of, where they are not everybody's."""

from django.utils.translation import gettext as _

from reviews.figures import listed
from reviews.report.parts import Report


def chosen_words(report: Report) -> str:
    """Empty where it is of all raters."""
    parameters = report.result["parameters"]
    raters = parameters.get("raters")
    if not raters:
        return ""
    words = _("Of %(n)s of %(all)s raters: %(raters)s")
    named = listed(sorted(map(report.names.rater, raters)))
    return words % {"n": f"{len(raters):,}", "all": f"{parameters['raters_of']:,}", "raters": named}
