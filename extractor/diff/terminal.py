"""A difference for a person in a terminal, line by line. Returns the lines; only `cli/` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from rich.text import Text

from extractor.diff.wording import TITLES, one_line, sides, totals
from extractor.model.change import Change, Diff, Kind, NameChange, Piece, Site, Word

_T = TypeVar("_T")
_MARKS: dict[Piece, str] = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
"""As `git diff --word-diff`, so that the difference shows without colours too."""
_STYLES: dict[Piece, str] = {"same": "", "removed": "red", "added": "green"}


def render(diff: Diff, limit: int | None) -> list[Text]:
    """Return the difference; of each list `limit` entries at most, all if None."""
    parts = [Text(sides(diff), style="bold"), Text(totals(diff.counts))]
    parts += _listed("Added", diff.added, limit, partial(_site, style="green"))
    parts += _listed("Removed", diff.removed, limit, partial(_site, style="red"))
    for kind, title in TITLES.items():
        chosen = [change for change in diff.changed if kind in change.kinds]
        parts += _listed(title, chosen, limit, partial(_change, kind=kind))
    parts += _names("Options in conditions", diff.options)
    parts += _names("Environment variables in conditions", diff.environment)
    return parts


def _listed(title: str, items: Sequence[_T], limit: int | None, show: Callable[[_T], Iterator[Text]]) -> Iterator[Text]:
    if not items:
        return
    yield Text()
    yield Text(f"{title} ({len(items)})", style="bold cyan")
    for item in items[:limit]:
        yield from (Text("  ").append_text(line) for line in show(item))
    if limit is not None and len(items) > limit:
        yield Text(f"  … and {len(items) - limit} more", style="dim")


def _site(site: Site, style: str) -> Iterator[Text]:
    yield _place(site)
    yield _indented(one_line(site.source), style)
    if site.condition:
        yield _indented(f"if {one_line(site.condition)}", "dim")


def _change(change: Change, kind: Kind) -> Iterator[Text]:
    yield _place(change.new)
    if kind == "moved":
        yield Text("  was ").append_text(_place(change.old))
    if kind in ("reworded", "revalued"):
        yield Text("  ").append_text(_words(change.words))
        return
    yield _indented(one_line(change.new.source))
    if kind == "reguarded" and change.guards is not None:
        for statement in change.guards.removed:
            yield _indented(f"- {one_line(statement)}", "red")
        for statement in change.guards.added:
            yield _indented(f"+ {one_line(statement)}", "green")
    if kind == "reclassed":
        yield _indented(f"{one_line(change.old.exception_class)} → {one_line(change.new.exception_class)}")


def _words(words: Sequence[Word]) -> Text:
    return Text.assemble(*((_MARKS[word.kind].format(one_line(word.text)), _STYLES[word.kind]) for word in words))


def _names(title: str, names: NameChange | None) -> Iterator[Text]:
    if names is None or not (names.added or names.removed):
        return
    yield Text()
    yield Text(title, style="bold cyan")
    for sign, style, listed in (("+", "green", names.added), ("-", "red", names.removed)):
        for name in listed:
            yield Text(f"  {sign} {one_line(name)}", style=style)


def _place(site: Site) -> Text:
    return Text.assemble((f"{one_line(site.file_path)}:{site.line_number}", "bold"), f"  {one_line(site.qualname)}")


def _indented(line: str, style: str = "") -> Text:
    return Text(f"  {line}", style=style)
