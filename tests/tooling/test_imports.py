"""What a contract on imports cannot see: names in strings, and what is there once a process runs."""

import os
import subprocess
import sys

import pytest

from tests.throwaway.concord import ROOT

pytestmark = pytest.mark.pure


def packages_after(program: str) -> set[str]:
    """The names of all modules that are loaded once the program has run, by a Python of its own."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", f"{program}\nimport sys; print(' '.join(sys.modules))"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_web_server_loads_nothing_heavy() -> None:
    loaded = packages_after("import config.wsgi, config.urls")
    assert {"annotation.views", "reviews.urls"} <= loaded
    assert not {"numpy", "pandas", "scipy", "krippendorff", "pyarrow", "sklearn"} & loaded


def test_the_statistics_load_no_frame_and_no_room() -> None:
    every = (
        "import importlib, pkgutil, reviews.statistics as statistics\n"
        "names = [module.name for module in pkgutil.iter_modules(statistics.__path__, 'reviews.statistics.')]\n"
        "for name in names: importlib.import_module(name)"
    )
    loaded = packages_after(every)
    assert "numpy" in loaded
    assert not {"django", "celery", "annotation", "scenarios", "jobs", "config"} & loaded
    rooms = {name for name in loaded if name.startswith("reviews.") and not name.startswith("reviews.statistics")}
    assert not rooms
