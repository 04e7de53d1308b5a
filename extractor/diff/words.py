"""The difference of two texts, word by word."""

from __future__ import annotations

import re
from itertools import groupby

from rapidfuzz.distance import Indel

from extractor.model.change import Word

_PIECE = re.compile(r"\s+|\w+|[^\w\s]")
_LONGEST = 4_000
"""Words; longer texts are shown as replaced whole."""


def word_diff(old: str, new: str) -> tuple[Word, ...]:
    """Return runs of words that stand in both texts or in one; those of the old text before those of the new one."""
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    if max(len(before), len(after)) > _LONGEST:
        return _tidy([Word("removed", old), Word("added", new)])
    words = []
    for step in Indel.opcodes(before, after):
        if step.tag == "equal":
            words.append(Word("same", "".join(before[step.src_start : step.src_end])))
        else:
            words.append(Word("removed", "".join(before[step.src_start : step.src_end])))
            words.append(Word("added", "".join(after[step.dest_start : step.dest_end])))
    return _tidy(words)


def _tidy(words: list[Word]) -> tuple[Word, ...]:
    """Join what a lone blank keeps apart, and put what went before what came."""
    spread: list[Word] = []
    for number, word in enumerate(words):
        inside = 0 < number < len(words) - 1
        if word.kind == "same" and word.text.isspace() and inside:
            spread += [Word("removed", word.text), Word("added", word.text)]
        else:
            spread.append(word)
    tidy: list[Word] = []
    for same, group in groupby(spread, key=lambda word: word.kind == "same"):
        run = list(group)
        if same:
            tidy.append(Word("same", "".join(word.text for word in run)))
            continue
        for kind in ("removed", "added"):
            text = "".join(word.text for word in run if word.kind == kind)
            if text:
                tidy.append(Word("removed" if kind == "removed" else "added", text))
    return tuple(tidy)
