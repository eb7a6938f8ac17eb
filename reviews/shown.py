"""The plain data that an expert is shown of a case; reviews/showing.py decides what of it, and to whom."""

from dataclasses import dataclass
from datetime import datetime

from annotation.showing import ItemShown
from reviews.evidence import Passage, Segment, segments_of
from reviews.models import Decision
from reviews.wording import ShownReason, age_words


@dataclass(frozen=True)
class Sighting:
    """A mark as one rater made it; start and end are code points of the response, null where it points nowhere."""

    rater: str
    type: str
    name: str
    start: int | None
    end: int | None
    quote: str
    note: str


@dataclass(frozen=True)
class Remark:
    """A note of one rater on a passage, which is no violation; start and end are code points of the response."""

    rater: str
    start: int
    end: int
    quote: str
    text: str


@dataclass(frozen=True)
class Voice:
    """What one rater said, under a pseudonym. seconds: of active work, null where it is not known.

    rubric: the version of the guideline that they rated on.
    """

    rater: str
    scores: dict[str, int]
    marks: list[Sighting]
    notes: list[Remark]
    rationale: str
    seconds: int | None
    hurried: bool
    needs_expert: bool
    rubric: int


@dataclass(frozen=True)
class ShownLevel:
    """One column of a scale: who stands on it."""

    value: int
    anchor: str
    raters: list[str]


@dataclass(frozen=True)
class ShownScale:
    """median, low, high: of the raters' scores, null where none gave one."""

    key: str
    name: str
    levels: list[ShownLevel]
    required: bool
    median: float | None
    low: int | None
    high: int | None


@dataclass(frozen=True)
class ShownViolation:
    """A violation type that a rater marked. required: the expert must rule on it. asked: raters who could mark."""

    key: str
    name: str
    meaning: str
    raters: list[str]
    asked: int
    required: bool


@dataclass(frozen=True)
class ShownDecision:
    """values: a level, or "ambiguous". mine: the viewer's own. expert: which one it was, 1 for the first to speak.

    kind: a ruling, or an opinion of one among several; round: how often the case had been opened again before.
    """

    id: int
    kind: str
    round: int
    expert: int
    mine: bool
    decided_at: datetime
    values: dict[str, int | str]
    marks: dict[str, bool]
    rationale: str
    quick_reason: str
    standing: bool


@dataclass(frozen=True)
class ShownRemark:
    """What an expert said to the others. expert: as in their decisions."""

    expert: int
    mine: bool
    at: datetime
    text: str


@dataclass(frozen=True)
class ShownOrigin:
    """Where the response comes from; for a closed campaign."""

    companion: str
    condition: str
    key: str


@dataclass(frozen=True)
class ShownCase:
    """A case as this viewer may see it: `item` and what follows are null where they may not.

    may_take: it is free, and the viewer may decide it. mine: the viewer holds it, until `lease_until`.
    stage: where several experts judge it, "awaited" (opinions are missing) or "to_settle" (all are in and differ).
    may_escalate: others could give a second opinion. talk: what the experts say to each other, null where not theirs.
    """

    id: int
    campaign: str
    state: str
    task: str
    language: str
    opened_at: datetime
    urgent: bool
    reasons: list[ShownReason]
    mine: bool
    may_take: bool
    lease_until: datetime | None
    round: int
    stage: str = ""
    may_escalate: bool = False
    talk: list[ShownRemark] | None = None
    item: ItemShown | None = None
    voices: list[Voice] | None = None
    scales: list[ShownScale] | None = None
    violations: list[ShownViolation] | None = None
    decisions: list[ShownDecision] | None = None
    origin: ShownOrigin | None = None

    @property
    def age(self) -> str:
        return age_words(self.opened_at)

    @property
    def evidence(self) -> list[Segment]:
        """The response in pieces, each with the raters whose marks and notes point at it."""
        marks = [mark for voice in self.voices or [] for mark in voice.marks]
        passages = [Passage(m.start, m.end, m.rater) for m in marks if m.start is not None and m.end is not None]
        notes = [note for voice in self.voices or [] for note in voice.notes]
        passages += [Passage(note.start, note.end, note.rater, remark=True) for note in notes]
        return segments_of(self.item.text if self.item else "", passages)

    @property
    def standing(self) -> ShownDecision | None:
        return next((decision for decision in self.decisions or [] if decision.standing), None)

    @property
    def opinions(self) -> list[ShownDecision]:
        """Those of the present round that the viewer may see, the first to speak first."""
        found = [decision for decision in self.decisions or [] if decision.kind == Decision.Kind.OPINION]
        return sorted((o for o in found if o.round == self.round), key=lambda opinion: opinion.id)
