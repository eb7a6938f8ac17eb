import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models
from django.utils import translation


def reader_language() -> str:
    """As a rubric writes it: `en`, `zh-Hans`."""
    language = (translation.get_language() or "en").lower()
    return "zh-Hans" if language.startswith("zh") else language


def in_reader_language(texts: dict[str, str]) -> str:
    """The text in the reader's language, else English: `{"en": …, "zh-Hans": …}`."""
    return texts.get(reader_language()) or texts["en"]


@dataclass(frozen=True)
class Dimension:
    """One scale of a rubric; `anchors[i]` says what level `lowest + i` means."""

    key: str
    lowest: int
    highest: int
    names: dict[str, str]
    questions: dict[str, str]
    anchors: tuple[dict[str, str], ...]

    @property
    def name(self) -> str:
        return in_reader_language(self.names)

    @property
    def question(self) -> str:
        return in_reader_language(self.questions)

    @property
    def levels(self) -> list[tuple[int, str]]:
        return [(self.lowest + i, in_reader_language(anchor)) for i, anchor in enumerate(self.anchors)]


@dataclass(frozen=True)
class ViolationType:
    """A typed violation mark, in the duty of the Secure Attachment Persona that it breaks."""

    key: str
    duty: str
    duties: dict[str, str]
    names: dict[str, str]
    meanings: dict[str, str]
    note_required: bool
    urgent: bool

    @property
    def name(self) -> str:
        return in_reader_language(self.names)

    @property
    def duty_name(self) -> str:
        return in_reader_language(self.duties)

    @property
    def meaning(self) -> str:
        return in_reader_language(self.meanings)


@dataclass(frozen=True)
class Example:
    """A passage of a response, with what was decided of it, and why. level: None where it cannot be decided."""

    text: str
    language: str  # of the text
    dimension: Dimension | None
    level: int | None
    violation: ViolationType | None
    whys: dict[str, str]  # in one language or more

    @property
    def why_language(self) -> str:
        """The reader's own where there is one in it, else English, else whichever there is."""
        return next((one for one in (reader_language(), "en") if one in self.whys), next(iter(self.whys)))

    @property
    def why(self) -> str:
        return self.whys[self.why_language]


def content_hash(content: dict[str, Any]) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Rubric(models.Model):
    """An immutable version of dimensions and violation types, known by the hash of its content.

    A change is a new version (services/rubrics.py); nothing updates a row, so old ratings keep what they were given on.
    A campaign's own examples make a line of versions of its own, whose content names the campaign: no other study
    takes what was decided in this one.
    """

    key = models.SlugField(max_length=80)
    version = models.PositiveIntegerField()
    content = models.JSONField()
    hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "version"], name="one_rubric_a_version")]

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"

    @property
    def introduction(self) -> str:
        return in_reader_language(self.content["introduction"])

    @cached_property
    def dimensions(self) -> list[Dimension]:
        return [Dimension(**{**entry, "anchors": tuple(entry["anchors"])}) for entry in self.content["dimensions"]]

    @cached_property
    def violation_types(self) -> list[ViolationType]:
        return [ViolationType(**entry) for entry in self.content["violations"]]

    @cached_property
    def examples(self) -> list[Example]:
        """Of the campaign's own guideline; in the order in which they were added."""
        scales = {dimension.key: dimension for dimension in self.dimensions}
        kinds = {kind.key: kind for kind in self.violation_types}
        return [
            Example(
                text=entry["text"],
                language=entry["language"],
                dimension=scales.get(entry["dimension"]),
                level=entry["level"],
                violation=kinds.get(entry["violation"]),
                whys=entry["why"],
            )
            for entry in self.content.get("examples", [])
        ]

    def violation_type(self, key: str) -> ViolationType:
        return next(kind for kind in self.violation_types if kind.key == key)
