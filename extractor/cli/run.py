"""`extractor run`: read one commit and write its dataset."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import terminal
from extractor.cli.options import Cache, Jobs, NoCache, Output, Quiet, Repo, Url, Verbose
from extractor.cli.settings import cache_setting, given, resolved

if TYPE_CHECKING:
    from extractor.config import Config

_Sha = Annotated[
    str | None, typer.Option(metavar="REF", help="Commit, abbreviation, branch or tag; HEAD of a given --url.")
]
_Pypi = Annotated[
    str | None, typer.Option(metavar="[NAME==]VERSION", help="Scan a released wheel instead of a repository.")
]
_Include = Annotated[
    list[str] | None, typer.Option(metavar="GLOB", help="Scan these paths only; as in .gitignore; repeatable.")
]
_Exclude = Annotated[
    list[str] | None, typer.Option(metavar="GLOB", help="Leave these paths out; !GLOB takes back; repeatable.")
]
_Exception = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="One more wanted class besides ValueError; repeatable.")
]
_Subclasses = Annotated[
    bool | None, typer.Option("--subclasses/--no-subclasses", help="Subclasses the repository defines, too.")
]
_IfChanged = Annotated[
    bool, typer.Option("--if-changed", help="Do nothing if OUT is of that commit, these options and this version.")
]


def run(
    repo: Repo = None,
    url: Url = None,
    sha: _Sha = None,
    pypi: _Pypi = None,
    output: Output = None,
    include: _Include = None,
    exclude: _Exclude = None,
    exception: _Exception = None,
    subclasses: _Subclasses = None,
    jobs: Jobs = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    if_changed: _IfChanged = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Read one commit and write its dataset."""
    from extractor.config import DEFAULT_REPO, Settings

    call = Settings(
        repo=repo,
        url=url,
        sha=sha,
        pypi=pypi,
        output=output,
        include=given(include),
        exclude=given(exclude),
        exceptions=given(exception),
        subclasses=subclasses,
        jobs=jobs,
        cache=cache_setting(cache, no_cache),
    )
    gc.disable()  # The values of a run hold no cycles; looking for some takes a fifth of a warm one.
    config = resolved(call)
    if if_changed and _is_done(config, quiet):
        return
    _read(config, quiet, verbose)
    if url is not None and repo is None and config.repo == DEFAULT_REPO:
        terminal.warn(f"published as {config.repo}, the default; for another repository, say --repo OWNER/NAME")


def _is_done(config: Config, quiet: bool) -> bool:
    """Whether the dataset is there already; says so."""
    from extractor.freshness import done_already

    manifest = done_already(config)
    if manifest is not None and not quiet:
        terminal.put(f"{config.output} is of {manifest.sha} already; nothing to do")
    return manifest is not None


def _read(config: Config, quiet: bool, verbose: bool) -> None:
    from extractor import pipeline
    from extractor.report import summary, warnings

    with terminal.progress(quiet, verbose) as watch:
        report = pipeline.run(config, watch)
    for text in warnings(report):
        terminal.warn(text)
    if not quiet:
        terminal.put(*summary(report))
