"""Inputs and callers of a site to the rows that are published of them."""

from __future__ import annotations

from extractor.explain.text import clean
from extractor.model.linked import Caller, Input, Model, Option, Variable
from extractor.model.record import ArgumentRow, CallerRow, InputRow, KnownTest, Place


def input_row(one: Input) -> InputRow:
    """Return the published form of an input."""
    source = one.source
    choices = source.choices if isinstance(source, Option) else None
    return InputRow(
        kind=one.kind,
        name=clean(one.name),
        expression=clean(one.expression),
        declared_at=Place(source.path, source.line) if source is not None else None,
        type=clean(source.type if source is not None else one.type) or None,
        default=clean(source.default if source is not None else one.default) or None,
        choices=tuple(map(clean, choices)) if choices is not None else None,
        help=clean(_help(source)) or None,
    )


def _help(source: Option | Variable | Model | None) -> str:
    if isinstance(source, Option):
        return source.help
    return source.comment if isinstance(source, Variable) else ""


def caller_row(one: Caller) -> CallerRow:
    """Return the published form of a caller."""
    return CallerRow(
        hop=one.hop,
        qualname=clean(one.qualname),
        path=one.path,
        line=one.line,
        call=clean(one.calls),
        guards=tuple(KnownTest(clean(test), holds) for test, holds in one.guards),
        arguments=tuple(ArgumentRow(clean(name), clean(value)) for name, value in one.arguments),
        entry=one.entry or None,
    )
