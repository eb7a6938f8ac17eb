"""The folder of a release is a dataset as it lies there: read with the Hugging Face library, offline."""

import json
import os
import subprocess
import sys

import pytest

from tests.reviews.published import publish, rows
from tests.throwaway.concord import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.once]
# In a Python of its own: the library reads its settings from the environment when it is first imported.
READER = """
import json, sys
from datasets import get_dataset_config_names, get_dataset_default_config_name, load_dataset
folder, out = sys.argv[1:]
told = {"configs": get_dataset_config_names(folder), "default": get_dataset_default_config_name(folder), "rows": {}}
for name in [None, *told["configs"]]:
    read = load_dataset(folder, name) if name else load_dataset(folder)
    told["rows"][name or ""] = {split: list(table) for split, table in read.items()}
def plain(moment):
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
with open(out, "w", encoding="utf-8") as file:
    json.dump(told, file, default=plain)
"""


@pytest.fixture
def load(tmp_path):
    """What `datasets` finds in a folder: its configs, which is the default, and the rows of each."""

    def load(folder):
        env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home"), "TQDM_DISABLE": "1"}
        out = tmp_path / "read.json"
        done = subprocess.run(
            [sys.executable, "-c", READER, str(folder), str(out)], cwd=ROOT, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(out.read_text("utf-8"))

    return load


def test_every_config_reads_back_what_json_lines_holds(study, load):
    release = publish(study)
    found = load(release.path)
    assert sorted(found["configs"]) == ["gold", "items", "ratings"]
    for name in found["configs"]:
        assert found["rows"][name] == {"train": rows(release, f"{name}.jsonl")}, name


def test_without_a_name_it_is_the_gold(study, load):
    release = publish(study)
    found = load(release.path)
    assert found["default"] == "gold"
    assert found["rows"][""] == {"train": rows(release, "gold.jsonl")}


def test_without_texts_it_reads_too(study, load):
    release = publish(study, without_texts=True)
    found = load(release.path)
    assert found["rows"]["items"] == {"train": rows(release, "items.jsonl")}
    assert "text" not in found["rows"]["items"]["train"][0]
