from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import User
from jobs.models import Job
from jobs.runner import run
from scenarios import ports, uploads
from scenarios.models import Dataset, Import, Scenario
from scenarios.services import import_responses, import_scenarios
from tests import factories as f
from tests.scenarios.samples import SCENARIO, h2htalk_folder, response, scenario, write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _handlers() -> None:
    from scenarios import tasks  # noqa: F401  (as a worker does)


@pytest.fixture
def manager(client: Client, site_manager: User) -> Client:
    client.force_login(site_manager)
    return client


def sent(path: Path) -> SimpleUploadedFile:
    return SimpleUploadedFile(path.name, path.read_bytes())


def send(client: Client, files: list[Path], **fields: object) -> Job:
    data = {"kind": "scenarios", "dataset": "harbour", "language": "zh-Hans", "upload": [sent(file) for file in files]}
    answer = client.post(reverse("scenarios:import"), {**data, **fields})
    assert answer.status_code == 302, answer.content.decode()
    return Job.objects.get(pk=answer.url.rstrip("/").rsplit("/", 1)[-1])


def page(client: Client, job: Job) -> str:
    return client.get(reverse("jobs:job", args=[job.pk])).content.decode()


def test_an_upload_becomes_a_job_and_the_job_an_import(manager: Client, tmp_path: Path) -> None:
    job = send(manager, [write_lines(tmp_path / "灯塔.jsonl", [SCENARIO])], title="Harbour")
    assert (job.kind, job.subject, job.state) == ("import_scenarios", "dataset:harbour", "queued")
    assert "every 1s" in page(manager, job)
    assert run(job.pk)
    shown = page(manager, job)
    assert "灯塔.jsonl is in dataset harbour" in shown
    assert "every 1s" not in shown
    assert Scenario.objects.current().get().persona == SCENARIO["persona"]
    assert Import.objects.get().created_by == Job.objects.get(pk=job.pk).created_by


def test_a_folder_is_sent_as_its_files(manager: Client, tmp_path: Path) -> None:
    folder = [sent(path) for path in sorted(h2htalk_folder(tmp_path / "data").iterdir())]
    job = send(manager, [], folder=folder)
    run(job.pk)
    assert Scenario.objects.current().count() == 4
    assert "README.md" in page(manager, job)


def test_several_task_files_are_read_as_a_folder(manager: Client, tmp_path: Path) -> None:
    job = send(manager, sorted(h2htalk_folder(tmp_path / "data").glob("*.jsonl")))
    run(job.pk)
    assert Scenario.objects.current().count() == 4


def test_responses_take_their_companion_from_the_form(manager: Client, tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "r.jsonl", [{"key": "dialogue_schedule/q001", "text": "x"}])
    job = send(manager, [path], kind="responses", companion="Wren", condition="sap")
    run(job.pk)
    assert "r.jsonl is in dataset harbour" in page(manager, job)
    shown = manager.get(reverse("scenarios:dataset", args=["harbour"])).content.decode()
    assert "Wren" in shown


def test_what_is_wrong_stands_in_a_table_with_its_line(manager: Client, tmp_path: Path) -> None:
    job = send(manager, [write_lines(tmp_path / "bad.jsonl", [SCENARIO, b'{"key": "<b>"}'])])
    run(job.pk)
    shown = page(manager, job)
    assert "“task” is missing" in shown
    assert "bad.jsonl" in shown
    assert not Dataset.objects.exists()


def test_the_same_file_again_says_that_nothing_changed(manager: Client, tmp_path: Path, harbour: str) -> None:
    job = send(manager, [tmp_path / "harbour.jsonl"])
    run(job.pk)
    assert "Nothing has changed" in page(manager, job)


def test_two_files_of_one_name_are_refused(manager: Client, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [SCENARIO])
    data = {"kind": "scenarios", "dataset": "a", "language": "en", "upload": [sent(path), sent(path)]}
    answer = manager.post(reverse("scenarios:import"), data)
    assert answer.status_code == 422
    assert "Two of these files are named a.jsonl" in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"upload": []}, "Choose a file or a folder"), ({"dataset": "no good"}, "Enter a valid"), ({"kind": "x"}, "x")],
)
def test_a_form_that_is_not_right_is_shown_again(
    manager: Client, tmp_path: Path, fields: dict[str, object], said: str
) -> None:
    file = sent(write_lines(tmp_path / "a.jsonl", [SCENARIO]))
    data = {"kind": "scenarios", "dataset": "a", "language": "en", "upload": [file]}
    answer = manager.post(reverse("scenarios:import"), {**data, **fields})
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_uploads_are_removed_once_their_job_is_finished(manager: Client, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [SCENARIO])
    done, waiting = send(manager, [path]), send(manager, [path])
    run(done.pk)
    assert uploads.sweep() == [done.arguments["upload"]]
    assert uploads.path_of(waiting.arguments["upload"], as_folder=False).read_bytes() == path.read_bytes()


