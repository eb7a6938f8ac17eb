"""./run refuses early and says what to do."""

import ast
import os
import socket
import subprocess
import sys
import time

import pytest

from tests.throwaway.concord import ROOT

pytestmark = pytest.mark.pure


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "run", *arguments], cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("arguments", [(), ("dmeo",), ("demo", "now"), ("lint", "--fix")])
def test_what_it_does_not_know_is_answered_with_what_it_does(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "./run demo" in done.stderr


def test_help_is_no_error() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "./run test" in done.stdout


def test_a_taken_port_is_said_at_once_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        start = time.monotonic()
        done = run("demo", PORT=str(port))
    assert done.returncode == 1
    assert f"Port {port} is taken" in done.stderr
    assert "./run demo" in done.stderr.splitlines()[-1]
    assert done.stdout == ""
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    done = run("demo", PORT=port)
    assert done.returncode == 1
    assert f"PORT is '{port}'" in done.stderr


def test_an_unknown_lock_is_refused_with_the_known_ones() -> None:
    done = run("setup", "prod")
    assert done.returncode == 1
    assert "choose from demo, test, dev" in done.stderr


def test_an_unknown_measurement_is_refused() -> None:
    done = run("bench", "no_such_thing")
    assert done.returncode == 2
    assert "./run bench lists them" in done.stderr


def test_an_old_python_can_read_far_enough_to_say_that_it_is_old() -> None:
    ast.parse((ROOT / "run").read_text(encoding="utf-8"), feature_version=(3, 7))
