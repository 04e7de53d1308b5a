"""The text of one file as Python sees it: lines, slices by node position, and folded source."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cached_property
from itertools import accumulate

from extractor.model.facts import ScanFailure

EXCERPT_REACH = 18
"""Lines shown before and after a raise statement (contract, section 4)."""

_FOLDABLE = re.compile(r"\s\s|[^\S ]|[#\\]")
_TOKEN = re.compile(
    r"""(?P<string>[A-Za-z]{0,2}(?:\"\"\"(?:[^\\"]|\\.|"(?!""))*\"\"\"|'''(?:[^\\']|\\.|'(?!''))*'''"""
    r"""|"(?:[^\\"\n]|\\.)*"|'(?:[^\\'\n]|\\.)*'))|(?P<blank>(?:\s|\\\n|\#[^\n]*)+)""",
    re.DOTALL,
)
_BRACKET = re.compile(rf"{_TOKEN.pattern}|(?P<bracket>[()\[\]{{}}])", re.DOTALL)

Positioned = ast.expr | ast.stmt | ast.pattern | ast.keyword
"""A node with a position: 1-based lines, 0-based UTF-8 columns."""


class Source:
    """Decoded text of one file, with the slices that facts are made of."""

    def __init__(self, text: str) -> None:
        """Take `text` with every line end already a line feed and no byte order mark."""
        self.text = text
        self._lines = text.split("\n")

    def segment(self, node: Positioned) -> str:
        """Return the source between a node's start and end, untouched."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start, end = node.col_offset, node.end_col_offset
        if first == last:
            line = self._lines[first]
            if line.isascii():
                return line[start:end]
            return line.encode()[start:end].decode()
        head = self._lines[first].encode()[start:].decode()
        tail = self._lines[last].encode()[:end].decode()
        return "\n".join([head, *self._lines[first + 1 : last], tail])

    def folded(self, node: Positioned) -> str:
        """Return the source of a node with white space and comments folded (contract, section 5)."""
        return fold(self.segment(node))

    def excerpt(self, line: int) -> tuple[int, int, str]:
        """Return first line, last line and text of the lines around `line`."""
        lines = len(self._lines)
        if lines > 1 and not self._lines[-1]:
            lines -= 1  # the line feed that ends the last line starts no further one
        start, end = max(1, line - EXCERPT_REACH), min(lines, line + EXCERPT_REACH)
        return start, end, "\n".join(self._lines[start - 1 : end])

    def case_line(self, line: int) -> int:
        """Return the line of the `case` keyword whose pattern starts on `line`; `ast` gives it no position."""
        while line > 1 and not re.match(r"\s*case\b(?!\s*[.,)=|])", self._lines[line - 1]):
            line -= 1
        return line

    def lines_with(self, pattern: re.Pattern[str], first: int = 1, last: int | None = None) -> frozenset[int]:
        """Return the 1-based numbers of the lines, from `first` to `last`, in which a match of `pattern` starts."""
        starts = self._line_starts
        lines: set[int] = set()
        line, end = first, starts[first - 1]
        for match in pattern.finditer(self.text, end, starts[last] if last is not None else len(self.text)):
            line += self.text.count("\n", end, match.start())
            end = match.start()
            lines.add(line)
        return frozenset(lines)

    @cached_property
    def _line_starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self._lines), initial=0))


def fold(text: str) -> str:
    """Make each run of white space and comments one blank, string literals left as they are."""
    if not _FOLDABLE.search(text):
        return text
    return _TOKEN.sub(lambda token: " " if token.lastgroup == "blank" else token.group(), text).strip()


def nesting(text: str) -> int:
    """Return how deep brackets are nested in source text, at most."""
    depth = deepest = 0
    for token in _BRACKET.finditer(text):
        bracket = token["bracket"]
        if bracket:
            depth = depth + 1 if bracket in "([{" else max(depth - 1, 0)
            deepest = max(deepest, depth)
    return deepest


def decode(data: bytes) -> str | ScanFailure:
    """Decode a file as Python does: byte order mark, coding cookie (PEP 263), universal line ends."""
    if b"\0" in data:
        return ScanFailure("nul-byte", "the file holds a NUL byte", data[: data.index(b"\0")].count(b"\n") + 1)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        return ScanFailure("encoding", f"unknown or wrong source encoding: {error.msg}", 1)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return ScanFailure("encoding", f"bytes that are not {error.encoding}", line)
    except (LookupError, ValueError) as error:
        return ScanFailure("encoding", f"unusable source encoding {encoding!r}: {error}", 1)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def printable(text: str) -> str:
    r"""Write a lone surrogate as its escape `\ud800`, since no UTF-8 file can hold it (contract, section 7)."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode()


def one_line(error: BaseException) -> str:
    """Return an error's text in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def is_constant(test: ast.expr) -> bool | None:
    """Return the truth value of a test that can never change, None for any other."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = is_constant(test.operand)
        return None if inner is None else not inner
    return None
