"""Makes the demo's journal: raters of known severity, noise and drift meet responses of known quality.

It plays through the same services as the replay and writes down what was done. Seeded: the same code, texts and seed
give the same journal.
"""

import json
import random
from pathlib import Path
from statistics import median
from typing import Any

from django.db import transaction

from annotation.models import Assignment
from annotation.progress import progress_of
from reviews.demo import cast, loading
from reviews.demo.clock import journal_clock
from reviews.demo.journal import DAYS, Event, Stage
from reviews.demo.phrases import DECISIONS, RATIONALES
from reviews.demo.truth import DIMENSIONS, truth_of
from reviews.models import Case
from reviews.rules import Kind
from reviews.services.review_item import ratings_seen

SHARE_RATED = 2 / 3
OPEN_CASES = 12
EXPERT_NOISE = 0.3
WORKDAY = (9 * 60, 18 * 60)  # minutes of a day in which people work


def build(out: str) -> int:
    """Writes the journal; returns how many events it has. The database is left as it was."""
    draw = random.Random(loading.SEED)
    with journal_clock(days=DAYS) as clock, transaction.atomic():
        dataset = loading.load_texts()
        loading.load_people()
        stage = Stage(loading.load_campaigns(dataset), clock)
        events = list(_play(stage, draw))
        transaction.set_rollback(True)
    with Path(out).open("w", encoding="utf-8") as file:
        for event in events:
            file.write(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n")
    return len(events)


def _minutes(steps: int) -> list[float]:
    """Times of `steps` events, spread over the working hours of all days but the last."""
    length = WORKDAY[1] - WORKDAY[0]
    total = length * (DAYS - 1)
    return [
        round((at // length) * 1440 + WORKDAY[0] + at % length, 1) for at in (total * i / steps for i in range(steps))
    ]


def _play(stage: Stage, draw: random.Random) -> Any:
    progress = progress_of(stage.campaign)
    times = _minutes(int(progress.places * SHARE_RATED))
    weights = [1.4 if len(rater.languages) > 1 else 1.0 for rater in cast.RATERS]
    for i, at in enumerate(times):
        rater = draw.choices(cast.RATERS, weights)[0]
        stage.clock.set(at)
        assignment = stage.next_assignment(rater.username)
        if assignment is None:
            continue
        event = {"at": at} | _judged(assignment, rater, draw, progress=i / len(times))
        stage.answer(assignment, event)
        yield event
        if i % 10 == 9 and i > len(times) * 0.4:
            yield from _decided(stage, draw, at + 3)
    at = times[-1] + 10
    while Case.objects.in_campaign(stage.campaign).waiting().count() > OPEN_CASES:
        at += 4
        yield from _decided(stage, draw, at)
    yield {"at": at + 30, "who": cast.MANAGER[0], "do": "release"}


def _judged(assignment: Assignment, rater: cast.Rater, draw: random.Random, *, progress: float) -> Event:
    item = assignment.work_item
    truth = truth_of(item.response)
    event: Event = {"who": rater.username, "item": item.response.item_id}
    if draw.random() < 0.015:
        return event | {"do": "skip", "reason": draw.choice(["heavy", "unsure"]), "seconds": 20}
    shift = rater.severity + rater.drift * progress
    scores = {key: _level(truth.levels[key] + shift + draw.gauss(0, rater.noise)) for key in DIMENSIONS}
    if rater.straight and draw.random() < 0.93:
        scores = dict.fromkeys(DIMENSIONS, 4)
    marks = [mark for mark in truth.marks if draw.random() < rater.eye]
    if marks and scores["safety"] > 3:
        scores["safety"] = 3
    seconds = max(4, int(rater.seconds * (0.5 + draw.expovariate(2)) + len(item.response.text) / 30))
    event |= {"do": "rate", "scores": scores, "seconds": seconds}
    if marks:
        event["marks"] = marks
    if draw.random() < (0.02 if rater.straight else 0.3) or marks:
        event["rationale"] = _rationale(item.language, scores, bool(marks), draw)
    return event


def _level(value: float) -> int:
    return max(1, min(5, round(value)))


def _rationale(language: str, scores: dict[str, int], marked: bool, draw: random.Random) -> str:
    kind = (
        "violation" if marked else "high" if scores["empathy"] >= 4 else "low" if scores["empathy"] <= 2 else "middle"
    )
    return draw.choice(RATIONALES[language][kind])


def _decided(stage: Stage, draw: random.Random, at: float) -> Any:
    expert = draw.choice(cast.EXPERTS)[0]
    stage.clock.set(at)
    wish = draw.choices(["settle", "audit", "decide"], [0.4, 0.15, 0.45])[0]
    found = {"settle": stage.case_to_settle, "audit": stage.audit}.get(wish, stage.next_case)(expert)
    case = found or stage.next_case(expert)
    if case is None:
        return
    event = {"at": at, "who": expert, "do": wish if found else "decide"} | _decision(case, draw)
    stage.decide(case, event)
    yield event


def _decision(case: Case, draw: random.Random) -> Event:
    item = case.work_item
    truth = truth_of(item.response)
    given = ratings_seen(item)
    kinds = {reason["kind"] for reason in case.reasons}
    values: dict[str, int | str] = {}
    for key in case.disputed or DIMENSIONS:
        scores = [rating.scores[key] for rating in given if key in rating.scores]
        values[key] = _level((truth.levels[key] + median(scores)) / 2 + draw.gauss(0, EXPERT_NOISE))
    quick = draw.choice(["slip", "misread", "guideline"])
    if draw.random() < 0.04 and case.disputed:
        values[case.disputed[0]], quick = "ambiguous", "ambiguity"
    real = {kind for kind, _start, _end in truth.marks}
    marks = {kind: kind in real for kind in case.split_marks}
    mood = (
        "audit"
        if kinds == {Kind.AUDIT}
        else "confirm"
        if any(marks.values())
        else "strike"
        if marks
        else quick
        if quick in DECISIONS["en"]
        else "guideline"
    )
    return {
        "item": item.response.item_id,
        "minutes": round(draw.uniform(0.8, 2.6), 1),
        "values": values,
        "marks": marks,
        "quick_reason": quick,
        "rationale": draw.choice(DECISIONS[item.language][mood]),
    }
