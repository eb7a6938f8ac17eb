"""What holds for every test: its settings, its database, its marks, and the servers it may ask for."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.throwaway import Missing, Postgres, Redis, WebServer

# pytest-playwright's synchronous interface keeps an event loop running in the thread that the tests run in
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
PURE = Path(__file__).parent / "reviews" / "statistics"


def pytest_configure(config: pytest.Config) -> None:
    """Quick hashing, plain static files, a broker nobody listens to. pytest-django has read the settings by now."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    static_files = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": static_files}
    settings.WHITENOISE_AUTOREFRESH = True  # no scan of a folder that only collectstatic makes
    settings.CELERY_BROKER_URL = "memory://"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {}


@pytest.hookimpl(tryfirst=True)  # before -m deselects by these marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if PURE in item.path.parents:
            item.add_marker("pure")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files that start servers stay whole and those on `concord` together: else each process starts them for itself."""
    from xdist.scheduler import LoadScopeScheduling

    class WithTheirServers(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return _servers_of(config.rootpath / file) or nodeid

    config.option.loadscopereorder = False  # pytest-django's order: what empties the database comes last
    return WithTheirServers(config, log)


@functools.cache
def _servers_of(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    if "mark.servers" not in text:
        return ""
    return "concord" if "concord: WebServer" in text or "(concord" in text else str(file)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite's test database is a file (a live server reads it from another thread), and nobody else's."""
    from django.db import connection

    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """The tests run on the database that the runner meant them to."""
    from django.db import connection

    expected = os.environ.get("EXPECT_DB", connection.vendor)
    assert connection.vendor == expected, f"these tests were to run on {expected}, not on {connection.vendor}"


@pytest.fixture(autouse=True)
def _files_of_its_own(settings: Settings, tmp_path: Path) -> None:
    """Uploads and releases of a test go where they are thrown away."""
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A throwaway PostgreSQL server: the runner's, else one started here. Skips loudly where there is none."""
    yield from _server_url("POSTGRES", Postgres)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A throwaway Redis server: the runner's, else one started here. Skips loudly where there is none."""
    yield from _server_url("REDIS", Redis)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def concord(request: pytest.FixtureRequest) -> Iterator[WebServer]:
    """Concord under gunicorn, once on each database; for `servers` tests that bring campaigns of their own."""
    postgres_url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    with WebServer(postgres_url=postgres_url) as server:
        yield server


def _server_url(name: str, kind: type[Postgres] | type[Redis]) -> Iterator[str]:
    if url := os.environ.get(f"TEST_{name}_URL"):
        yield url
    elif reason := os.environ.get(f"WHY_NO_{name}"):
        pytest.skip(reason)
    else:
        try:
            server = kind()
        except Missing as error:
            pytest.skip(str(error))
        with server:
            yield server.url


@pytest.fixture(autouse=True)
def _english(request: pytest.FixtureRequest) -> None:
    """What a test reads outside of a request is English, whatever language the request before it was answered in."""
    if request.node.get_closest_marker("pure") is None:
        from django.utils import translation

        translation.deactivate()
