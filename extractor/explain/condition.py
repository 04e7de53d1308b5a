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
_NAME = re.compile(r"(not )?([\w.]+)")
"""The commonest tests by far, and what stands in them needs no parser."""
_Forms = tuple[str, str]
"""A part standing alone, and as an operand of `and`."""
_REMEMBERED = 1 << 14
"""Tests kept with their forms: more than a release has different ones (about 6,000)."""
_PHRASE = {"for", "except", "loop-exhausted", "match"}
_FLIPPED: dict[type[ast.cmpop], tuple[bytes, bytes]] = {
    ast.Eq: (rb"==", b"!="),
    ast.NotEq: (rb"!=", b"=="),
    ast.Is: (rb"\bis\b", b"is not"),
    ast.IsNot: (rb"\bis\s+not\b", b"is"),
    ast.In: (rb"\bin\b", b"not in"),
    ast.NotIn: (rb"\bnot\s+in\b", b"in"),
}
_LOOSER_THAN_AND = (ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Tuple, ast.Starred)
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
    forms = _affirmed(test) if holds else _negated(test)
    return forms[0] if alone else forms[1]


def _phrase(kind: str, test: str, holds: bool) -> str:
    """No expression of Python says these; the phrase names the construct and its source."""
    words = {
        "for": f"for {test}",
        "except": f"except {test}",
        "loop-exhausted": f"{test} ran out",
        "match": test,
    }[kind]
    return f"<{words}>" if holds else f"<not ({words})>"


@lru_cache(maxsize=_REMEMBERED)
def _affirmed(test: str) -> _Forms:
    if not _LOOSE_WORD.search(test):
        return test, test
    node = _parse(test)
    return _forms(test, node) if node is not None else (f"({test})", f"({test})")


@lru_cache(maxsize=_REMEMBERED)
def _negated(test: str) -> _Forms:
    whole = f"not ({test})"
    if name := _NAME.fullmatch(test):
        return (name[2], name[2]) if name[1] else (whole, whole)
    node = _parse(test)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        start, end = _span(test, node.operand)
        return _forms(test.encode()[start:end].decode(), node.operand)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
        whole = _flip(test, node)
    return whole, whole


def _forms(text: str, node: ast.expr) -> _Forms:
    """Return the text alone and as an operand of `and`, in parentheses where it needs them."""
    enclosed = f"({text})"
    alone = enclosed if isinstance(node, _NEVER_BARE) else text
    loose = isinstance(node.op, ast.Or) if isinstance(node, ast.BoolOp) else isinstance(node, _LOOSER_THAN_AND)
    return alone, enclosed if loose else text


def _flip(test: str, node: ast.Compare) -> str:
    """Replace the one operator; only blanks and parentheses can stand beside it between the two operands."""
    text = test.encode()
    start, end = _span(test, node.left)[1], _span(test, node.comparators[0])[0]
    old, new = _FLIPPED[type(node.ops[0])]
    return (text[:start] + re.sub(old, new, text[start:end], count=1) + text[end:]).decode()


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
