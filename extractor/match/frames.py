"""One line of a traceback, as Python, IPython and Rich print it, wherever a terminal has cut it."""

from __future__ import annotations

import re

from msgspec import Struct

_FRAME = re.compile(
    r"File\s{1,8}[\"']([^\"']{1,600})[\"'],?\s{1,40}line\s{1,40}([0-9]{1,9})(?:,\s{1,40}in\s{1,40}([\w.<>\[\]]{1,200}))?"
)
_IN = re.compile(r"\.py(?::([0-9]{1,7}),?)? in ([\w<>.]{1,200})")
_PATH_END = re.compile(r"[^\s\"'(),:|\u2502]{1,300}\Z")
_HEAD_LINE = re.compile(r"[A-Za-z_][\w.]{0,120}(?:Error|Exception|Exit|Interrupt|Warning)\b(?:: |$)")
_MOST_CODE = 14
_ARROW = re.compile(r"\s*(?:-{1,6}>|[\u276f\u2771\u2192])\s{0,4}[0-9]{1,7}\b[\s|\u2502]*(.{1,400})")
_NUMBERED = re.compile(r"\s*[0-9]{1,7}\s")
_CUT_NAME = re.compile(r"\n([\w<>]{1,100})(?=\n)")
_BREAK = re.compile(r"\s*\n\s*")


class Frame(Struct, frozen=True):
    """One line of a traceback."""

    path: str
    """As printed, line breaks of a terminal taken out."""
    line: int
    """1-based."""
    function: str
    """Name without its class; empty if not printed."""
    code: str
    """The source line below it; empty if not printed."""


def frame(text: str, start: int, until: int, *, python: bool) -> Frame | None:
    """Read the line that is marked at `start`, `python` telling the form; its source line stands before `until`."""
    if python:
        return _python_frame(text, start, until)
    found = _IN.match(text, start)
    before = _PATH_END.search(text, max(0, start - 300), start)
    if found is None or before is None:
        return None
    name = found[2].rpartition(".")[2]
    return Frame(before[0] + ".py", int(found[1] or 0), name, _code(text, found.end(), until))


def _python_frame(text: str, start: int, until: int) -> Frame | None:
    """Read `File "…", line …, in …`, which a terminal may have cut anywhere."""
    found = _FRAME.match(text, start)
    end = found.end() if found is not None else 0
    if found is None or found[3] is None:
        joined = _FRAME.match(text[start : min(until, start + 900)].replace("\n", ""))
        if joined is not None and (found is None or joined[3] is not None):
            found = joined
            end = start + joined.end()
            end += text.count("\n", start, end)
    if found is None:
        return None
    function = found[3] or ""
    rest = _CUT_NAME.match(text, end, until)
    if rest is not None and function:
        function += rest[1]
        end = rest.end()
    return Frame(_BREAK.sub("", found[1]), int(found[2]), function.rpartition(".")[2], _code(text, end, until))


def _code(text: str, start: int, until: int) -> str:
    """Return the source line printed below a frame; of several, the one with an arrow (IPython, Rich)."""
    own, *rest = text[start : min(until, start + 2_000)].split("\n")[:_MOST_CODE]
    if own.lstrip().startswith("raise"):  # A traceback whose line breaks became blanks.
        return own.strip()[:400]
    pointed = next((found for found in map(_ARROW.match, rest) if found is not None), None)
    if pointed is not None:
        return pointed[1][:400]
    for line in rest[:3]:
        if _NUMBERED.match(line):
            return ""
        stripped = line.strip()
        if stripped and "raise".startswith(stripped):  # A terminal cut the line in its first word.
            return "raise"
        if stripped and stripped.strip("^~ "):
            return "" if _HEAD_LINE.match(stripped) else stripped[:400]
    return ""
