"""Several calls at the same time, on the database that the tests run on."""

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Each call in a thread of its own, started together: what it returned, or the error it ended with."""
    start, outcomes = threading.Barrier(len(calls)), [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        try:
            start.wait()
            outcomes[place] = call()
        except Exception as error:
            outcomes[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place, call)) for place, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes
