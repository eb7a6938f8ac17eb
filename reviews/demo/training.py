"""The demo's campaign with a training round and hidden checks (fixtures/demo/answers.jsonl), and people in all states.

ana is half-way through her first attempt, bo failed one, gao failed both, fang passed the second, chen and dara passed
at once and rate. All of it is done by the services that the pages call.
"""

import random
import uuid
from typing import Any

from annotation.models import Campaign, Membership, TrainingAttempt, User, WorkItem
from annotation.qualification import Rule
from annotation.services.answers import import_answers
from annotation.services.campaigns import Selection, open_campaign
from annotation.services.care import read_note
from annotation.services.desk_rules import save_checks_rule, save_training_rule
from annotation.services.leases import lease_next
from annotation.services.ratings import submit_rating
from annotation.services.training import answer_training, begin_attempt
from reviews.demo import cast
from reviews.demo.clock import Clock
from reviews.demo.journal import DAYS, FOLDER, NAMESPACE
from reviews.demo.truth import DIMENSIONS, truth_of

SLUG, TITLE = "training", "Training first"
ANSWERS = FOLDER / "answers.jsonl"
# Rated for real here: the companions that no known answer is about.
SELECTION = Selection(
    tasks=["dialogue_base", "dialogue_schedule", "itinerary_basic", "itinerary_feedback"],
    companions=["Juniper-14B", "Harbor-70B"],
    sample=48,
)
RULE = Rule(items=6, max_mean_difference=0.7, max_missed=1, attempts=2)
CHECKS = {"one_in": 5, "max_difference": 1, "pause_after": 3, "window": 5}
# How each person's attempts go, and after how many items the last one was left.
COURSES = (("ana", ["near"], 2), ("bo", ["strict"], 6), ("gao", ["flat", "flat"], 6), ("fang", ["strict", "near"], 6))
RATERS = (("chen", 9), ("dara", 7))
BEGINS = (DAYS - 2) * 1440 + 9 * 60  # minutes into the journal: the day before the last, at nine


def load_training(campaign: Campaign, clock: Clock) -> Campaign:
    """`campaign`: a draft over SELECTION with its people."""
    people = {user.username: user for user in User.objects.filter(username__in=cast.USERNAMES)}
    manager = people[cast.MANAGER[0]]
    clock.set(BEGINS)
    import_answers(campaign=campaign, path=ANSWERS, by=manager)
    save_training_rule(campaign=campaign, rule=RULE, by=manager)
    save_checks_rule(campaign=campaign, rule=CHECKS, by=manager)
    campaign = open_campaign(campaign=campaign, by=manager)
    for membership in campaign.memberships.filter(role=Membership.Role.ANNOTATOR):
        read_note(membership=membership)
    for minutes, (who, manners, left_at) in enumerate(COURSES):
        for place, manner in enumerate(manners):
            clock.set(BEGINS + 60 * minutes + 20 * (place + 1))
            attempt = begin_attempt(campaign=campaign, user=people[who])
            items = attempt.items[:left_at] if place == len(manners) - 1 else attempt.items
            _answer(attempt, people[who], manner, items, clock)
    for who, ratings in RATERS:
        attempt = begin_attempt(campaign=campaign, user=people[who])
        _answer(attempt, people[who], "near", attempt.items, clock)
        for _each in range(ratings):
            _rate(campaign, people[who], clock)
    return campaign


def _answer(attempt: TrainingAttempt, user: User, manner: str, items: list[int], clock: Clock) -> None:
    known = WorkItem.everything.select_related("reference").in_bulk(items)
    for place, item in enumerate(items):
        answer = known[item].reference
        clock.set((clock.now - clock.start).total_seconds() / 60 + 1)
        answer_training(
            attempt_id=attempt.pk,
            item_id=item,
            user=user,
            client_id=uuid.uuid5(NAMESPACE, f"training {attempt.membership_id} {attempt.number} {item}"),
            scores=_scores(answer.scores, manner, place),
            marks=answer.marks if manner == "near" else [],
            seconds=50,
        )


def _scores(known: dict[str, int], manner: str, place: int) -> dict[str, int]:
    """near: a level off here and there; strict: a level or two too low; flat: the same for everything."""
    if manner == "flat":
        return dict.fromkeys(known, 4)
    if manner == "strict":
        return {key: max(1, level - 1 - place % 2) for key, level in known.items()}
    off = DIMENSIONS[place % 3]
    return {key: max(1, level - (key == off and place % 2)) for key, level in known.items()}


def _rate(campaign: Campaign, user: User, clock: Clock) -> None:
    assignment = lease_next(campaign=campaign, user=user)
    if assignment is None:
        return
    clock.set((clock.now - clock.start).total_seconds() / 60 + 1)
    given: dict[str, Any] = vars(truth_of(assignment.work_item.response))
    draw = random.Random(f"{user.username} {assignment.work_item.response.item_id}")
    text = assignment.work_item.response.text
    submit_rating(
        assignment_id=assignment.pk,
        user=user,
        client_id=uuid.uuid5(NAMESPACE, f"{campaign.slug} {assignment.pk}"),
        scores={key: max(1, min(5, round(level + draw.gauss(0, 0.3)))) for key, level in given["levels"].items()},
        marks=[
            {"type": kind, "start": start, "end": end, "quote": text[start:end] if end else ""}
            for kind, start, end in given["marks"]
        ],
        seconds=40,
    )
