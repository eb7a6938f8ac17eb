"""What tests stand on, built through the services, so that no test rests on a state that cannot arise.

Scenarios and responses alone are written as rows, under an import that is done: reading files has tests of its own.
"""

import hashlib
import itertools
import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

import annotation
from annotation.models import Assignment, Campaign, Membership, Rating, User, WorkItem
from annotation.services import leases, people, references
from annotation.services.campaigns import Selection, create_campaign, open_campaign
from annotation.services.items import locked_item
from annotation.services.queue import Picked
from annotation.services.ratings import submit_rating
from annotation.services.rubrics import install_rubric
from scenarios.benchmark import TASKS
from scenarios.models import Companion, Dataset, Import, Response, Scenario

DEFAULT_RUBRIC = Path(annotation.__file__).parent / "rubrics" / "default-1.json"
DIMENSIONS = ("empathy", "fluency", "safety")
_numbers = itertools.count(1)

# One level for all dimensions, or one a dimension.
Scores = int | Mapping[str, int]


def default_rubric() -> None:
    """What the migrations put there and a test that empties the database has taken away."""
    install_rubric(key="default", content=json.loads(DEFAULT_RUBRIC.read_text(encoding="utf-8")))


def person(username: str = "", *, password: str = "", **fields: Any) -> User:
    """Somebody who can sign in where a password is given."""
    user = people.add_person(username=username or f"person{next(_numbers)}")
    if password:
        user.set_password(password)
    for name, value in fields.items():
        setattr(user, name, value)
    user.save()
    return user


def site_manager(username: str = "", *, password: str = "") -> User:
    return person(username, password=password, is_site_manager=True)


def member(
    campaign: Campaign,
    role: str = Membership.Role.ANNOTATOR,
    *,
    user: User | None = None,
    languages: Sequence[str] = (),
) -> User:
    """A person with this role in the campaign; a new one unless one is given."""
    user = user or person()
    people.add_member(campaign=campaign, user=user, role=role, languages=languages)
    return user


def dataset(
    slug: str = "",
    *,
    scenarios: int = 3,
    companions: Sequence[str] = ("model-a",),
    conditions: Sequence[str] = ("no_sap",),
    tasks: Sequence[str] = ("dialogue_emotion",),
    language: str = "en",
    texts: Sequence[str] = (),
    reference: str = "A reference response.",
) -> Dataset:
    """Scenarios `TASK/qNNN`, the tasks in turn, each answered by every companion under every condition.

    texts: of the responses, used in turn; else each says which it is.
    """
    made = Dataset.objects.create(slug=slug or f"data{next(_numbers)}", title="A dataset")
    arrivals = {kind: _arrival(made, kind) for kind in (Import.Kind.SCENARIOS, Import.Kind.RESPONSES)}
    rows = [
        _scenario(made, tasks[i % len(tasks)], i, language, reference, arrivals[Import.Kind.SCENARIOS])
        for i in range(scenarios)
    ]
    Scenario.objects.bulk_create(rows)
    models = [Companion.objects.get_or_create(name=name)[0] for name in companions]
    words = itertools.cycle(texts) if texts else None
    Response.objects.bulk_create(
        _response(scenario, model, condition, next(words) if words else "", arrivals[Import.Kind.RESPONSES])
        for scenario in rows
        for model in models
        for condition in conditions
    )
    return made


def _arrival(made: Dataset, kind: str) -> Import:
    now = timezone.now()
    return Import.objects.create(
        dataset=made,
        kind=kind,
        state=Import.State.DONE,
        source=f"{kind}.jsonl",
        sha256="0" * 64,
        format="concord",
        heartbeat_at=now,
        finished_at=now,
    )


def _scenario(made: Dataset, task: str, i: int, language: str, reference: str, arrival: Import) -> Scenario:
    key = f"{task}/q{i + 1:03d}"
    return Scenario(
        dataset=made,
        component=TASKS[task].component,
        task=task,
        key=key,
        language=language,
        persona="A warm, steady friend.",
        turns=[{"role": "user", "text": f"I had a hard day ({i + 1})."}],
        reference=reference,
        content_hash=hashlib.sha256(key.encode()).hexdigest(),
        arrival=arrival,
    )


def _response(scenario: Scenario, companion: Companion, condition: str, text: str, arrival: Import) -> Response:
    text = text or f"I am with you ({scenario.key}, {next(_numbers)})."
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Response(
        scenario=scenario, companion=companion, condition=condition, text=text, content_hash=digest, arrival=arrival
    )


