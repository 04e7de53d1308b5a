"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Repo = Annotated[str | None, typer.Option(metavar="OWNER/NAME", help="Name to publish under.")]
Url = Annotated[str | None, typer.Option(metavar="URL_OR_PATH", help="Where to fetch from.")]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="OUT", help="Folder of the dataset.")]
GlobsAsForRun = Annotated[list[str] | None, typer.Option(metavar="GLOB", help="As for run; repeatable.")]
NamesAsForRun = Annotated[list[str] | None, typer.Option(metavar="NAME", help="As for run; repeatable.")]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Worker processes; one a processor by default.")]
Cache = Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Folder of the cache.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Keep nothing, use nothing kept.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only warnings and errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what each stage took.")]
