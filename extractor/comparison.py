"""Two names, of datasets or of commits, to their difference: what is no dataset yet is scanned on the way."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from extractor import pipeline
from extractor.config import Config
from extractor.dataset.layout import MANIFEST
from extractor.dataset.read import Dataset, read
from extractor.diff.compare import compare
from extractor.model.change import Diff
from extractor.report import Watch

Configure = Callable[[str], Config]
"""Gives the settings of a run for a commit or release as the user named it."""


def difference(old: str, new: str, configure: Configure | None, watch: Watch) -> Diff:
    """Return what changed from `old` to `new`.

    Each is the folder of a dataset, or anything that `configure` makes a run of; without `configure`, a dataset.
    Raises `ExtractorError`.
    """
    return compare(_dataset(old, configure, watch), _dataset(new, configure, watch))


def is_dataset(name: str) -> bool:
    """Whether a name means a folder with a dataset."""
    return "\0" not in name and (Path(name) / MANIFEST).is_file()


def _dataset(name: str, configure: Configure | None, watch: Watch) -> Dataset:
    if configure is None or is_dataset(name):
        return read(Path(name))
    with tempfile.TemporaryDirectory(prefix="extractor-diff-") as folder:
        output = Path(folder) / "dataset"
        pipeline.run(structs.replace(configure(name), output=output), watch)
        return read(output)
