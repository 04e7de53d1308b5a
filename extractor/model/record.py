"""What is published of one site: the schema-v2 record, the facts row behind it, and the prose of a record."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from extractor.model.facts import Guard, Resolution
from extractor.model.linked import InputKind, Surface

ErrorType = Literal["exception", "error_code", "console", "http", "validation", "panic"]
Severity = Literal["critical", "error", "warning", "info"]
HandlingStrategy = Literal["try-catch", "type-guard", "validation", "retry", "fallback"]


class Record(Struct, frozen=True, rename="camel"):
    """One schema-v2 record. Fields stand in the published order (contract, section 4)."""

    id: str
    """16 lower-case hex digits, unique in the dataset."""
    repo: str
    """`owner/name`."""
    slug: str
    """Readable name in URLs, unique in the dataset."""
    error_code: str | None
    """The code that the raise names; null for a plain exception."""
    error_message: str
    """The message with each runtime value written `{}`."""
    message_pattern: str
    """Regular expression that finds the message inside a longer text."""
    error_type: ErrorType
    """`validation` where a guard tests a value that the caller supplied."""
    error_class: str
    """Name of the class raised."""
    http_status: int | None
    """Status that the site is turned into, where the source says so."""
    severity: Severity
    """How bad it is."""
    file_path: str
    """Path in the repository."""
    line_number: int
    """1-based line of the `raise` keyword."""
    source_code: str
    """Source lines around the site."""
    source_code_start: int
    """1-based first line of the excerpt."""
    source_code_end: int
    """1-based last line of the excerpt."""
    github_url: str
    """Permanent link to the excerpt."""
    documentation: str
    """What the error means and why the code raises it."""
    trigger_scenarios: str
    """The exact conditions that lead to it."""
    common_situations: str
    """Where people meet it."""
    solutions: tuple[str, ...]
    """Most likely fix first."""
    example_fix: str | None
    """`# before` … `# after` …."""
    handling_strategy: HandlingStrategy | None
    """How calling code best deals with it."""
    validation_code: str | None
    """Python that checks beforehand."""
    type_guard: str | None
    """Python that narrows a type beforehand."""
    try_catch_pattern: str | None
    """Python that handles the exception."""
    prevention_tips: tuple[str, ...]
    """How to keep it from happening."""
    tags: tuple[str, ...]
    """Kebab-case feature and subsystem names."""
    background_tag: str | None
    """Family of failure, or null where none clearly fits."""
    analyzed_sha: str
    """Commit read, 40 hex digits."""
    analyzed_at: str
    """UTC, ISO 8601, milliseconds, `Z`."""
    schema_version: int = 2
    """Always 2."""


class Explanation(Struct, frozen=True, tag="explanation"):
    """The part of a record that is prose or judgement; see the record's fields of the same names."""

    documentation: str
    trigger_scenarios: str
    common_situations: str
    solutions: tuple[str, ...] = ()
    error_type: ErrorType = "exception"
    severity: Severity = "error"
    http_status: int | None = None
    example_fix: str | None = None
    handling_strategy: HandlingStrategy | None = None
    validation_code: str | None = None
    type_guard: str | None = None
    try_catch_pattern: str | None = None
    prevention_tips: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    background_tag: str | None = None


class PlaceholderRow(Struct, frozen=True, rename="camel"):
    """One runtime value of a message."""

    expression: str
    """Source text of the value."""
    conversion: str | None
    """`r`, `s` or `a`; null if none."""
    format_spec: str | None
    """Format specification as in the source; null if none."""


class VariantRow(Struct, frozen=True, rename="camel"):
    """One of several possible texts of a message."""

    template: str
    """The text with each runtime value written `{}`."""
    source: str
    """The text with each runtime value written as in an f-string."""
    pattern: str
    """Regular expression for the printed text."""
    placeholders: tuple[PlaceholderRow, ...]
    """The runtime values in order."""


class MessageRow(Struct, frozen=True, rename="camel"):
    """What a site's exception prints. The first four fields are those of the first possible text."""

    template: str
    """The text with each runtime value written `{}`."""
    source: str
    """The text with each runtime value written as in an f-string."""
    pattern: str
    """Regular expression for the printed text."""
    placeholders: tuple[PlaceholderRow, ...]
    """The runtime values in order."""
    resolution: Resolution
    """How much of the text the source tells, and from where."""
    variants: tuple[VariantRow, ...]
    """Every possible text in source order if there are several, else empty."""


class Place(Struct, frozen=True):
    """A line of a file."""

    path: str
    """Path in the repository."""
    line: int
    """1-based."""


class InputRow(Struct, frozen=True, rename="camel"):
    """A value that a guard of the site tests, seen from outside."""

    kind: InputKind
    """What it is."""
    name: str
    """Flag, variable, field, parameter, hardware or package."""
    expression: str
    """How the guard reads it."""
    declared_at: Place | None
    """Where the tree declares it; null if that is not known."""
    type: str | None
    """Its type as written, or as its reader gives it; null if unknown."""
    default: str | None
    """Its default as Python source; null if there is none or it is unknown."""
    choices: tuple[str, ...] | None
    """The accepted values as Python source; null if they are not declared or not known."""
    help: str | None
    """What the declaration says about it: help text, or the comment at it; null if nothing."""


class KnownTest(Struct, frozen=True):
    """A condition known at a call."""

    test: str
    """Its source."""
    holds: bool
    """Its outcome."""


class ArgumentRow(Struct, frozen=True):
    """Which value feeds which parameter."""

    parameter: str
    """The parameter."""
    value: str
    """Source of the value."""


class CallerRow(Struct, frozen=True, rename="camel"):
    """A call that leads to the site's function."""

    hop: int
    """1 for a call of the function itself, 2 for a call of that caller, at most 3."""
    qualname: str
    """The calling function; `<module>` at module level."""
    path: str
    """Its file."""
    line: int
    """1-based line of the call."""
    call: str
    """What is called, as written."""
    guards: tuple[KnownTest, ...]
    """Tests known at the call, outermost first."""
    arguments: tuple[ArgumentRow, ...]
    """What is handed over, as far as it can be told."""
    entry: str | None
    """`command-line`, `http METHOD /path`, `model-loading`; null inside the program or if unknown."""


class SiteRow(Struct, frozen=True, rename="camel"):
    """The facts behind one record: a line of `sites.jsonl` (contract, section 5)."""

    id: str
    """The record's id."""
    aliases: tuple[str, ...]
    """Further ids under which the site was or may be published."""
    file_path: str
    """Path in the repository."""
    line_number: int
    """1-based line of the `raise` keyword."""
    end_line_number: int
    """1-based last line of the statement."""
    column: int
    """0-based UTF-8 offset of the `raise` keyword."""
    qualname: str
    """Python's qualified name without `<locals>`; `<module>` at module level."""
    exception_class: str
    """Name of the class raised."""
    message: MessageRow
    """The message."""
    guards: tuple[Guard, ...]
    """Conditions with a known outcome, outermost first."""
    condition: str
    """The guards that are not stale, joined with `and`; empty if there is none."""
    surface: Surface
    """Where a user meets it."""
    inputs: tuple[InputRow, ...]
    """What the guards that are not stale test, innermost guard first."""
    callers: tuple[CallerRow, ...]
    """Calls that lead to the function, nearest first: the first few direct ones, then the chain of the first."""
