"""Source text of expressions, parsed: shared by the stages that read guards. Nothing here knows a tree or a site."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

_FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError)
_LONGEST = 4000
"""Characters. Longer tests can exhaust the parser's stack."""


@lru_cache(maxsize=4096)  # sites come file by file, and a parsed test with its parts takes ten kilobytes
def parse(text: str) -> ast.expr | None:
    """Parse one expression; None when the running Python cannot. The tree is shared: never change it."""
    return fresh(text)


def fresh(text: str) -> ast.expr | None:
    """Parse one expression into a tree of its own, which may be changed."""
    if len(text) > _LONGEST:
        return None
    try:
        if "\\" not in text:
            return _parsed(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in the scanned source is none of the user's business
            return _parsed(text)
    except _FAILURES:
        return None


def _parsed(text: str) -> ast.expr:
    return ast.parse(f"({text}\n)", mode="eval").body


def path_of(node: ast.AST) -> str:
    """Return `a.b.c`, calls without arguments as `f().b`; an empty text for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = path_of(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        inner = path_of(node.func)
        return f"{inner}()" if inner else ""
    return ""


def literal(node: ast.AST | None) -> tuple[bool, object]:
    """Return whether `node` is a plain literal, and its value."""
    if isinstance(node, ast.Constant):
        return True, node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        if isinstance(value, int | float):
            return True, -value
    return False, None


def source_of(node: ast.AST) -> str:
    """Return the source of an expression; kept on the node, as the trees are shared and asked again and again."""
    known: str | None = node.__dict__.get("_source")
    if known is None:
        known = node.__dict__["_source"] = ast.unparse(node)
    return known


def nodes_of(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes of an expression, itself first; kept on the node like its source."""
    known: tuple[ast.AST, ...] | None = node.__dict__.get("_nodes")
    if known is None:
        known = node.__dict__["_nodes"] = tuple(ast.walk(node))
    return known
