import pytest

from annotation.models import User
from jobs import handlers, services


@pytest.fixture
def asker(db: None) -> User:
    return User.objects.create_user("asa", password="a quiet harbour")


@pytest.fixture
def rings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the jobs that were rung for."""
    heard: list[str] = []

    class Bell:
        def send_task(self, name: str, args: list[str], **_options: object) -> None:
            assert name == "jobs.tasks.run_job"
            heard.extend(args)

    monkeypatch.setattr(services, "current_app", Bell())
    return heard


@pytest.fixture(autouse=True)
def _own_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(handlers, "_handlers", dict(handlers._handlers))
