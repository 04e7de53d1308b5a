"""What the lines around a site show: shared by the stages that read them. Nothing here knows a tree."""

from __future__ import annotations

import ast

from extractor.model.facts import RaiseSite


def attempt(site: RaiseSite, line: int) -> str:
    """Return what the `try` block before the handler on `line` does, if the excerpt shows it whole and it is short."""
    lines = site.excerpt.split("\n")
    at = line - site.excerpt_start
    if not 0 <= at < len(lines):
        return ""
    indent = len(lines[at]) - len(lines[at].lstrip())
    body: list[str] = []
    for row in range(at - 1, -1, -1):
        text = lines[row]
        depth = len(text) - len(text.lstrip())
        if text.strip() == "try:" and depth == indent:
            statements = [
                b.split("  #", 1)[0].strip() for b in reversed(body) if b.strip() and not b.strip().startswith("#")
            ]
            return " ".join(statements) if 0 < len(statements) <= 4 else ""
        if text.strip() and depth < indent:
            return ""
        if depth == indent and text.strip() and not text.strip().startswith(("except", ")")):
            return ""
        if text.strip().startswith("except") and depth == indent:
            body = []
            continue
        body.append(text)
    return ""


def looked_up(text: str) -> tuple[ast.expr, ast.expr] | None:
    """Return container and key of a look-up, `x = TABLE[key]`, or of `Kind(value)`, which makes a member of an enum."""
    try:
        (statement,) = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name | ast.Attribute):
        return value.value, value.slice
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        name = value.func
        if isinstance(name, ast.Name | ast.Attribute) and ast.unparse(name).rpartition(".")[2][:1].isupper():
            return name, value.args[0]
    return None


def got(node: ast.expr | None) -> tuple[ast.expr, ast.expr] | None:
    """Return container and key of `TABLE.get(key)`, with no default or None."""
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args
    ):
        return None
    if len(node.args) > 2 or node.keywords or (len(node.args) == 2 and ast.unparse(node.args[1]) != "None"):
        return None
    return node.func.value, node.args[0]
