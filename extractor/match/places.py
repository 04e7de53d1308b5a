"""Where a traceback ends: in which record's function, elsewhere in the scanned tree, or in another program.

A path in a traceback starts wherever the package is installed (`…/site-packages/sglang/…`), in a dataset it is the path
in the repository (`python/sglang/…`): they meet in the part from the package's folder on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from extractor.match.catalog import Row
from extractor.match.frames import Frame

_INSTALLED = ("site-packages", "dist-packages")
_NO_PACKAGE = frozenset(("python", "src", "lib", "libs", "source", "packages", "py"))
"""Folders that hold packages and are none."""
_NEAR = 400
"""Lines that a function was seen to move within a dozen releases."""

Where = Literal["line", "function", "file", "tree", "outside", "nowhere"]


class Place(Struct, frozen=True):
    """What the last frame of a traceback says."""

    where: Where
    """`line`: at a raise statement; `function`: in a function that has one; `file`: in a file that has one; `tree`:
    in the scanned tree; `outside`: in another program or package; `nowhere`: no frame."""
    raising: bool | None
    """Whether the source line printed there is a raise statement; none if no line is printed."""
    rows: tuple[int, ...]
    """Rows of that function, or file, nearest line first."""
    frame: Frame | None
    """The frame."""
    file: frozenset[int] = frozenset()
    """Rows of that file."""


class Places:
    """The files and functions of a dataset's rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Group the rows by file."""
        self._rows = rows
        self.packages = _packages(rows)
        """Names of the top packages."""
        self._files: dict[str, list[int]] = {}
        self._below: set[str] = set()
        self._roots: set[str] = set()
        for number, row in enumerate(rows):
            steps = row.path.split("/")
            top = next((at for at, step in enumerate(steps) if step in self.packages), 0)
            inside = "/".join(steps[top:])
            self._roots.update(steps[top - 1 : top] if top else ())
            self._files.setdefault(inside, []).append(number)
            self._below.add("/".join(inside.split("/", 2)[:2]))

    def last(self, frames: Sequence[Frame]) -> Place:
        """Return where a traceback ends."""
        if not frames:
            return Place("nowhere", None, (), None)
        frame = frames[-1]
        raising = ("raise" in frame.code) if frame.code else None
        inside = self._inside(frame.path)
        if not inside:
            return Place("outside", raising, (), frame)
        held = self._files.get(inside, [])
        if not held:
            return Place("tree", raising, (), frame)
        near = sorted(held, key=lambda number: (abs(self._rows[number].line - frame.line), number))
        same = tuple(n for n in near if self._rows[n].qualname.rpartition(".")[2] == frame.function)
        if not same:
            return Place("file", raising, tuple(near), frame, frozenset(held))
        where: Where = "line" if self._rows[same[0]].line == frame.line else "function"
        return Place(where, raising, same, frame, frozenset(held))

    def _inside(self, path: str) -> str:
        """Return the path from the package's folder on; empty if it is in none of ours."""
        steps = path.replace("\\", "/").split("/")
        for mark in _INSTALLED:
            if mark in steps:
                steps = steps[len(steps) - steps[::-1].index(mark) :]
                return "/".join(steps) if steps and steps[0] in self.packages else ""
        places = [number for number, step in enumerate(steps[:-1]) if step in self.packages]
        if not places:
            return ""
        for number in reversed(places):
            # Folders come and go between releases: one that stands where the repository has its package counts, too.
            rooted = number > 0 and steps[number - 1] in self._roots
            if rooted or "/".join(steps[number : number + 2]) in self._below:
                return "/".join(steps[number:])
        return ""


def _packages(rows: Sequence[Row]) -> frozenset[str]:
    """Return the first folder of each path that is a package by its name, if it is not the name of a common holder."""
    counted: Counter[str] = Counter()
    for row in rows:
        steps = row.path.split("/")[:-1]
        counted.update([next((step for step in steps if step.isidentifier() and step not in _NO_PACKAGE), "")])
    return frozenset(name for name in counted if name)
