"""The steps of the job in their order."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from extractor import pipeline
from extractor.config import Config
from extractor.dataset.check import check
from extractor.dataset.read import Dataset, read
from extractor.diff.compare import compare
from extractor.diff.wording import headline
from extractor.errors import ExtractorError
from extractor.freshness import is_of
from extractor.job.branch import DataBranch, DataBranchError, Kept, LostRaceError, Target, opened
from extractor.model.change import Diff
from extractor.model.dataset import Manifest
from extractor.report import RunReport, Watch

_ATTEMPTS = 3
"""Times that another writer may be faster."""


class UnsoundError(ExtractorError):
    """A dataset that was just written does not pass its own check; it is not kept."""


class Done(Struct, frozen=True):
    """What one job came to."""

    manifest: Manifest
    """Of the newest dataset."""
    report: RunReport | None
    """The run; None if that commit was done already."""
    diff: Diff | None
    """What changed since the dataset before; None if there is none to compare with, or nothing was run."""
    data_commit: str
    """Commit of the data branch that holds the dataset."""
    first: bool
    """Whether the branch held no dataset before."""


def run(config: Config, where: Target, watch: Watch) -> Done:
    """Bring the data branch up to the commit that `config` means now. Raises `ExtractorError`; nothing is kept then."""
    with _cache(config) as cache, opened(where, cache) as branch:
        report: RunReport | None = None
        for _ in range(_ATTEMPTS):
            last = branch.last()
            if last is not None and last.repo != config.repo:
                raise DataBranchError.others(where, last.repo)
            if last is not None and last.manifest is not None and is_of(last.manifest, config):
                return Done(last.manifest, None, None, last.commit, False)
            report = report or _make(config, watch)
            new = read(config.output)
            old = branch.dataset(last) if last is not None else None
            diff = compare(old, new) if old is not None else None
            commit = _keep(branch, config.output, last, new, diff)
            if commit is not None:
                return Done(new.manifest, report, diff, commit, last is None)
    raise LostRaceError.against(where)


@contextmanager
def _cache(config: Config) -> Iterator[Path]:
    if config.cache is not None:
        yield config.cache
        return
    with tempfile.TemporaryDirectory(prefix="extractor-job-") as folder:
        yield Path(folder)


def _make(config: Config, watch: Watch) -> RunReport:
    report = pipeline.run(config, watch)
    problems = check(config.output)
    if problems:
        first = problems[0]
        raise UnsoundError(
            f"{config.output} has {len(problems)} problem(s), the first in {first.where}: {first.what}; it is not kept"
        )
    return report


def _keep(branch: DataBranch, folder: Path, last: Kept | None, new: Dataset, diff: Diff | None) -> str | None:
    manifest = new.manifest
    told = headline(diff) if diff is not None else f"Errors: {manifest.counts.sites}."
    message = (
        f"{manifest.repo} at {manifest.sha[:12]}\n\n{told}\n\nCommit: {manifest.sha}\nTool: {manifest.tool.version}\n"
    )
    return branch.keep(folder, last, message, manifest.commit_date)
