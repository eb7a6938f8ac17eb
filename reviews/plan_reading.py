"""Reading what a plan is asked for: one way for the command, the page and the API. Never imports what computes it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite, prod
from typing import Any

from django.utils.translation import gettext as _

from reviews.errors import PlanInvalid
from reviews.statistics.planning_limits import (
    FEWEST_SIMULATIONS,
    MOST_DESIGNS,
    MOST_LEVELS,
    MOST_RATERS,
    MOST_RESPONSES,
    MOST_SCENARIOS,
    MOST_SIMULATIONS,
)

SIZES = {"scenarios": MOST_SCENARIOS, "responses": MOST_RESPONSES, "raters": MOST_RATERS}
STATED = ("distribution", "alpha", "scenario_share")
COSTS = ("seconds", "case_minutes", "wage", "expert_wage")
MOST_SEED = 2**63 - 1
UNNAMED = "value"  # the one dimension of a plan that no pilot names
Faults = dict[str, list[str]]


@dataclass(frozen=True)
class PlanOptions:
    """What designs are compared, on which assumptions.

    distribution: {level: weight} in any unit; alpha; scenario_share: of the scenarios in the variance of the items'
    true values. None of these is the pilot's. scale: None is the whole numbers from the lowest to the highest level,
    or the pilot's. dimension: the one of the pilot that is looked at; None is all.
    width: alpha is wanted to ± so much. range, cut: what goes to an expert; None never. audit: share of what agrees.
    seconds: for a rating; case_minutes: of an expert for an item; wages an hour. simulations: studies a design.
    """

    scenarios: tuple[int, ...] = (60, 120, 300)
    responses: tuple[int, ...] = (5,)
    raters: tuple[int, ...] = (2, 3, 5)
    distribution: Mapping[float, float] | None = None
    alpha: float | None = None
    scenario_share: float | None = None
    scale: str | None = None
    dimension: str | None = None
    width: float | None = None
    range: float | None = 2
    cut: float | None = None
    audit: float = 0.05
    seconds: float = 60
    case_minutes: float = 4
    wage: float = 12
    expert_wage: float = 40
    seed: int = 0
    simulations: int = 100

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "PlanOptions":
        """Back from `as_json`."""
        sizes = {name: tuple(kept[name]) for name in SIZES}
        pairs = kept["distribution"]
        return cls(**{**kept, **sizes, "distribution": None if pairs is None else dict(pairs)})

    def as_json(self) -> dict[str, Any]:
        """JSON knows no keys that are numbers: the distribution is pairs."""
        pairs = None if self.distribution is None else [[level, n] for level, n in self.distribution.items()]
        return {**asdict(self), **{name: list(getattr(self, name)) for name in SIZES}, "distribution": pairs}


DEFAULTS = PlanOptions()
NAMES = frozenset(field.name for field in fields(PlanOptions))


def read_plan(sent: Mapping[str, Any], *, has_pilot: bool) -> PlanOptions:
    """The options of a plan; one that is left out is as in PlanOptions.

    sent: numbers, or texts of them; sizes may be texts with commas. has_pilot: assumptions may be left out, and are
    estimated. Raises PlanInvalid with every fault by option.
    """
    faults: Faults = {str(name): [_("A plan has no such option.")] for name in sent.keys() - NAMES}
    sizes: dict[str, Any] = {
        name: _sizes(sent.get(name, getattr(DEFAULTS, name)), most, name, faults) for name, most in SIZES.items()
    }
    designs = prod(len(numbers) for numbers in sizes.values())
    if designs > MOST_DESIGNS and not faults:
        told = {"designs": designs, "most": MOST_DESIGNS}
        faults["scenarios"] = [_("These are %(designs)s designs; at most %(most)s stand side by side.") % told]
    assumed: dict[str, Any] = {
        "distribution": _distribution(sent.get("distribution"), faults),
        "alpha": _number(sent, "alpha", faults, _is_alpha, _("Must be from 0 to below 1.")),
        "scenario_share": _share(sent, "scenario_share", faults),
    }
    if not has_pilot:
        for name in STATED:
            if assumed[name] is None:
                faults.setdefault(name, [_("Without a pilot this must be stated.")])
    if sent.get("dimension") and not has_pilot:
        faults["dimension"] = [_("Only a pilot has dimensions to choose from.")]
    above, from_zero = _("Must be a number above 0."), _("Must be a number from 0 on.")
    rest: dict[str, Any] = {
        "scale": _text(sent, "scale", faults),
        "dimension": _text(sent, "dimension", faults),
        "width": _number(sent, "width", faults, lambda n: 0 < n < 1, _("Must be between 0 and 1.")),
        "range": _number(sent, "range", faults, lambda n: n > 0, above),
        "cut": _number(sent, "cut", faults, lambda n: True, _("Must be a number.")),
        "audit": _share(sent, "audit", faults),
        **{name: _number(sent, name, faults, lambda n: n >= 0, from_zero) for name in COSTS},
        "seed": _whole(sent, "seed", 0, MOST_SEED, faults),
        "simulations": _whole(sent, "simulations", FEWEST_SIMULATIONS, MOST_SIMULATIONS, faults),
    }
    if faults:
        raise PlanInvalid(fields=faults)
    return PlanOptions(**sizes, **assumed, **rest)


def _sizes(given: Any, most: int, name: str, faults: Faults) -> tuple[int, ...]:
    """Each number once, in the order given."""
    words: Iterable[Any] = re.split(r"[\s,;，、；]+", given.strip(" ,;，、；")) if isinstance(given, str) else given
    if isinstance(given, int) and not isinstance(given, bool):
        words = [given]
    if not isinstance(words, list | tuple) or words == [""] or not words:
        faults[name] = [_("Must be whole numbers with commas between.")]
        return ()
    found = []
    for word in words:
        number = _as_whole(word)
        if number is None:
            faults[name] = [_("Must be whole numbers with commas between.")]
            return ()
        if not 1 <= number <= most:
            faults[name] = [_("%(number)s is not from 1 to %(most)s.") % {"number": number, "most": most}]
            return ()
        found.append(number)
    return tuple(dict.fromkeys(found))


def _distribution(given: Any, faults: Faults) -> Mapping[float, float] | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        faults["distribution"] = [_("Must name a weight for each level.")]
        return None
    found: dict[float, float] = {}
    for level, weight in given.items():
        at, weighed = _as_number(level), _as_number(weight)
        if at is None or weighed is None or weighed < 0:
            faults["distribution"] = [_("Levels are numbers, and weights are numbers from 0 on.")]
            return None
        if at in found:
            faults["distribution"] = [_("Level %(level)s stands twice.") % {"level": level}]
            return None
        found[at] = weighed
    used = sum(weight > 0 for weight in found.values())
    if used < 2:
        faults["distribution"] = [_("At least two levels must have a weight, or alpha is undefined.")]
    elif used > MOST_LEVELS:
        faults["distribution"] = [_("At most %(most)s levels can have a weight.") % {"most": MOST_LEVELS}]
    return found


def _is_alpha(number: float) -> bool:
    return 0 <= number < 1


def _share(sent: Mapping[str, Any], name: str, faults: Faults) -> float | None:
    return _number(sent, name, faults, lambda n: 0 <= n <= 1, _("Must be a share from 0 to 1."))


def _number(sent: Mapping[str, Any], name: str, faults: Faults, fits: Any, told: str) -> float | None:
    """None where it is null; the default where it is left out."""
    given = sent.get(name, getattr(DEFAULTS, name))
    if given is None and (name in COSTS or name == "audit"):
        given = getattr(DEFAULTS, name)
    if given is None:
        return None
    number = _as_number(given)
    if number is None or not fits(number):
        faults[name] = [told]
        return None
    return number


def _whole(sent: Mapping[str, Any], name: str, lowest: int, highest: int, faults: Faults) -> int:
    default: int = getattr(DEFAULTS, name)
    given = sent.get(name)
    number = _as_whole(default if given is None else given)
    if number is None or not lowest <= number <= highest:
        ends = {"lowest": lowest, "highest": highest}
        faults[name] = [_("Must be a whole number from %(lowest)s to %(highest)s.") % ends]
        return default
    return number


def _text(sent: Mapping[str, Any], name: str, faults: Faults) -> str | None:
    given = sent.get(name)
    if given is not None and (not isinstance(given, str) or len(given) > 200):
        faults[name] = [_("Must be a text.")]
        return None
    return given or None


def _as_whole(given: Any) -> int | None:
    if isinstance(given, str):
        return int(given) if re.fullmatch(r"[+-]?[0-9]{1,18}", given.strip()) else None
    return given if type(given) is int else None


def _as_number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
