"""The training round: attempts, their answers, and who is let in. Nothing of it is ever counted as a rating."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from annotation.errors import CampaignNotOpen, NotAllowed, RatingInvalid, TrainingRefused
from annotation.models import (
    Campaign,
    Membership,
    ReferenceAnswer,
    TrainingAnswer,
    TrainingAttempt,
    User,
    WorkItem,
)
from annotation.qualification import Compared, Result, Rule, compare, draw_items, judge, rule_of
from annotation.services.campaigns import log
from annotation.services.items import bar_from_item
from annotation.services.messages import send_message
from annotation.services.references import marks_as_sent
from annotation.training_round import GRANTED, attempts_left, begun_of, in_languages, training_items
from annotation.validation import read_judgement, seconds_since

Role = Membership.Role


@dataclass(frozen=True)
class Answered:
    answer: TrainingAnswer
    created: bool  # False: the item was answered before, and that answer stands


@transaction.atomic
def begin_attempt(*, campaign: Campaign, user: User) -> TrainingAttempt:
    """The person's attempt under way, else a new one. Possible as long as the campaign is not closed.

    Raises NotAllowed (no active annotator here), CampaignNotOpen (closed), TrainingRefused: no training round, passed
    already, no attempt left, or too few items in their languages.
    """
    membership = _locked_membership(campaign.pk, user)
    rule = rule_of(membership.campaign.training)
    if rule is None:
        raise TrainingRefused(_("This campaign has no training round."))
    if membership.qualified_at is not None:
        raise TrainingRefused(_("You are through the training already."))
    attempts = list(membership.attempts.order_by("number"))
    if attempts and attempts[-1].finished_at is None:
        return attempts[-1]
    if not attempts_left(membership, rule, begun_of(membership, attempts)):
        raise TrainingRefused(_("You have no attempt left. A manager can give you another."))
    number = len(attempts) + 1
    drawn = _drawn(membership, rule, number, before=[attempt.items for attempt in attempts])
    return TrainingAttempt.objects.create(membership=membership, number=number, items=drawn, rule=rule.as_json())


def _drawn(membership: Membership, rule: Rule, number: int, *, before: list[list[int]]) -> list[int]:
    """The items of an attempt, their rows locked: none can be taken away before the attempt stands."""
    while True:
        candidates = in_languages(training_items(membership.campaign), membership.languages)
        if len(candidates) < rule.items:
            raise TrainingRefused(_("There are too few training items in your languages just now. Ask a manager."))
        drawn = draw_items(
            candidates,
            before=before,
            items=rule.items,
            seed=membership.campaign.seed,
            person=membership.user_id,
            number=number,
        )
        if len(WorkItem.everything.select_for_update().filter(pk__in=drawn).order_by("pk")) == len(drawn):
            return drawn


@transaction.atomic
def answer_training(
    *,
    attempt_id: int,
    item_id: int,
    user: User,
    client_id: UUID,
    scores: Any,
    marks: Any = (),
    rationale: Any = "",
    seconds: Any = 0,
) -> Answered:
    """Keeps one answer of an attempt; with the last one the attempt is judged by the rule it began with.

    An item is answered once: sent again, by a repeated request or from a second tab, the first answer stands.
    Raises NotAllowed, CampaignNotOpen (closed), RatingInvalid (by field), TrainingRefused.
    """
    campaign_id = TrainingAttempt.objects.filter(pk=attempt_id, membership__user=user).values_list(
        "membership__campaign", flat=True
    )
    membership = _locked_membership(campaign_id.first(), user)
    attempt = TrainingAttempt.objects.select_for_update().get(pk=attempt_id)
    if item_id not in attempt.items:
        raise TrainingRefused(_("This item is not part of your attempt."))
    before = attempt.answers.filter(work_item=item_id).first()
    if before is not None:
        return Answered(before, created=False)
    if TrainingAnswer.objects.filter(attempt__membership=membership, client_id=client_id).exists():
        raise RatingInvalid(fields={"client_id": [_("This client_id was used for another item.")]})
    item = WorkItem.everything.select_related("response").get(pk=item_id)
    judgement = read_judgement(
        rubric=membership.campaign.rubric,
        text=item.response.text,
        scores=scores,
        marks=marks,
        rationale=rationale,
        seconds=seconds,
        needs_expert=False,
    )
    answer = TrainingAnswer.objects.create(
        attempt=attempt,
        work_item=item,
        client_id=client_id,
        scores=judgement.scores,
        marks=marks_as_sent(judgement),
        rationale=judgement.rationale,
        seconds=min(judgement.seconds, seconds_since(_last_answered(attempt) or attempt.started_at)),
    )
    bar_from_item(item, user)  # about to read what an expert says of these words: never asked of them for real
    if attempt.answers.count() == len(attempt.items):
        _finish(membership, attempt)
    return Answered(answer, created=True)


def _last_answered(attempt: TrainingAttempt) -> datetime | None:
    return attempt.answers.order_by("submitted_at").values_list("submitted_at", flat=True).last()


def _locked_membership(campaign_id: int | None, user: User) -> Membership:
    """Its row is locked: two tabs of one person wait for each other."""
    found = Membership.objects.active().select_for_update(of=("self",)).select_related("campaign__rubric", "user")
    membership = found.filter(campaign=campaign_id, user=user, role=Role.ANNOTATOR).first()
    if membership is None:
        raise NotAllowed(_("You are not an active annotator of this campaign."))
    if membership.campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its training is over."))
    return membership


_OF_ITEM = ("work_item__reference", "work_item__response__scenario", "work_item__response__companion")


def compared_answers(attempt: TrainingAttempt) -> list[tuple[TrainingAnswer, ReferenceAnswer, Compared]]:
    """Each answer so far beside the expert's, in the attempt's order."""
    place = {item: i for i, item in enumerate(attempt.items)}
    answers = sorted(attempt.answers.select_related(*_OF_ITEM), key=lambda one: place[one.work_item_id])
    return [(answer, answer.work_item.reference, compared(answer)) for answer in answers]


def compared(answer: TrainingAnswer) -> Compared:
    known = answer.work_item.reference
    return compare(scores=answer.scores, marks=answer.marks, known_scores=known.scores, known_marks=known.marks)


def result_of(attempt: TrainingAttempt) -> Result | None:
    """What a finished attempt came to, by dimension; None while it is under way."""
    rule = rule_of(attempt.rule)
    if attempt.finished_at is None or rule is None:
        return None
    return judge(rule, [one for _answer, _known, one in compared_answers(attempt)])


def _finish(membership: Membership, attempt: TrainingAttempt) -> None:
    attempt.finished_at = now = timezone.now()
    result = result_of(attempt)
    assert result is not None
    attempt.passed, attempt.mean_difference, attempt.missed = result.passed, result.mean_difference, result.missed
    attempt.save()
    if result.passed and membership.qualified_at is None:
        membership.qualified_at = now
        membership.save(update_fields=["qualified_at"])
    outcome = "training passed" if result.passed else "training failed"
    log(membership.campaign, outcome, membership.user, member=membership.pk, attempt=attempt.number)
    rule = rule_of(membership.campaign.training)
    if membership.qualified_at is not None or rule is None:
        return
    if not attempts_left(membership, rule, begun_of(membership, membership.attempts.all())):
        with translation.override(settings.LANGUAGE_CODE):  # to the managers, whatever the annotator reads
            said = _("%(person)s did not pass the training and has no attempt left.") % {"person": membership.user}
        send_message(campaign=membership.campaign, text=said)


@transaction.atomic
def let_in(*, membership: Membership, by: User | None = None) -> Membership:
    """Without the training, or in spite of it. Raises NotAllowed for another role, TrainingRefused where needless."""
    membership = _annotator(membership)
    if membership.qualified_at is not None:
        raise TrainingRefused(_("%(person)s is let in already.") % {"person": membership.user})
    membership.qualified_at = timezone.now()
    membership.save(update_fields=["qualified_at"])
    log(membership.campaign, "let in without training", by, member=membership.pk)
    return membership


@transaction.atomic
def grant_attempt(*, membership: Membership, by: User | None = None) -> Membership:
    """One attempt more than the rule allows."""
    membership = _annotator(membership)
    if membership.qualified_at is not None:
        raise TrainingRefused(_("%(person)s is let in already.") % {"person": membership.user})
    rule = rule_of(membership.campaign.training)
    if rule is None:
        raise TrainingRefused(_("This campaign has no training round."))
    if attempts_left(membership, rule, begun_of(membership, membership.attempts.all())):
        raise TrainingRefused(_("%(person)s has an attempt left.") % {"person": membership.user})
    log(membership.campaign, GRANTED, by, member=membership.pk)
    return membership


def _annotator(membership: Membership) -> Membership:
    found = Membership.objects.select_for_update(of=("self",)).select_related("campaign", "user").get(pk=membership.pk)
    if found.role != Role.ANNOTATOR or found.state == Membership.State.REMOVED:
        raise NotAllowed(_("Only annotators have a training."))
    if found.campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its training is over."))
    return found
