"""A message's facts to the row that is published of it: template, source form, pattern, variants."""

from __future__ import annotations

from extractor.explain.pattern import derive, escape
from extractor.explain.text import clean
from extractor.model.facts import Message, Placeholder, Text
from extractor.model.record import MessageRow, PlaceholderRow, VariantRow


def message_row(message: Message, exception_class: str) -> MessageRow:
    """Return the published form; equal texts that several assignments give are listed as often as they are found."""
    variants = tuple(_variant(text, exception_class) for text in message.variants)
    first = variants[0]
    return MessageRow(
        template=first.template,
        source=first.source,
        pattern=first.pattern,
        placeholders=first.placeholders,
        resolution=message.resolution,
        variants=variants if len(variants) > 1 else (),
    )


def older_forms(message: Message, exception_class: str) -> set[str]:
    """Return what another reader of the source may take for the message where constants were put in for names."""
    if message.written is None:
        return set()
    written = _variant(message.written, exception_class)
    return {written.template, written.source}


def _variant(text: Text, exception_class: str) -> VariantRow:
    texts = tuple(map(clean, text.texts))
    values = tuple(map(_placeholder, text.placeholders))
    if not any(texts):
        return _without_text(values, exception_class)
    template = "{}".join(texts)
    return VariantRow(
        template=template,
        source=_interleave(texts, tuple(map(_source_form, values))),
        pattern=derive(texts, template),
        placeholders=values,
    )


def _without_text(values: tuple[PlaceholderRow, ...], exception_class: str) -> VariantRow:
    """Nothing fixed is known: the expressions stand for themselves; with no value either, nothing is printed.

    The pattern matches that very text only: `(.+?)` alone would claim every message of every program.
    """
    template = "".join(f"{{{value.expression}}}" for value in values) or exception_class
    source = "".join(map(_source_form, values)) or exception_class
    return VariantRow(template=template, source=source, pattern=escape(template), placeholders=values)


def _placeholder(value: Placeholder) -> PlaceholderRow:
    spec = value.format_spec
    return PlaceholderRow(clean(value.expression), value.conversion, None if spec is None else clean(spec))


def _source_form(value: PlaceholderRow) -> str:
    conversion = f"!{value.conversion}" if value.conversion else ""
    spec = f":{value.format_spec}" if value.format_spec else ""
    return f"{{{value.expression}{conversion}{spec}}}"


def _interleave(texts: tuple[str, ...], values: tuple[str, ...]) -> str:
    parts = [texts[0]]
    for value, text in zip(values, texts[1:], strict=True):
        parts += (value, text)
    return "".join(parts)
