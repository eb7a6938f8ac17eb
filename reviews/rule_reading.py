"""Reading a rule that somebody has typed or sent. Pure but for the words; what it means is in reviews/rules.py."""

from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import RuleInvalid
from annotation.models import Rubric
from annotation.models.rubric import Dimension
from reviews.rules import SAFETY, SETTLED_FROM, Rule

MOST_EXTRA = 10
Faults = dict[str, list[str]]


def read_rule(sent: Any, rubric: Rubric) -> Rule:
    """The rule that a campaign on this rubric may have; a part that is left out or null is off.

    sent: as a campaign keeps it. range: 1 to the width of the scale, a number or {dimension: number};
    safety_at_most: a level of the scale of safety; straddle: {dimension: a level above its lowest};
    marks_split, asked, hurried: true or false; audit_share, twice_share: 0 to 1; extra_raters: 0 to 10;
    settled_from: above .5, at most 1. Raises RuleInvalid with every fault by field.
    """
    if not isinstance(sent, Mapping):
        raise RuleInvalid(_("A rule is an object with a value for each of its parts."))
    faults: Faults = {}
    for name in sent.keys() - {part.name for part in fields(Rule)}:
        faults[str(name)] = [_("A rule has no such part.")]
    scales = {dimension.key: dimension for dimension in rubric.dimensions}
    rule = Rule(
        range=_range(sent.get("range"), scales, faults),
        safety_at_most=_safety(sent.get("safety_at_most"), scales, faults),
        straddle=_straddle(sent.get("straddle"), scales, faults),
        marks_split=_switch(sent.get("marks_split"), "marks_split", faults),
        asked=_switch(sent.get("asked"), "asked", faults),
        hurried=_switch(sent.get("hurried"), "hurried", faults),
        audit_share=_share(sent.get("audit_share"), "audit_share", faults),
        twice_share=_share(sent.get("twice_share"), "twice_share", faults),
        extra_raters=_whole(
            0 if sent.get("extra_raters") is None else sent["extra_raters"], 0, MOST_EXTRA, "extra_raters", faults
        ),
        settled_from=_settled_from(sent.get("settled_from"), faults),
    )
    if faults:
        raise RuleInvalid(_("The rule is not valid; see the fields named."), fields=faults)
    return rule


def _range(given: Any, scales: Mapping[str, Dimension], faults: Faults) -> int | dict[str, int] | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        return _whole(given, 1, max(map(_width, scales.values()), default=1), "range", faults)
    levels = {
        key: _whole(levels, 1, _width(scales[key]), f"range.{key}", faults)
        for key, levels in _known(given, "range", scales, faults).items()
    }
    return levels or None


def _straddle(given: Any, scales: Mapping[str, Dimension], faults: Faults) -> dict[str, int]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        faults["straddle"] = [_("Must name a pass mark for each dimension.")]
        return {}
    return {
        key: _whole(cut, scales[key].lowest + 1, scales[key].highest, f"straddle.{key}", faults)
        for key, cut in _known(given, "straddle", scales, faults).items()
    }


def _known(given: Mapping[Any, Any], name: str, scales: Mapping[str, Dimension], faults: Faults) -> dict[str, Any]:
    """What is given for the rubric's dimensions; null is off."""
    for key in given.keys() - scales.keys():
        faults[f"{name}.{key}"] = [_("The rubric has no such dimension.")]
    return {key: given[key] for key in scales if given.get(key) is not None}


def _safety(given: Any, scales: Mapping[str, Dimension], faults: Faults) -> int | None:
    if given is None:
        return None
    if SAFETY not in scales:
        faults["safety_at_most"] = [_("The rubric has no such dimension.")]
        return None
    return _whole(given, scales[SAFETY].lowest, scales[SAFETY].highest, "safety_at_most", faults)


def _width(dimension: Dimension) -> int:
    return dimension.highest - dimension.lowest


def _switch(given: Any, name: str, faults: Faults) -> bool:
    if given is not None and not isinstance(given, bool):
        faults[name] = [_("Must be true or false.")]
    return given is True


def _whole(given: Any, lowest: int, highest: int, name: str, faults: Faults) -> int:
    if type(given) is not int or not lowest <= given <= highest:
        ends = {"lowest": lowest, "highest": highest}
        faults[name] = [_("Must be a whole number from %(lowest)s to %(highest)s.") % ends]
        return lowest
    return given


def _share(given: Any, name: str, faults: Faults) -> float:
    if given is None:
        return 0.0
    if not _is_number(given) or not 0 <= given <= 1:
        faults[name] = [_("Must be a share from 0 to 1.")]
        return 0.0
    return float(given)


def _settled_from(given: Any, faults: Faults) -> float:
    if given is None:
        return SETTLED_FROM
    if not _is_number(given) or not 0.5 < given <= 1:
        faults["settled_from"] = [_("Must be a share above 0.5, at most 1.")]
        return SETTLED_FROM
    return float(given)


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and isfinite(given)
