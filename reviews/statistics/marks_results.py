"""What a report on marks holds, as frozen dataclasses, and its JSON."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .dawid_skene import Fit
from .reasons import Reason
from .results import Alpha, Estimate, plain, rounded
from .words import FEW_UNITS, Word, in_english


@dataclass(frozen=True)
class Share:
    """hits of n, and the ends of the 95 % interval of their share; both are None where n is 0.

    how: "cluster bootstrap", "unit bootstrap" or "Wilson", "" without an interval.
    reason: why it is not from the bootstrap, or why there is none.
    """

    hits: int
    n: int
    value: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    how: str = ""
    reason: Reason | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "hits": self.hits,
            "n": self.n,
            "value": rounded(self.value),
            "ci_low": rounded(self.ci_low),
            "ci_high": rounded(self.ci_high),
            "how": self.how,
            "reason": plain(self.reason),
        }


@dataclass(frozen=True)
class Latent:
    """Dawid and Skene's model of one type, or why it is not fitted (then votes are what there is).

    raters: name and number of ratings of each, in the order of the fit's arrays.
    units_marked: units whose posterior is .5 or more. against_majority: units that more than half of their raters
    marked and whose posterior is below, or the reverse; units without a majority are not counted.
    reason: why there is no fit, or that the fit had not settled.
    """

    fit: Fit | None
    raters: tuple[tuple[str, int], ...] = ()
    units_marked: int | None = None
    against_majority: int | None = None
    reason: Reason | None = None

    def to_json(self) -> dict[str, Any]:
        fit = self.fit
        return {
            "prevalence": None if fit is None else rounded(fit.prevalence),
            "units_marked": self.units_marked,
            "against_majority": self.against_majority,
            "rounds": None if fit is None else fit.rounds,
            "settled": None if fit is None else fit.settled,
            "raters": []
            if fit is None
            else [
                {
                    "rater": name,
                    "n": n,
                    "sensitivity": rounded(fit.sensitivity[at]),
                    "specificity": rounded(fit.specificity[at]),
                }
                for at, (name, n) in enumerate(self.raters)
            ],
            "reason": plain(self.reason),
        }


@dataclass(frozen=True)
class TypeAgreement:
    """Everything about one type of mark.

    marked: ratings that bear the mark. votes: number of marks on a unit -> units with so many, 0 among them.
    majority: units that more than half of their raters marked; ties: units that exactly half did.
    prevalence: share of ratings, not of units. missing: ratings without an answer on this type.
    items: (U,) item id of each unit, in the order of `latent.fit.posterior`.
    """

    name: str
    units: int
    pairable_units: int
    ratings: int
    missing: int
    raters: int | None
    clusters: int
    own_clusters: bool
    marked: int
    prevalence: Share
    votes: dict[int, int]
    majority: Share
    ties: int
    positive_agreement: Estimate
    negative_agreement: Estimate
    alpha: Alpha
    latent: Latent
    items: np.ndarray

    @property
    def marked_units(self) -> int:
        """Units with one mark or more."""
        return sum(units for votes, units in self.votes.items() if votes)

    def to_json(self) -> dict[str, Any]:
        return {
            "units": self.units,
            "pairable_units": self.pairable_units,
            "ratings": self.ratings,
            "missing": self.missing,
            "raters": self.raters,
            "clusters": self.clusters,
            "marked": self.marked,
            "prevalence": self.prevalence.to_json(),
            "marked_units": self.marked_units,
            "votes": {str(votes): units for votes, units in self.votes.items()},
            "majority": self.majority.to_json(),
            "ties": self.ties,
            "positive_agreement": self.positive_agreement.to_json(),
            "negative_agreement": self.negative_agreement.to_json(),
            "alpha": self.alpha.to_json(),
            "dawid_skene": self.latent.to_json(),
            "reasons": {"raters": plain(Reason.NO_RATER_IDS)} if self.raters is None else {},
            "words": [in_english(word) for word in plain_words_on_marks(self)],
        }


@dataclass(frozen=True)
class MarksReport:
    """The agreement on marks of one data version. types: by name, in the declared order."""

    data: dict[str, Any]
    parameters: dict[str, Any]
    types: dict[str, TypeAgreement]

    def to_json(self) -> dict[str, Any]:
        """The same data and parameters give the same dictionary."""
        return {
            "data": self.data,
            "parameters": self.parameters,
            "types": {name: found.to_json() for name, found in self.types.items()},
        }


def plain_words_on_marks(result: TypeAgreement) -> list[Word]:
    """What a reader should know beside the numbers of one type, the most important first."""
    words = []
    if result.pairable_units < FEW_UNITS:
        words.append(Word("too_few", {"units": result.pairable_units}))
    if result.missing:
        words.append(Word("missing", {"missing": result.missing}))
    if result.own_clusters and result.units:
        words.append(Word("one_by_one", {}))
    return words
