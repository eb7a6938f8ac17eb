"""Concord as it is served: gunicorn on a database of its own, and a Celery worker beside it."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

from tests.throwaway.process import HOST, Server, answers, free_port

ROOT = Path(__file__).resolve().parent.parent.parent


@functools.cache
def migrated() -> Path:
    """An SQLite file with all tables and nothing in them, made once a process: each server begins with a copy."""
    folder = tempfile.TemporaryDirectory(prefix="concord-migrated-")
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "db.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{file}", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity=0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return file


class WebServer(Server):
    """Concord under gunicorn on a database of its own, migrated.

    postgres_url: a PostgreSQL server to make the database in; without it the database is an SQLite file.
    environment: settings beside the ones made here; `self.environment` is what a command or a Worker needs to join in.
    """

    name = "web"

    def __init__(
        self, *, postgres_url: str | None = None, workers: int = 2, threads: int = 4,
        environment: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.postgres_url, self.workers, self.threads, self.port = postgres_url, workers, threads, free_port()
        self.database = f"concord_{uuid.uuid4().hex[:12]}"
        self.url = f"http://{HOST}:{self.port}"
        self.environment = {
            **os.environ, "PORT": str(self.port), "SECRET_KEY": uuid.uuid4().hex, "DEBUG": "0", "DB_POOL": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT), "CELERY_BROKER_URL": "filesystem://localhost/",
            "DATABASE_URL": self._database_url(), "MEDIA_ROOT": str(self.folder / "media"),
            "BROKER_FOLDER": str(self.folder / "broker"), "STATIC_ROOT": str(self.folder / "static"),
            "SITE_URL": self.url, **(environment or {}),
        }  # fmt: skip

    def manage(self, *arguments: str, **popen: Any) -> subprocess.CompletedProcess[str]:
        """Run a management command on this server's database; raises with its words when it fails."""
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, **popen)
        if done.returncode:
            raise RuntimeError(f"manage.py {arguments[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done

    def _database_url(self) -> str:
        if self.postgres_url:
            return f"{self.postgres_url.rsplit('/', 1)[0]}/{self.database}"
        return f"sqlite:///{self.folder / 'db.sqlite3'}"

    def _administer(self, statement: str) -> None:
        import psycopg

        assert self.postgres_url
        with psycopg.connect(self.postgres_url, autocommit=True) as link:
            link.execute(statement)

    def _prepare(self) -> None:
        if (self.folder / "log").exists():
            return
        if self.postgres_url:
            self._administer(f'CREATE DATABASE "{self.database}"')
            self.manage("migrate", "--verbosity=0")
        else:
            shutil.copy(migrated(), self.folder / "db.sqlite3")
        self.manage("collectstatic", "--noinput", "--verbosity=0")

    def _clean_up(self) -> None:
        if self.postgres_url:
            self._administer(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')

    def _env(self) -> dict[str, str]:
        return self.environment

    def _folder_to_run_in(self) -> Path:
        return ROOT

    def _command(self) -> list[str]:
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"{HOST}:{self.port}"]
        return [*command, "-k", "gthread", "-w", str(self.workers), "--threads", str(self.threads)]

    def _ready(self) -> bool:
        return answers(f"{self.url}/accounts/login/")


class Worker(Server):
    """A Celery worker beside a WebServer, on the same database and broker."""

    name = "worker"

    def __init__(self, web: WebServer, *, beat: bool = False, pool: str = "prefork", concurrency: int = 2) -> None:
        super().__init__()
        self.web, self.beat, self.pool, self.concurrency = web, beat, pool, concurrency

    def _env(self) -> dict[str, str]:
        return self.web.environment

    def _folder_to_run_in(self) -> Path:
        return ROOT

    def _command(self) -> list[str]:
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel", "INFO"]
        command += ["--pool", self.pool, "--concurrency", str(self.concurrency), "--hostname", f"{self.folder.name}@%h"]
        return command + (["-B", "-s", str(self.folder / "beat")] if self.beat else [])

    def _ready(self) -> bool:
        return " ready." in self.log()
