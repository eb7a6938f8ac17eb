"""What a release holds and leaves out, counted as its items pass."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reviews.expert_agreement import CaseJudged, ExpertAgreement, expert_agreement
from reviews.gold import ConsensusError, ItemHistory, consensus_errors
from reviews.records import ItemRecord, RulingRecord
from reviews.release.rows import Row

NOT_SAID = "not said"


@dataclass
class Tally:
    """Counts of items, labels, ratings, decisions, rulings; and what the errors and the experts' agreement come from.

    quick_reasons: of the decisions that stand, on items still in the campaign. verdicts: {task: {verdict: scenarios}},
    faults: {task: {fault: …}}, of the rulings on scenarios that stand.
    """

    items: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    ratings: Counter[str] = field(default_factory=Counter)
    audited: list[ItemHistory] = field(default_factory=list)
    judged: list[CaseJudged] = field(default_factory=list)
    quick_reasons: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    short: int = 0
    raters: set[int] = field(default_factory=set)
    experts: set[int] = field(default_factory=set)
    languages: Counter[str] = field(default_factory=Counter)
    tasks: Counter[str] = field(default_factory=Counter)
    companions: set[str] = field(default_factory=set)

    def add(self, record: ItemRecord, history: ItemHistory, labels: Sequence[Row]) -> None:
        self.items[_fate(history, labels)] += 1
        self.labels.update(row["method"] for row in labels)
        self.short += sum(row["short"] for row in labels)
        self.ratings.update(rating.status for rating in record.ratings)
        self.raters.update(rating.rater for rating in record.ratings)
        self.experts.update(decision.expert for decision in record.decisions)
        self.languages[record.language] += 1
        self.tasks[record.task] += 1
        self.companions.add(record.companion)
        if history.audit and history.decision is not None:
            self.audited.append(history)
        if (judged := record.judged()) is not None:
            self.judged.append(judged)
        if (decision := record.standing_decision) is not None and not record.withdrawn:
            self.quick_reasons[decision.quick_reason or NOT_SAID] += 1

    def add_rulings(self, rulings: Sequence[RulingRecord]) -> None:
        self.experts.update(ruling.expert for ruling in rulings)
        for ruling in rulings:
            if not ruling.superseded:
                self.verdicts.setdefault(ruling.task, Counter())[ruling.verdict] += 1
                faults = self.faults.setdefault(ruling.task, Counter())
                faults.update([ruling.fault] if ruling.fault else [])

    def errors(self, dimensions: Sequence[str]) -> list[ConsensusError]:
        return consensus_errors(self.audited, dimensions=dimensions)

    def experts_agree(self, dimensions: Sequence[str]) -> ExpertAgreement:
        return expert_agreement(self.judged, dimensions=dimensions)

    def as_json(self, dimensions: Sequence[str]) -> dict[str, Any]:
        """For the manifest."""
        return {
            "items": sum(self.items.values()),
            "items_with_gold": self.items["gold"],
            "items_left_out": {fate: self.items[fate] for fate in ("case_open", "wants_raters", "withdrawn")},
            "labels": {method: self.labels[method] for method in ("consensus", "adjudicated", "ambiguous")},
            "labels_short": self.short,
            "ratings": {s: self.ratings[s] for s in ("counted", "surplus", "superseded", "withdrawn")},
            "raters": len(self.raters),
            "experts": len(self.experts),
            "quick_reasons": dict(sorted(self.quick_reasons.items())),
            "expert_agreement": self.experts_agree(dimensions).as_json(),
            "scenario_rulings": {
                task: {
                    "verdicts": {verdict: self.verdicts[task][verdict] for verdict in ("keep", "revise", "withdraw")},
                    "faults": dict(sorted(self.faults[task].items())),
                }
                for task in sorted(self.verdicts)
            },
            "error_of_consensus": {
                error.dimension: {
                    "audited": error.audited,
                    "undecidable": error.undecidable,
                    "off_by_one": vars(error.off_by_one),
                    "off_at_all": vars(error.off_at_all),
                }
                for error in self.errors(dimensions)
            },
        }


def _fate(history: ItemHistory, labels: Sequence[Row]) -> str:
    if history.withdrawn:
        return "withdrawn"
    if history.is_held_back:
        return "case_open"
    return "gold" if labels else "wants_raters"
