"""Whether a rating came faster than its text can be read. Pure."""

# Code points a second that a quick reader takes in: about 500 English words or 700 Chinese characters a minute.
LATIN_A_SECOND = 45
CHINESE_A_SECOND = 12


def reading_seconds(text: str) -> float:
    """The least time in which the text can be read through."""
    chinese = sum("\u2e80" <= sign <= "\u9fff" or "\uf900" <= sign <= "\ufaff" for sign in text)
    return chinese / CHINESE_A_SECOND + (len(text) - chinese) / LATIN_A_SECOND


def is_hurried(*, seconds: int, text: str) -> bool:
    """Rated before it can have been read; unknown time (0) is not held against anyone."""
    return 0 < seconds < reading_seconds(text)
