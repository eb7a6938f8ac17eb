"""The error of consensus and the agreement of experts as a page shows them: shares with their intervals, in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.models import Campaign
from reviews.expert_agreement import ExpertAgreement
from reviews.figures import percent, plain
from reviews.gold import ConsensusError
from reviews.intervals import Proportion


@dataclass(frozen=True)
class Share:
    """A share as text with the ends of its interval; all empty where nothing was observed."""

    text: str
    low: str
    high: str

    @classmethod
    def of(cls, found: Proportion) -> "Share":
        return cls(percent(found.share), percent(found.low), percent(found.high))


@dataclass(frozen=True)
class DimensionError:
    name: str
    audited: int
    by_one: Share
    at_all: Share
    undecidable: int


@dataclass(frozen=True)
class ErrorsPage:
    """audited: items, of the dimension with the most. drawn: whether the campaign draws any. interval: which it is."""

    audited: int
    drawn: bool
    dimensions: list[DimensionError]
    interval: str


@dataclass(frozen=True)
class DimensionPairs:
    name: str
    pairs: int
    exact: Share
    within_one: Share
    mean_difference: str
    one_undecidable: int
    both_undecidable: int


@dataclass(frozen=True)
class ExpertsPage:
    """cases: drawn at random and judged twice; asked_for: judged twice for another reason."""

    cases: int
    asked_for: int
    drawn: bool
    dimensions: list[DimensionPairs]
    rulings: int
    marks: Share
    interval: str


def errors_page(errors: Sequence[ConsensusError], campaign: Campaign) -> ErrorsPage:
    names = _names(campaign)
    shown = [
        DimensionError(
            name=names[error.dimension],
            audited=error.audited,
            by_one=Share.of(error.off_by_one),
            at_all=Share.of(error.off_at_all),
            undecidable=error.undecidable,
        )
        for error in errors
    ]
    return ErrorsPage(
        audited=max((error.audited + error.undecidable for error in errors), default=0),
        drawn=bool(campaign.rule.get("audit_share")),
        dimensions=shown,
        interval=_interval(error.off_by_one for error in errors),
    )


def experts_page(found: ExpertAgreement, campaign: Campaign) -> ExpertsPage:
    names = _names(campaign)
    shown = [
        DimensionPairs(
            name=names[of.dimension],
            pairs=of.pairs,
            exact=Share.of(of.exact),
            within_one=Share.of(of.within_one),
            mean_difference=plain(of.mean_difference),
            one_undecidable=of.one_undecidable,
            both_undecidable=of.both_undecidable,
        )
        for of in found.drawn.dimensions
    ]
    return ExpertsPage(
        cases=found.drawn.cases,
        asked_for=found.asked_for.cases,
        drawn=bool(campaign.rule.get("twice_share")),
        dimensions=shown,
        rulings=found.drawn.marks.n,
        marks=Share.of(found.drawn.marks),
        interval=_interval(of.exact for of in found.drawn.dimensions),
    )


def _names(campaign: Campaign) -> dict[str, str]:
    return {dimension.key: dimension.name for dimension in campaign.rubric.dimensions}


def _interval(shares: Iterable[Proportion]) -> str:
    """The sentence that says which intervals these are; empty without any."""
    kinds = {share.how for share in shares} - {""}
    if not kinds:
        return ""
    if kinds == {"Wilson"}:
        return _("Intervals are Wilson's, 95 %.")
    return _("Intervals are Wilson's, 95 %, widened where several items of one scenario go the same way.")
