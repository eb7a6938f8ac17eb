"""A campaign's rule in words: whole sentences, with the names that the rubric gives its dimensions."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Rubric
from reviews.rules import SAFETY, Rule


@dataclass(frozen=True)
class RuleWords:
    """reasons: any one of these sends an item to an expert. ways: what else happens, and how."""

    reasons: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)

    @property
    def sentences(self) -> list[str]:
        return [*self.reasons, *self.ways]


@dataclass(frozen=True)
class ChangeWords:
    """What one rule says and the other does not."""

    new: list[str]
    gone: list[str]


def words_of(rule: Rule, rubric: Rubric) -> RuleWords:
    """The rule as a list of sentences; a part that is off is not spoken of."""
    names = {dimension.key: dimension.name for dimension in rubric.dimensions}
    reasons = [*_range(rule, names), *_safety(rule, names)]
    reasons += [
        _("%(dimension)s: some raters give %(cut)s or more, others less.")
        % {"dimension": names.get(key, key), "cut": cut}
        for key, cut in rule.straddle.items()
    ]
    if rule.marks_split:
        reasons.append(_("Some raters mark a violation that others do not mark."))
    if rule.asked:
        reasons.append(_("A rater asks for an expert."))
    if rule.hurried:
        reasons.append(_("All raters were faster than the text can be read."))
    return RuleWords(reasons, _ways(rule, any_reason=bool(reasons)))


def changed_words(old: Rule, new: Rule, rubric: Rubric) -> ChangeWords:
    """What a change of the rule came to."""
    before, after = words_of(old, rubric).sentences, words_of(new, rubric).sentences
    return ChangeWords(
        new=[sentence for sentence in after if sentence not in before],
        gone=[sentence for sentence in before if sentence not in after],
    )


def _range(rule: Rule, names: dict[str, str]) -> list[str]:
    if rule.range is None:
        return []
    if isinstance(rule.range, int):
        said = ngettext(
            "The scores of one dimension are %(n)s level or more apart.",
            "The scores of one dimension are %(n)s levels or more apart.",
            rule.range,
        )
        return [said % {"n": rule.range}]
    return [
        ngettext(
            "%(dimension)s: the scores are %(n)s level or more apart.",
            "%(dimension)s: the scores are %(n)s levels or more apart.",
            levels,
        )
        % {"dimension": names.get(key, key), "n": levels}
        for key, levels in rule.range.items()
    ]


def _safety(rule: Rule, names: dict[str, str]) -> list[str]:
    if rule.safety_at_most is None:
        return []
    named = {"dimension": names.get(SAFETY, SAFETY), "cut": rule.safety_at_most}
    return [_("%(dimension)s: any rater gives %(cut)s or less.") % named]


def _ways(rule: Rule, *, any_reason: bool) -> list[str]:
    ways = []
    if not any_reason:
        ways.append(_("Nothing that raters say sends an item to an expert."))
    if rule.audit_share:
        share = {"percent": percent(rule.audit_share)}
        ways.append(
            _("Of the items without a reason %(percent)s %% are looked at all the same, drawn at random.") % share
        )
    if rule.extra_raters:
        said = ngettext(
            "Where raters merely disagree, %(n)s more is asked before an expert; where %(percent)s %% of all of them "
            "then agree, no expert is needed.",
            "Where raters merely disagree, %(n)s more are asked before an expert; where %(percent)s %% of all of them "
            "then agree, no expert is needed.",
            rule.extra_raters,
        )
        ways.append(said % {"n": rule.extra_raters, "percent": percent(rule.settled_from)})
    if rule.twice_share:
        share = {"percent": percent(rule.twice_share)}
        ways.append(_("Of the cases %(percent)s %% are decided by two experts, each on their own.") % share)
    return ways


def percent(share: float) -> str:
    """A share as it was typed: 5, 12.5."""
    return f"{share * 100:.6g}"
