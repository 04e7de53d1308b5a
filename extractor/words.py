"""The word index: which records hold a word in the fixed text of a message. Written with a dataset, read by `match`.

Kept as text, word to row numbers, because a paste needs a few dozen of six thousand words: the rest is never parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WORD = re.compile(r"\w+")
"""What counts as one word: identifiers stay whole."""
VALUE = "(.+?)"
"""What stands for a runtime value in a pattern (contract, section 6)."""


def fixed_parts(pattern: str) -> tuple[str, ...]:
    """Return the fixed texts between the values of a message pattern, its escapes undone."""
    return tuple(map(_unescaped, pattern.split(VALUE)))


def words(parts: Sequence[str]) -> set[str]:
    """Return the words of a message's fixed parts in lower case."""
    return {word for part in parts for word in WORD.findall(lower(part))}


def lower(text: str) -> str:
    """Return `text` in lower case at the same length, which `str.lower` alone does not promise."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def build(patterns: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return each word of the rows' patterns with the numbers of its rows, in order, separated by blanks."""
    found: dict[str, list[str]] = {}
    for number, variants in enumerate(patterns):
        row = str(number)
        for word in {word for pattern in variants for word in words(fixed_parts(pattern))}:
            found.setdefault(word, []).append(row)
    return {word: " ".join(rows) for word, rows in sorted(found.items())}


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\", "") for part in parts)