def test_the_list_and_the_page_show_what_a_dataset_holds(manager: Client, tmp_path: Path, harbour: str) -> None:
    import_responses(write_lines(tmp_path / "r.jsonl", [response(1), response(2)]), dataset=harbour)
    shown = manager.get(reverse("scenarios:datasets")).content.decode()
    assert "harbour" in shown
    shown = manager.get(reverse("scenarios:dataset", args=[harbour])).content.decode()
    for part in ("dialogue_schedule", "zh-Hans", "Heron 8B", "harbour.jsonl", "r.jsonl"):
        assert part in shown


def test_without_a_dataset_the_page_says_what_to_do(manager: Client) -> None:
    assert "Import the scenarios first" in manager.get(reverse("scenarios:datasets")).content.decode()


def test_the_pages_ask_the_database_no_more_with_more_in_it(
    manager: Client, tmp_path: Path, harbour: str, django_assert_max_num_queries: object
) -> None:
    for number in range(4, 9):
        import_scenarios(write_lines(tmp_path / f"{number}.jsonl", [scenario(number)]), dataset=f"other{number}")
        import_scenarios(tmp_path / f"{number}.jsonl", dataset=harbour)
    for address in (reverse("scenarios:datasets"), reverse("scenarios:dataset", args=[harbour])):
        with django_assert_max_num_queries(11):  # type: ignore[operator]
            manager.get(address)


class TestWhoMay:
    @pytest.mark.parametrize("name", ["scenarios:datasets", "scenarios:import"])
    def test_others_are_refused(self, client: Client, harbour: str, name: str) -> None:
        assert client.get(reverse(name)).status_code == 302
        client.force_login(User.objects.create_user("ann"))
        assert client.get(reverse(name)).status_code == 403
        assert client.get(reverse("scenarios:dataset", args=[harbour])).status_code == 404
        assert client.post(reverse("scenarios:import"), {}).status_code == 403

    def test_a_room_above_may_show_a_dataset(
        self, client: Client, harbour: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ports, "_shown", [])
        ports.show_datasets(lambda user: Dataset.objects.filter(slug="harbour").values_list("pk", flat=True))
        client.force_login(User.objects.create_user("ann"))
        shown = client.get(reverse("scenarios:datasets")).content.decode()
        assert "harbour" in shown
        assert reverse("scenarios:import") not in shown
        assert client.get(reverse("scenarios:dataset", args=[harbour])).status_code == 200

    def test_a_manager_sees_the_dataset_of_their_campaign_and_no_other(self, client: Client, harbour: str) -> None:
        campaign = f.campaign()
        boss = f.member(campaign, "manager")
        client.force_login(boss)
        shown = client.get(reverse("scenarios:datasets")).content.decode()
        assert campaign.dataset.slug in shown
        assert harbour not in shown
        assert client.get(reverse("scenarios:dataset", args=[campaign.dataset.slug])).status_code == 200
        assert client.get(reverse("scenarios:dataset", args=[harbour])).status_code == 404
        assert client.get(reverse("scenarios:import")).status_code == 403
        for role in ("annotator", "expert"):
            client.force_login(f.member(campaign, role))
            assert client.get(reverse("scenarios:dataset", args=[campaign.dataset.slug])).status_code == 404


def test_a_file_name_that_no_disk_takes_is_refused_in_words(manager: Client) -> None:
    file = SimpleUploadedFile("灯" * 240 + ".jsonl", b"{}")
    data = {"kind": "scenarios", "dataset": "harbour", "language": "zh-Hans", "upload": [file]}
    answer = manager.post(reverse("scenarios:import"), data)
    assert answer.status_code == 422
    assert "Give it a shorter one." in answer.content.decode()
    assert not Job.objects.exists()
