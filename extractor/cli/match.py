"""`extractor match`, for its help text and for calls that `quick.py` leaves to be judged; that file answers."""

from __future__ import annotations

from typing import Annotated

import typer

from extractor.errors import UsageError


def match(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATASET] [TEXT | - | FILE]",
            help="A dataset's folder (output/dataset by default); the text itself, a file that holds it, or - for"
            " standard input, which is also read if no text is given.",
        ),
    ] = None,
    candidates: Annotated[
        int, typer.Option("--candidates", "-n", metavar="N", min=1, max=999, help="Show at most N records.")
    ] = 3,
    json: Annotated[bool, typer.Option("--json", help="Answer as JSON (schemas/match.v1.schema.json).")] = False,
) -> int:
    """Tell which error a pasted message, traceback or log comes from.

    Wrapped, quoted, cut off or coloured text is read as well, and logs of any length. Of each error: the record, how
    sure that is and why, the values in its message, the condition with them, the first fix. Errors raised outside the
    scanned code are named as such. Exits 1 if nothing fits.
    """
    from extractor import quick

    request = quick.call(arguments or (), candidates, json=json)
    if request is None:
        raise UsageError("match takes a dataset and one text, not more; put the text in quotes")
    return quick.main(request)
