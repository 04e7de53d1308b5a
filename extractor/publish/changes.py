"""What changed since an older dataset, as the site's list and feed show it; `diff` says what counts as a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from extractor.model.change import Diff, Site

_WORDS = {
    "moved": "moved",
    "reworded": "reworded",
    "revalued": "other values in it",
    "reguarded": "other conditions",
    "reclassed": "another exception",
}


class Change(Struct, frozen=True):
    """One error that came, went or changed."""

    id: str
    """The record's id."""
    what: str
    """`added`, `removed`, or how it changed."""
    message: str
    """The message, the new one if there are two."""
    place: str
    """Path and line, and what was before."""
    url: str
    """Its page; empty if it is gone."""


def changes(diff: Diff, urls: Mapping[str, str]) -> tuple[Change, ...]:
    """Return what was added, then what changed, then what was removed; `urls` has the page of each id."""
    return (*_added(diff, urls), *_changed(diff, urls), *_removed(diff))


def _added(diff: Diff, urls: Mapping[str, str]) -> Iterator[Change]:
    for site in diff.added:
        yield Change(site.id, "added", site.template, _where(site), urls.get(site.id, ""))


def _changed(diff: Diff, urls: Mapping[str, str]) -> Iterator[Change]:
    for change in diff.changed:
        old, new = change.old, change.new
        notes = [f"was at {_where(old)}"] if "moved" in change.kinds else []
        notes += [f"was: {old.template}"] if old.template != new.template else []
        if change.guards is not None:
            notes += [f"no longer {text}" for text in change.guards.removed] + [
                f"now {text}" for text in change.guards.added
            ]
        what = ", ".join(_WORDS.get(kind, kind) for kind in change.kinds)
        yield Change(new.id, what, new.template, "; ".join([_where(new), *notes]), urls.get(new.id, ""))


def _removed(diff: Diff) -> Iterator[Change]:
    for site in diff.removed:
        yield Change(site.id, "removed", site.template, _where(site), "")


def _where(site: Site) -> str:
    return f"{site.file_path}:{site.line_number}"
