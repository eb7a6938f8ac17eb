"""A manager imports files in the browser: what is wrong is shown by its line, progress survives a reload."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from jobs.models import Job
from jobs.runner import run
from jobs.services import claim, report_progress
from scenarios import tasks  # noqa: F401  (registers the handlers, as a worker does)
from scenarios.models import Scenario
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in
from tests.scenarios.samples import SCENARIO, h2htalk_folder, response, scenario, write_lines

pytestmark = pytest.mark.django_db(transaction=True)


def job_of(page: Page) -> UUID:
    page.wait_for_url("**/jobs/**")
    return UUID(page.url.rstrip("/").rsplit("/", 1)[-1])


def test_a_file_with_a_fault_and_then_the_right_one(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    come_in(page, live_server, f.site_manager("boss"))
    page.goto(live_server.url + reverse("scenarios:datasets"))
    expect(page.get_by_text("Import the scenarios first")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Import files").click()

    # Only what belongs to scenarios is asked for.
    expect(page.get_by_label("Title of a new dataset")).to_be_visible()
    expect(page.get_by_label("Companion")).to_be_hidden()
    assert_fit(page)
    page.get_by_label("Dataset", exact=True).fill("harbour")
    bad = write_lines(tmp_path / "harbour.jsonl", [SCENARIO, scenario(2, task="chat")])
    page.get_by_label("Files", exact=True).set_input_files(bad)
    expect(page.get_by_text("1 file,")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()

    # The page waits by itself; the worker comes; the page tells what is wrong and where.
    job = job_of(page)
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    assert_fit(page)
    run(job)
    expect(page.get_by_role("alert")).to_contain_text("harbour.jsonl:2: unknown task “chat”. Nothing was imported.")
    row = page.get_by_role("row").filter(has_text="unknown task")
    expect(row.get_by_role("cell")).to_have_text(["harbour.jsonl", "2", "unknown task “chat”"])
    assert_fit(page)

    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_label("Dataset", exact=True)).to_have_value("harbour")
    page.get_by_label("Files", exact=True).set_input_files(write_lines(bad, [SCENARIO, scenario(2)]))
    page.get_by_role("button", name="Import", exact=True).click()
    run(job_of(page))
    expect(page.get_by_text("harbour.jsonl is in dataset harbour.")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Open the dataset").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("harbour")

    # Then what the companions said.
    page.get_by_role("link", name="Import responses").click()
    expect(page.get_by_label("Companion")).to_be_visible()
    page.get_by_label("Files", exact=True).set_input_files(
        write_lines(tmp_path / "r.jsonl", [response(1), response(2)])
    )
    page.get_by_role("button", name="Import", exact=True).click()
    run(job_of(page))
    page.get_by_role("link", name="Open the dataset").click()
    expect(page.get_by_role("row").filter(has_text="Heron 8B").get_by_role("cell").last).to_have_text("2")
    assert_fit(page)
    page.get_by_role("link", name="Datasets").click()
    expect(page.get_by_role("row").filter(has_text="harbour").get_by_role("cell").nth(2)).to_have_text("2")
    assert_fit(page)


def test_a_folder_as_released(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    come_in(page, live_server, f.site_manager("boss"))
    page.goto(live_server.url + reverse("scenarios:import") + "?dataset=released")
    page.get_by_label("Or a folder").set_input_files(h2htalk_folder(tmp_path / "data"))
    expect(page.get_by_text("3 files,")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    run(job_of(page))
    expect(page.get_by_text("Files that were not read: README.md.")).to_be_visible()
    assert Scenario.objects.current().count() == 4


def test_progress_survives_a_reload_and_a_missing_worker_is_missed(page: Page, live_server: LiveServer) -> None:
    boss = f.site_manager("boss")
    come_in(page, live_server, boss)
    now = timezone.now()
    job = Job.objects.create(
        kind="import_scenarios",
        arguments={"dataset": "harbour"},
        created_by=boss,
        created_at=now,
        queued_at=now - timedelta(seconds=11),
        rung_at=now,
    )
    page.goto(live_server.url + reverse("jobs:job", args=[job.pk]))
    expect(page.get_by_text("No worker is running")).to_be_visible()
    assert_fit(page)
    attempt = claim(job.pk)
    assert attempt
    report_progress(job.pk, attempt=attempt, done=30, total=120, note="Checking the file")
    for _ in range(2):
        expect(page.get_by_role("progressbar")).to_have_attribute("value", "25")
        expect(page.get_by_role("heading", name="Checking the file")).to_be_visible()
        page.reload()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Stopping")).to_be_visible()
