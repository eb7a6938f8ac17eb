import hashlib
import json
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Campaign, Membership
from annotation.services.campaigns import close_campaign
from annotation.services.ratings import withdraw_rating
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.models import Case, Release
from reviews.outlook import outlook_of
from reviews.services.background import PUBLISH_RELEASE
from tests import factories as f
from tests.annotation.pages import signed_in
from tests.reviews.judging import judge
from tests.reviews.published import publish, rows

pytestmark = pytest.mark.django_db
Role = Membership.Role
FILES = {
    "gold.csv": b"item_id,value\r\n",
    "gold.jsonl": b"{}\n",
    "gold.parquet": b"PAR1",
    "agreement.json": b"{}",
    "README.md": b"# Data card\n",
}


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(slug="study", items=4, overlap=2)


@pytest.fixture
def manager(campaign: Campaign) -> Client:
    return signed_in(f.member(campaign, Role.MANAGER))


def url(name: str = "releases", *more: object) -> str:
    return reverse(f"reviews:{name}", args=["study", *more])


def text(client: Client) -> str:
    answer = client.get(url())
    assert answer.status_code == 200
    return answer.content.decode()


def release(campaign: Campaign, number: int = 1) -> Release:
    """A release's row with its files on the disk."""
    files = {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "rows": 1}
        for name, content in FILES.items()
    }
    made = Release.objects.create(
        campaign=campaign,
        number=number,
        data_version="d" * 64,
        parameters={},
        manifest={"files": files},
        folder=f"releases/study/{number}",
        created_at=timezone.now(),
        salt="s",
    )
    made.path.mkdir(parents=True)
    for name, content in FILES.items():
        (made.path / name).write_bytes(content)
    (made.path / "manifest.json").write_text(json.dumps(made.manifest))
    (made.path.parent / "secret.txt").write_text("not to be had")
    return made


def test_it_is_for_managers(campaign: Campaign, manager: Client) -> None:
    release(campaign)
    close_campaign(campaign=campaign)
    others = [signed_in(f.member(campaign, role)) for role in (Role.EXPERT, Role.ANNOTATOR)]
    for client in [*others, signed_in(f.site_manager())]:
        assert client.get(url()).status_code == 403
        assert client.get(url("download", 1, "gold.csv")).status_code == 403
        assert client.post(url("publish")).status_code == 403
    assert signed_in(f.person()).get(url()).status_code == 404
    assert manager.get(url()).status_code == 200
    assert not Job.objects.exists()


def test_it_says_what_a_release_would_hold_now(campaign: Campaign, manager: Client) -> None:
    agreed, disputed, short, _untouched = f.items_of(campaign)
    f.rated_item([5, 5], item=agreed)
    f.rated_item([5, 1], item=disputed)
    f.rating(short)
    said = text(manager)
    assert "1 item with up to 3 gold labels." in said
    assert "1 item is left out: an expert has still to decide." in said
    assert "2 items are left out: ratings are missing." in said
    assert "No release yet" in said


def test_an_audit_does_not_hold_its_consensus_back() -> None:
    campaign = f.campaign(overlap=2, rule={"audit_share": 1.0})
    f.rated_item([5, 5], item=f.items_of(campaign)[0])
    outlook = outlook_of(campaign)
    assert (outlook.ready, outlook.held_back) == (1, 0)


def test_on_a_closed_campaign_two_ratings_are_enough() -> None:
    campaign = f.campaign(items=2, overlap=3)
    two, one = f.items_of(campaign)
    f.rating(two)
    f.rating(two)
    f.rating(one)
    assert outlook_of(campaign).ready == 0
    close_campaign(campaign=campaign)
    campaign.refresh_from_db()
    outlook = outlook_of(campaign)
    assert (outlook.ready, outlook.wanting) == (1, 1)


