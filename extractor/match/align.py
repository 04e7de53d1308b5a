"""Lay a record's fixed text on a message: which characters of it are there, in order, and what stands between.

Both sides are squashed. Runs of equal characters are found through short grams, and the best chain of them in order is
chosen; both steps are bounded in number, so hostile text costs no more than other text of its length.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import log2

from msgspec import Struct

from extractor.match.catalog import Target
from extractor.match.squash import Squashed

GRAM = 5
_MOST_PLACES = 12
"""Places of one gram that are looked at: the first and last ones; more repeat a value's content."""
_MOST_RUNS = 60
_OPENING = 2.0
"""What it is worth that both begin with the same letters: a first word may occur again in the first value."""
_WITHIN = 120
"""Foreign characters that may stand inside a fixed text before its rest no longer counts as the same."""


class Run(Struct, frozen=True):
    """Equal characters on both sides."""

    target: int
    """Offset in the target's squashed text."""
    text: int
    """Offset in the squashed message."""
    length: int
    """Characters."""

    @property
    def target_end(self) -> int:
        """Offset behind the run in the target."""
        return self.target + self.length

    @property
    def text_end(self) -> int:
        """Offset behind the run in the message."""
        return self.text + self.length


class Alignment(Struct, frozen=True):
    """How a target lies on a message."""

    target: Target
    """The record's text."""
    runs: tuple[Run, ...]
    """In order on both sides, not touching."""
    matched: int
    """Fixed characters found."""
    extra: int
    """Characters of the message that stand inside fixed text."""

    @property
    def share(self) -> float:
        """Part of the fixed characters that was found."""
        return self.matched / len(self.target.text) if self.target.text else 0.0


class Message:
    """A squashed message with the places of its grams."""

    def __init__(self, text: str) -> None:
        """Prepare `text`."""
        self.squashed = Squashed(text)
        """Letters and digits with their offsets."""
        places: dict[str, list[int]] = {}
        plain = self.squashed.text
        for start in range(len(plain) - GRAM + 1):
            known = places.setdefault(plain[start : start + GRAM], [])
            if len(known) < _MOST_PLACES:
                known.append(start)
            else:
                known[-1] = start
        self._places = places

    def lay(self, target: Target) -> Alignment:
        """Return the best alignment of a target; without any run if they share nothing."""
        chain = _settle(target, _chain(target, self._runs(target.text)), self.squashed.text)
        extra = 0
        for left, right in pairwise(chain):
            if not _value_between(target, left, right):
                extra += right.text - left.text_end
        return Alignment(target, chain, sum(run.length for run in chain), extra)

    def _runs(self, wanted: str) -> list[Run]:
        plain = self.squashed.text
        runs: list[Run] = []
        reached: dict[int, int] = {}
        for start in range(len(wanted) - GRAM + 1):
            for place in self._places.get(wanted[start : start + GRAM], ()):
                diagonal = place - start
                if reached.get(diagonal, -1) >= start + GRAM:
                    continue
                length = GRAM
                while (
                    start + length < len(wanted)
                    and place + length < len(plain)
                    and wanted[start + length] == plain[place + length]
                ):
                    length += 1
                reached[diagonal] = start + length
                runs.append(Run(start, place, length))
        if len(runs) > _MOST_RUNS:
            runs = sorted(runs, key=lambda run: (-run.length, run.text))[:_MOST_RUNS]
        return sorted(runs, key=lambda run: (run.target, run.text))


def _chain(target: Target, runs: list[Run]) -> tuple[Run, ...]:
    """Return the runs in order that hold the most characters, less what stands between them where nothing should."""
    best: list[tuple[float, int]] = []
    trimmed: list[Run] = []
    for number, run in enumerate(runs):
        score, before, kept = run.length + (_OPENING if not run.target and run.text <= 1 else 0.0), -1, run
        for earlier in range(number):
            left = trimmed[earlier]
            right = _after(left, run)
            if right is None:
                continue
            total = best[earlier][0] + right.length - _cost(target, left, right)
            if total > score:
                score, before, kept = total, earlier, right
        best.append((score, before))
        trimmed.append(kept)
    if not best:
        return ()
    place = max(range(len(best)), key=lambda number: (best[number][0], -number))
    chain = []
    while place >= 0:
        chain.append(trimmed[place])
        place = best[place][1]
    return tuple(reversed(chain))


def _settle(target: Target, chain: tuple[Run, ...], plain: str) -> tuple[Run, ...]:
    """Move each gap that lies beside a place of a value, by letters that are equal on both sides, onto that place.

    A value that begins like the text behind it (`float16 for`) would else lend its first letter to that text.
    """
    settled = list(chain)
    for number in range(len(settled) - 1):
        left, right = settled[number], settled[number + 1]
        if right.target != left.target_end or right.text == left.text_end:
            continue
        step = left.target_end - target.bounds[part_of(target, left.target_end - 1)]
        inside = part_of(target, left.target_end) == part_of(target, left.target_end - 1)
        if (
            inside
            and step < left.length
            and plain[right.text - step : right.text] == target.text[right.target - step : right.target]
        ):
            settled[number] = Run(left.target, left.text, left.length - step)
            settled[number + 1] = Run(right.target - step, right.text - step, right.length + step)
    return tuple(settled)


def _after(left: Run, right: Run) -> Run | None:
    """Return what of `right` lies behind `left` on both sides; none if it does not go on."""
    cut = max(left.target_end - right.target, left.text_end - right.text, 0)
    if cut >= right.length or right.target + right.length <= left.target_end:
        return None
    return Run(right.target + cut, right.text + cut, right.length - cut) if cut else right


def _cost(target: Target, left: Run, right: Run) -> float:
    between = right.text - left.text_end
    missing = right.target - left.target_end
    if _value_between(target, left, right):
        return 0.5 + 0.3 * log2(1 + between) + 0.1 * min(missing, 20)
    if between > _WITHIN:
        return 8.0 + 0.5 * log2(between) + 0.1 * min(missing, 20)
    return 1.0 + 0.12 * between + 0.1 * min(missing, 20)


def _value_between(target: Target, left: Run, right: Run) -> bool:
    return part_of(target, left.target_end - 1) != part_of(target, right.target)


def part_of(target: Target, offset: int) -> int:
    """Return the number of the part that holds the character at `offset` of the squashed text."""
    return bisect_right(target.bounds, offset, 0, len(target.bounds) - 1) - 1
