"""One moment of the database, for what is read in many queries."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections, transaction

Outside = Callable[..., Any]


@contextmanager
def snapshot() -> Iterator[Outside]:
    """Every query inside sees the database as it was at the first one, and no writer waits for it.

    Nothing can be written inside. What is given calls a function outside of it, on a connection of its own: to say how
    far the work is. Inside a transaction that is open already there is nothing to do.
    """
    if connection.in_atomic_block:
        yield _here
        return
    with ThreadPoolExecutor(max_workers=1) as other:
        try:
            with _read_transaction():
                yield lambda call, *arguments: other.submit(call, *arguments).result()
        finally:
            other.submit(connections.close_all).result()


def _here(call: Callable[..., Any], *arguments: Any) -> Any:
    return call(*arguments)


@contextmanager
def _read_transaction() -> Iterator[None]:
    if connection.vendor != "sqlite":
        with transaction.atomic():
            _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    _execute("BEGIN DEFERRED")  # Django's own would take the write lock
    try:
        yield
    finally:
        _execute("ROLLBACK")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
