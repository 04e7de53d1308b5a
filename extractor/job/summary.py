"""What a job tells: Markdown for people, `name=value` lines for the steps that follow."""

from __future__ import annotations

from collections import Counter

from extractor.diff.markdown import code, render
from extractor.job.run import Done
from extractor.model.dataset import Manifest
from extractor.report import RunReport

_MOST_BYTES = 900_000
"""GitHub takes 1 MiB a step."""
_LIMITS = (50, 10, 0)
"""Entries of each list, the first number with which the summary is short enough."""


def summary(done: Done) -> str:
    """Return the job's summary."""
    manifest = done.manifest
    head = f"## {code(manifest.repo)} at {code(manifest.sha[:12])}\n\n"
    if done.report is None:
        return f"{head}Nothing new: this commit ({code(manifest.ref)}) is done.\n"
    head += "\n".join(_numbers(manifest, done.report)) + "\n\n"
    if done.first:
        return f"{head}This is the first dataset: there is nothing to compare it with.\n"
    if done.diff is None:
        return (
            f"{head}The dataset before cannot be read by this version, so there is nothing to compare this one with.\n"
        )
    for limit in _LIMITS:
        text = head + render(done.diff, limit)
        if len(text.encode()) <= _MOST_BYTES:
            return text
    return head


def outputs(done: Done) -> str:
    """Return what later steps ask for, in the form of `$GITHUB_OUTPUT`."""
    changed = "true" if done.report is not None else "false"
    return f"changed={changed}\nsha={done.manifest.sha}\ndata-commit={done.data_commit}\n"


def _numbers(manifest: Manifest, report: RunReport) -> list[str]:
    skipped = Counter(str(item.reason) for item in manifest.skipped)
    why = f" ({', '.join(f'{number} {reason}' for reason, number in sorted(skipped.items()))})" if skipped else ""
    files = report.files
    return [
        f"- Errors: {manifest.counts.sites}, files: {files.scanned} scanned, {files.skipped} skipped{why}",
        f"- Contents: {report.read} read, {report.known} known from the cache, {sum(report.seconds.values()):.1f} s",
    ]
