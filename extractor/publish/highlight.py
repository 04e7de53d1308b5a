"""Source excerpts as highlighted lines. Excerpts of one file that touch each other are read once, as one piece.

An excerpt may begin inside a string that a lexer cannot know of, and everything after it would be read inside out. The
lines of the `raise` keywords tell: where one of them is not read as code, the piece is read again as if a string were
open at its start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape
from msgspec import Struct
from pygments.lexers.python import PythonLexer
from pygments.token import STANDARD_TYPES, Keyword, Token, _TokenType

from extractor.publish.text import visible

_PLAIN = frozenset({"", "n", "w", "p", "o", "err", "nn", "nc", "esc"})
"""Classes that the style sheet gives no colour: most of all tokens, which then need no markup."""
_OPENINGS = ("", '"""\n', "'''\n")
_LONGEST_LINE = 2_000
"""Characters of a line that are highlighted; a longer one is cut where it is shown."""

Line = tuple[tuple[str, str], ...]
"""Runs of one line: class and text."""


class Excerpt(Struct, frozen=True):
    """Lines around a site."""

    start: int
    """1-based line of the first one."""
    lines: tuple[str, ...]
    """Without line ends."""
    line: int
    """1-based line of the `raise` keyword."""
    column: int
    """0-based offset of that keyword in UTF-8 bytes."""


def highlight(excerpts: Sequence[Excerpt]) -> list[tuple[Line, ...]]:
    """Return the runs of each line of each excerpt; all excerpts are of one file."""
    pieces = _join(excerpts)
    found: dict[int, Line] = {}
    for piece in pieces:
        found.update(_read(piece, excerpts))
    return [tuple(found[e.start + i] for i in range(len(e.lines))) for e in excerpts]


def markup(line: Line, most: int) -> Markup:
    """Return a line as HTML, at most `most` characters of it."""
    parts: list[str] = []
    left = most
    for kind, text in line:
        shown = visible(text[:left])
        parts.append(f'<span class="{kind}">{escape(shown)}</span>' if kind else str(escape(shown)))
        left -= len(text)
        if left < 0:
            parts.append('<span class="cut">… line cut</span>')
            break
    return Markup("".join(parts))  # noqa: S704  each part is escaped above


def _join(excerpts: Iterable[Excerpt]) -> list[dict[int, str]]:
    """Return pieces of consecutive lines: line number to text."""
    lines: dict[int, str] = {}
    for excerpt in excerpts:
        lines.update(enumerate(excerpt.lines, excerpt.start))
    pieces: list[dict[int, str]] = []
    last = None
    for number in sorted(lines):
        if last is None or number != last + 1:
            pieces.append({})
        pieces[-1][number] = lines[number]
        last = number
    return pieces


def _read(piece: dict[int, str], excerpts: Sequence[Excerpt]) -> dict[int, Line]:
    first = next(iter(piece))
    raises = [
        (e.line, len(_line(piece[e.line]).encode()[: e.column].decode(errors="ignore")))
        for e in excerpts
        if e.line in piece
    ]
    best: dict[int, Line] = {}
    hits = -1
    for opening in _OPENINGS:
        lines = _lex(opening, piece, first)
        right = sum(_is_code(lines.get(line, ()), column) for line, column in raises)
        if right > hits:
            best, hits = lines, right
        if hits == len(raises):
            break
    return best


def _lex(opening: str, piece: dict[int, str], first: int) -> dict[int, Line]:
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    text = opening + "\n".join(_line(line) for line in piece.values())
    number = first - opening.count("\n")
    runs: list[tuple[str, str]] = []
    found: dict[int, Line] = {}
    for _, token, value in lexer.get_tokens_unprocessed(text):
        kind = _kind(token)
        while True:
            here, newline, value = value.partition("\n")
            if here:
                if runs and runs[-1][0] == kind:
                    runs[-1] = (kind, runs[-1][1] + here)
                else:
                    runs.append((kind, here))
            if not newline:
                break
            found[number] = tuple(runs)
            runs = []
            number += 1
    found[number] = tuple(runs)
    return found


def _line(text: str) -> str:
    # What Python does not take for the end of a line must not be one for the lexer either.
    return text[: _LONGEST_LINE + 1].replace("\r", " ")


def _kind(token: _TokenType) -> str:
    while token not in STANDARD_TYPES and token is not Token:
        token = token.parent or Token
    kind = STANDARD_TYPES.get(token, "")
    if kind in _PLAIN:
        return ""
    return kind[:1] if kind[0] in "sm" else "c" if kind[0] == "c" else kind


_RAISE = STANDARD_TYPES[Keyword]


def _is_code(line: Line, column: int) -> bool:
    """Return whether the keyword `raise` stands at this column."""
    at = 0
    for kind, text in line:
        if at == column:
            return kind == _RAISE and text.startswith("raise")
        at += len(text)
    return False
