"""Why a label is not what it was in an earlier release, from what the two releases' files say of its item. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reviews.gold import ItemHistory
from reviews.release.reading import Row, history_of, standing_rows


class Why(StrEnum):
    """What happened between two releases; the order is that of their weight."""

    ITEM_WITHDRAWN = "item_withdrawn"
    ITEM_NEW = "item_new"  # the campaign did not have it
    ITEM_GONE = "item_gone"
    CASE_OPENED = "case_opened"  # an expert has still to decide
    CASE_REOPENED = "case_reopened"
    CASE_DROPPED = "case_dropped"  # it was open, and no decision was needed
    DECIDED = "decided"
    DECIDED_ANEW = "decided_anew"
    MORE_RATINGS = "more_ratings"
    RATINGS_EDITED = "ratings_edited"
    RATINGS_WITHDRAWN = "ratings_withdrawn"
    RATINGS_BACK = "ratings_back"  # taken back after they were withdrawn, or counted where they were surplus
    NEEDS_MORE = "needs_more"  # more raters were asked for
    NEEDS_FEWER = "needs_fewer"
    CAMPAIGN_CLOSED = "campaign_closed"
    CAMPAIGN_REOPENED = "campaign_reopened"
    RUBRIC_CHANGED = "rubric_changed"
    RULE_CHANGED = "rule_changed"
    CODE_CHANGED = "code_changed"  # nothing else tells: the two were made by different code
    UNKNOWN = "unknown"


Key = tuple[Any, ...]


@dataclass(frozen=True)
class Rated:
    """One rating of a release. key: what it is known by in another release."""

    key: Key
    rater: str
    status: str
    scores: Mapping[str, int]


@dataclass(frozen=True)
class Side:
    """What one release says of an item. history: None where it does not know the item. ruling: the content of the
    decision that stands, None where there is none. manifest: of the release."""

    history: ItemHistory | None
    ruling: Key | None
    ratings: Sequence[Rated]
    manifest: Mapping[str, Any]

    @classmethod
    def of(cls, found: Mapping[str, list[Row]], manifest: Mapping[str, Any]) -> "Side":
        """found: {table: rows} of one item."""
        history = history_of(found) if found["items"] else None
        return cls(history, _ruling(standing_rows(found["decisions"])), list(_rated(found["ratings"])), manifest)

    def decides(self, dimension: str) -> bool:
        return bool(self.history and self.history.decision and dimension in self.history.decision.values)


def _ruling(rows: Sequence[Row]) -> Key | None:
    if not rows:
        return None
    values = tuple((row["dimension"], row["value"]) for row in rows)
    marks = tuple((ruling["type"], ruling["gold"]) for ruling in rows[0]["rulings"])
    return rows[0]["decided_at"], values, marks, rows[0]["rationale"]


def _rated(rows: Sequence[Row]) -> Iterator[Rated]:
    """The ratings behind the rows, which are a row a score."""
    ratings: dict[Key, dict[str, int]] = {}
    for row in rows:
        # a rater's ratings of one item differ by time; imported ones share it, and each rater has one of them
        which = (row["rater"], row["submitted_at"], row["rank"], row["status"])
        ratings.setdefault(which, {})[row["dimension"]] = row["value"]
    for (rater, submitted_at, rank, status), scores in ratings.items():
        yield Rated((submitted_at, rank, tuple(scores.items())), rater, status, scores)


def why_of(dimension: str, old: Row | None, new: Row | None, before: Side, after: Side) -> tuple[Why, ...]:
    """The reasons why the label `old` of the release `before` is `new` in the release `after`; None: it has none."""
    if before.history is None or after.history is None:
        return (Why.ITEM_NEW,) if before.history is None else (Why.ITEM_GONE,)
    if after.history.withdrawn and not before.history.withdrawn:
        return (Why.ITEM_WITHDRAWN,)
    found = [
        *_of_cases(dimension, before, after, before.history, after.history),
        *(_of_ratings(dimension, before, after) if new is None or new["method"] == "consensus" else ()),
        *(_of_need(new, before.history, after.history) if old is None or new is None else ()),
    ]
    was, now = before.manifest, after.manifest
    if was.get("rubric") != now.get("rubric"):
        found.append(Why.RUBRIC_CHANGED)
    cases = {Why.CASE_OPENED, Why.CASE_DROPPED}
    if was.get("rule_version") != now.get("rule_version") and (not found or cases & set(found)):
        found.append(Why.RULE_CHANGED)
    if (old is None or new is None) and was.get("closed") != now.get("closed"):
        found += _of_closing(old, new, bool(now.get("closed")))
    if not found:
        found.append(Why.CODE_CHANGED if was.get("code_version") != now.get("code_version") else Why.UNKNOWN)
    return tuple(why for why in Why if why in found)


def _of_cases(dimension: str, before: Side, after: Side, was: ItemHistory, now: ItemHistory) -> Iterator[Why]:
    if now.is_held_back and not was.is_held_back:
        yield Why.CASE_OPENED if after.ruling is None else Why.CASE_REOPENED
    elif before.ruling != after.ruling:
        if was.is_held_back or before.decides(dimension) or after.decides(dimension):
            yield Why.DECIDED if before.ruling is None else Why.DECIDED_ANEW
    elif was.is_held_back and not now.is_held_back:
        yield Why.CASE_DROPPED


def _of_ratings(dimension: str, before: Side, after: Side) -> Iterator[Why]:
    """What happened to the ratings that speak of the dimension."""
    known: dict[Key, list[str]] = {}
    for rating in before.ratings:
        known.setdefault(rating.key, []).append(rating.status)
    counted = {rating.rater: rating for rating in after.ratings if rating.status == "counted"}
    replaced: set[str] = set()
    fresh: set[str] = set()
    for rating in after.ratings:
        was = _was(rating, known)
        if was == rating.status:
            continue
        if was is None:
            if rating.status == "counted" and dimension in rating.scores:
                fresh.add(rating.rater)
        elif was == "counted":
            instead = counted.get(rating.rater) if rating.status == "superseded" else None
            if instead is None:
                yield Why.RATINGS_WITHDRAWN
            else:
                replaced.add(rating.rater)
                if instead.scores.get(dimension) != rating.scores.get(dimension):
                    yield Why.RATINGS_EDITED
        elif rating.status == "counted":
            yield Why.RATINGS_BACK
    if fresh - replaced:
        yield Why.MORE_RATINGS


def _was(rating: Rated, known: Mapping[Key, list[str]]) -> str | None:
    """The status of this rating in the earlier release, the same one if any; each is found once."""
    statuses = known.get(rating.key)
    if not statuses:
        return None
    statuses.remove(found := rating.status if rating.status in statuses else statuses[0])
    return found


def _of_need(new: Row | None, was: ItemHistory, now: ItemHistory) -> Iterator[Why]:
    if new is None and now.needed > was.needed:
        yield Why.NEEDS_MORE
    if new is not None and now.needed < was.needed:
        yield Why.NEEDS_FEWER


def _of_closing(old: Row | None, new: Row | None, closed: bool) -> Iterator[Why]:
    """Labels that only a closed campaign has: with fewer raters than the item needs."""
    if closed and new is not None and new["short"]:
        yield Why.CAMPAIGN_CLOSED
    if not closed and old is not None and old["short"]:
        yield Why.CAMPAIGN_REOPENED
