"""What a run saw, skipped and spent: while it lasts (`Watch`) and at its end (`RunReport`)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from extractor.model.dataset import FileCounts, Skipped
from extractor.model.facts import Resolution
from extractor.model.source import Commit

Advance = Callable[[int], None]
"""Called with a number of things that are done since the last call."""


class Watch(Protocol):
    """Who wants to know how a run is getting on."""

    def stage(self, name: str, total: int | None, /) -> Advance:
        """Hear that a stage begins; `total` is the number of things it will do, if known."""

    def done(self, name: str, seconds: float, /) -> None:
        """Hear that a stage has ended, after so many seconds by the clock on the wall."""

    def warn(self, text: str, /) -> None:
        """Hear, in one line, that something is wrong and the run goes on."""


class Silent:
    """Nobody wants to know."""

    def stage(self, _name: str, _total: int | None, /) -> Advance:
        """Ignore it."""
        return lambda _count: None

    def done(self, _name: str, _seconds: float, /) -> None:
        """Ignore it."""

    def warn(self, _text: str, /) -> None:
        """Ignore it."""


class RunReport(Struct, frozen=True):
    """What one run came to."""

    repo: str
    """`owner/name`."""
    commit: Commit
    """What was read."""
    output: Path
    """Folder of the dataset."""
    files: FileCounts
    """Python files by what became of them."""
    known: int
    """Distinct contents of which the cache knew the facts."""
    read: int
    """Distinct contents that were read."""
    sites: int
    """Raise sites found."""
    messages: dict[Resolution, int]
    """Sites by how much of their message is known."""
    skipped: tuple[Skipped, ...]
    """Files that could not be read."""
    seconds: dict[str, float]
    """Stage to seconds by the clock on the wall, in the order of the stages."""


class Stopwatch:
    """Times the stages of a run and passes them on to a watch."""

    def __init__(self, watch: Watch) -> None:
        """Start with no stage."""
        self._watch = watch
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Advance]:
        """Time what is done inside."""
        began = time.monotonic()
        yield self._watch.stage(name, total)
        self.seconds[name] = time.monotonic() - began
        self._watch.done(name, self.seconds[name])


def summary(report: RunReport) -> list[str]:
    """Return what a person wants to know at the end, as lines."""
    files, total = report.files, sum(report.seconds.values())
    lines = [
        f"{report.repo} at {report.commit.sha} ({report.commit.ref})",
        f"  files    {files.scanned} scanned, {files.skipped} skipped, {files.left_out} outside the scope",
        f"  sites    {report.sites}",
    ]
    if report.messages:
        lines.append("  messages " + _list(report.messages))
    if report.skipped:
        lines.append("  skipped  " + _list(Counter(str(item.reason) for item in report.skipped)))
        lines += [f"    {_place(item)}: {item.reason}" for item in report.skipped[:_SHOWN]]
        if len(report.skipped) > _SHOWN:
            lines.append(f"    … and {len(report.skipped) - _SHOWN} more; manifest.json lists all")
    lines.append(f"  time     {total:.1f} s; {report.read} contents read, {report.known} known from the cache")
    lines.append(f"  dataset  {report.output}")
    return lines


def warnings(report: RunReport) -> list[str]:
    """Return what is odd about a run that went well."""
    if report.files.seen == report.files.left_out:
        left_out = f"; the scope leaves out all {report.files.left_out}" if report.files.left_out else ""
        return [f"no Python file to scan, so the dataset is empty{left_out}"]
    if report.sites == 0:
        return ["no site found, so the dataset is empty"]
    return []


_SHOWN = 10
"""Skipped files that the summary names."""


def _place(item: Skipped) -> str:
    return item.path if item.line is None else f"{item.path}:{item.line}"


def _list(counts: Counter[str] | dict[Resolution, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
