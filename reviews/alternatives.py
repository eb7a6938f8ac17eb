"""Rules that differ from a rule in one part, to be set side by side with it. Pure but for the words."""

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.rules import Rule

RANGES = (1, 2, 3)
MORE = 2


def alternatives_of(rule: Rule) -> list[tuple[str, Rule]]:
    """(what is different, the rule), without those that are the rule itself."""
    found = []
    for levels in RANGES:
        said = ngettext("Scores %(n)s level or more apart", "Scores %(n)s levels or more apart", levels)
        found.append((said % {"n": levels}, replace(rule, range=levels)))
    found += [
        (_("Without the distance of scores"), replace(rule, range=None)),
        (_("Without the lowest scores of safety"), replace(rule, safety_at_most=None)),
        (_("Without the pass marks"), replace(rule, straddle={})),
        (_("Without the marks that are split"), replace(rule, marks_split=False)),
        (_("Without the raters’ own wish"), replace(rule, asked=False)),
        (_("Without the hurry"), replace(rule, hurried=False)),
        (_("Without the audit"), replace(rule, audit_share=0.0)),
        (_("Without more raters first"), replace(rule, extra_raters=0)),
    ]
    if not rule.extra_raters:
        said = ngettext("With %(n)s more rater first", "With %(n)s more raters first", MORE)
        found.append((said % {"n": MORE}, replace(rule, extra_raters=MORE)))
    return [(words, other) for words, other in found if other != rule]
