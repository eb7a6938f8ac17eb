"""The rule as a form: each part a field, read back as a campaign keeps it. What is valid is said by rule_reading."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.errors import RuleInvalid
from annotation.models import Rubric
from annotation.models.rubric import Dimension
from reviews.rule_reading import MOST_EXTRA, read_rule
from reviews.rule_words import percent
from reviews.rules import SAFETY, Rule

NEVER, AS_ALL = "", "all"
Choices = list[tuple[str, str]]


class RuleForm(forms.Form):
    """All parts of a rule on one rubric. Sent by GET, to be counted; `rule` is what it says once it is valid."""

    use_required_attribute = False  # "never" is a choice, and browsers take it for none

    marks_split = forms.BooleanField(label=gettext_lazy("Some raters mark a violation that others do not mark"))
    asked = forms.BooleanField(label=gettext_lazy("A rater asks for an expert"))
    hurried = forms.BooleanField(label=gettext_lazy("All raters were faster than the text can be read"))
    audit_percent = forms.DecimalField(
        label=gettext_lazy("Audit, percent"),
        help_text=gettext_lazy("This share of the items without a reason is looked at all the same, drawn at random."),
        min_value=0,
        max_value=100,
        decimal_places=4,
    )
    extra_raters = forms.IntegerField(
        label=gettext_lazy("More raters before an expert"),
        help_text=gettext_lazy("Asked where raters merely disagree. Danger and a rater’s own wish go to the expert."),
        min_value=0,
        max_value=MOST_EXTRA,
    )
    settled_percent = forms.DecimalField(
        label=gettext_lazy("Settled where so many agree, percent"),
        help_text=gettext_lazy("Of all raters of the item, once more of them were asked: above 50."),
        max_value=100,
        decimal_places=4,
    )
    twice_percent = forms.DecimalField(
        label=gettext_lazy("Decided by two experts, percent of the cases"),
        help_text=gettext_lazy("Drawn at random; each expert decides on their own."),
        min_value=0,
        max_value=100,
        decimal_places=4,
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, rubric: Rubric, rule: Rule) -> None:
        """rule: what stands in it before anybody has typed."""
        super().__init__(data, initial=_initial(rule, rubric))
        self.rubric = rubric
        self.rule = rule
        widest = max((_width(dimension) for dimension in rubric.dimensions), default=1)
        self.fields["range"] = _choice(_("Scores of one dimension apart by"), [(NEVER, _("never")), *_apart(widest)])
        for dimension in rubric.dimensions:
            named = {"dimension": dimension.name}
            as_all = [(AS_ALL, _("as for all")), (NEVER, _("never")), *_apart(_width(dimension))]
            self.fields[f"range.{dimension.key}"] = _choice(_("%(dimension)s apart by") % named, as_all)
            cuts = range(dimension.lowest + 1, dimension.highest + 1)
            passes = [(NEVER, _("never")), *((str(cut), _("%(cut)s or more") % {"cut": cut}) for cut in cuts)]
            self.fields[f"straddle.{dimension.key}"] = _choice(_("%(dimension)s passes at") % named, passes)
            if dimension.key == SAFETY:
                cuts = range(dimension.lowest, dimension.highest)
                low = [(NEVER, _("never")), *((str(cut), _("%(cut)s or less") % {"cut": cut}) for cut in cuts)]
                self.fields["safety_at_most"] = _choice(_("Any score of %(dimension)s of") % named, low)
        for name in ("marks_split", "asked", "hurried"):
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.rule = read_rule(self._sent(cleaned), self.rubric)
            except RuleInvalid as refusal:
                for name, faults in refusal.fields.items():
                    self.add_error(_FIELDS.get(name, name if name in self.fields else None), faults)
        return cleaned

    def _sent(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """As a campaign keeps it."""
        return {
            **{name: cleaned[name] for name in ("marks_split", "asked", "hurried", "extra_raters")},
            **{part: float(cleaned[name]) / 100 for part, name in _FIELDS.items()},
            "safety_at_most": _level(cleaned.get("safety_at_most", NEVER)),
            "range": self._range(cleaned),
            "straddle": {
                dimension.key: _level(cleaned[f"straddle.{dimension.key}"]) for dimension in self.rubric.dimensions
            },
        }

    def _range(self, cleaned: Mapping[str, Any]) -> int | dict[str, int | None] | None:
        own = {dimension.key: cleaned[f"range.{dimension.key}"] for dimension in self.rubric.dimensions}
        if all(chosen == AS_ALL for chosen in own.values()):
            return _level(cleaned["range"])
        widths = {dimension.key: _width(dimension) for dimension in self.rubric.dimensions}
        levels = {key: _level(cleaned["range"] if chosen == AS_ALL else chosen) for key, chosen in own.items()}
        return {key: level if level is None else min(level, widths[key]) for key, level in levels.items()}

    @property
    def own_ranges(self) -> list[Any]:
        return [self[name] for name in self.fields if name.startswith("range.")]

    @property
    def own_ranges_differ(self) -> bool:
        return any(part.value() != AS_ALL for part in self.own_ranges)

    @property
    def pass_marks(self) -> list[Any]:
        return [self[name] for name in self.fields if name.startswith("straddle.")]

    @property
    def pass_marks_set(self) -> bool:
        return any(part.value() for part in self.pass_marks)


_FIELDS = {"audit_share": "audit_percent", "settled_from": "settled_percent", "twice_share": "twice_percent"}


def _initial(rule: Rule, rubric: Rubric) -> dict[str, Any]:
    by_dimension = rule.range if isinstance(rule.range, Mapping) else None
    initial: dict[str, Any] = {
        **{name: getattr(rule, name) for name in ("marks_split", "asked", "hurried", "extra_raters")},
        **{name: percent(getattr(rule, part)) for part, name in _FIELDS.items()},
        "safety_at_most": _text(rule.safety_at_most),
        "range": NEVER if by_dimension is not None else _text(rule.range_of("")),
    }
    for dimension in rubric.dimensions:
        own = AS_ALL if by_dimension is None else _text(by_dimension.get(dimension.key))
        initial[f"range.{dimension.key}"] = own
        initial[f"straddle.{dimension.key}"] = _text(rule.straddle.get(dimension.key))
    return initial


class _Choice(forms.ChoiceField):
    """One of its choices, of which the empty one is as good as any."""

    def validate(self, value: Any) -> None:
        if not self.valid_value(value):
            raise ValidationError(self.error_messages["invalid_choice"] % {"value": value})


def _choice(label: str, choices: Iterable[tuple[str, str]]) -> forms.ChoiceField:
    return _Choice(label=label, choices=list(choices))


def _apart(widest: int) -> Choices:
    return [
        (str(n), ngettext("%(n)s level or more", "%(n)s levels or more", n) % {"n": n}) for n in range(1, widest + 1)
    ]


def _width(dimension: Dimension) -> int:
    return dimension.highest - dimension.lowest


def _level(chosen: str) -> int | None:
    return int(chosen) if chosen else None


def _text(level: int | None) -> str:
    return NEVER if level is None else str(level)
