"""What of a site is compared with another one, taken apart once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from extractor.diff.statement import statement
from extractor.model.record import Record, SiteRow

_WORD = re.compile(r"\w+|[^\w\s]")
_TELLING = re.compile(r"\w{3,}")
"""A source line without a name in it (`)`, `else:` aside) says nothing about where it stands."""
_INNER_GUARDS = 4
"""Guards next to the site that are compared; the outer ones are shared by all sites of a function."""


class Features(Struct, frozen=True):
    """One site, taken apart."""

    path: str
    """Path in the repository."""
    path_parts: tuple[str, ...]
    """Folders and file."""
    qualname: str
    """Function around it."""
    qualname_parts: tuple[str, ...]
    """Classes and functions, outermost first."""
    exception_class: str
    """Name of the class raised."""
    template: str
    """The message with each value written `{}`."""
    source: str
    """The message as in an f-string."""
    words: tuple[str, ...]
    """Words and signs of `source`."""
    guards: tuple[str, ...]
    """Statements that hold, outermost first, stale ones too: they tell the place all the same."""
    test_words: tuple[str, ...]
    """Words and signs of the innermost guard: what decides between this site and its neighbours."""
    outer_words: tuple[str, ...]
    """Words and signs of the guards around that one."""
    lines: Counter[str]
    """Lines of the excerpt that say something, without indentation, and how often each stands there."""


def features(record: Record, row: SiteRow) -> Features:
    """Take one site apart."""
    guards = tuple(statement(guard) for guard in row.guards)
    return Features(
        path=row.file_path,
        path_parts=tuple(row.file_path.split("/")),
        qualname=row.qualname,
        qualname_parts=tuple(row.qualname.split(".")),
        exception_class=row.exception_class,
        template=row.message.template,
        source=row.message.source,
        words=_words(row.message.source),
        guards=guards,
        test_words=_words(guards[-1]) if guards else (),
        outer_words=tuple(word for guard in guards[-_INNER_GUARDS:-1] for word in _words(guard)),
        lines=_lines(record, row),
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


def _lines(record: Record, row: SiteRow) -> Counter[str]:
    """Return the lines around the statement; its own are compared as message."""
    lines: Sequence[str] = record.source_code.split("\n")
    first = row.line_number - record.source_code_start
    last = row.end_line_number - record.source_code_start
    around = (*lines[:first], *lines[last + 1 :])
    return Counter(line.strip() for line in around if _TELLING.search(line))
