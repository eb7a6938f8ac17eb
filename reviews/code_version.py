"""Which code a number came from: Concord's version and a hash of the code that makes numbers."""

import hashlib
import tomllib
from functools import cache
from pathlib import Path

ROOM = Path(__file__).resolve().parent
MAKERS = ("gold.py", "intervals.py", "rules.py", "statistics/*.py", "release/*.py")


@cache
def code_version() -> str:
    """Such as "0.1.0+3f9a1c0b72de": the part behind + changes whenever that code does."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in MAKERS for path in ROOM.glob(pattern)):
        digest.update(path.relative_to(ROOM).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    project = tomllib.loads((ROOM.parent / "pyproject.toml").read_text(encoding="utf-8"))
    return f"{project['project']['version']}+{digest.hexdigest()[:12]}"
