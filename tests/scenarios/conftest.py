from pathlib import Path

import pytest

from annotation.models import User
from scenarios.services import import_scenarios
from tests.scenarios.samples import scenario, write_lines


@pytest.fixture
def site_manager(db: None) -> User:
    return User.objects.create_user("mina", password="a quiet harbour", is_site_manager=True)


@pytest.fixture
def harbour(db: None, tmp_path: Path) -> str:
    """A dataset of three scenarios; gives its short name."""
    import_scenarios(write_lines(tmp_path / "harbour.jsonl", [scenario(n) for n in (1, 2, 3)]), dataset="harbour")
    return "harbour"
