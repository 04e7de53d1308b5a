"""What a guard says, apart from how it is written: quotes, white space, parentheses, `not` around a comparison.

Two guards with the same statement are no change, whichever construct decides them.
"""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

from extractor.model.facts import Guard

_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_PHRASES = {"for": "for {}", "except": "except {}", "loop-exhausted": "{} ran out", "match": "{}"}
"""What is no expression of Python; in angle brackets, as in `condition`."""
_FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError)
_LONGEST_PARSED = 4000
"""Characters. Longer tests can exhaust the parser's stack; they are compared as they are."""


def statement(guard: Guard) -> str:
    """Return what is known from `guard`, in one way of writing it."""
    return _statement(guard.kind, guard.test, guard.holds)


@lru_cache(maxsize=1 << 16)
def _statement(kind: str, test: str, holds: bool) -> str:
    if kind in _PHRASES:
        text = _PHRASES[kind].format(test)
        return f"<{text}>" if holds else f"<not ({text})>"
    node = _parse(test)
    if node is None:
        return test if holds else f"not ({test})"
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, holds = node.operand, not holds
    if not holds:
        node = _negation(node)
    try:
        return ast.unparse(node)
    except _FAILURES:
        return test if holds else f"not ({test})"


def _negation(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
        return ast.Compare(node.left, [_FLIPPED[type(node.ops[0])]()], node.comparators)
    return ast.UnaryOp(ast.Not(), node)


def _parse(test: str) -> ast.expr | None:
    if len(test) > _LONGEST_PARSED:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # An invalid escape in the scanned source is none of the user's business.
        try:
            return ast.parse(f"({test}\n)", mode="eval").body
        except _FAILURES:
            return None
