"""Standard output and standard error. Nobody else prints; only `bars.py` draws, for this file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from extractor.report import Advance, Watch


def put(*lines: str) -> None:
    """Print lines of a result, without what could steer a terminal."""
    write("".join(f"{printable(line, keep=chr(10))}\n" for line in lines))


def write(text: str) -> None:
    """Print a result that is meant for a program, as it is."""
    sys.stdout.write(text)


def add(text: str, file: Path | None) -> None:
    """Add text to a file, or print it."""
    if file is None:
        write(text)
        return
    with file.open("a", encoding="utf-8") as stream:
        stream.write(text)


def is_seen() -> bool:
    """Whether a person looks at the result."""
    return sys.stdout.isatty()


def console(*, highlight: bool = False, soft_wrap: bool = False) -> Console:
    """Return what prints a result in colours and wrapped, where a person looks at it."""
    from rich.console import Console  # Takes longer to import than many a command.

    return Console(highlight=highlight, soft_wrap=soft_wrap)


def flush() -> None:
    """Write out what is buffered of the result. Raises `OSError`."""
    sys.stdout.flush()


def give_up() -> None:
    """Drop what is buffered: Python flushes once more at exit and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(line: str) -> None:
    """Print one line on standard error, whatever stands in it."""
    try:
        sys.stderr.write(printable(" ".join(line.split())) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):  # Nobody is there to read it; the exit code still tells.
        return


def warn(text: str) -> None:
    """Say that something is odd and the command goes on."""
    say(f"extractor: warning: {text}")


def printable(text: str, keep: str = "") -> str:
    """Return `text` with what could steer a terminal, or no encoding can hold, as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape", "surrogatepass").decode("ascii")
        for char in text
    )


class Lines:
    """Tells how a run is getting on in whole lines (a `report.Watch`)."""

    def __init__(self, verbose: bool) -> None:
        """Tell of each stage if `verbose`, else of warnings only."""
        self._verbose = verbose

    def stage(self, _name: str, _total: int | None, /) -> Advance:
        """Say nothing: a line is for what is over."""
        return lambda _count: None

    def done(self, name: str, seconds: float, /) -> None:
        """Say what the stage took."""
        if self._verbose:
            say(f"extractor: {name} took {seconds:.2f} s")

    def warn(self, text: str, /) -> None:
        """Say it."""
        warn(text)


@contextmanager
def progress(quiet: bool, verbose: bool) -> Iterator[Watch]:
    """Give the watch that suits whoever reads standard error."""
    if quiet or not sys.stderr.isatty():
        yield Lines(verbose and not quiet)
        return
    from extractor.cli.bars import bars  # Rich takes 0.05 s to import, for people only.

    with bars(verbose) as watch:
        yield watch