def test_on_a_closed_campaign_what_an_expert_decided_is_a_label_whatever_is_left_of_its_ratings() -> None:
    campaign = f.campaign(overlap=2, rule={"range": 2})
    item = f.rated_item([{"empathy": 1}, 5], item=f.items_of(campaign)[0])
    judge(Case.objects.get(), f.member(campaign, "expert"))
    for rating in item.ratings.all():
        withdraw_rating(rating_id=rating.pk)
    assert outlook_of(campaign).ready == 0
    close_campaign(campaign=campaign)
    campaign.refresh_from_db()
    assert (outlook_of(campaign).ready, outlook_of(campaign).wanting) == (1, 0)
    assert [row["method"] for row in rows(publish(campaign), "gold.jsonl")] == ["adjudicated"]


def test_a_release_is_asked_for_once(campaign: Campaign, manager: Client) -> None:
    for _ in range(2):
        assert manager.post(url("publish")).status_code == 302
    job = Job.objects.get()
    assert (job.kind, job.subject, job.arguments) == (PUBLISH_RELEASE, "campaign:study", {"campaign": "study"})
    assert "Waiting for a worker" in text(manager)
    assert "Make a release" not in text(manager)


def test_a_release_holds_what_the_page_said_it_would(campaign: Campaign, manager: Client) -> None:
    agreed, disputed, short, _untouched = f.items_of(campaign)
    f.rated_item([5, 5], item=agreed)
    f.rated_item([5, 1], item=disputed)
    f.rating(short)
    outlook = outlook_of(campaign)
    work(manager)
    counts = Release.objects.get().manifest["counts"]
    assert counts["items_with_gold"] == outlook.ready
    assert counts["items_left_out"] == {"case_open": outlook.held_back, "wants_raters": outlook.wanting, "withdrawn": 0}
    said = text(manager)
    assert "1 of 4" in said
    assert "3 by consensus, 0 adjudicated, 0 ambiguous" in said
    for name in Release.objects.get().manifest["files"]:
        assert manager.get(url("download", 1, name)).status_code == 200


def test_where_nothing_has_changed_no_new_number_is_made(campaign: Campaign, manager: Client) -> None:
    f.rated_item([5, 5], item=f.items_of(campaign)[0])
    work(manager)
    assert "Nothing has changed" not in text(manager)
    work(manager)
    assert "Nothing has changed since the last release" in text(manager)
    assert Release.objects.count() == 1


def test_an_empty_release_is_refused_with_its_reason(manager: Client) -> None:
    work(manager)
    assert "There is nothing to release: no item is decided yet." in text(manager)
    assert not Release.objects.exists()


def work(client: Client) -> None:
    """Asks for a release, and does what a worker does."""
    client.post(url("publish"))
    run(Job.objects.order_by("-created_at")[0].pk)


def test_it_lists_the_releases_with_their_files(campaign: Campaign, manager: Client) -> None:
    release(campaign)
    release(campaign, 2)
    said = text(manager)
    assert said.index("Release 2") < said.index("Release 1")
    assert hashlib.sha256(FILES["gold.csv"]).hexdigest() in said
    assert url("download", 2, "manifest.json") in said


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gold.csv", "text/csv; charset=utf-8"),
        ("gold.jsonl", "application/jsonl"),
        ("gold.parquet", "application/vnd.apache.parquet"),
        ("agreement.json", "application/json"),
        ("README.md", "text/markdown; charset=utf-8"),
        ("manifest.json", "application/json"),
    ],
)
def test_a_file_comes_as_it_lies_there(campaign: Campaign, manager: Client, name: str, kind: str) -> None:
    made = release(campaign)
    answer = manager.get(url("download", 1, name))
    assert answer["Content-Type"] == kind
    assert answer["Content-Disposition"] == f'attachment; filename="study-1-{name}"'
    assert b"".join(answer.streaming_content) == Path(made.path / name).read_bytes()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["..%2Fsecret.txt", "secret.txt", "none.csv"])
def test_no_other_file_is_to_be_had(campaign: Campaign, manager: Client, name: str) -> None:
    release(campaign)
    assert manager.get(url("download", 1, "gold.csv").replace("gold.csv", name)).status_code == 404
    assert manager.get(url("download", 9, "gold.csv")).status_code == 404
