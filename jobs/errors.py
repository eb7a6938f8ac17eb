"""What can go wrong with a job, by name."""

from typing import Any


class JobFailed(Exception):
    """A handler's refusal: the message is for people, the result goes on the row beside it."""

    def __init__(self, message: str, *, result: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.result = result


class JobCancelled(Exception):
    """Someone asked for the job to stop; raised in the handler where it reports its progress."""


class LeaseLost(Exception):
    """The row went to another worker: whatever this one still does must not count."""


class NotCancellable(Exception):
    """The job is finished already."""


class NotAllowed(Exception):
    """Whoever asks may not do this to the job."""
