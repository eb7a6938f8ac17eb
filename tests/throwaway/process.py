"""One child process in a folder of its own, that never outlives its parent."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

HOST = "127.0.0.1"
_LIBC = ctypes.CDLL(None)  # loaded here: between fork and exec there is no time for it


class Missing(RuntimeError):
    """The server's program is not on this machine; the message says how to get it."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def dies_with_parent(sign: int = signal.SIGTERM) -> Callable[[], None]:
    """A `preexec_fn`: the child gets `sign` when its parent dies, however it dies (Linux only)."""
    parent = os.getpid()

    def ask() -> None:
        with contextlib.suppress(AttributeError):
            _LIBC.prctl(1, int(sign))  # PR_SET_PDEATHSIG
        if os.getppid() != parent:  # it died before it could be asked for
            os._exit(1)

    return ask


def answers(url: str) -> bool:
    """Whether a web server answers there with anything but its own failure."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return int(answer.status) < 500
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


class Server:
    """One child process in a folder of its own. Subclasses say how it starts and when it is ready."""

    name = "server"
    stop_signal = signal.SIGTERM
    seconds_to_start = 60.0

    def __init__(self, *, folder: Path | None = None) -> None:
        self.keep = folder is not None
        self.folder = folder or Path(tempfile.mkdtemp(prefix=f"concord-{self.name}-{os.getpid()}-", dir=self._base()))
        self.process: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> Self:
        try:
            self._prepare()
            self._launch()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Stop it, with every process it started, and remove its folder."""
        atexit.unregister(self.stop)
        if self.process:
            if self.process.poll() is None:
                self.process.send_signal(self.stop_signal)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(15)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
        self._clean_up()
        if not self.keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self) -> None:
        """Kill it and its children as a power cut would; `start` brings it up again on the same files."""
        assert self.process
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def log(self) -> str:
        """What it has said since it was last started."""
        file = self.folder / "log"
        return file.read_bytes()[self._log_start :].decode(errors="replace") if file.exists() else ""

    def _base(self) -> str | None:
        return None

    def _prepare(self) -> None: ...

    def _clean_up(self) -> None: ...

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _ready(self) -> bool:
        raise NotImplementedError

    def _account(self) -> dict[str, Any]:
        return {}

    def _env(self) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}

    def _launch(self) -> None:
        # a session of its own, so that Ctrl-C in a test run does not reach it before the tests are through with it
        with (self.folder / "log").open("ab") as log:
            self._log_start = log.tell()
            self.process = subprocess.Popen(
                self._command(), cwd=self._folder_to_run_in(), env=self._env(), stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=dies_with_parent(self.stop_signal),
                **self._account(),
            )  # fmt: skip
        atexit.register(self.stop)
        end = time.monotonic() + self.seconds_to_start
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} stopped with {self.process.returncode}:\n{self.log()[-3000:]}")
            if self._ready():
                return
            time.sleep(0.05)
        raise RuntimeError(f"{self.name} did not answer within {self.seconds_to_start:.0f} s:\n{self.log()[-3000:]}")

    def _folder_to_run_in(self) -> Path:
        return self.folder
