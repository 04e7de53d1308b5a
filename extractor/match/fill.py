"""Put the values of a message in where the source names them: into the template, and into the condition."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PATH = re.compile(r"[A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{0,80}|\[[^\[\]]{1,60}\]){0,12}(?:\(\))?\Z")
"""Names, attributes and items: putting a value in for a longer expression would read wrongly."""
_CALL = re.compile(r"(len|type|str|repr|int|float|list|sorted)\([\w.\[\]'\"]{1,120}\)\Z")
_AS_IT_IS = re.compile(
    r"-?[0-9][0-9_]*(?:\.[0-9]+)?(?:e-?[0-9]+)?\Z|None\Z|True\Z|False\Z|['\"\[{(<].*\Z|torch\.\w+\Z", re.DOTALL
)
_LONGEST = 120
_LOOP = "<for "
_WORD = re.compile(r"[\w.]")


def message(parts: Sequence[str], values: Sequence[str | None]) -> str:
    """Return the message in full, `{}` for each value that is not known."""
    filled = [parts[0]]
    for number, part in enumerate(parts[1:]):
        value = values[number] if number < len(values) else None
        filled += ("{}" if value is None else value, part)
    return "".join(filled)


def condition(text: str, expressions: Sequence[str], values: Sequence[str | None]) -> str:
    """Return a condition with each value in place of its expression, longest expression first."""
    known = {
        expression: _literal(value)
        for expression, value in zip(expressions, values, strict=False)
        if value is not None and len(value) <= _LONGEST and (_PATH.match(expression) or _CALL.match(expression))
    }
    return _replace(text, sorted(known.items(), key=lambda pair: (-len(pair[0]), pair[0])))


def _literal(value: str) -> str:
    """Return a value as Python would write it: a bare word was a string."""
    return value if _AS_IT_IS.match(value) else repr(value)


def _replace(text: str, pairs: list[tuple[str, str]]) -> str:
    done: list[str] = []
    place = 0
    while place < len(text):
        if text.startswith(_LOOP, place):  # What a loop binds is named there, not read.
            bound = text.find(" in ", place)
            end = bound if bound >= 0 else len(text)
            done.append(text[place:end])
            place = end
            continue
        if not place or not _WORD.match(text[place - 1]):
            found = next(((name, value) for name, value in pairs if _stands(text, place, name)), None)
            if found is not None:
                done.append(found[1])
                place += len(found[0])
                continue
        done.append(text[place])
        place += 1
    return "".join(done)


def _stands(text: str, place: int, name: str) -> bool:
    behind = text[place + len(name) : place + len(name) + 1]
    return text.startswith(name, place) and not (behind.isalnum() or behind in ("_", ".", "(", "["))
