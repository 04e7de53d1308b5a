"""Plain lines to events: each exception that a text tells of, with its class, its message and its traceback.

What belongs here: the forms in which Python and its loggers print exceptions. Marks are found by one expression each
without open repetition; what stands between them is cut by position, so the time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct

from extractor.match.frames import Frame, frame
from extractor.match.lines import Line

LONGEST_MESSAGE = 8_000
"""Characters of a message that are looked at: lists of all supported models were seen to take 5,000."""
_MOST_FRAMES = 64
_MOST_NESTED = 4
_LITERALS = (
    ("trace", "Traceback (most recent", None),
    ("frame", "File", re.compile(r"File\s{1,8}[\"']")),
    ("place", ".py:", re.compile(r"\.py:[0-9]{1,7},? in [A-Za-z_<]")),
    ("place", ".py in ", re.compile(r"\.py in [A-Za-z_<][\w.<>]{0,120}\(")),
    ("link", "During handling of the above exc", None),
    ("link", "The above exception was the d", None),
    ("inner", "Value error, ", None),
    *(
        ("head", ending, re.compile(ending + r"\)?[ ]?:(?=\s|$|\w|['\"`\[(])"))
        for ending in ("Error", "Exception", "Exit", "Interrupt", "Warning", "Failure", "Timeout")
    ),
)
"""Kind, the letters it is found by (a search for letters is ten times as fast as any expression), the whole form."""
_NAME = re.compile(r"[A-Za-z_][\w.]*\Z")
_OTHER_HEAD = re.compile(r"^([A-Za-z_][\w.]{0,120}): ", re.MULTILINE)
_WIDEST_NAME = 160


class Event(Struct, frozen=True):
    """One exception that the text tells of, or text around that tells of none."""

    kind: str
    """Last part of the class's name; empty if the text names none."""
    message: str
    """What follows the name, lines joined by line feeds."""
    stops: tuple[int, ...]
    """Offsets in the message where a logger's next entry or a blank line begins: the message may end there."""
    frames: tuple[Frame, ...]
    """The traceback before it, innermost last."""
    speaker: str
    """Ranks or process of its first line."""
    opened: bool
    """Whether the message begins where it was printed from its first character."""


class _Mark(Struct, frozen=True):
    kind: str
    start: int
    end: int
    name: str = ""


def find(lines: Sequence[Line]) -> list[Event]:
    """Return the events of one speaker's lines in order, and then the text outside of them, in pieces."""
    page = _Page(lines)
    events: list[Event] = []
    covered: list[tuple[int, int]] = []
    for run in _runs(_marks(page.text)):
        found, reach = _of_run(page, run)
        events += found
        covered.append(reach)
    return events + list(_outside(page, covered))


class _Page:
    """The lines as one text that knows where its lines begin."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.text = "\n".join(line.text for line in lines)
        self.lines = lines
        self.starts: list[int] = []
        offset = 0
        for line in lines:
            self.starts.append(offset)
            offset += len(line.text) + 1

    def number(self, offset: int) -> int:
        return max(bisect_right(self.starts, offset) - 1, 0)

    def opens_line(self, offset: int) -> bool:
        return not self.text[self.starts[self.number(offset)] : offset].strip()

    def line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def speaker(self, offset: int) -> str:
        return self.lines[self.number(offset)].speaker if self.lines else ""

    def stops(self, start: int, end: int) -> tuple[int, ...]:
        """Return where, from `start` on, a logger's entry or a blank line begins."""
        first, last = self.number(start) + 1, self.number(max(end - 1, start))
        lines = range(first, last + 1)
        return tuple(self.starts[n] - start for n in lines if _parts(self.lines[n]))

    def message(self, start: int, end: int) -> tuple[str, tuple[int, ...]]:
        """Return the text from `start`, ended where a logger goes on with something else, and its soft ends."""
        end = min(end, start + LONGEST_MESSAGE)
        first = self.number(start)
        logged = self.lines[first].fresh
        for number in range(first + 1, self.number(end - 1) + 1 if end > start else first + 1):
            if self.lines[number].fresh and not logged and self.text[start : self.starts[number]].strip():
                end = self.starts[number]
                break
        return self.text[start:end], self.stops(start, end)


def _parts(line: Line) -> bool:
    """Whether a message that has ended may be told from what follows by this line."""
    text = line.text.strip()
    return line.fresh or not text or text.startswith(("```", "~~~", "</", "<details"))


def _marks(text: str) -> list[_Mark]:
    marks = []
    for kind, letters, form in _LITERALS:
        start = text.find(letters)
        while start >= 0:
            end = start + len(letters)
            found = form.match(text, start) if form is not None else None
            if found is not None:
                end = found.end()
            if form is None or found is not None:
                mark = _head(text, start, end) if kind == "head" else _Mark(kind, start, end, "ValueError")
                marks += [mark] if mark is not None else []
            start = text.find(letters, end)
    return sorted(marks, key=lambda mark: mark.start)


def _head(text: str, start: int, end: int) -> _Mark | None:
    """Return the name of an exception that ends at `end`, colon included, with its beginning; none if it is code."""
    before = _NAME.search(text, max(0, start - _WIDEST_NAME), start)
    if before is None:  # `Error:` alone is a word of a message or of a logger.
        return None
    lead = text[max(0, before.start() - _WIDEST_NAME) : before.start()]
    if lead.endswith(("except ", "class ", "except (")):
        return None
    return _Mark("head", before.start(), end, text[before.start() : end].rstrip(" :)").rpartition(".")[2])


