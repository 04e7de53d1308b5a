"""`extractor job`: follow a branch, keep each dataset, tell what changed."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Annotated

import typer

from extractor.cli import terminal
from extractor.cli.options import Cache, GlobsAsForRun, Jobs, NamesAsForRun, NoCache, Output, Quiet, Repo, Url, Verbose
from extractor.cli.settings import cache_setting, given, resolved

_Data = Annotated[
    str,
    typer.Option(metavar="URL_OR_PATH", envvar="EXTRACTOR_DATA", help="Repository that keeps the datasets; pushed to."),
]
_DataBranch = Annotated[str, typer.Option(metavar="BRANCH", help="Its branch: one commit a dataset.")]
_Ref = Annotated[str, typer.Option(metavar="REF", help="Branch to follow; or any ref.")]
_Summary = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", envvar="GITHUB_STEP_SUMMARY", help="Markdown is added to it; standard output if not given."
    ),
]
_Outputs = Annotated[
    Path | None,
    typer.Option(metavar="FILE", envvar="GITHUB_OUTPUT", help="Lines changed=, sha=, data-commit= are added to it."),
]
_Site = Annotated[Path | None, typer.Option(metavar="DIR", help="Bring a web site there up to date with the dataset.")]
_BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="Address under which the site stands.")]


def job(
    data: _Data,
    data_branch: _DataBranch = "data",
    repo: Repo = None,
    url: Url = None,
    ref: _Ref = "HEAD",
    output: Output = None,
    include: GlobsAsForRun = None,
    exclude: GlobsAsForRun = None,
    exception: NamesAsForRun = None,
    summary: _Summary = None,
    outputs: _Outputs = None,
    site: _Site = None,
    base_url: _BaseUrl = None,
    jobs: Jobs = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Follow a branch: read its newest commit, tell what changed, keep the dataset in a branch of its own.

    Looks the branch up and does nothing if that commit is done. Otherwise
    reads it, checks the dataset, compares it with the last one of the data
    branch and puts it on top of that, in one step: a job that is killed has
    done nothing. With --site it then writes what differs of a web site, also
    when that was all that a killed job had left to do. Meant for cron and CI;
    one at a time on a machine.

    A token for an https:// repository of data goes into the variable
    EXTRACTOR_DATA_TOKEN.
    """
    from extractor.config import Settings
    from extractor.job import run as steps
    from extractor.job import summary as told
    from extractor.job.branch import target
    from extractor.publish.settings import check_url

    address = check_url(base_url)
    call = Settings(
        repo=repo,
        url=url,
        sha=ref,
        output=output,
        include=given(include),
        exclude=given(exclude),
        exceptions=given(exception),
        jobs=jobs,
        cache=cache_setting(cache, no_cache),
    )
    gc.disable()  # As for a run.
    where = target(data, data_branch, os.environ.get("EXTRACTOR_DATA_TOKEN", ""))
    config = resolved(call)
    with terminal.progress(quiet, verbose) as watch:
        done = steps.run(config, where, watch)
    terminal.add(told.summary(done), summary)
    if outputs is not None:
        terminal.add(told.outputs(done), outputs)
    if site is not None:
        _publish(config.output, site, address, jobs)


def _publish(dataset: Path, site: Path, address: str | None, jobs: int | None) -> None:
    """Write what differs of the site; a commit that was done elsewhere left no dataset here to build it from."""
    from extractor.publish import SiteSettings, build
    from extractor.publish.settings import check_jobs

    if not dataset.exists():
        terminal.warn(f"no dataset at {dataset}, so the site stays as it is; extractor run makes one")
        return
    build(SiteSettings(dataset=dataset, output=site, base_url=address, jobs=check_jobs(jobs)))
