"""The guards of a site as one Python condition (contract, section 5).

Guards are kept as concrete text, so negation edits the text and parses only to find where. A test that the running
Python cannot parse (newer syntax, absurd nesting) is put in parentheses whole, which is always right.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from functools import lru_cache

from extractor.model.facts import Guard

_LOOSE_WORD = re.compile(r"\b(?:or|if|lambda|yield)\b|:=|,")
"""Without any of these, a test binds at least as tightly as `and`: no need to parse it."""
_PHRASE = {"for", "except", "loop-exhausted", "match"}
_FLIPPED: dict[type[ast.cmpop], tuple[bytes, bytes]] = {
    ast.Eq: (rb"==", b"!="),
    ast.NotEq: (rb"!=", b"=="),
    ast.Is: (rb"\bis\b", b"is not"),
    ast.IsNot: (rb"\bis\s+not\b", b"is"),
    ast.In: (rb"\bin\b", b"not in"),
    ast.NotIn: (rb"\bnot\s+in\b", b"in"),
}
_LOOSER_THAN_AND = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Tuple, ast.Starred)
_NEVER_BARE = (ast.NamedExpr, ast.Yield, ast.YieldFrom)
_FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError)
_LONGEST_PARSED = 4000
"""Characters. Longer tests can exhaust the parser's stack, and nobody reads them as a condition anyway."""


def condition(guards: Iterable[Guard]) -> str:
    """Join the guards that are not stale with `and`; empty if there is none."""
    valid = [guard for guard in guards if not guard.stale]
    alone = len(valid) == 1
    return " and ".join(part(guard.kind, guard.test, guard.holds, alone) for guard in valid)


def statement(guard: Guard) -> str:
    """Return what is known from one guard, standing alone."""
    return part(guard.kind, guard.test, guard.holds, alone=True)


def part(kind: str, test: str, holds: bool, alone: bool) -> str:
    """Return one operand of the conjunction, parenthesised where `and` (or standing `alone`) needs it."""
    if kind in _PHRASE:
        return _phrase(kind, test, holds)
    return _affirmed(test, alone) if holds else _negated(test, alone)


def _phrase(kind: str, test: str, holds: bool) -> str:
    """No expression of Python says these; the phrase names the construct and its source."""
    words = {
        "for": f"for {test}",
        "except": f"except {test}",
        "loop-exhausted": f"{test} ran out",
        "match": test,
    }[kind]
    return f"<{words}>" if holds else f"<not ({words})>"


@lru_cache(maxsize=4096)
def _affirmed(test: str, alone: bool) -> str:
    if not _LOOSE_WORD.search(test):
        return test
    node = _parse(test)
    return f"({test})" if node is None or _needs_parentheses(node, alone) else test


@lru_cache(maxsize=4096)
def _negated(test: str, alone: bool) -> str:
    node = _parse(test)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        start, end = _span(test, node.operand)
        operand = test.encode()[start:end].decode()
        return f"({operand})" if _needs_parentheses(node.operand, alone) else operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
        return _flip(test, node)
    return f"not ({test})"


def _flip(test: str, node: ast.Compare) -> str:
    """Replace the one operator; only blanks and parentheses can stand beside it between the two operands."""
    text = test.encode()
    start, end = _span(test, node.left)[1], _span(test, node.comparators[0])[0]
    old, new = _FLIPPED[type(node.ops[0])]
    return (text[:start] + re.sub(old, new, text[start:end], count=1) + text[end:]).decode()


def _needs_parentheses(node: ast.expr, alone: bool) -> bool:
    if alone:
        return isinstance(node, _NEVER_BARE)
    if isinstance(node, ast.BoolOp):
        return isinstance(node.op, ast.Or)
    return isinstance(node, _LOOSER_THAN_AND)


def _parse(test: str) -> ast.expr | None:
    r"""Parse in parentheses, as a test may hold line breaks in strings, or an assignment expression.

    A string with `\r` in it is left alone: the parser folds `\r\n`, so that its offsets would not fit the text.
    """
    if len(test) > _LONGEST_PARSED or "\r" in test:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in the scanned source is none of the user's business
        try:
            return ast.parse(f"({test})", mode="eval").body
        except _FAILURES:
            return None


def _span(test: str, node: ast.expr) -> tuple[int, int]:
    """Return where a node stands in the UTF-8 of `test`, which was parsed with one parenthesis before it."""
    starts = [0]
    for line in test.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    last_line, last_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    begin = starts[node.lineno - 1] + node.col_offset - (node.lineno == 1)
    end = starts[last_line - 1] + last_column - (last_line == 1)
    return begin, end
