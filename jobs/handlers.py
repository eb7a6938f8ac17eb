"""Which function does which kind of job. Rooms register theirs in their `tasks.py`, which only a worker imports."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from jobs.errors import JobFailed
from jobs.running import RunningJob

Handler = Callable[[RunningJob], dict[str, Any]]
_handlers: dict[str, Handler] = {}


class NoHandler(JobFailed):
    """No room has registered a function for this kind of job."""


def handles(kind: str) -> Callable[[Handler], Handler]:
    """Register the decorated function for jobs of this kind.

    It is given a RunningJob and returns the result, a dict that JSON can hold. It may be run again after its worker
    died, so it must leave nothing behind, or be able to go on from what it left. At least each half minute it calls
    `job.progress(...)`, which keeps the lease.
    """

    def register(handler: Handler) -> Handler:
        if _handlers.setdefault(kind, handler) is not handler:
            raise ValueError(f"two handlers for jobs of the kind {kind!r}")
        return handler

    return register


def handler_of(kind: str) -> Handler:
    try:
        return _handlers[kind]
    except KeyError:
        raise NoHandler(_("No room handles jobs of the kind “%(kind)s”.") % {"kind": kind}) from None
