"""Source text of nodes, and texts that a node spells out."""

from __future__ import annotations

import ast
import re

_OPEN = re.compile(r"([(\[{]) ")
_CLOSE = re.compile(r",? ([)\]}])")


class Source:
    """Cuts the text of nodes out of one file."""

    __slots__ = ("lines",)

    def __init__(self, source: bytes) -> None:
        r"""Take the UTF-8 bytes that the tree was parsed from, line ends as Python sees them made `\\n`."""
        self.lines = source.split(b"\n")

    def text(self, node: ast.expr, limit: int = 160) -> str:
        """Return the folded source of `node`, or an empty text when it is longer than `limit` characters."""
        first, last = node.lineno, node.end_lineno
        if first == last:
            if (node.end_col_offset or 0) - node.col_offset > limit:
                return ""
            return self.lines[first - 1][node.col_offset : node.end_col_offset].decode("utf-8", "replace")
        if last is None or last - first > limit // 16 + 8:
            return ""
        lines = [
            self.lines[first - 1][node.col_offset :],
            *self.lines[first : last - 1],
            self.lines[last - 1][: node.end_col_offset],
        ]
        joined = b" ".join([part.strip() for part in lines])
        if b"#" in joined or b'"""' in joined or b"\\" in joined:
            text = ast.unparse(node)  # comments and continuations stand inside, so cutting would not do
        else:
            text = _CLOSE.sub(r"\1", _OPEN.sub(r"\1", joined.decode("utf-8", "replace")))
        return text if len(text) <= limit else ""

    def comment_above(self, line: int) -> str:
        """Return the comment block that ends right above `line`, or at its end, joined by blanks."""
        found: list[str] = []
        at = line - 2
        while at >= 0 and len(found) < 8:
            stripped = self.lines[at].strip()
            if not stripped.startswith(b"#"):
                break
            found.append(stripped.lstrip(b"#").strip().decode("utf-8", "replace"))
            at -= 1
        words = [part for part in reversed(found) if part.strip("=-# ")]
        return " ".join(words)[:400]


def constant_text(node: ast.expr | None) -> str:
    """Return the constant parts of a string expression (`+`, implicit concatenation, parentheses)."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return constant_text(node.left) + constant_text(node.right)
    if isinstance(node, ast.JoinedStr):
        return "".join(constant_text(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        return constant_text(node.func.value)  # "…".strip() and its like
    return ""


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` for names and attributes, `a().b` with calls emptied; an empty text for anything else."""
    parts: list[str] = []
    while True:
        kind = type(node)
        if kind is ast.Attribute:
            parts.append(node.attr)  # type: ignore[attr-defined]  # narrowed by identity, which mypy does not follow
            node = node.value  # type: ignore[attr-defined]
        elif kind is ast.Name:
            parts.append(node.id)  # type: ignore[attr-defined]
            return ".".join(reversed(parts))
        elif kind is ast.Call and parts:
            inner = dotted(node.func)  # type: ignore[attr-defined]
            return f"{inner}().{'.'.join(reversed(parts))}" if inner else ""
        else:
            return ""


def first_paragraph(body: list[ast.stmt]) -> str:
    """Return the first paragraph of a body's docstring, folded, at most 500 characters."""
    if not body or not isinstance(body[0], ast.Expr):
        return ""
    value = body[0].value
    if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
        return ""
    paragraph = value.value.strip().split("\n\n", 1)[0]
    return " ".join(paragraph.split())[:500]
