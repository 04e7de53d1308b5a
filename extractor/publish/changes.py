"""What changed between two datasets, for the feed: errors by id, and what their guards say."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extractor.publish import links
from extractor.publish.reading import Row


class Change(Struct, frozen=True):
    """One error that came, went or changed."""

    id: str
    """The record's id."""
    what: str
    """`added`, `removed`, `reworded` or `changed`, which means that its conditions are others."""
    message: str
    """The message, the new one if there are two."""
    place: str
    """Path and line, and what was before."""
    url: str
    """Its page; empty if it is gone."""


def changes(repo: str, old: Sequence[Row], new: Sequence[Row]) -> tuple[Change, ...]:
    """Return the changes: in the order of the new dataset, then what was removed in that of the old one."""
    before = {row.head.id: row for row in old}
    now = {row.head.id for row in new}
    gone: dict[tuple[str, str, str], list[Row]] = {}
    for row in old:
        if row.head.id not in now:
            gone.setdefault(_place(row), []).append(row)
    found = []
    for row in new:
        url = links.error_folder(repo, row.head.slug)
        earlier = before.get(row.head.id)
        if earlier is None:
            # A site of the same function under the same innermost condition: its text was changed.
            held = gone.get(_place(row))
            if held:
                was = held.pop(0)
                found.append(
                    Change(
                        row.head.id,
                        "reworded",
                        row.head.error_message,
                        f"{_where(row)}; was: {was.head.error_message}",
                        url,
                    )
                )
            else:
                found.append(Change(row.head.id, "added", row.head.error_message, _where(row), url))
        elif earlier.facts.condition != row.facts.condition:
            found.append(
                Change(
                    row.head.id, "changed", row.head.error_message, f"{_where(row)}; its conditions are others now", url
                )
            )
    left = {row.head.id for rows in gone.values() for row in rows}
    found += [
        Change(row.head.id, "removed", row.head.error_message, _where(row), "") for row in old if row.head.id in left
    ]
    return tuple(found)


def _place(row: Row) -> tuple[str, str, str]:
    return row.head.file_path, row.facts.qualname, row.facts.guards[-1].test if row.facts.guards else ""


def _where(row: Row) -> str:
    return f"{row.head.file_path}:{row.head.line_number}"
