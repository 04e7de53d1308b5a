"""Where the parts of a record's text stand in a message, part by part, from the runs of an alignment."""

from __future__ import annotations

from array import array

from msgspec import Struct

from extractor.match.align import GRAM, Alignment, part_of
from extractor.match.squash import Squashed

_SPACING = " \n\t`'\"(:="


class Anchor(Struct):
    """The stretch of a part that a message holds."""

    part: int
    """Number of the part."""
    first: int
    """Offset in the part where it begins."""
    last: int
    """Offset in the part behind it."""
    start: int
    """Offset in the message where it begins."""
    end: int
    """Offset in the message behind it."""


def anchors(message: Squashed, alignment: Alignment) -> list[Anchor]:
    """Return the stretches in order, one a part; what stands between two of them is for the values."""
    target = alignment.target
    found: list[Anchor] = []
    offsets: dict[int, array[int]] = {}
    for run in alignment.runs:
        offset = run.target
        while offset < run.target_end:
            part = part_of(target, offset)
            until = min(run.target_end, target.bounds[part + 1])
            places = offsets.setdefault(part, Squashed(target.parts[part]).offsets)
            base = target.bounds[part]
            text = run.text + offset - run.target
            end = message.offsets[text + until - offset - 1] + 1
            last = places[until - 1 - base] + 1
            if found and found[-1].part == part:
                found[-1].last, found[-1].end = last, end
            else:
                found.append(Anchor(part, places[offset - base], last, message.offsets[text], end))
            offset = until
    return [anchor for number, anchor in enumerate(found) if not _is_chance(message.source, found, number)]


def _is_chance(text: str, anchors: list[Anchor], number: int) -> bool:
    """Whether a few letters adjoin the next part without a value between: they belong to the value."""
    anchor = anchors[number]
    if anchor.end - anchor.start >= GRAM:
        return False
    left = anchors[number - 1] if number else None
    right = anchors[number + 1] if number + 1 < len(anchors) else None
    return (
        left is not None and left.part + 1 == anchor.part and not text[left.end : anchor.start].strip(_SPACING)
    ) or (right is not None and right.part - 1 == anchor.part and not text[anchor.end : right.start].strip(_SPACING))
