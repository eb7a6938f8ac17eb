"""Item ids: `KEY/COMPANION/CONDITION`, read from the right since a key may hold slashes itself."""

from scenarios.benchmark import CONDITIONS


class NoItemId(ValueError):
    """The text is no item id."""


def make_item_id(key: str, companion: str, condition: str) -> str:
    """The id of a response: % and / of the companion's name are written %25 and %2F."""
    return f"{key}/{companion.replace('%', '%25').replace('/', '%2F')}/{condition}"


def split_item_id(item_id: str) -> tuple[str, str, str]:
    """Key, companion and condition of an item id.

    Raises NoItemId where one of the three is missing or the condition is unknown.
    """
    parts = item_id.rsplit("/", 2)
    if len(parts) != 3 or not all(parts) or parts[2] not in CONDITIONS:
        raise NoItemId(f"{item_id!r} is not KEY/COMPANION/CONDITION")
    key, companion, condition = parts
    return key, companion.replace("%2F", "/").replace("%25", "%"), condition
