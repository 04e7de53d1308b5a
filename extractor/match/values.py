"""Cut the runtime values out of a message on which a record's text lies.

The runs of an alignment hold the longer fixed texts. Between two of them, marks and short texts (`, `, ` (got `) are
sought one after the other.
"""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct

from extractor.match.align import Alignment
from extractor.match.anchors import Anchor, anchors
from extractor.match.marks import eat, eat_back, seek
from extractor.match.squash import Squashed, squash
from extractor.match.unwrap import TRACE, unwrap, word_end, word_start

_LONGEST_LEAD = 400
_BODY_END = re.compile(r"[\"'](?:\}|,[ ]?[\"'][\w.]{1,40}[\"'][ ]?:)")
"""Where a message in JSON ends if its body could not be read as such."""
_NARROW, _WIDE = 50, 134
"""A line between these lengths may have been cut by a terminal or an editor; others end by themselves."""


class Reading(Struct, frozen=True):
    """What one message says in the words of a target."""

    values: tuple[str | None, ...]
    """One for each value of the target; none where its place in the message is missing."""
    start: int
    """Offset in the message where the target begins."""
    end: int
    """Offset behind it."""
    matched: int
    """Fixed letters and digits found, short parts included."""
    closed: bool
    """Whether the target's last part is there."""


def read(message: Squashed, alignment: Alignment, stops: tuple[int, ...], *, opened: bool) -> Reading | None:
    """Return what the message says; none without any run."""
    found = anchors(message, alignment)
    return _Reader(message.source, alignment, found, stops, opened).read() if found else None


