"""Texts made by `%`, `str.format` and `str.join`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from extractor.model.facts import Placeholder
from extractor.scan.access import path_of
from extractor.scan.formatting import Field, split_format, split_percent
from extractor.scan.texts import Known, Part, assemble, either, fixed, mapped, value

if TYPE_CHECKING:
    from extractor.scan.strings import Strings

_Named = Callable[[Field], tuple[ast.expr | None, str]]
"""From a named field to the expression of its value, or to the source text of one."""


def percent_text(base: Known, right: ast.expr, at: ast.AST, strings: Strings) -> Known | None:
    """Return the texts of `base % right`."""

    def named(field: Field) -> tuple[ast.expr | None, str]:
        if isinstance(right, ast.Dict) and all(isinstance(key, ast.Constant) for key in right.keys):
            for key, entry in zip(reversed(right.keys), reversed(right.values), strict=True):
                if isinstance(key, ast.Constant) and key.value == field.key:
                    return entry, ""
        return None, f"{strings.source(right)}[{field.key!r}]"

    positional = list(right.elts) if isinstance(right, ast.Tuple) else [right]
    if any(isinstance(each, ast.Starred) for each in positional):
        return None
    return _filled(base, split_percent, positional, named, at, strings)


def format_text(base: Known, call: ast.Call, at: ast.AST, strings: Strings) -> Known | None:
    """Return the texts of `base.format(…)`."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    keywords = {each.arg: each.value for each in call.keywords if each.arg}

    def named(field: Field) -> tuple[ast.expr | None, str]:
        return keywords.get(str(field.key)), str(field.key)

    return _filled(base, split_format, call.args, named, at, strings)


def join_text(separator: ast.expr, items: ast.expr, at: ast.AST, strings: Strings) -> Known | None:
    """Return the texts of `separator.join(items)` where the items stand in the source."""
    between = strings.text(separator, at)
    elements = strings.lookup.elements(items)
    if between is None or not elements or any(isinstance(each, ast.Starred) for each in elements):
        return None
    elsewhere = isinstance(items, ast.Name)
    if elsewhere and strings.literal:
        return None
    parts: list[Part] = []
    for position, each in enumerate(elements):
        whole = Placeholder(strings.source(each))
        parts.extend([(between, None)] if position else [])
        parts.append((strings.field(each, at, whole), whole))
    joined = assemble(parts)
    return replace(joined, elsewhere=joined.elsewhere or elsewhere) if joined is not None else None


def _filled(
    base: Known,
    split: Callable[[str], list[str | Field] | None],
    positional: list[ast.expr],
    named: _Named,
    at: ast.AST,
    strings: Strings,
) -> Known | None:
    """Fill the fields of each format text with the expressions of its values."""
    whole: list[Known] = []
    for text in base.texts:
        # A runtime value inside the format text could hold fields itself.
        pieces = split(text.texts[0]) if not text.placeholders else None
        unpacked = split is split_percent  # `% values` spreads a tuple over the fields
        parts = _parts(pieces, positional, named, at, strings, unpacked) if pieces is not None else None
        joined = assemble(parts) if parts is not None else None
        if joined is None:
            return None
        whole.append(joined)
    merged = either(whole)
    return replace(merged, elsewhere=merged.elsewhere or base.elsewhere) if merged is not None else None


def _parts(
    pieces: list[str | Field],
    positional: list[ast.expr],
    named: _Named,
    at: ast.AST,
    strings: Strings,
    unpacked: bool,
) -> list[Part] | None:
    parts: list[Part] = []
    next_value = 0
    for piece in pieces:
        if isinstance(piece, str):
            parts.append((fixed(piece), None))
            continue
        next_value += piece.stars
        index = next_value if piece.key is None else piece.key
        next_value += (piece.key is None) + piece.inner
        if isinstance(index, int):
            if unpacked and len(positional) == 1 and _count(pieces) > 1 and path_of(positional[0]) is not None:
                parts.append(_value(piece, None, f"{strings.source(positional[0])}[{index}]", at, strings))
            elif index < len(positional):
                parts.append(_value(piece, positional[index], "", at, strings))
            else:
                return None  # Python raises another error here
        else:
            parts.append(_value(piece, *named(piece), at, strings))
    return parts


def _count(pieces: list[str | Field]) -> int:
    """Return how many positional values a `%` or `str.format` text takes."""
    return sum(1 for piece in pieces if not isinstance(piece, str) and piece.key is None)


def _value(field: Field, node: ast.expr | None, name: str, at: ast.AST, strings: Strings) -> Part:
    source = strings.source(node) if node is not None else name
    if field.path and node is not None and path_of(node) is None and not isinstance(node, ast.Call):
        source = f"({source})"
    placeholder = Placeholder(source + field.path, field.conversion, field.spec)
    if node is None or field.path or field.stars or field.inner:
        return value(placeholder), placeholder
    if field.directive is not None:
        directive = field.directive  # `%` lays out otherwise than `format`: `%10s` puts a text to the right
        known = mapped(strings.text(node, at), lambda text: directive % text) if directive[-1] in "rsa" else None
        return known or value(placeholder), placeholder
    return strings.field(node, at, placeholder), placeholder
