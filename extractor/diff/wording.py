"""The sentences about a difference that every form of output shares."""

from __future__ import annotations

from extractor.model.change import Diff, DiffCounts, DiffSide, Kind

TITLES: dict[Kind, str] = {
    "moved": "Moved",
    "reworded": "Reworded",
    "revalued": "Same text, other values",
    "reguarded": "Conditions changed",
    "reclassed": "Other exception class",
}
"""Heading of the list of each kind of change, in the order in which they are shown."""
_PHRASES: dict[Kind, str] = {
    "moved": "{} moved",
    "reworded": "{} reworded",
    "revalued": "{} with other values",
    "reguarded": "{} under other conditions",
    "reclassed": "{} of another class",
}
_SHORT_SHA = 12
_BIDI = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of text, by which it can be made to look like other text (CVE-2021-42574)."""


def headline(diff: Diff) -> str:
    """Say in one sentence what changed, for people who know neither side: `this adds 3 errors, rewords 1`."""
    counts = diff.counts
    parts = []
    if counts.added:
        parts.append(f"adds {_errors(counts.added)}")
    if counts.removed:
        parts.append(f"removes {_errors(counts.removed)}")
    for verb, number in (
        ("rewords", counts.reworded),
        ("moves", counts.moved),
        ("changes the conditions of", counts.reguarded),
        ("changes the values in", counts.revalued),
        ("changes the class of", counts.reclassed),
    ):
        if number:
            parts.append(f"{verb} {number if parts else _errors(number)}")
    return f"This change {', '.join(parts)}." if parts else "This change leaves every error as it is."


def totals(counts: DiffCounts) -> str:
    """Return all numbers in one line."""
    kinds = [phrase.format(getattr(counts, kind)) for kind, phrase in _PHRASES.items() if getattr(counts, kind)]
    changed = f"{counts.changed} changed" + (f" ({', '.join(kinds)})" if kinds else "")
    return f"{counts.added} added, {counts.removed} removed, {changed}, {counts.unchanged} unchanged"


def sides(diff: Diff) -> str:
    """Name both sides: `owner/name: v1 (0123456789ab) → v2 (ba9876543210)`."""
    other = "" if diff.old.repo == diff.new.repo else f"{diff.new.repo}: "
    return f"{diff.old.repo}: {_side(diff.old)} → {other}{_side(diff.new)}"


def one_line(text: str) -> str:
    r"""Return text of the repository in one line, with whatever could steer a terminal or mislead as escapes."""
    if text.isprintable() and not _BIDI.intersection(text):
        return text
    return "".join(
        char if char.isprintable() and char not in _BIDI else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def _side(side: DiffSide) -> str:
    sha = side.sha[:_SHORT_SHA]
    return sha if side.ref == side.sha else f"{one_line(side.ref)} ({sha})"


def _errors(number: int) -> str:
    return "1 error" if number == 1 else f"{number} errors"
