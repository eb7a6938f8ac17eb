"""`manage.py export_gold`: a release's files in a folder of one's own, and nothing that was there is lost."""

import json

import pytest
from django.core.management import CommandError, call_command

from reviews.errors import FolderNotEmpty
from reviews.models import Release
from reviews.release.export import copy_release
from tests import factories

pytestmark = pytest.mark.django_db


def export(out, capsys, **options):
    call_command("export_gold", campaign="study", out=str(out), **options)
    return capsys.readouterr().out


def test_it_copies_the_release(study, tmp_path, capsys):
    told = json.loads(export(tmp_path / "out", capsys, json=True))
    release = Release.objects.get()
    assert told["release"] == 1
    assert told["new"]
    for path in release.path.iterdir():
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


def test_twice_gives_the_same_bytes_and_says_so(study, tmp_path, capsys):
    export(tmp_path / "a", capsys)
    told = export(tmp_path / "b", capsys)
    assert "Nothing has changed since release 1" in told
    for path in (tmp_path / "a").iterdir():
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()
    export(tmp_path / "a", capsys)


def test_an_earlier_export_is_replaced(study, tmp_path, capsys):
    export(tmp_path / "a", capsys)
    factories.rating(factories.items_of(study)[3], 3)
    export(tmp_path / "a", capsys)
    assert json.loads((tmp_path / "a" / "manifest.json").read_text())["number"] == 2


def test_what_no_export_wrote_is_never_overwritten(study, tmp_path, capsys):
    out = tmp_path / "mine"
    out.mkdir()
    (out / "gold.csv").write_text("my own work")
    with pytest.raises(CommandError, match=r"gold\.csv"):
        export(out, capsys)
    assert (out / "gold.csv").read_text() == "my own work"


def test_nor_an_export_that_someone_added_to(study, tmp_path, capsys):
    export(tmp_path / "a", capsys)
    (tmp_path / "a" / "notes.txt").write_text("mine")
    release = Release.objects.get()
    factories.rating(factories.items_of(study)[3], 3)
    with pytest.raises(FolderNotEmpty):
        copy_release(release.path, release.manifest, out=tmp_path / "a")


def test_an_empty_one_is_refused_with_the_reason_and_1(tmp_path):
    factories.campaign(slug="empty")
    with pytest.raises(CommandError, match="no item is decided yet") as refused:
        call_command("export_gold", campaign="empty", out=str(tmp_path / "out"))
    assert refused.value.returncode == 1
    assert not (tmp_path / "out").exists()
