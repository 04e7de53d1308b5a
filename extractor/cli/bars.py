"""A run on a terminal: one line for each stage, that moves. `terminal.py` decides whether there is a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from extractor.report import Advance


class Bars:
    """Shows stages on a console as they come (a `report.Watch`)."""

    def __init__(self, progress: Progress, verbose: bool) -> None:
        """Draw on `progress`, which is running."""
        self._progress = progress
        self._verbose = verbose

    def stage(self, name: str, total: int | None, /) -> Advance:
        """Show one more line in the place of the last."""
        for task in self._progress.task_ids:
            self._progress.remove_task(task)
        line = self._progress.add_task(name, total=total)
        return lambda count: self._progress.advance(line, count)

    def done(self, name: str, seconds: float, /) -> None:
        """Leave a line behind if everything is to be seen."""
        if self._verbose:
            self._progress.console.print(Text(f"{name:8} {seconds:.2f} s"))

    def warn(self, text: str, /) -> None:
        """Leave the warning above the moving line."""
        self._progress.console.print(Text(f"extractor: warning: {text}"), soft_wrap=True)


@contextmanager
def bars(verbose: bool) -> Iterator[Bars]:
    """Show progress on standard error; what moves is gone at the end."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description:8}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bars(progress, verbose)
