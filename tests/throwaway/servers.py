"""PostgreSQL and Redis.

PostgreSQL refuses to run as root: there it runs as the account that Debian's package makes, else as nobody.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

from tests.throwaway.process import HOST, Missing, Server, free_port


class Postgres(Server):
    """PostgreSQL without durability unless `durable`; in memory where there is room."""

    name = "postgres"
    stop_signal = signal.SIGINT  # PostgreSQL's fast shutdown

    def __init__(self, *, durable: bool = False, settings: dict[str, str] | None = None) -> None:
        self.durable, self.settings = durable, settings or {}
        self.bin = self._bin()
        super().__init__()
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"postgres://test@{HOST}:{self.port}/postgres"

    @staticmethod
    def _bin() -> Path:
        if named := os.environ.get("PG_BINDIR"):
            return Path(named)
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parts[4]))
        on_path = shutil.which("initdb")
        if not found and not on_path:
            raise Missing("no PostgreSQL server: apt-get install -y postgresql, or set PG_BINDIR or TEST_POSTGRES_URL")
        return (found[-1] if found else Path(str(on_path)).resolve()).parent

    def _base(self) -> str | None:
        memory = Path("/dev/shm")
        roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2 * 2**30
        if roomy:  # what a killed run left there would stay in memory
            for left in memory.glob(f"concord-{self.name}-*"):
                if not Path("/proc", left.name.split("-")[2]).exists():
                    shutil.rmtree(left, ignore_errors=True)
        return str(memory) if roomy and not self.durable else None

    def _account(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        for name in ("postgres", "nobody"):
            with contextlib.suppress(KeyError):
                account = pwd.getpwnam(name)
                return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        raise Missing("PostgreSQL refuses to run as root, and there is no account 'postgres' or 'nobody'")

    def _prepare(self) -> None:
        if who := self._account():
            os.chown(self.folder, who["user"], who["group"])
        if (self.folder / "data").exists():
            return
        command = [str(self.bin / "initdb"), "-D", str(self.folder / "data"), "-U", "test", "-A", "trust", "-E", "UTF8"]
        command += ["--locale=C.UTF-8", "--no-sync", "--no-instructions"]
        options: dict[str, Any] = {"cwd": self.folder, "env": self._env(), **self._account()}
        made = subprocess.run(command, capture_output=True, text=True, **options)
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stderr[-3000:]}")

    def _command(self) -> list[str]:
        careless = {} if self.durable else {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        options = {"listen_addresses": HOST, "port": str(self.port), "unix_socket_directories": str(self.folder)}
        options |= {"max_connections": "200", "shared_buffers": "128MB", **careless, **self.settings}
        command = [str(self.bin / "postgres"), "-D", str(self.folder / "data")]
        return command + [part for name, value in options.items() for part in ("-c", f"{name}={value}")]

    def _ready(self) -> bool:
        command = [str(self.bin / "pg_isready"), "-q", "-h", HOST, "-p", str(self.port)]
        return subprocess.run(command).returncode == 0


class Redis(Server):
    """Redis or Valkey; with `folder`, on files that outlive it."""

    name = "redis"

    def __init__(self, *, durable: bool = False, folder: Path | None = None) -> None:
        found = os.environ.get("REDIS_SERVER") or shutil.which("redis-server") or shutil.which("valkey-server")
        if not found:
            raise Missing("no Redis server: apt-get install -y redis-server, or set REDIS_SERVER or TEST_REDIS_URL")
        super().__init__(folder=folder)
        self.program, self.durable, self.port = found, durable, free_port()

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def _command(self) -> list[str]:
        command = [self.program, "--bind", HOST, "--port", str(self.port), "--dir", str(self.folder)]
        command += ["--daemonize", "no", "--protected-mode", "yes"]
        return command + (["--appendonly", "yes"] if self.durable else ["--save", "", "--appendonly", "no"])

    def _ready(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((HOST, self.port), 1) as link:
            link.sendall(b"PING\r\n")
            return link.recv(64).startswith(b"+PONG")
        return False
