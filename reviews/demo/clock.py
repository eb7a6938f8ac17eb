"""The journal tells of weeks; a replay lasts seconds. While it runs, the services read the journal's clock."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from unittest.mock import patch

from django.apps import apps
from django.utils import timezone


class Clock:
    def __init__(self, start: datetime) -> None:
        self.start = self.now = start

    def set(self, minutes: float) -> None:
        self.now = self.start + timedelta(minutes=minutes)


@contextmanager
def journal_clock(*, days: int) -> Iterator[Clock]:
    """A clock that begins at midnight, `days` before today, for all code that asks django.utils.timezone."""
    real = timezone.now
    clock = Clock(real().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days))
    with ExitStack() as patches:
        patches.enter_context(patch("django.utils.timezone.now", lambda: clock.now))
        for model in apps.get_models():
            for field in model._meta.concrete_fields:
                if field.default is real:  # it was handed the function, and would go on asking it
                    patches.enter_context(patch.object(field, "get_default", lambda: clock.now))
        yield clock
