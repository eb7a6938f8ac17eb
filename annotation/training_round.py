"""How one annotator stands in a campaign's training round: what home, desk, practice page and manager read."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Campaign, CampaignEvent, Membership, TrainingAttempt, WorkItem
from annotation.qualification import Rule, rule_of

GRANTED = "training attempt granted"


@dataclass(frozen=True)
class TrainingState:
    """`required`: there is a round and they have not passed it. `done` of `of` counts the items of the attempt under
    way (0 of the rule's where none is)."""

    rule: Rule | None
    qualified: bool
    attempt: TrainingAttempt | None
    done: int
    finished: int
    attempts_left: int

    @property
    def required(self) -> bool:
        return self.rule is not None and not self.qualified

    @property
    def underway(self) -> bool:
        return self.attempt is not None and self.attempt.finished_at is None

    @property
    def of(self) -> int:
        if self.attempt is not None and self.underway:
            return len(self.attempt.items)
        return self.rule.items if self.rule else 0


def training_state(membership: Membership) -> TrainingState:
    """Two queries, and one more where no attempt is left by the rule; none without a training round."""
    rule, qualified = rule_of(membership.campaign.training), membership.qualified_at is not None
    if rule is None:
        return TrainingState(rule, qualified, None, 0, 0, 0)
    attempts = list(membership.attempts.order_by("number").annotate(answered=Count("answers")))
    last = attempts[-1] if attempts else None
    finished = sum(attempt.finished_at is not None for attempt in attempts)
    done = last.answered if last is not None and last.finished_at is None else 0
    left = attempts_left(membership, rule, begun_of(membership, attempts))
    return TrainingState(rule, qualified, last, done, finished, left)


def begun_of(membership: Membership, attempts: Iterable[TrainingAttempt]) -> int:
    """How many of the attempts count among those the rule allows: begun since they were last asked to train again."""
    since = membership.retrained_at
    return sum(since is None or attempt.started_at > since for attempt in attempts)


def attempts_left(membership: Membership, rule: Rule, begun: int) -> int:
    """How many more may begin: the rule's, and those a manager gave beyond it. begun: as `begun_of` counts them."""
    if begun < rule.attempts:
        return rule.attempts - begun
    events = CampaignEvent.objects.filter(campaign=membership.campaign_id, kind=GRANTED, detail__member=membership.pk)
    if membership.retrained_at is not None:
        events = events.filter(at__gt=membership.retrained_at)
    return max(0, rule.attempts + events.count() - begun)


def training_items(campaign: Campaign) -> "dict[int, str]":
    """{item: language} of all there are to draw from."""
    items = WorkItem.everything.filter(campaign=campaign, purpose=WorkItem.Purpose.TRAINING)
    return dict(items.exclude(state=WorkItem.State.WITHDRAWN).order_by("pk").values_list("pk", "language"))


def in_languages(items: dict[int, str], languages: Iterable[str]) -> list[int]:
    """The items that somebody reads; no language named is all."""
    read = set(languages)
    return [item for item, language in items.items() if not read or language in read]


def unable_to_begin(campaign: Campaign, rule: Rule) -> list[Membership]:
    """Active annotators who have not passed, and in whose languages there are fewer items than an attempt asks for."""
    items = training_items(campaign)
    waiting = campaign.memberships.active().filter(role=Membership.Role.ANNOTATOR, qualified_at=None)
    return [one for one in waiting.select_related("user") if len(in_languages(items, one.languages)) < rule.items]
