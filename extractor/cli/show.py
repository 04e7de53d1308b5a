"""`extractor show`: one record for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from extractor.cli import terminal
from extractor.cli.settings import default_dataset
from extractor.errors import UsageError


def show(
    arguments: Annotated[
        list[str], typer.Argument(metavar="[DATASET] ID_OR_SLUG", help="A dataset's folder, and a record's id or slug.")
    ],
) -> None:
    """Print one record for a person."""
    from extractor.dataset.read import find, read
    from extractor.dataset.render import render

    if len(arguments) > 2:
        raise UsageError("show takes a dataset and one id or slug, not more")
    folder = Path(arguments[0]) if len(arguments) == 2 else default_dataset()
    console = terminal.console(highlight=True)
    # Wrapped for an eye; a pipe gets each text in one piece, so that it can be searched.
    console.print(render(*find(read(folder), arguments[-1])), soft_wrap=not console.is_terminal)
