"""The journal tells of weeks; a replay lasts seconds. While it runs, the services read the journal's clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest.mock import patch

from django.utils import timezone


class Clock:
    def __init__(self, start: datetime) -> None:
        self.start = self.now = start

    def set(self, minutes: float) -> None:
        self.now = self.start + timedelta(minutes=minutes)


@contextmanager
def journal_clock(*, days: int) -> Iterator[Clock]:
    """A clock that begins at midnight, `days` before today, for all code that asks django.utils.timezone."""
    clock = Clock(timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days))
    with patch("django.utils.timezone.now", lambda: clock.now):
        yield clock
