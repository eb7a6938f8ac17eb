"""The agreement of a campaign's raters: computed from the independent ratings, kept, and made again to the digit.

Imports pandas: for the worker and the commands, never for what serves pages.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
from django.db import IntegrityError, transaction

from annotation.models import Campaign, User
from reviews.agreement_raters import stranger
from reviews.code_version import code_version
from reviews.errors import NoRatings, OptionsInvalid
from reviews.models import AgreementReport
from reviews.services.base_ratings import BaseRatings, base_ratings
from reviews.services.report import report_of
from reviews.services.snapshot import snapshot
from reviews.statistics.report import agreement
from reviews.statistics.scales import ScaleRefused
from reviews.statistics.tidy import RatingsRefused

REPLICATES = 10_000


@dataclass(frozen=True)
class Options:
    """As the command takes them. scale: None is the rubric's own; seed: None takes it from the data's hash.

    raters: the codes of those whose ratings are read, in their order and each once whatever is given; None is all.
    """

    level: str = "ordinal"
    scale: str | None = None
    cluster: str | None = None
    bootstrap: int = REPLICATES
    seed: int | None = None
    raters: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.raters is not None:
            object.__setattr__(self, "raters", tuple(sorted(set(self.raters))))

    def asked(self, campaign: Campaign) -> dict[str, Any]:
        """What `agreement` of the statistics is asked of the campaign."""
        asked = asdict(self)
        del asked["raters"]
        return asked | {"scale": self.scale or scales_of(campaign)}


def compute_agreement(
    *,
    campaign: Campaign,
    options: Options | None = None,
    by: User | None = None,
    pulse: Callable[[], None] = lambda: None,
    step: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[AgreementReport, bool]:
    """The report, and whether it is new: the same data, parameters and code give the one that is kept.

    pulse: called now and then while reading, to show life; step: told then how many steps of all are done.
    Raises NoRatings, OptionsInvalid.
    """
    options = options or Options()
    with snapshot() as outside:
        base = base_ratings(campaign, pulse=lambda: outside(pulse))
    if not len(base):
        raise NoRatings
    base, chosen = _chosen(base, options.raters)
    data_version = base.data_version
    asked = options.asked(campaign) | chosen
    asked["seed"] = seed_of(data_version) if options.seed is None else options.seed
    code = code_version()
    # An edit that leaves the scores alone may change marks; rules and checks are told of too.
    seen = [base.pk.tolist(), campaign.rule, campaign.checks]
    question = [campaign.pk, asked, data_version, code, seen]
    fingerprint = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
    kept = AgreementReport.objects.filter(fingerprint=fingerprint).first()
    if kept is not None:
        return kept, False
    with refusing():
        result = report_of(campaign, base, asked, step=step)
    result["parameters"] |= chosen
    try:
        with transaction.atomic():
            made = AgreementReport.objects.create(
                campaign=campaign,
                parameters=asked,
                data_version=data_version,
                code_version=code,
                seed=asked["seed"],
                result=result,
                fingerprint=fingerprint,
                created_by=by,
            )
    except IntegrityError:  # someone asked the same question just now
        return AgreementReport.objects.get(fingerprint=fingerprint), False
    return made, True


def _chosen(base: BaseRatings, raters: tuple[str, ...] | None) -> tuple[BaseRatings, dict[str, Any]]:
    """The ratings of these, and what the report keeps of it: nothing where they are of all raters."""
    for rater in raters or ():
        if rater not in base.names:
            raise stranger(rater)
    if raters is None or len(raters) == len(base.names):
        return base, {}
    if not raters:
        raise NoRatings
    return base.of(raters), {"raters": list(raters), "raters_of": len(base.names)}


def result_of(frame: pd.DataFrame, asked: Mapping[str, Any]) -> dict[str, Any]:
    """As `agreement --json` prints it. Raises OptionsInvalid."""
    with refusing():
        return agreement(frame, **asked).to_json()


@contextmanager
def refusing() -> Iterator[None]:
    """Raises OptionsInvalid in the place of what the statistics refuse."""
    try:
        yield
    except (RatingsRefused, ScaleRefused) as error:
        raise OptionsInvalid(str(error)) from error


def scales_of(campaign: Campaign) -> dict[str, str]:
    """The declared scale of each dimension of the rubric."""
    return {dimension.key: f"{dimension.lowest}-{dimension.highest}" for dimension in campaign.rubric.dimensions}


def seed_of(data_version: str) -> int:
    """So that the same data has the same intervals, under whatever names its raters stand."""
    return int(data_version[:8], 16)
