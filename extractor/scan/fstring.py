"""The replacement fields of an f-string as they are written, read by LibCST.

The standard library's positions inside f-strings are wrong before Python 3.12 (bpo-35212), so the source text of a
field comes from the concrete syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from extractor.model.facts import Placeholder
from extractor.scan.text import fold

_EMPTY = cst.Module(body=())


def fields(source: str) -> list[Placeholder] | None:
    """Return the fields of an f-string (implicit concatenation included) in order; None if LibCST cannot read it."""
    try:
        node = cst.parse_expression(f"({source}\n)")
    except (cst.ParserSyntaxError, RecursionError):
        return None
    return [_field(each) for each in _expressions(node)]


_Field = cst.FormattedStringExpression | cst.TemplatedStringExpression


def _expressions(node: cst.BaseExpression) -> Iterator[_Field]:
    while isinstance(node, cst.ConcatenatedString):
        yield from _expressions(node.left)
        node = node.right
    parts: Sequence[object] = node.parts if isinstance(node, (cst.FormattedString, cst.TemplatedString)) else ()
    for part in parts:
        if isinstance(part, (cst.FormattedStringExpression, cst.TemplatedStringExpression)):
            yield part


def _field(part: _Field) -> Placeholder:
    spec = "".join(_EMPTY.code_for_node(each) for each in part.format_spec or ())
    conversion = part.conversion
    if part.equal is not None and conversion is None and not spec:
        conversion = "r"  # `{x=}` prints the repr unless told otherwise
    return Placeholder(fold(_EMPTY.code_for_node(part.expression)), conversion, spec or None)
