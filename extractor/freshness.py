"""Whether a dataset is what a run would write anyway, asked before anything is read."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from extractor import __version__
from extractor.config import Config, GitWanted
from extractor.dataset.read import read_manifest
from extractor.errors import ExtractorError
from extractor.model.dataset import Manifest, Scope
from extractor.model.source import PypiSource


def done_already(config: Config) -> Manifest | None:
    """Return the manifest of the dataset at the place of output if a run would only write it again.

    A branch is looked up, no content is fetched. None where there is no dataset, a damaged one, or another one.
    Raises `ExtractorError` if the commit cannot be looked up.
    """
    try:
        manifest = read_manifest(config.output)
    except ExtractorError:
        return None
    return manifest if is_of(manifest, config) and _whole(config.output, manifest) else None


def is_of(manifest: Manifest, config: Config) -> bool:
    """Whether a dataset is of the commit that `config` means now, and was made with its options by this version.

    The name under which the commit was asked for, and the place it came from, do not count.
    """
    made_so = (
        manifest.repo == config.repo
        and manifest.tool.version == __version__
        and manifest.scope == Scope(config.include, config.exclude, config.exceptions, config.subclasses)
        and manifest.dataset_version == (config.version or manifest.commit_date)
    )
    return made_so and _same_commit(manifest, config)


def _same_commit(manifest: Manifest, config: Config) -> bool:
    if isinstance(config.source, GitWanted):
        from extractor.source.git import resolve  # Costs a tenth of a second; most datasets differ in more.

        if isinstance(manifest.source, PypiSource):
            return False
        return manifest.sha == resolve(config.source.url, config.source.ref, config.cache)
    from extractor.source.pypi import parse_requirement

    wanted = parse_requirement(config.source.requirement, "sglang")
    source = manifest.source
    return isinstance(source, PypiSource) and (source.project, source.version) == wanted


def _whole(folder: Path, manifest: Manifest) -> bool:
    """Whether all files are there, and the large ones unharmed; `check` looks at every byte."""
    try:
        for name, entry in manifest.files.items():
            path = folder / name
            if path.stat().st_size != entry.bytes:
                return False
            if "/" not in name and sha256(path.read_bytes()).hexdigest() != entry.sha256:
                return False
    except OSError:
        return False
    return True
