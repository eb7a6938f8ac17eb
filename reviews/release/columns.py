"""The tables of a release and what each column means: headers, Parquet schema, Croissant and docs follow from it."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "true or false"
    TIME = "time (UTC)"
    COUNTS = "count by level"  # {"1": 0, "2": 3, …}
    RULINGS = "rulings"  # [{"type": "privacy", "gold": true}, …]


@dataclass(frozen=True)
class Column:
    name: str
    kind: Kind
    about: str


@dataclass(frozen=True)
class Table:
    """formats: in which it is written; JSONL always."""

    name: str
    about: str
    columns: tuple[Column, ...]
    formats: tuple[str, ...] = ("jsonl",)

    def without(self, *names: str) -> "Table":
        kept = tuple(column for column in self.columns if column.name not in names)
        return Table(self.name, self.about, kept, self.formats)


ALL = ("jsonl", "csv", "parquet")
_ITEM = Column("item_id", Kind.TEXT, "KEY/COMPANION/CONDITION; % and / of the companion are written %25 and %2F")
_KEY = Column("key", Kind.TEXT, "key of the scenario in its dataset")
_TASK = Column("task", Kind.TEXT, "task of the benchmark")
_LANGUAGE = Column("language", Kind.TEXT, "language of the scenario, a BCP 47 tag")
_COMPANION = Column("companion", Kind.TEXT, "the model under test")
_CONDITION = Column("condition", Kind.TEXT, "sap: written with the Secure Attachment Persona; no_sap: without")
_RATER = Column("rater", Kind.TEXT, "pseudonym of the rater, of this release only")
_EXPERT = Column("expert", Kind.TEXT, "pseudonym of the expert, of this release only")
_DIMENSION = Column("dimension", Kind.TEXT, "dimension of the rubric")
_VIOLATION = Column("type", Kind.TEXT, "violation type of the rubric")
_STATUS = Column("status", Kind.TEXT, "counted, surplus (came when the item was full), superseded, withdrawn")
_RATIONALE = Column("rationale", Kind.TEXT, "their reasons, in their words")
_VOTES = Column("votes", Kind.INTEGER, "raters who marked this type on the item")
_GOLD = Column("gold", Kind.BOOLEAN, "whether the violation stands; null where it is not decided")

_END = Column("end", Kind.INTEGER, "code point after its last one")
_QUOTE = Column("quote", Kind.TEXT, "exactly text[start:end]")

ITEMS = Table(
    "items",
    "what was judged, a row an item",
    (
        _ITEM,
        _KEY,
        _TASK,
        _LANGUAGE,
        _COMPANION,
        _CONDITION,
        Column("text", Kind.TEXT, "the response as it was shown"),
        Column("import", Kind.TEXT, "SHA-256 of the file that it came from (see the manifest)"),
        Column("needed", Kind.INTEGER, "counted ratings that complete it"),
        Column("withdrawn", Kind.BOOLEAN, "taken out of the campaign: no gold"),
        Column("case_open", Kind.BOOLEAN, "an expert has still to decide about it: no gold, unless it is an audit"),
        Column("audit", Kind.BOOLEAN, "its raters had agreed; drawn at random for an expert's look"),
        Column("twice", Kind.BOOLEAN, "its case was drawn at random to be decided by two experts on their own"),
    ),
    ALL,
)
GOLD = Table(
    "gold",
    "the gold labels, a row an item and dimension",
    (
        _ITEM,
        _KEY,
        _TASK,
        Column("component", Kind.TEXT, "component of the benchmark"),
        _LANGUAGE,
        _COMPANION,
        _CONDITION,
        _DIMENSION,
        Column("value", Kind.NUMBER, "the gold value; a half point may stand; null where ambiguous"),
        Column("method", Kind.TEXT, "consensus (median of the raters), adjudicated (an expert's value), ambiguous"),
        Column("short", Kind.BOOLEAN, "fewer raters than the item needed"),
        Column("raters", Kind.INTEGER, "counted ratings with a score on the dimension"),
        Column("spread", Kind.INTEGER, "highest minus lowest of their scores"),
        Column("distribution", Kind.COUNTS, "how many of them gave each level"),
        Column("decision", Kind.TEXT, "the decision it rests on, in decisions.jsonl"),
    ),
    ALL,
)
RATINGS = Table(
    "ratings",
    "every rating that was saved, a row a score",
    (
        _ITEM,
        _RATER,
        _DIMENSION,
        Column("value", Kind.INTEGER, "the score"),
        _STATUS,
        Column("superseded", Kind.BOOLEAN, "an edit of the same rater replaces it"),
        Column("rank", Kind.INTEGER, "which rater of the item, 1 for the first; agreement reads the first ones"),
        Column("extra", Kind.BOOLEAN, "asked because the first raters disagreed; agreement does not read it"),
        Column("sequence", Kind.INTEGER, "which rating of the rater, in order of submission"),
        Column("seconds", Kind.INTEGER, "seconds of active work on the whole item; null for imported ratings"),
        _RATIONALE,
        Column("needs_expert", Kind.BOOLEAN, "the rater asked for an expert"),
        Column("imported", Kind.BOOLEAN, "made elsewhere and brought in from a file"),
        Column("submitted_at", Kind.TIME, "when it was saved"),
        Column("rubric_version", Kind.TEXT, "the rubric it was given on"),
        Column("rubric", Kind.TEXT, "hash of that rubric's content"),
    ),
    ALL,
)
DECISIONS = Table(
    "decisions",
    "every decision of an expert, a row a dimension (one without dimension where only violations were ruled on)",
    (
        Column("decision", Kind.TEXT, "its number in this release"),
        _ITEM,
        _EXPERT,
        Column("kind", Kind.TEXT, "ruling: what stands; opinion: one of several, given without sight of the others"),
        Column("round", Kind.INTEGER, "of an opinion: how often the case had been opened again before"),
        _DIMENSION,
        Column("value", Kind.INTEGER, "the value; null where it cannot be decided"),
        Column("ambiguous", Kind.BOOLEAN, "the expert said that it cannot be decided"),
        Column("rulings", Kind.RULINGS, "what the same decision ruled about violations"),
        Column("quick_reason", Kind.TEXT, "misread, guideline, slip, ambiguity, other or empty"),
        _RATIONALE,
        Column("superseded", Kind.BOOLEAN, "a later decision replaces it"),
        Column("decided_at", Kind.TIME, "when it was saved"),
    ),
)
MARKS = Table(
    "marks",
    "every violation mark, a row a person's mark; spans are not merged",
    (
        _ITEM,
        _RATER,
        _VIOLATION,
        Column("start", Kind.INTEGER, "code point of the text where the quote begins; null: the whole response"),
        _END,
        _QUOTE,
        Column("note", Kind.TEXT, "the rater's note"),
        _STATUS,
        _VOTES,
        _GOLD,
    ),
)
NOTES = Table(
    "notes",
    "the raters' remarks on passages, a row a remark: no violations, and no label and no figure rests on them",
    (
        _ITEM,
        _RATER,
        Column("start", Kind.INTEGER, "code point of the text where the quote begins"),
        _END,
        _QUOTE,
        Column("text", Kind.TEXT, "the remark, in the rater's words"),
        _STATUS,
    ),
)
VIOLATIONS = Table(
    "violations",
    "the violations that were marked or ruled on, a row an item and type",
    (
        _ITEM,
        _VIOLATION,
        _VOTES,
        Column("raters", Kind.INTEGER, "raters who could have marked it"),
        _GOLD,
        Column("how", Kind.TEXT, "adjudicated (an expert ruled), unanimous (all marked it), undecided"),
    ),
)
RULINGS = Table(
    "rulings",
    "what experts ruled about the scenarios themselves, a row a ruling",
    (
        _KEY,
        _TASK,
        Column("version", Kind.INTEGER, "version of the scenario that was ruled on"),
        Column("verdict", Kind.TEXT, "keep, revise, withdraw"),
        Column("fault", Kind.TEXT, "unnatural, unsafe, personal_data, context_missing, reference_wrong or empty"),
        Column("reason", Kind.TEXT, "the expert's reasons, in their words"),
        _EXPERT,
        Column("revised_version", Kind.INTEGER, "version that replaces it; null where it was not revised"),
        Column("superseded", Kind.BOOLEAN, "a later ruling on the same version replaces it"),
        Column("ruled_at", Kind.TIME, "when it was saved"),
    ),
    ("jsonl", "csv"),
)
TABLES = (ITEMS, GOLD, RATINGS, DECISIONS, MARKS, NOTES, VIOLATIONS, RULINGS)
# What a release without texts leaves out: the responses, and the pieces of them that marks and notes quote.
TEXTS = {"items": ("text",), "marks": ("quote",), "notes": ("quote",)}


def tables_of(*, without_texts: bool) -> dict[str, Table]:
    """{name: table} of a release."""
    tables = {table.name: table for table in TABLES}
    if without_texts:
        tables |= {name: tables[name].without(*columns) for name, columns in TEXTS.items()}
    return tables
