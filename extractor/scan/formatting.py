"""Splitting `%` and `str.format` texts into fixed text and fields (library reference, "printf-style" and PEP 3101)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import Formatter

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?[hlL]?(?P<type>.)",
    re.DOTALL,
)
_STEP = re.compile(r"\.(?P<attribute>[^.\[]+)|\[(?P<item>[^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Field:
    """One replacement field."""

    key: str | int | None
    """Name or position of the value; None for the next positional one."""
    path: str = ""
    """What `str.format` looks up on the value, as Python source: `.attribute`, `[0]`, `['key']`."""
    conversion: str | None = None
    """`r`, `s` or `a`."""
    spec: str | None = None
    """Format specification."""
    stars: int = 0
    """How many positional values `*` widths take before the value."""
    inner: int = 0
    """How many positional values the fields inside the format specification take after the value."""
    directive: str | None = None
    """The whole directive of a `%` format without its key, where it lays the value out (`%-10s`)."""


def split_percent(text: str) -> list[str | Field] | None:
    """Split a `%` format string; None if it is malformed."""
    parts: list[str | Field] = []
    end = 0
    for match in _PERCENT.finditer(text):
        if "%" in text[end : match.start()]:
            return None
        parts.append(text[end : match.start()])
        end = match.end()
        if match["type"] == "%":
            parts.append("%")
            continue
        if match["type"] not in "diouxXeEfFgGcrsa":
            return None
        parts.append(_percent_field(match))
    if "%" in text[end:]:
        return None
    return [*parts, text[end:]]


def _percent_field(match: re.Match[str]) -> Field:
    kind = match["type"]
    precision = f".{match['precision']}" if match["precision"] else ""
    layout = (match["flags"] or "") + (match["width"] or "") + precision
    stars = (match["width"] == "*") + (match["precision"] == "*")
    directive = f"%{layout}{kind}" if layout else None
    if kind in "ra":
        return Field(match["key"], "", kind, layout or None, stars, 0, directive)
    spec = layout + kind if layout or kind != "s" else None
    return Field(match["key"], "", None, spec, stars, 0, directive)


def split_format(text: str) -> list[str | Field] | None:
    """Split a `str.format` string; None if it is malformed."""
    parts: list[str | Field] = []
    try:
        for literal, name, spec, conversion in Formatter().parse(text):
            parts.append(literal)
            if name is not None:
                inner = sum(each is not None and not each for _, each, _, _ in Formatter().parse(spec or ""))
                parts.append(_format_field(name, spec or "", conversion, inner))
    except ValueError:
        return None
    return parts


def _format_field(name: str, spec: str, conversion: str | None, inner: int) -> Field:
    first = re.match(r"[^.\[]*", name)
    key = first.group() if first else ""
    path = "".join(
        f".{step['attribute']}" if step["attribute"] else f"[{_item(step['item'])}]" for step in _STEP.finditer(name)
    )
    return Field(int(key) if key.isdigit() else key or None, path, conversion, spec or None, 0, inner)


def _item(text: str) -> str:
    return text if text.isdigit() else repr(text)
