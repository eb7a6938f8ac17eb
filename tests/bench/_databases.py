"""A measurement on both databases: in a process of its own, whose settings name the database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def on_both(module: str, *arguments: object) -> dict[str, dict[str, Any]]:
    """What `python -m MODULE --inside ARGUMENTS` prints as its last line, JSON, by the database's name."""
    with tempfile.TemporaryDirectory(prefix="concord-bench-") as folder:
        columns = {"SQLite": _inside(module, f"sqlite:///{folder}/db.sqlite3", arguments)}
    if server := os.environ.get("TEST_POSTGRES_URL"):
        columns["PostgreSQL"] = _on_postgres(module, server, arguments)
    else:
        print(f"PostgreSQL not measured: {os.environ.get('WHY_NO_POSTGRES', 'no server; use ./run bench NAME')}")
    return columns


def prepare() -> None:
    """Inside: an empty Concord."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def _inside(module: str, url: str, arguments: tuple[object, ...]) -> dict[str, Any]:
    environment = os.environ | {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(ROOT),
        "SECRET_KEY": uuid.uuid4().hex,
    }
    command = [sys.executable, "-m", module, "--inside", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _on_postgres(module: str, server: str, arguments: tuple[object, ...]) -> dict[str, Any]:
    import psycopg

    name = f"concord_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as link:
        link.execute(f'CREATE DATABASE "{name}"')
        try:
            return _inside(module, f"{server.rsplit('/', 1)[0]}/{name}", arguments)
        finally:
            link.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
