"""A campaign with a training round, and people on their way through it."""

import uuid
from typing import Any

from annotation.models import Campaign, Membership, TrainingAttempt, User, WorkItem
from annotation.qualification import Rule
from annotation.services.campaigns import Selection
from annotation.services.desk_rules import save_training_rule
from annotation.services.references import add_reference
from annotation.services.training import Answered, answer_training, begin_attempt, let_in
from scenarios.models import Response
from tests import factories as f

KNOWN = {"empathy": 4, "fluency": 4, "safety": 4}
EXPERT_SAYS = "So the expert reasoned."


def campaign_with_training(
    *, known: int = 4, rule: Rule | None = None, texts: tuple[str, ...] = (), marks: tuple = (), **options
) -> Campaign:
    """Two items to rate for real, and `known` training items whose answer is 4 everywhere."""
    data = f.dataset(scenarios=max(known, 2), companions=["model-a", "model-t"], texts=texts)
    keys = sorted({response.scenario.key for response in Response.objects.filter(scenario__dataset=data)})
    campaign = f.campaign(data=data, selection=Selection(companions=["model-a"]), **options)
    for key in keys[:known]:
        response = Response.objects.get(scenario__dataset=data, scenario__key=key, companion__name="model-t")
        add_reference(
            campaign=campaign,
            response=response,
            purpose="training",
            scores=KNOWN,
            marks=marks,
            reasons={"empathy": EXPERT_SAYS},
        )
    return save_training_rule(campaign=campaign, rule=rule or Rule(items=2, attempts=2))


def membership_of(campaign: Campaign, user: User) -> Membership:
    return Membership.objects.get(campaign=campaign, user=user, role="annotator")


def answer(attempt: TrainingAttempt, item: int, scores: f.Scores = 4, **given) -> Answered:
    return answer_training(
        attempt_id=attempt.pk,
        item_id=item,
        user=attempt.membership.user,
        client_id=given.pop("client_id", None) or uuid.uuid4(),
        scores=f.full_scores(scores),
        **given,
    )


def attempt_made(campaign: Campaign, user: User, scores: f.Scores = 4) -> TrainingAttempt:
    """A whole attempt, the same scores for every item."""
    attempt = begin_attempt(campaign=campaign, user=user)
    for item in attempt.items:
        answer(attempt, item, scores)
    attempt.refresh_from_db()
    return attempt


def training_items_of(campaign: Campaign) -> list[WorkItem]:
    return list(WorkItem.everything.filter(campaign=campaign, purpose="training").order_by("pk"))


def attempt_under_way(campaign: Campaign, settled: Any, annotator: User) -> TrainingAttempt:
    """An attempt at one item; its known answer is for who answered it (tests/annotation/test_training_pages.py)."""
    scores = f.full_scores(4)
    reasons = {"": "What the experts saw in it."}
    add_reference(campaign=campaign, response=settled.response, purpose="training", scores=scores, reasons=reasons)
    save_training_rule(campaign=campaign, rule=Rule(items=1), let_in_raters=False)
    attempt = begin_attempt(campaign=campaign, user=annotator)
    annotators = campaign.memberships.filter(role=Membership.Role.ANNOTATOR)
    for membership in annotators.exclude(state=Membership.State.REMOVED):
        let_in(membership=membership)
    return attempt
