"""What a form sent, read the way both judgement forms need it."""


def number_or_text(text: str) -> int | str:
    """A whole number; what is none stays as it was sent, so that the form can show it again."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else text


def typed(text: str) -> str:
    """Forms send every line break as CR LF, whatever was typed."""
    return text.replace("\r\n", "\n").strip()
