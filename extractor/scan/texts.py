"""Algebra of message texts: fixed text with placeholders, concatenated, repeated, transformed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product

from extractor.model.facts import Placeholder, Text

MAX_VARIANTS = 8
"""More possible texts than this are not told apart: the value becomes a placeholder."""


@dataclass(frozen=True, slots=True)
class Known:
    """The possible texts of an expression that gives a string."""

    texts: tuple[Text, ...]
    """In source order, at least one."""
    elsewhere: bool = False
    """Whether a part of it was found outside the raise statement."""
    exact: bool = True
    """Whether the texts are all there can be; false where a loop builds the text."""


def fixed(text: str) -> Known:
    """Return a text without placeholders."""
    return Known((Text((text,)),))


def value(placeholder: Placeholder) -> Known:
    """Return a text that is one runtime value."""
    return Known((Text(("", ""), (placeholder,)),))


def plain(known: Known | None) -> str | None:
    """Return the one text without placeholders that is known, None otherwise."""
    if known is None or len(known.texts) != 1 or known.texts[0].placeholders:
        return None
    return known.texts[0].texts[0]


def join_texts(parts: Iterable[Text]) -> Text:
    """Concatenate texts."""
    texts: list[str] = [""]
    placeholders: list[Placeholder] = []
    for part in parts:
        texts[-1] += part.texts[0]
        texts.extend(part.texts[1:])
        placeholders.extend(part.placeholders)
    return Text(tuple(texts), tuple(placeholders))


def concat(parts: list[Known]) -> Known | None:
    """Concatenate alternatives in every combination; None if there are too many."""
    combinations = 1
    for part in parts:
        combinations *= len(part.texts)
    if combinations > MAX_VARIANTS:
        return None
    texts = dict.fromkeys(join_texts(combination) for combination in product(*(part.texts for part in parts)))
    return Known(tuple(texts), any(part.elsewhere for part in parts), all(part.exact for part in parts))


Part = tuple[Known, Placeholder | None]
"""A part of a text, and the value that stands for it as a whole (None for fixed text)."""


def assemble(parts: list[Part]) -> Known | None:
    """Concatenate the parts of one text; None if there are too many possible texts.

    Where several parts have alternatives, nobody knows which of them go together (`x` and `y` may be set in the same
    branches), so each of those parts stands as a value, unless it may be empty: a pattern finds values that print.
    """
    several = sum(len(part.texts) > 1 for part, _ in parts) > 1
    joined = concat([_whole(part, whole, several and not _may_be_empty(part)) for part, whole in parts])
    if joined is not None:
        return joined
    rest = concat([_whole(part, whole, True) for part, whole in parts])
    return replace(rest, exact=not any(_may_be_empty(part) for part, _ in parts)) if rest is not None else None


def _whole(part: Known, whole: Placeholder | None, lowered: bool) -> Known:
    return value(whole) if lowered and len(part.texts) > 1 and whole is not None else part


def _may_be_empty(part: Known) -> bool:
    return len(part.texts) > 1 and Text(("",)) in part.texts


def either(parts: list[Known]) -> Known | None:
    """Return the union of alternatives; None if there are too many."""
    texts = dict.fromkeys(text for part in parts for text in part.texts)
    if len(texts) > MAX_VARIANTS:
        return None
    return Known(tuple(texts), any(part.elsewhere for part in parts), all(part.exact for part in parts))


def stripped(known: Known, start: bool, end: bool) -> Known | None:
    """Strip white space from the ends; None where a runtime value stands at one, which may begin or end with some."""
    found: list[Text] = []
    for text in known.texts:
        texts = list(text.texts)
        if start:
            texts[0] = texts[0].lstrip()
        if end:
            texts[-1] = texts[-1].rstrip()
        if text.placeholders and ((start and not texts[0]) or (end and not texts[-1])):
            return None
        found.append(Text(tuple(texts), text.placeholders))
    return Known(tuple(found), known.elsewhere, known.exact)


def mapped(known: Known | None, change: Callable[[str], str]) -> Known | None:
    """Apply a function of the whole text, which is only possible where there are no placeholders."""
    if known is None or any(text.placeholders for text in known.texts):
        return None
    return Known(tuple(Text((change(text.texts[0]),)) for text in known.texts), known.elsewhere, known.exact)
