"""`extractor diff`: what changed between two datasets, commits or releases."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import terminal
from extractor.cli.ending import FAILED
from extractor.cli.options import Cache, GlobsAsForRun, Jobs, NamesAsForRun, NoCache, Quiet, Verbose
from extractor.cli.settings import cache_setting, configure, given
from extractor.errors import UsageError

if TYPE_CHECKING:
    from extractor.model.change import Diff

FORMS = ("text", "markdown", "json")

_Old = Annotated[str, typer.Argument(metavar="OLD", help="A dataset's folder, or a commit, branch, tag, release.")]
_New = Annotated[str, typer.Argument(metavar="NEW", help="The same.")]
_Repo = Annotated[str | None, typer.Option(metavar="OWNER/NAME", help="Repository of the commits.")]
_Url = Annotated[str | None, typer.Option(metavar="URL_OR_PATH", help="Where to fetch the commits from.")]
_Pypi = Annotated[
    bool, typer.Option("--pypi", help="OLD and NEW are released wheels, [NAME==]VERSION, instead of commits.")
]
_Form = Annotated[
    str, typer.Option("--format", "-f", metavar="FORM", help="text, markdown (job summary, release notes) or json.")
]
_Limit = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", min=0, help="Entries of each list; 0 for all; json has all.")
]
_ExitCode = Annotated[bool, typer.Option("--exit-code", help="Exit 1 when something changed.")]


def diff(
    old: _Old,
    new: _New,
    repo: _Repo = None,
    url: _Url = None,
    pypi: _Pypi = False,
    include: GlobsAsForRun = None,
    exclude: GlobsAsForRun = None,
    exception: NamesAsForRun = None,
    form: _Form = "text",
    limit: _Limit = 20,
    exit_code: _ExitCode = False,
    jobs: Jobs = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Tell what changed: errors added, removed, moved, reworded, and those with other conditions.

    OLD and NEW are folders of datasets. What is no dataset is scanned first:
    a commit of the repository, or with --pypi a release.
    """
    from extractor.comparison import difference
    from extractor.config import Settings

    if form not in FORMS:
        raise UsageError(f"--format: {form!r} is no form; give {', '.join(FORMS)}")
    gc.disable()  # As for a run.
    config_of = configure(
        Settings(
            repo=repo,
            url=url,
            include=given(include),
            exclude=given(exclude),
            exceptions=given(exception),
            jobs=jobs,
            cache=cache_setting(cache, no_cache),
        )
    )
    with terminal.progress(quiet, verbose) as watch:
        found = difference(old, new, lambda name: config_of(Settings(pypi=name) if pypi else Settings(sha=name)), watch)
    _show(found, form, limit or None)
    if exit_code and not found.empty:
        raise typer.Exit(FAILED)


def _show(found: Diff, form: str, limit: int | None) -> None:
    if form == "text":
        from extractor.diff.terminal import render

        console = terminal.console(soft_wrap=True)
        for line in render(found, limit):
            console.print(line)
    elif form == "markdown":
        from extractor.diff.markdown import render as markdown

        terminal.write(markdown(found, limit))
    else:
        from msgspec import json

        terminal.write(json.format(json.encode(found)).decode() + "\n")
