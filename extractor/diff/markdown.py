"""A difference as Markdown for a job summary or release notes.

Everything that comes from a repository stands in one line, in `<code>`, with each sign that could be inline markup as a
numeric character reference: those are never markup (CommonMark, section 2.5), and in `<code>` GitHub makes no mentions,
references or emoji of what is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from typing import TypeVar

from extractor.diff.wording import TITLES, headline, one_line, sides, totals
from extractor.model.change import Change, Diff, Kind, NameChange, Piece, Site, Word

_T = TypeVar("_T")
_SIGN = re.compile(r"[\\`*\[\]<>&~$@:^\"']|(?<![^\W_])_|_(?![^\W_])|(?<=[wW])\.|^\s|\s$|\s(?=\s)")
"""What could be markup or a link (also `https:` and `www.` alone), and blanks that Markdown would drop."""
_TAGS: dict[Piece, str] = {"same": "{}", "removed": "<del>{}</del>", "added": "<ins>{}</ins>"}
_LONGEST = 600
"""Characters of one text that are shown."""


def render(diff: Diff, limit: int | None) -> str:
    """Return the difference; of each list `limit` entries at most, all if None."""
    lines = [f"**{headline(diff)}**", "", code(sides(diff)), "", f"{totals(diff.counts)}."]
    lines += _listed("Added", diff.added, limit, _site)
    lines += _listed("Removed", diff.removed, limit, _site)
    for kind, title in TITLES.items():
        chosen = [change for change in diff.changed if kind in change.kinds]
        lines += _listed(title, chosen, limit, partial(_change, kind=kind))
    lines += _names("Options in conditions", diff.options)
    lines += _names("Environment variables in conditions", diff.environment)
    return "\n".join(lines) + "\n"


def _listed(title: str, items: Sequence[_T], limit: int | None, show: Callable[[_T], Iterator[str]]) -> Iterator[str]:
    if not items:
        return
    yield from ("", f"### {title} ({len(items)})", "")
    for item in items[:limit]:
        first, *others = show(item)
        yield f"- {first}"
        yield from (f"  {line}" for line in others)
    if limit is not None and len(items) > limit:
        yield f"- … and {len(items) - limit} more"


def _site(site: Site) -> Iterator[str]:
    yield f"{code(site.source)}<br>"
    yield _place(site) + ("<br>" if site.condition else "")
    if site.condition:
        yield f"if {code(site.condition)}"


def _change(change: Change, kind: Kind) -> Iterator[str]:
    text = _words(change.words) if kind in ("reworded", "revalued") else code(change.new.source)
    more = list(_more(change, kind))
    yield f"{text}<br>"
    yield _place(change.new) + ("<br>" if more else "")
    yield from (f"{line}<br>" for line in more[:-1])
    yield from more[-1:]


def _more(change: Change, kind: Kind) -> Iterator[str]:
    if kind == "moved":
        yield f"was {_place(change.old)}"
    elif kind == "reguarded" and change.guards is not None:
        yield from (f"no longer <del>{code(statement)}</del>" for statement in change.guards.removed)
        yield from (f"now <ins>{code(statement)}</ins>" for statement in change.guards.added)
    elif kind == "reclassed":
        yield f"{code(change.old.exception_class)} → {code(change.new.exception_class)}"


def _names(title: str, names: NameChange | None) -> Iterator[str]:
    if names is None or not (names.added or names.removed):
        return
    yield from ("", f"### {title}", "")
    yield from (f"- new: {code(name)}" for name in names.added)
    yield from (f"- gone: {code(name)}" for name in names.removed)


def _place(site: Site) -> str:
    place = f"{site.file_path}:{site.line_number}"
    return f'<a href="{escape(site.url)}">{code(place)}</a> in {code(site.qualname)}'


def _words(words: Sequence[Word]) -> str:
    return f"<code>{''.join(_TAGS[word.kind].format(_escaped(word.text)) for word in words)}</code>"


def code(text: str) -> str:
    """Return text of a repository as one piece of code."""
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return _SIGN.sub(lambda found: f"&#{ord(found[0])};", one_line(shown))
