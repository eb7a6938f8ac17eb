"""Building the demo in a database: the pack's files through the importers, its people, its campaigns, its journal."""

import json
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.models import Campaign, Membership, User
from annotation.services.campaigns import Selection, create_campaign, open_campaign
from annotation.services.people import add_member, add_person
from reviews.demo import cast, training
from reviews.demo.clock import journal_clock
from reviews.demo.journal import DAYS, FOLDER, Stage, read_journal
from reviews.demo.refining import play_refinement
from scenarios.models import Dataset
from scenarios.services import describe_companion, import_responses, import_scenarios

SEED = 20261202
CONTENT_NOTE = "Some of these conversations are about grief, panic and despair. Pause whenever you need to."


def is_loaded() -> bool:
    return Campaign.objects.filter(slug="demo").exists()


def load_texts() -> Dataset:
    import_scenarios(FOLDER / "scenarios.jsonl", dataset="demo", title="Demo pack")
    import_responses(FOLDER / "responses.jsonl", dataset="demo")
    for name, (family, parameters, openness) in cast.COMPANIONS.items():
        describe_companion(name=name, family=family, parameters=parameters, openness=openness)
    return Dataset.objects.get(slug="demo")


def load_people() -> None:
    names = [cast.MANAGER, *cast.EXPERTS, *((rater.username, rater.name) for rater in cast.RATERS)]
    for username, name in names:
        add_person(username=username, display_name=name)
    User.objects.filter(username=cast.MANAGER[0]).update(is_site_manager=True)


def make_campaign(slug: str, title: str, dataset: Dataset, **more: Any) -> Campaign:
    manager = User.objects.get(username=cast.MANAGER[0])
    campaign = create_campaign(
        slug=slug, title=title, dataset=dataset, seed=SEED, by=manager, content_note=CONTENT_NOTE, **more
    )
    for username, _name in cast.EXPERTS:
        add_member(campaign=campaign, user=User.objects.get(username=username), role=Membership.Role.EXPERT)
    for rater in cast.RATERS:
        user = User.objects.get(username=rater.username)
        add_member(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR, languages=rater.languages)
    return campaign


def load_campaigns(dataset: Dataset) -> Campaign:
    """`fresh`, open and untouched; `demo`, open, for the journal to play in."""
    fresh = make_campaign(
        "fresh", "Fresh start", dataset, selection=Selection(tasks=["dialogue_base", "itinerary_feedback"], sample=40)
    )
    open_campaign(campaign=fresh)
    twice = {"twice_share": 0.15}
    return open_campaign(campaign=make_campaign("demo", "Companion replies, round one", dataset, rule=twice))


def load_demo() -> bool:
    """Loads everything there is not yet; False where the demo was there."""
    if is_loaded():
        return False
    from reviews.services.releases import publish_release

    with journal_clock(days=DAYS) as clock:
        dataset = load_texts()
        with transaction.atomic():
            load_people()
            stage = Stage(load_campaigns(dataset), clock)
            for event in read_journal():
                if event["do"] == "release":
                    clock.set(event["at"])
                    publish_release(campaign=stage.campaign, by=stage.people[cast.MANAGER[0]])
                else:
                    stage.perform(event)
            training.load_training(
                make_campaign(training.SLUG, training.TITLE, dataset, selection=training.SELECTION), clock
            )
            play_refinement(stage)
    return True


def logins() -> list[dict[str, str]]:
    """A name and password each for a manager, an expert and an annotator: made once for this database, then kept."""
    file = Path(settings.MEDIA_ROOT).parent / "demo_logins.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    people = {user.username: user for user in User.objects.filter(username__in=cast.USERNAMES)}
    if not kept or not all(user.has_usable_password() for user in people.values()):
        kept = {name: secrets.token_urlsafe(9) for name in cast.USERNAMES}
        for name, user in people.items():
            user.set_password(kept[name])
            user.save(update_fields=["password"])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(json.dumps(kept, indent=1))
    roles = {"annotator": "ana", "expert": "elena", "manager": cast.MANAGER[0]}
    return [{"role": role, "username": name, "password": kept[name]} for role, name in roles.items()]
