"""Values in one line: where a break took the place of a blank, and where it cut a word."""

from __future__ import annotations

import re

TRACE = "Traceback (most recent call last)"
"""What a value begins with that holds a whole traceback; it keeps its lines."""
_BREAK = re.compile(r"[ \t]*\n\s*")
_NEVER_AFTER_BLANK = frozenset(".,)]}_/:;=")
_NEVER_BEFORE_BLANK = frozenset("._/([{=")


def unwrap(value: str, hard: bool) -> str:
    """Return a value in one line; lines cut within a word (`hard`) are joined without a blank."""
    value = value.strip()
    for mark in ("**", "`"):  # Of Markdown around the whole message.
        if value.endswith(mark) and value.count(mark) == 1:
            value = value.removesuffix(mark)
    if "\n" not in value:
        return value
    if TRACE in value:
        return value
    path = "/" in value and " " not in value
    return _BREAK.sub(lambda found: "" if hard or path or _is_cut(value, found) else " ", value)


def _is_cut(value: str, found: re.Match[str]) -> bool:
    """Whether a break stands where no blank would."""
    inside = value[: found.start()]
    for quote in "'\"":
        if inside.count(quote) % 2 and " " not in inside[inside.rfind(quote) :]:
            return True
    before, behind = value[found.start() - 1 : found.start()], value[found.end() : found.end() + 1]
    return before != "," and (behind in _NEVER_AFTER_BLANK or before in _NEVER_BEFORE_BLANK)


def word_end(text: str) -> str:
    """Return the word that `text` ends with; empty if it ends with none."""
    place = len(text)
    while place and (text[place - 1].isalnum() or text[place - 1] == "_"):
        place -= 1
    return text[place:]


def word_start(text: str) -> str:
    """Return the word that `text` begins with; empty if it begins with none."""
    place = 0
    while place < len(text) and (text[place].isalnum() or text[place] == "_"):
        place += 1
    return text[:place]