def _runs(marks: list[_Mark]) -> Iterator[tuple[list[_Mark], int]]:
    """Yield the marks of each traceback and what it ends in, with the offset where the next one begins (-1: none)."""
    run: list[_Mark] = []
    named = False
    for mark in marks:
        opens = mark.kind in ("trace", "link") or (mark.kind in ("frame", "place") and named)
        if opens and run:
            yield run, mark.start
            run, named = [], False
        run.append(mark)
        named = named or mark.kind == "head"
    if run:
        yield run, -1


def _of_run(page: _Page, piece: tuple[list[_Mark], int]) -> tuple[list[Event], tuple[int, int]]:
    marks, following = piece
    limit = len(page.text) if following < 0 else following
    frames = _frames(page.text, [mark for mark in marks if mark.kind in ("frame", "place")], limit)
    body = _body(page, marks)
    named = [mark for mark in marks if mark.kind in ("head", "inner")]
    last = max((mark.end for mark in marks if mark.kind in ("frame", "place")), default=body)
    if frames and any(last < mark.start < page.line_end(last) for mark in named):  # Its line breaks became blanks.
        body = last
    heads = _few_a_line(page, [mark for mark in named if mark.start >= body])
    if not heads:
        return _headless(page, marks, frames, body, limit)
    events: list[Event] = []
    end = limit
    # A name in the middle of a line may be part of the message before it: that one goes on.
    opening = [head.start for head in heads if page.opens_line(head.start)]
    for number, head in enumerate(heads):
        place = bisect_right(opening, head.start)
        later = opening[place] if place < len(opening) else limit
        if later == limit and following >= 0 and _holds_traceback(page, head.end, following):
            later = min(len(page.text), head.end + LONGEST_MESSAGE)
        if head.kind == "inner":
            kind = page.text.find("[type=", head.end, later)
            later = kind if kind >= 0 else later
        message, stops = page.message(head.end, later)
        whose = frames if number == 0 else ()
        events.append(Event(head.name, message, stops, whose, page.speaker(marks[0].start), True))
        end = min(max(head.end + len(message), marks[0].start), limit)
    return events, (marks[0].start, end)


def _few_a_line(page: _Page, heads: list[_Mark]) -> list[_Mark]:
    """Return the first and last names of each line: messages nest a few deep, text that repeats a name is none."""
    lines: dict[int, list[_Mark]] = {}
    for head in heads:
        lines.setdefault(page.number(head.start), []).append(head)
    kept: list[_Mark] = []
    for found in lines.values():
        kept += found if len(found) <= _MOST_NESTED else found[:1] + found[1 - _MOST_NESTED :]
    return kept


def _body(page: _Page, marks: list[_Mark]) -> int:
    """Return the offset behind the last frame and its source line: names of exceptions before it are code."""
    frames = [mark for mark in marks if mark.kind in ("frame", "place")]
    if not frames:
        return 0
    end = page.line_end(frames[-1].end)
    code = page.line_end(min(end + 1, len(page.text)))
    line = page.text[end + 1 : code]
    named = any(end < mark.start <= code and page.opens_line(mark.start) for mark in marks if mark.kind == "head")
    return end if named or not line.strip() else code


def _headless(
    page: _Page, marks: list[_Mark], frames: tuple[Frame, ...], body: int, limit: int
) -> tuple[list[Event], tuple[int, int]]:
    """Return the event of a traceback whose exception has an unusual name, or whose end is missing."""
    start = marks[0].start
    if not frames:
        return [], (start, min(page.line_end(start), limit))
    named = _OTHER_HEAD.search(page.text, body, limit)
    name = named[1].rpartition(".")[2] if named is not None else ""
    message, stops = page.message(named.end() if named is not None else body, limit)
    event = Event(name, message, stops, frames, page.speaker(start), named is not None)
    return [event], (start, min(body + len(message), limit))


def _holds_traceback(page: _Page, start: int, trace: int) -> bool:
    """Whether the traceback at `trace` is part of the message at `start`, as `f"failed: {format_exc()}"` makes it."""
    between = page.text[start:trace]
    return trace - start < LONGEST_MESSAGE and (
        ("\n" not in between and bool(between.strip())) or between.rstrip().endswith(":")
    )


def _frames(text: str, marks: list[_Mark], limit: int) -> tuple[Frame, ...]:
    frames = []
    chosen = marks[-_MOST_FRAMES:]
    for number, mark in enumerate(chosen):
        until = chosen[number + 1].start if number + 1 < len(chosen) else limit
        found = frame(text, mark.start, until, python=mark.kind == "frame")
        if found is not None:
            frames.append(found)
    return tuple(frames)


def _outside(page: _Page, covered: list[tuple[int, int]]) -> Iterator[Event]:
    """Yield what stands between the events, in pieces that overlap."""
    start = 0
    for left, right in (*covered, (len(page.text), 0)):
        for offset in range(start, left, LONGEST_MESSAGE // 2):
            end = min(offset + LONGEST_MESSAGE, left)
            piece = page.text[offset:end]
            if piece.strip():
                yield Event("", piece, page.stops(offset, end), (), page.speaker(offset), False)
            if end == left:
                break
        start = max(start, right)
