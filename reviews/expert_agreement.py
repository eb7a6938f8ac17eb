"""How far experts agree who judged the same case without sight of each other. Pure, and without numpy: pages show it.

Measured on the cases drawn at random to be decided twice, the first time they came up, by their first two opinions.
Opinions beyond these, cases where a second one was asked for, and cases opened again are counted apart: there the first
ones differed or the case was hard, so that they are no sample of the experts' work.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from reviews.intervals import Proportion, proportion


@dataclass(frozen=True)
class OpinionGiven:
    """One independent opinion. round: how often the case had been opened again before.

    values: {dimension: level}, None where it cannot be decided. marks: {violation type: whether it stands}.
    """

    round: int
    values: Mapping[str, int | None]
    marks: Mapping[str, bool]


@dataclass(frozen=True)
class CaseJudged:
    """The opinions on one case, in order of time. cluster: its scenario. drawn: at random, to be decided twice."""

    cluster: str
    drawn: bool
    opinions: Sequence[OpinionGiven]


@dataclass(frozen=True)
class DimensionAgreement:
    """pairs: of opinions that both gave a value. mean_difference: in levels, None without a pair.

    one_undecidable: pairs where one gave a value and the other found none; both_undecidable: where neither found one.
    """

    dimension: str
    pairs: int
    exact: Proportion
    within_one: Proportion
    mean_difference: float | None
    one_undecidable: int
    both_undecidable: int


@dataclass(frozen=True)
class Measured:
    """cases: those with a pair of opinions of one round. marks: rulings on the same violation that are equal."""

    cases: int
    dimensions: Sequence[DimensionAgreement]
    marks: Proportion


@dataclass(frozen=True)
class ExpertAgreement:
    """drawn: the measure. asked_for: opinions that someone wanted, and cases opened again; no sample."""

    drawn: Measured
    asked_for: Measured

    def as_json(self) -> dict[str, Any]:
        """For the manifest: dimensions by name."""
        return {"drawn": _as_json(self.drawn), "asked_for": _as_json(self.asked_for)}


Pair = tuple[str, OpinionGiven, OpinionGiven]


def expert_agreement(cases: Iterable[CaseJudged], *, dimensions: Sequence[str]) -> ExpertAgreement:
    """Every two opinions of one case and one round are a pair; intervals as `proportion` makes them.

    Of a case that was drawn, only the two that the draw asked for are of the measure.
    """
    found: dict[bool, list[list[Pair]]] = {True: [], False: []}
    for case in cases:
        for number in sorted({opinion.round for opinion in case.opinions}):
            opinions = [opinion for opinion in case.opinions if opinion.round == number]
            pairs = [(case.cluster, one, other) for one, other in combinations(opinions, 2)]
            of_the_draw = 1 if case.drawn and number == 0 else 0
            for drawn, some in ((True, pairs[:of_the_draw]), (False, pairs[of_the_draw:])):
                if some:
                    found[drawn].append(some)
    return ExpertAgreement(drawn=_measured(found[True], dimensions), asked_for=_measured(found[False], dimensions))


def _measured(cases: Sequence[Sequence[Pair]], dimensions: Sequence[str]) -> Measured:
    pairs = [pair for case in cases for pair in case]
    rulings = [
        (cluster, one.marks[kind] == other.marks[kind])
        for cluster, one, other in pairs
        for kind in sorted(one.marks.keys() & other.marks.keys())
    ]
    return Measured(len(cases), [_of(pairs, dimension) for dimension in dimensions], proportion(rulings))


def _of(pairs: Sequence[Pair], dimension: str) -> DimensionAgreement:
    apart: list[tuple[str, int]] = []
    one_undecidable = both_undecidable = 0
    for cluster, one, other in pairs:
        if dimension not in one.values or dimension not in other.values:
            continue
        a, b = one.values[dimension], other.values[dimension]
        if a is not None and b is not None:
            apart.append((cluster, abs(a - b)))
        elif a is None and b is None:
            both_undecidable += 1
        else:
            one_undecidable += 1
    return DimensionAgreement(
        dimension=dimension,
        pairs=len(apart),
        exact=proportion([(cluster, difference == 0) for cluster, difference in apart]),
        within_one=proportion([(cluster, difference <= 1) for cluster, difference in apart]),
        mean_difference=sum(difference for _cluster, difference in apart) / len(apart) if apart else None,
        one_undecidable=one_undecidable,
        both_undecidable=both_undecidable,
    )


def _as_json(measured: Measured) -> dict[str, Any]:
    dimensions = {of.dimension: asdict(of) for of in measured.dimensions}
    for entry in dimensions.values():
        del entry["dimension"]
    return {"cases": measured.cases, "dimensions": dimensions, "marks": asdict(measured.marks)}
