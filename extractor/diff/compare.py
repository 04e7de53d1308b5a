"""Two datasets to their difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from extractor.diff.inputs import names_of
from extractor.diff.pair import Pair, Side, pair
from extractor.diff.statement import statement
from extractor.diff.words import word_diff
from extractor.model.change import (
    Change,
    Diff,
    DiffCounts,
    DiffSide,
    GuardChange,
    Kind,
    NameChange,
    Site,
)
from extractor.model.dataset import Manifest
from extractor.model.record import Record, SiteRow

_KINDS: tuple[Kind, ...] = ("moved", "reworded", "revalued", "reguarded", "reclassed")


class Dataset(Protocol):
    """A dataset in memory."""

    @property
    def manifest(self) -> Manifest:
        """What was scanned and how."""

    @property
    def records(self) -> Sequence[Record]:
        """In record order."""

    @property
    def sites(self) -> Sequence[SiteRow]:
        """The facts of each record, in the same order."""


def compare(old: Dataset, new: Dataset) -> Diff:
    """Return what changed from `old` to `new`."""
    pairs = pair(Side(old.records, old.sites), Side(new.records, new.sites))
    changed = tuple(_changes(pairs, old, new))
    gone = set(range(len(old.sites))) - {found.old for found in pairs}
    come = set(range(len(new.sites))) - {found.new for found in pairs}
    kinds = Counter(kind for change in changed for kind in change.kinds)
    return Diff(
        schema_version=1,
        old=_side(old),
        new=_side(new),
        counts=DiffCounts(
            added=len(come),
            removed=len(gone),
            changed=len(changed),
            unchanged=len(pairs) - len(changed),
            **{kind: kinds[kind] for kind in _KINDS},
        ),
        added=tuple(_site(new, place) for place in sorted(come)),
        removed=tuple(_site(old, place) for place in sorted(gone)),
        changed=changed,
        options=_names(old.sites, new.sites, "option"),
        environment=_names(old.sites, new.sites, "environment"),
    )


def _changes(pairs: Sequence[Pair], olds: Dataset, news: Dataset) -> Iterator[Change]:
    for found in pairs:
        old, new = olds.sites[found.old], news.sites[found.new]
        guards = _guard_change(old, new)
        kinds = _kinds(old, new, guards)
        if kinds:
            other_text = "reworded" in kinds or "revalued" in kinds
            yield Change(
                kinds=kinds,
                old=_site(olds, found.old),
                new=_site(news, found.new),
                paired_by=found.by,
                likeness=round(found.likeness, 3),
                words=word_diff(old.message.source, new.message.source) if other_text else (),
                guards=guards,
            )


def _kinds(old: SiteRow, new: SiteRow, guards: GuardChange | None) -> tuple[Kind, ...]:
    holds: dict[Kind, bool] = {
        "moved": (old.file_path, old.qualname) != (new.file_path, new.qualname),
        "reworded": _templates(old) != _templates(new),
        "revalued": _templates(old) == _templates(new) and _sources(old) != _sources(new),
        "reguarded": guards is not None,
        "reclassed": old.exception_class != new.exception_class,
    }
    return tuple(kind for kind in _KINDS if holds[kind])


def _templates(row: SiteRow) -> tuple[str, ...]:
    return tuple(text.template for text in row.message.variants or (row.message,))


def _sources(row: SiteRow) -> tuple[str, ...]:
    return tuple(text.source for text in row.message.variants or (row.message,))


def _guard_change(old: SiteRow, new: SiteRow) -> GuardChange | None:
    """Compare what is known at both sites; a guard that is stale says nothing there."""
    if old.condition == new.condition:
        return None
    before = Counter(statement(guard) for guard in old.guards if not guard.stale)
    after = Counter(statement(guard) for guard in new.guards if not guard.stale)
    removed, added = before - after, after - before
    return GuardChange(tuple(removed), tuple(added)) if removed or added else None


def _names(olds: Sequence[SiteRow], news: Sequence[SiteRow], kind: str) -> NameChange | None:
    before, after = names_of(olds, kind), names_of(news, kind)
    if before is None or after is None:
        return None
    return NameChange(added=tuple(sorted(after - before)), removed=tuple(sorted(before - after)))


def _site(dataset: Dataset, place: int) -> Site:
    row = dataset.sites[place]
    return Site(
        id=row.id,
        file_path=row.file_path,
        line_number=row.line_number,
        qualname=row.qualname,
        exception_class=row.exception_class,
        template=row.message.template,
        source=row.message.source,
        condition=row.condition,
        url=dataset.records[place].github_url,
    )


def _side(dataset: Dataset) -> DiffSide:
    manifest = dataset.manifest
    return DiffSide(
        repo=manifest.repo,
        sha=manifest.sha,
        ref=manifest.ref,
        dataset_version=manifest.dataset_version,
        sites=manifest.counts.sites,
    )