def campaign(
    *,
    items: int = 1,
    overlap: int = 3,
    slug: str = "",
    data: Dataset | None = None,
    rule: Mapping[str, Any] | None = None,
    opened: bool = True,
    by: User | None = None,
    seed: int = 0,
    **options: Any,
) -> Campaign:
    """An open campaign over as many items, one a scenario, unless a dataset is given. No audit share unless asked."""
    made = create_campaign(
        slug=slug or f"campaign{next(_numbers)}",
        dataset=data or dataset(scenarios=items),
        overlap=overlap,
        selection=options.pop("selection", Selection()),
        rule={"audit_share": 0.0, **(rule or {})},
        seed=seed,
        by=by,
        **options,
    )
    return open_campaign(campaign=made, by=by) if opened else made


def items_of(made: Campaign) -> list[WorkItem]:
    """In the campaign's order."""
    return list(WorkItem.objects.filter(campaign=made).order_by("priority", "id"))


def full_scores(scores: Scores) -> dict[str, int]:
    """5 everywhere but where a mapping says otherwise; a number is every dimension's."""
    if isinstance(scores, int):
        return dict.fromkeys(DIMENSIONS, scores)
    return dict.fromkeys(DIMENSIONS, 5) | dict(scores)


CHECKS = {"one_in": 10, "max_difference": 1, "pause_after": 3, "window": 10}


def check_item(
    campaign: Campaign, scores: Scores = 5, *, marks: Sequence[str] = (), response: Response | None = None
) -> WorkItem:
    """A hidden check of this campaign with its known answer; of a scenario of its own unless a response is given."""
    response = response or _another_response(campaign)
    given = {"scores": full_scores(scores), "marks": [{"type": kind} for kind in marks]}
    return references.add_reference(campaign=campaign, response=response, purpose="check", **given).work_item


def _another_response(campaign: Campaign) -> Response:
    """To one scenario more than the campaign's dataset has."""
    made, number = campaign.dataset, next(_numbers)
    arrivals = [_arrival(made, kind) for kind in (Import.Kind.SCENARIOS, Import.Kind.RESPONSES)]
    language = campaign.items.values_list("language", flat=True).first() or "en"
    scenario = _scenario(made, "dialogue_emotion", 10_000 + number, language, "A reference response.", arrivals[0])
    scenario.save()
    model, _created = Companion.objects.get_or_create(name="model-a")
    response = _response(scenario, model, "no_sap", "", arrivals[1])
    response.save()
    return response


def lease(item: WorkItem, user: User) -> Assignment:
    """This very item to this person, whatever the queue would have given."""
    with transaction.atomic():
        return leases._lease(Picked(locked_item(item.pk), None), user)


def rating(
    item: WorkItem,
    scores: Scores = 5,
    *,
    user: User | None = None,
    assignment: Assignment | None = None,
    marks: Sequence[Any] = (),
    **given: Any,
) -> Rating:
    """One submitted rating of the item; by a new annotator unless a person is given. marks: types, or whole marks."""
    user = user or member(item.campaign)
    whole = [mark if isinstance(mark, dict) else {"type": mark} for mark in marks]
    saved = submit_rating(
        assignment_id=(assignment or lease(item, user)).pk,
        user=user,
        client_id=given.pop("client_id", None) or uuid.uuid4(),
        scores=full_scores(scores),
        marks=whole,
        seconds=given.pop("seconds", 20),
        **given,
    )
    return saved.rating


def edit(standing: Rating, scores: Scores, **given: Any) -> Rating:
    """The same person's edit of their standing rating."""
    return rating(
        standing.work_item,
        scores,
        user=standing.annotator,
        assignment=standing.assignment,
        supersedes=standing.pk,
        **given,
    )


def rated_item(
    scores: Sequence[Scores] = (5, 5, 5),
    *,
    item: WorkItem | None = None,
    raters: Sequence[User] | None = None,
    **campaign_options: Any,
) -> WorkItem:
    """An item with one rating a score: of a campaign of its own (overlap = number of scores) unless one is given."""
    if item is None:
        item = items_of(campaign(overlap=len(scores), **campaign_options))[0]
    for i, given in enumerate(scores):
        rating(item, given, user=raters[i] if raters else None)
    item.refresh_from_db()
    return item
