"""Throwaway servers on loopback for tests and benches: PostgreSQL, Redis, and Concord itself with its worker.

Standard library only at import: `./run test` starts the first two before anything reads Django's settings. Every
server dies with the process that started it, even by kill -9, and takes its files with it when it is stopped.
"""

from tests.throwaway.concord import WebServer, Worker
from tests.throwaway.process import Missing, Server, answers, dies_with_parent, free_port
from tests.throwaway.servers import Postgres, Redis

__all__ = ["Missing", "Postgres", "Redis", "Server", "WebServer", "Worker", "answers", "dies_with_parent", "free_port"]
