"""Find fixed text between values: white space does not count, quotes are alike, marks may have been lost.

All walks are bounded by the text given; nothing goes back over what it has passed more than once a start.
"""

from __future__ import annotations

_OPEN = frozenset("([{")
_CLOSE = frozenset(")]}")
_ALIKE = str.maketrans('\u2018\u2019\u201c\u201d`"\u00b4', "'''''''")


def eat(text: str, start: int, end: int, fixed: str) -> int:
    """Return the offset behind `fixed` at `start`; marks of it that are not there count as lost, letters do not."""
    place = start
    for wanted in fixed:
        if wanted.isspace():
            continue
        at = place
        while at < end and text[at].isspace():
            at += 1
        if at < end and _same(text[at], wanted):
            place = at + 1
        elif wanted.isalnum():
            return start
    return place


def eat_back(text: str, start: int, end: int, fixed: str) -> int:
    """Return the offset before `fixed`, which ends at `end`, as `eat` does."""
    place = end
    for wanted in reversed(fixed):
        if wanted.isspace():
            continue
        at = place
        while at > start and text[at - 1].isspace():
            at -= 1
        if at > start and _same(text[at - 1], wanted):
            place = at - 1
        elif wanted.isalnum():
            return end
    return place


def seek(text: str, start: int, end: int, fixed: str, *, last: bool = False) -> tuple[int, int] | None:
    """Return where `fixed` begins and ends behind a value that starts at `start`, outside the value's brackets.

    With `last`, nothing of the message follows: a full stop then ends a sentence and not `3.5`.
    """
    wanted = fixed.strip()
    if not wanted:
        return _blank(text, start, end) if fixed else (start, start)
    for strict in (True, False):
        found = _seek(text, start, end, fixed if strict else wanted, strict, last)
        if found is not None:
            return found
    return None


def _seek(text: str, start: int, end: int, fixed: str, strict: bool, last: bool) -> tuple[int, int] | None:
    quote = text[start : start + 1]
    quote = quote if quote in "'\"" else ""
    first = fixed.lstrip()[0]
    inside: tuple[int, int] | None = None
    depth = 0
    for place in range(start, end):
        character = text[place]
        if place > start and _may_start(character, first, fixed):
            behind = _match(text, place, end, fixed, strict)
            if behind >= 0 and (not last or _ends(text, behind, end)):
                whole = depth <= 0 and (not quote or text[place - 1] == quote or text[start:place].count(quote) != 1)
                if whole:
                    return place, behind
                inside = inside or (place, behind)
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
    return inside


def _may_start(character: str, first: str, fixed: str) -> bool:
    return _same(character, first) or (fixed[0].isspace() and character.isspace())


def _match(text: str, place: int, end: int, fixed: str, strict: bool) -> int:
    """Return the offset behind `fixed` at `place`, or -1. Strictly, a blank of it needs white space in the text."""
    at = place
    for wanted in fixed:
        if wanted.isspace():
            if strict and at < end and not text[at].isspace() and not text[at - 1].isspace():
                return -1
            continue
        while at < end and text[at].isspace():
            at += 1
        if at >= end or not _same(text[at], wanted):
            return -1
        at += 1
    return at


def _ends(text: str, place: int, end: int) -> bool:
    return place >= end or text[place].isspace() or text[place] in "'\"`|)<*,;]"


def _blank(text: str, start: int, end: int) -> tuple[int, int] | None:
    for place in range(start + 1, end):
        if text[place].isspace():
            return place, place + 1
    return None


def _same(left: str, right: str) -> bool:
    return left == right or left.translate(_ALIKE) == right.translate(_ALIKE) or left.lower() == right.lower()
