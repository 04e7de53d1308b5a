"""What a user can set and a guard tests: options, environment variables, fields.

Read leniently: datasets of older versions tell less of them, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

RawInput = dict[str, Any]
OPTION, ENVIRONMENT = "option", "environment"
FROM_OUTSIDE = (OPTION, ENVIRONMENT, "request-field", "config-field")
"""Kinds that a user sets by name."""
SHOWN = (*FROM_OUTSIDE, "parameter", "platform", "package")
"""Kinds that a page tells; what a guard reads of the program itself stands in the guard."""


class Input(Struct, frozen=True):
    """One value that a guard tests."""

    kind: str
    """`option`, `environment`, `request-field`, `config-field`, `parameter` …"""
    name: str
    """Flag, variable, field."""
    expression: str = ""
    """How the guard reads it."""
    default: str = ""
    """Default as source; empty if unknown or none."""
    choices: tuple[str, ...] = ()
    """The accepted values as source, if they are declared."""
    help: str = ""
    """What its declaration says about it."""
    type: str = ""
    """Type as written."""
    path: str = ""
    """File that declares it; empty if unknown."""
    line: int = 0
    """1-based."""

    @property
    def key(self) -> tuple[str, str]:
        """What tells one input from another."""
        return self.kind, self.name


class Caller(Struct, frozen=True):
    """A call that leads to the site's function; datasets may tell more."""

    qualname: str
    path: str = ""
    line: int = 0
    entry: str | None = None


def decode_inputs(raw: Iterable[RawInput]) -> tuple[Input, ...]:
    """Return the inputs, each once, what a user can set first; what has no name is left out."""
    found: dict[tuple[str, str], Input] = {}
    for item in raw:
        value = _decode(item)
        if value is not None:
            found.setdefault(value.key, value)
    return tuple(sorted(found.values(), key=lambda i: i.kind not in FROM_OUTSIDE))


def _decode(item: RawInput) -> Input | None:
    kind, name = _text(item.get("kind")), _text(item.get("name"))
    if not kind or not name:
        return None
    place = item.get("declaredAt")
    path, line = (place.get("path"), place.get("line")) if isinstance(place, dict) else ("", 0)
    choices = item.get("choices")
    return Input(
        kind=kind,
        name=name,
        expression=_text(item.get("expression")),
        default=_text(item.get("default")),
        choices=tuple(_text(c) for c in choices) if isinstance(choices, list) else (),
        help=_text(item.get("help")),
        type=_text(item.get("type")),
        path=_text(path),
        line=line if isinstance(line, int) else 0,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
