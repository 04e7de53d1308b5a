"""A site together with what the rest of the tree says about it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from extractor.model.facts import Guard, Message, RaiseSite

Surface = Literal["server-launch", "request", "model-loading", "python-api", "kernel", "internal"]
InputKind = Literal[
    "option",
    "environment",
    "request-field",
    "config-field",
    "parameter",
    "tensor-property",
    "platform",
    "package",
    "attribute",
    "local",
]
Literals = tuple[str, ...]
"""Python literals as source text, `'auto'`, `1`."""


class Option(Struct, frozen=True, gc=False, tag="option", tag_field="form"):
    """One command-line option of the tree."""

    field: str
    """Name under which the parsed value is kept."""
    flag: str
    """Main spelling, `--x`; empty for a setting without one."""
    aliases: tuple[str, ...]
    """Other spellings."""
    negative: str
    """`--no-x` if that form exists, else empty."""
    type: str
    """Type as written; `bool` for a switch."""
    switch: bool
    """Whether the flag alone, without a value, turns it on."""
    default: str
    """Default as Python source; `None` where none is given; empty when it is required."""
    choices: Literals | None
    """The accepted values, if declared and known."""
    closed: bool
    """Whether choices are declared at all, known or not."""
    help: str
    """Help text, as far as it is constant."""
    deprecated: bool
    """Whether its help or action calls it deprecated."""
    replacement: str
    """The flag to use in its place, if named."""
    owner: str
    """Class that holds the field, or function that adds the flag."""
    namespace: str
    """Dotted namespace of the field; empty if none."""
    path: str
    """File that declares it."""
    line: int
    """1-based."""


class Variable(Struct, frozen=True, gc=False, tag="variable", tag_field="form"):
    """One environment variable of the tree."""

    name: str
    """Its name."""
    type: str
    """`bool`, `int`, `float`, `str`, `tuple`; empty if unknown."""
    default: str
    """Default as Python source; empty if there is none or it is computed."""
    comment: str
    """Comment above the declaration."""
    registered: bool
    """Whether a registry declares it, rather than a read."""
    path: str
    """File that declares or first reads it."""
    line: int
    """1-based."""


class Model(Struct, frozen=True, gc=False, tag="model", tag_field="form"):
    """A field of a class whose instances users fill: a request, or the model's config."""

    owner: str
    """The class."""
    field: str
    """The field."""
    type: str
    """As written."""
    default: str
    """As written; empty if it is required or unknown."""
    path: str
    """File that declares it."""
    line: int
    """1-based."""


class Input(Struct, frozen=True, gc=False):
    """A value that a guard of the site tests."""

    kind: InputKind
    """What it is, seen from outside."""
    name: str
    """Flag, variable, field, parameter, predicate or package."""
    expression: str
    """How the guard reads it."""
    source: Option | Variable | Model | None = None
    """The declaration, where the tree has one."""
    type: str = ""
    """Type as written, if known otherwise."""
    default: str = ""
    """Default as written, if known otherwise."""
    fed: bool = False
    """Whether it reaches the guard as an argument: every call found passes it."""


class Meaning(Struct, frozen=True, gc=False):
    """What an expression stands for: a helper's one expression, or a local name's one value."""

    expression: str
    """As it stands in a guard."""
    value: str
    """What may be read in its place."""
    line: int
    """Line of the binding; 0 for a helper."""


class Values(Struct, frozen=True, gc=False):
    """The members of a container that a guard tests membership in, or of an enum."""

    expression: str
    """As it stands in a guard."""
    members: Literals
    """The members as source text; enum members as `Class.NAME`."""
    path: str
    """Where they are declared."""
    line: int
    """1-based."""


class Caller(Struct, frozen=True, gc=False):
    """A call that leads to the site's function."""

    hop: int
    """1 for a direct call, 2 for a call of that caller, at most 3."""
    qualname: str
    """The calling function; `<module>` at module level."""
    path: str
    """Its file."""
    line: int
    """1-based line of the call."""
    calls: str
    """What it calls, as written."""
    guards: tuple[tuple[str, bool], ...]
    """Tests known at the call and their outcome, outermost first."""
    arguments: tuple[tuple[str, str], ...]
    """Parameter → argument, as far as they can be told."""
    caught: str
    """`handled` or `raised` if a handler for this exception stands around the call, else empty."""
    inputs: tuple[Input, ...]
    """What these tests read, as far as it is known to users."""
    entry: str
    """`command-line`, `http POST /path`, `model-loading`, `public`; empty inside the program."""


class Setter(Struct, frozen=True, gc=False):
    """A place of the program that sets an option's value itself."""

    field: str
    """The option's field."""
    value: str
    """What it is set to, as source; empty if that is long."""
    qualname: str
    """Where."""
    guards: tuple[tuple[str, bool], ...]
    """Tests known there and their outcome."""
    inputs: tuple[Input, ...]
    """What these tests read, as far as it is known to users."""
    line: int
    """1-based."""
    path: str
    """The file."""


class Sibling(Struct, frozen=True, gc=False):
    """Another site of the same function."""

    line: int
    """1-based line of its `raise`."""
    condition: str
    """Its innermost condition as an expression."""
    guards: tuple[Guard, ...]
    """Its other conditions that decide whether it is reached, earlier exits left out."""
    inputs: tuple[Input, ...]
    """What these read, as far as the tree declares it."""


class Context(Struct, frozen=True):
    """What the tree says about one site."""

    surface: Surface = "internal"
    """Where a user meets it."""
    inputs: tuple[Input, ...] = ()
    """Values that the guards test."""
    meanings: tuple[Meaning, ...] = ()
    """What names and calls in the guards stand for."""
    values: tuple[Values, ...] = ()
    """Resolved containers and enums."""
    callers: tuple[Caller, ...] = ()
    """Nearest first."""
    caller_count: int = 0
    """Direct calls found, also those not listed."""
    setters: tuple[Setter, ...] = ()
    """Who else sets the options among the inputs."""
    doc: str = ""
    """First paragraph of the function's docstring."""
    class_doc: str = ""
    """First paragraph of the class's docstring."""
    bases: tuple[str, ...] = ()
    """Bases of the class around the function."""
    siblings: tuple[Sibling, ...] = ()
    """The other sites of the same function."""
    parameters: tuple[str, ...] = ()
    """Names of the function's parameters, `self` and `cls` left out."""
    refusals: tuple[int, ...] = ()
    """Lines of the function's tests whose branch ends in a `raise`."""
    decorators: tuple[str, ...] = ()
    """The function's decorators as written."""
    settings: bool = False
    """Whether the function belongs to the class of the command-line settings, or is handed them."""
    module: str = ""
    """Dotted module of the file, as an import would write it."""
    declared: frozenset[str] = frozenset()
    """Flags and environment variables that the site's texts name and the tree declares."""
    undeclared: frozenset[str] = frozenset()
    """Names in them that look like flags or variables of the tree.

    But that it does not declare: never to be repeated.
    """


class LinkedSite(Struct, frozen=True):
    """One raise site at one path, with its message completed from other files."""

    path: str
    """Path in the repository."""
    site: RaiseSite
    """The facts of the file itself."""
    message: Message
    """The site's message with constants of other files put in."""
    context: Context = Context()
    """What the whole tree says about it."""
