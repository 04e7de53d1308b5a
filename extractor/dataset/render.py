"""One record as text for a person in a terminal (`extractor show`). Returns renderables; only `cli/` prints."""

from __future__ import annotations

from textwrap import indent

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from extractor.model.facts import Guard
from extractor.model.record import Record, SiteRow

_KEPT = frozenset("\n\t")
_HIDDEN = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of text, by which source can be made to look like other source (CVE-2021-42574)."""


def render(record: Record, site: SiteRow) -> RenderableType:
    """Return one record with its facts. Text of the repository is shown with control characters as escapes.

    Printed with `soft_wrap`, every text stays in one piece however narrow the terminal is.
    """
    parts: list[RenderableType] = [
        Rule(Text(visible(record.slug)), align="left"),
        Text.assemble(
            (record.error_class, "bold red"), (f"  {record.error_type}, {record.severity}", "dim"), f"  {record.id}"
        ),
        Text(visible(record.error_message), style="bold"),
        Text(visible(f"{record.file_path}:{record.line_number}  in {site.qualname}")),
        Text(visible(record.github_url), style="dim"),
    ]
    parts += _section("What it means", record.documentation)
    parts += _section("When it happens", record.trigger_scenarios)
    parts += _section("Where people meet it", record.common_situations)
    parts += _listed("What to do", record.solutions)
    parts += _section("Example fix", record.example_fix)
    parts += _section("Check beforehand", record.validation_code)
    parts += _section("Narrow the type", record.type_guard)
    parts += _section("Handle it", record.try_catch_pattern)
    parts += _listed("Prevention", record.prevention_tips)
    parts += _section("Condition", site.condition)
    parts += _listed("Guards", tuple(map(_guard, site.guards)))
    parts += _section("Pattern", record.message_pattern)
    parts += _section("Tags", ", ".join((*record.tags, *filter(None, (record.background_tag,)))))
    parts += _heading("Source")
    parts.append(_source(record))
    return Group(*parts)


def visible(text: str) -> str:
    r"""Return text with every control character but line feed and tab written as an escape, `\x1b`."""
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character in _KEPT or (character.isprintable() and character not in _HIDDEN):
        return character
    return character.encode("unicode_escape").decode() if character != "\u00a0" else character


def _guard(guard: Guard) -> str:
    outcome = "holds" if guard.holds else "does not hold"
    stale = " (may have changed since)" if guard.stale else ""
    return f"line {guard.line}, {guard.kind}: {guard.test} - {outcome}{stale}"


def _heading(title: str) -> list[RenderableType]:
    return [Text(), Text(title, style="bold cyan")]


def _section(title: str, body: str | None) -> list[RenderableType]:
    return [*_heading(title), _Indented(visible(body))] if body else []


def _listed(title: str, items: tuple[str, ...]) -> list[RenderableType]:
    if not items:
        return []
    return [*_heading(title), *(_Indented(f"- {visible(item)}") for item in items)]


class _Indented:
    """Text two columns in; as lines of its own where nothing is to be wrapped, since padding is cut there."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.no_wrap:
            yield Text(indent(self._text, "  "))
        else:
            yield Padding(Text(self._text), (0, 0, 0, 2))


def _source(record: Record) -> RenderableType:
    return Syntax(
        visible(record.source_code),
        "python",
        line_numbers=True,
        start_line=record.source_code_start,
        highlight_lines={record.line_number},
        background_color="default",
    )