class _Reader:
    """Fills the gaps between anchors from left to right."""

    def __init__(
        self, text: str, alignment: Alignment, anchors: list[Anchor], stops: tuple[int, ...], opened: bool
    ) -> None:
        self.text = text
        self.parts = alignment.target.parts
        self.alignment = alignment
        self.anchors = anchors
        self.stops = frozenset(stops)
        self.opened = opened
        held = sum(len(squash(self.parts[anchor.part][anchor.first : anchor.last])) for anchor in anchors)
        self.matched = min(alignment.matched, held)
        self.values: list[tuple[int, int] | None] = []

    def read(self) -> Reading:
        start = self._before(self.anchors[0])
        for left, right in pairwise(self.anchors):
            self._between(left, right)
        end, closed = self._behind(self.anchors[-1])
        hard = self._is_hard(start, end)
        values = tuple(None if cut is None else unwrap(self.text[cut[0] : cut[1]], hard) for cut in self.values)
        return Reading(values, start, end, self.matched, closed)

    def _before(self, anchor: Anchor) -> int:
        head = self.parts[anchor.part][: anchor.first]
        start = self._eat_back(0, anchor.start, head)
        if anchor.part == 0:
            return start
        if start == anchor.start and squash(head):  # What stands before it is not known to be a value.
            self.values += [None] * anchor.part
            return start
        opening = 0 if self.opened else self._opening(start)
        behind = self._eat(opening, start, self.parts[0])
        if behind == opening and squash(self.parts[0]):
            self.values += [None] * anchor.part
            return start
        self._fill(behind, start, self.parts[1 : anchor.part])
        return opening

    def _opening(self, start: int) -> int:
        """Return where in free text a message that begins with a value may begin: behind a colon, or with the line."""
        line = self.text.rfind("\n", 0, start) + 1
        mark = self.parts[0].strip()
        if mark:
            return max(self.text.rfind(mark, line, start), line)
        colon = self.text.rfind(": ", line, max(start - 1, line))
        return colon + 2 if colon >= 0 else line

    def _between(self, left: Anchor, right: Anchor) -> None:
        start = self._eat(left.end, right.start, self.parts[left.part][left.last :])
        end = self._eat_back(start, right.start, self.parts[right.part][: right.first])
        self._fill(start, end, self.parts[left.part + 1 : right.part])

    def _fill(self, start: int, end: int, fixed: tuple[str, ...]) -> None:
        """Cut `start` to `end` at the fixed texts in order: one value more than there are texts."""
        for number, part in enumerate(fixed):
            found = seek(self.text, start, end, part)
            if found is None:
                self.values += [(start, end), *([None] * (len(fixed) - number))]
                return
            self.matched += len(squash(part))
            self.values.append((start, found[0]))
            start = found[1]
        self.values.append((start, end))

    def _behind(self, anchor: Anchor) -> tuple[int, bool]:
        """Read what follows the last anchor: values up to the end of the message."""
        rest = self.parts[anchor.part][anchor.last :]
        start = self._eat(anchor.end, len(self.text), rest)
        left = len(self.parts) - 1 - anchor.part
        if start == anchor.end and squash(rest):  # Cut off within this part, or reworded: what follows is unknown.
            self.values += [None] * left
            return start, False
        end = self._end(start)
        for part in self.parts[anchor.part + 1 :]:
            left -= 1
            if left == 0 and not part.strip():
                self.values.append((start, end))
                return end, True
            found = seek(self.text, start, end, part, last=left == 0)
            if found is None and squash(part) + part.strip():  # Perhaps behind a break that looked like the end.
                found = seek(self.text, start, self._stop(start), part, last=left == 0)
                end = self._end(found[1]) if found is not None else end
            if found is None:
                self._unfinished(start, end, part, left)
                return end, left == 0 and not squash(part)
            self.matched += len(squash(part))
            self.values.append((start, found[0]))
            start = found[1]
        return start, True

    def _unfinished(self, start: int, end: int, part: str, left: int) -> None:
        cut = self.text[start:end].rstrip()
        dots = next((mark for mark in ("...", "\u2026") if cut.endswith(mark)), "")
        stop = eat_back(self.text, start, start + len(cut) - len(dots), part.rstrip() if left == 0 else "")
        self.values.append((start, stop) if cut else None)
        self.values += [None] * left

    def _stop(self, start: int) -> int:
        """Return where the message ends at the latest."""
        return min([len(self.text), start + _LONGEST_LEAD, *(stop for stop in self.stops if stop > start)])

    def _end(self, start: int) -> int:
        """Return where the message ends if its last value begins at `start`."""
        text = self.text
        if TRACE in text[start : start + _LONGEST_LEAD]:
            return min((stop for stop in self.stops if stop > start), default=len(text))
        begin = text.rfind("\n", 0, start) + 1
        widths = self._widths()
        opening = self._quoted()
        while start < len(text) and text[start].isspace() and start not in self.stops:
            start += 1
        first = start
        while True:
            end = text.find("\n", start)
            if end < 0:
                end = len(text)
                break
            length = len(text[begin:end].rstrip())
            following = text[end + 1 :].split("\n", 1)[0].strip()
            word = following.split(" ", 1)[0]
            wide = widths or (_WIDE if length >= _NARROW and length <= _WIDE else 0)
            fits = length + len(word) + 1
            open_ = _depth(text[first:end]) > 0
            if not following or end + 1 in self.stops or not (open_ or (wide and fits >= min(wide, 78))):
                break
            begin = start = end + 1
        closing = text.find(opening, first, end) if opening else -1
        while opening and closing >= 0 and text[closing + 1 : closing + 2] not in ("", ",", "}", "]", "\n", " ", ")"):
            closing = text.find(opening, closing + 1, end)
        end = closing if opening and closing >= 0 else end
        for body in _BODY_END.finditer(text, first, end):
            if _depth(text[first : body.start()]) <= 0:
                return body.start()
        return end

    def _quoted(self) -> str:
        """Return the quote that the whole message stands in, as in JSON; empty if in none."""
        first = self.anchors[0]
        start = eat_back(self.text, 0, first.start, self.parts[first.part][: first.first])
        before = self.text[max(0, start - 1) : start]
        return before if before in ('"', "'", "`") and not self.opened else ""

    def _widths(self) -> int:
        """Return the length of the longest line that ends within the anchors; 0 if none does."""
        first, last = self.anchors[0].start, self.anchors[-1].end
        lines = self.text[self.text.rfind("\n", 0, first) + 1 : last].split("\n")
        return max((len(line.rstrip()) for line in lines[:-1]), default=0)

    def _is_hard(self, start: int, end: int) -> bool:
        """Whether lines are cut at a width and not at blanks: then some break stands within a fixed word."""
        for anchor in self.anchors:
            place = self.text.find("\n", anchor.start, anchor.end)
            while place >= 0:
                part = squash(self.parts[anchor.part][anchor.first : anchor.last])
                left = self.text[:place].rstrip()[-12:]
                right = self.text[place:].lstrip()[:12]
                pieces = word_end(left), word_start(right)
                joined = "".join(pieces).lower()
                if all(pieces) and joined in self.parts[anchor.part].lower() and squash(joined) in part:
                    return True
                place = self.text.find("\n", place + 1, anchor.end)
        lines = self.text[start:end].split("\n")[1:-1]
        return len(lines) > 1 and len({len(line) for line in lines}) == 1

    def _eat(self, start: int, end: int, fixed: str) -> int:
        place = eat(self.text, start, end, fixed)
        self.matched += len(squash(fixed)) if place > start else 0
        return place

    def _eat_back(self, start: int, end: int, fixed: str) -> int:
        place = eat_back(self.text, start, end, fixed)
        self.matched += len(squash(fixed)) if place < end else 0
        return place


def _depth(text: str) -> int:
    return sum(text.count(mark) for mark in "([{") - sum(text.count(mark) for mark in ")]}")
