import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models
from django.utils import translation


def in_reader_language(texts: dict[str, str]) -> str:
    """The text in the reader's language, else English: `{"en": …, "zh-Hans": …}`."""
    language = (translation.get_language() or "en").lower()
    return texts.get("zh-Hans" if language.startswith("zh") else language) or texts["en"]


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


def content_hash(content: dict[str, Any]) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Rubric(models.Model):
    """An immutable version of dimensions and violation types, known by the hash of its content.

    A change is a new version (services/rubrics.py); nothing updates a row, so old ratings keep what they were given on.
    """

    key = models.SlugField(max_length=50)
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

    def violation_type(self, key: str) -> ViolationType:
        return next(kind for kind in self.violation_types if kind.key == key)
