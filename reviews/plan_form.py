"""A plan as a form: each option a field. What is valid is said by plan_reading."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Campaign
from reviews.errors import PlanInvalid
from reviews.plan_reading import COSTS, DEFAULTS, SIZES, STATED, PlanOptions, read_plan
from reviews.plan_refusals import refusal_words
from reviews.report.reading import dimension_names
from reviews.statistics.planning_refusals import PlanRefused

STATED_BY_HAND, FROM_PILOT = "stated", "pilot"
LEVELS = range(1, 6)  # the scale of the rubric that campaigns begin with
# What ratings of companions looked like where they were known: most are good, few are bad.
SUPPOSED = {1: 2, 2: 5, 3: 13, 4: 45, 5: 35}
ALPHA, SCENARIO_SHARE, WIDTH = 0.6, 0.3, 0.05
ROUNDING = 1  # percent: shares that were rounded do not add up to 100
_FIELDS = {"distribution": f"level.{LEVELS[0]}", "audit": "audit_percent", "scenario_share": "scenario_percent"}


def _number(label: Any, *, required: bool = True, help_text: Any = "") -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any", "min": "0"})
    return forms.FloatField(label=label, required=required, help_text=help_text, widget=widget)


def _sizes(label: Any, help_text: Any = "") -> forms.CharField:
    return forms.CharField(label=label, max_length=200, help_text=help_text)


class PlanForm(forms.Form):
    """`options` and `pilot_slug` are what it says once it is valid."""

    use_required_attribute = False

    source = forms.ChoiceField(
        label=gettext_lazy("Where the assumptions come from"),
        widget=forms.RadioSelect,
        choices=[
            (STATED_BY_HAND, gettext_lazy("As stated below")),
            (FROM_PILOT, gettext_lazy("From the ratings of a campaign")),
        ],
    )
    pilot = forms.ChoiceField(
        label=gettext_lazy("Campaign that serves as pilot"),
        required=False,
        help_text=gettext_lazy("Of your own; what is stated below is then not used."),
    )
    alpha = _number(gettext_lazy("Alpha"), required=False, help_text=gettext_lazy("Ordinal, from 0 to below 1."))
    scenario_percent = _number(
        gettext_lazy("Share of the scenarios, percent"),
        required=False,
        help_text=gettext_lazy("Of what makes items differ, how much all responses to a scenario have in common."),
    )
    scenarios = _sizes(gettext_lazy("Scenarios"), gettext_lazy("One number or several with commas: 60, 120, 300."))
    responses = _sizes(gettext_lazy("Responses a scenario"))
    raters = _sizes(gettext_lazy("Raters an item"))
    width = _number(
        gettext_lazy("Alpha wanted to ±"),
        required=False,
        help_text=gettext_lazy("Half the length of its 95 % interval. The cheapest design that meets it is named."),
    )
    range = _number(
        gettext_lazy("Scores apart by"),
        required=False,
        help_text=gettext_lazy("So many levels or more go to an expert; empty is never."),
    )
    cut = _number(
        gettext_lazy("Any score of safety at or below"),
        required=False,
        help_text=gettext_lazy(
            "Goes to an expert; empty is never. As stated below there is one dimension: it is of it."
        ),
    )
    audit_percent = _number(
        gettext_lazy("Audit, percent"), help_text=gettext_lazy("So many of the items that nothing else sends go too.")
    )
    seconds = _number(gettext_lazy("Seconds a rating"))
    case_minutes = _number(gettext_lazy("Minutes a case"))
    wage = _number(gettext_lazy("Wage of annotators, an hour"))
    expert_wage = _number(gettext_lazy("Wage of experts, an hour"))

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        pilots: Iterable[Campaign],
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        """pilots: the campaigns to choose from. kept: what a plan was asked for, to begin with."""
        super().__init__(data, initial=_initial(kept))
        self.options = DEFAULTS
        self.pilot_slug: str | None = None
        choices = self.fields["pilot"]
        assert isinstance(choices, forms.ChoiceField)
        named = [(campaign.slug, campaign.title) for campaign in pilots]
        choices.choices = [("", "–"), *named]
        if not named:
            del self.fields["pilot"]
            self.fields["source"] = forms.CharField(widget=forms.HiddenInput, required=False)
        for level in LEVELS:
            self.fields[f"level.{level}"] = _number(_("Level %(level)s, %%") % {"level": level}, required=False)

    @classmethod
    def refused(cls, refused: PlanRefused, *, pilots: Iterable[Campaign], kept: Mapping[str, Any]) -> "PlanForm":
        """What a plan was asked for, with what its working out refused at its place. kept: as above."""
        pilots = list(pilots)
        form = cls(_initial(kept), pilots=pilots)
        form.full_clean()
        pilot = next((campaign for campaign in pilots if campaign.slug == kept["pilot"]), None)
        # What a pilot cannot tell is stated here in its place, not beside it.
        option = "pilot" if kept["pilot"] and refused.option in STATED else refused.option
        form._add_fault(option, refusal_words(refused, dimension_name=dimension_names(pilot)))
        return form

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        from_pilot = cleaned.get("source") == FROM_PILOT
        if from_pilot and not cleaned.get("pilot") and "pilot" not in self.errors:
            self.add_error("pilot" if "pilot" in self.fields else None, _("Choose the campaign."))
        if not from_pilot:
            self._check_shares(cleaned)
        if not self.errors:
            self.pilot_slug = cleaned["pilot"] if from_pilot else None
            try:
                self.options = read_plan(self._sent(cleaned), has_pilot=from_pilot)
            except PlanInvalid as refusal:
                for option, faults in refusal.fields.items():
                    self._add_fault(option, faults)
        return cleaned

    def _add_fault(self, option: str, fault: Any) -> None:
        """At the field of the option; of the whole form where it has none."""
        self.add_error(_FIELDS.get(option, option if option in self.fields else None), fault)

    def _check_shares(self, cleaned: Mapping[str, Any]) -> None:
        """Where they are far from 100 percent, one of them is mistyped."""
        names = [f"level.{level}" for level in LEVELS]
        if any(name in self.errors for name in names):
            return
        total = sum(cleaned.get(name) or 0 for name in names)
        if abs(total - 100) > ROUNDING:
            self.add_error(names[0], _("The levels add up to %(total)s %%, not to 100 %%.") % {"total": f"{total:g}"})

    def _sent(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """As the reading takes it: shares for percents, and nothing stated beside a pilot."""
        same = (*SIZES, *COSTS, "width", "range", "cut")
        sent = {**{name: cleaned[name] for name in same}, "audit": cleaned["audit_percent"] / 100}
        if cleaned["source"] == FROM_PILOT:
            return sent
        percent = cleaned["scenario_percent"]
        shares = {str(level): cleaned[f"level.{level}"] or 0 for level in LEVELS}
        stated = {"distribution": shares, "scale": f"{LEVELS[0]}-{LEVELS[-1]}", "alpha": cleaned["alpha"]}
        return {**sent, **stated, "scenario_share": None if percent is None else percent / 100}

    @property
    def levels(self) -> list[Any]:
        return [self[f"level.{level}"] for level in LEVELS]


def _initial(kept: Mapping[str, Any] | None) -> dict[str, Any]:
    """Of the arguments of a plan's job; without them what is often so."""
    options = PlanOptions.of(kept["options"]) if kept else None
    pilot = kept["pilot"] if kept else None
    stated = options if options is not None and all(getattr(options, name) is not None for name in STATED) else None
    shares: Mapping[Any, float] = stated.distribution if stated and stated.distribution else SUPPOSED
    total = sum(shares.values())
    shown = options or DEFAULTS
    return {
        **{f"level.{level}": _short(100 * shares.get(level, 0) / total) for level in LEVELS},
        **{name: ", ".join(map(str, getattr(shown, name))) for name in SIZES},
        **{name: _short(getattr(shown, name)) for name in COSTS},
        "source": FROM_PILOT if pilot else STATED_BY_HAND,
        "pilot": pilot or "",
        "alpha": _short(stated.alpha if stated else ALPHA),
        "scenario_percent": _short(100 * (stated.scenario_share or 0) if stated else 100 * SCENARIO_SHARE),
        "width": _short(options.width if options else WIDTH),
        "range": _short(shown.range),
        "cut": _short(shown.cut),
        "audit_percent": _short(100 * shown.audit),
    }


def _short(number: float | None) -> float | None:
    """Without the rest that turning shares into percents leaves."""
    return None if number is None else float(f"{number:.6g}")
