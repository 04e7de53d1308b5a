"""Small datasets in memory for tests of what changed."""

from __future__ import annotations

from msgspec import Struct

from extractor import __version__
from extractor.model.dataset import Counts, Manifest, Tool
from extractor.model.record import Record, SiteRow
from tests.builders import build
from tests.builders import linked as site

__all__ = ["Side", "dataset", "site"]


class Side(Struct, frozen=True):
    manifest: Manifest
    records: tuple[Record, ...]
    sites: tuple[SiteRow, ...]


def dataset(*sites: object, ref: str = "main", sha: str = "0" * 40) -> Side:
    """What a run over a tree with these sites would give; sites are made by `site`."""
    made = build(*sites, ref=ref, sha=sha)  # type: ignore[arg-type]
    rows = made.rows
    manifest = Manifest(
        2, made.version, made.repo, sha, ref, made.commit.date, made.commit.source, made.scope,
        Tool("extractor", __version__), Counts(made.files, len(rows), len(rows), {}), (), (), {},
    )  # fmt: skip
    return Side(manifest, tuple(record for record, _ in rows), tuple(row for _, row in rows))
