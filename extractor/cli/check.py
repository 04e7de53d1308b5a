"""`extractor check`: validate a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from extractor.cli import terminal
from extractor.errors import ExtractorError


def check(
    folder: Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset's folder.")],
) -> None:
    """Validate a dataset against the schemas and its manifest."""
    from extractor.dataset.check import check as problems_of

    problems = problems_of(folder)
    terminal.put(*(f"{problem.where}: {problem.what}" for problem in problems))
    if problems:
        raise ExtractorError(f"{folder} has {len(problems)} problem(s); write it anew with extractor run")
    terminal.put(f"{folder} is sound")
