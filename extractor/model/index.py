"""What the link stage needs from every file: names, declarations, calls. No path: the same blob may stand at two paths.

Everything is source text, folded to one line; nothing is evaluated. Encoded as arrays, and left
alone by the garbage collector, since a tree has hundreds of thousands and none can be part of a cycle.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

ARGUMENT_BREAK = "\x1f"
"""Stands between the arguments of a call; no source has it outside of a string."""


class Import(Struct, frozen=True, array_like=True, gc=False):
    """`import module as local` (name empty) or `from module import name as local`, anywhere in the file."""

    local: str
    """The name bound in this file."""
    module: str
    """Dotted module as written, leading dots for a relative import."""
    name: str
    """The imported name; empty when the module itself is bound."""


class Constant(Struct, frozen=True, array_like=True, gc=False):
    """A module-level (`NAME`) or class-level (`Class.NAME`) assignment."""

    name: str
    """As above."""
    text: str
    """The value's source; empty for long containers, whose members tell enough."""
    members: tuple[str, ...]
    """Sources of a list's, set's or tuple's elements, a dict's keys, a `Literal`'s values."""
    container: bool
    """Whether the value is such a container."""
    line: int
    """1-based."""


class ClassField(Struct, frozen=True, array_like=True, gc=False):
    """An annotated name in a class body."""

    name: str
    """The field."""
    annotation: str
    """Its type as written."""
    default: str
    """Its default as written; empty if none."""
    line: int
    """1-based."""


class ClassInfo(Struct, frozen=True, array_like=True, gc=False):
    """One class."""

    name: str
    """Qualified name in the file."""
    line: int
    """1-based."""
    bases: tuple[str, ...]
    """As written."""
    dataclass: bool
    """Whether a decorator's name ends in `dataclass`."""
    doc: str
    """First paragraph of the docstring."""
    fields: tuple[ClassField, ...]
    """Annotated names, in order."""
    attributes: tuple[tuple[str, str], ...]
    """Attributes that the methods bind exactly once, with the value's source."""


class Parameter(Struct, frozen=True, array_like=True, gc=False):
    """A parameter with an annotation or a default."""

    name: str
    """The parameter."""
    annotation: str
    """As written; empty if none."""
    default: str
    """As written; empty if none."""


class Binding(Struct, frozen=True, array_like=True, gc=False):
    """A name bound in a function."""

    name: str
    """The name, or dotted attribute path."""
    line: int
    """1-based line of the binding."""
    text: str
    """The value's source; `for x in …` writes `<each> iterable`; empty where it is not one expression."""


class Function(Struct, frozen=True, array_like=True, gc=False):
    """One function or method."""

    qualname: str
    """`Outer.method.inner` without `<locals>`."""
    line: int
    """1-based line of `def`."""
    parameters: str
    """Names in order, blank-separated."""
    returns: str
    """The return annotation; empty if none."""
    decorators: tuple[str, ...]
    """As written, calls included."""
    doc: str
    """First paragraph of the docstring, for functions that raise."""
    value: str
    """What a function of one `return` gives, imports and docstring aside; empty otherwise."""
    raises: bool
    """Whether its own body holds a `raise` with an exception."""
    annotated: tuple[Parameter, ...]
    """Parameters with annotation or default, for functions that raise."""
    variables: tuple[str, ...]
    """Upper-case names whose `.get()` a short function without parameters calls: the variables that it stands for."""
    refusals: tuple[int, ...]
    """Lines of the tests whose branch ends in a `raise`: checks of their own, not ways past the ones that follow."""
    bindings: tuple[Binding, ...]
    """What the body binds, for functions that raise; views of settings for the others."""


class Test(Struct, frozen=True, array_like=True, gc=False):
    """A condition known at a call."""

    text: str
    """Source of the test."""
    holds: bool
    """Its outcome."""
    line: int
    """1-based."""


class Call(Struct, frozen=True, array_like=True, gc=False):
    """A call that may lead to code of the same repository."""

    function: int
    """Index of the calling function; -1 at module or class level."""
    callee: str
    """Dotted name as written: `f`, `self.m`, `mod.Class`."""
    line: int
    """1-based."""
    arguments: str
    """`value` or `name=value`, in order, long values as `…`, with `ARGUMENT_BREAK` between: one text takes a third of
    the memory of many, and few are looked at."""
    tests: tuple[int, ...]
    """Indexes of the tests around the call that are not stale there, outermost first."""
    caught: str
    """What an enclosing handler for `ValueError` does: `handled`, `raised`; empty if there is none."""


class Write(Struct, frozen=True, array_like=True, gc=False):
    """A value put into an attribute or a string-keyed entry of a settings-like object."""

    function: int
    """Index of the writing function."""
    name: str
    """The attribute or key."""
    receiver: str
    """What it is put into."""
    value: str
    """Source of the value."""
    line: int
    """1-based."""
    tests: tuple[int, ...]
    """As for calls."""


OptionForm = Literal["argument", "field"]


class OptionDecl(Struct, frozen=True, array_like=True, gc=False):
    """One command-line option: an `add_argument` call, or a field annotated with its help."""

    form: OptionForm
    """Which of the two."""
    names: tuple[str, ...]
    """Spellings given (`--x`, `-y`); for a field only those that differ from its own name."""
    field: str
    """Field or `dest`; empty when it follows from the names."""
    owner: str
    """Qualified name of the class (field) or of the function (argument) that declares it."""
    help: str
    """Help text, as far as it is constant."""
    settings: tuple[tuple[str, str], ...]
    """Other keywords (`type`, `default`, `choices`, `action` …) with their sources."""
    line: int
    """1-based."""
    end_line: int
    """1-based line of the last character."""


class EnvironmentUse(Struct, frozen=True, array_like=True, gc=False):
    """A declaration or a read of an environment variable."""

    name: str
    """The variable, or the constant that holds its name."""
    constant: bool
    """Whether `name` is a constant to look up."""
    via: str
    """The reader or declaring call (`os.getenv`, `EnvBool`)."""
    default: str
    """Source of the default; empty if none is given."""
    declared: bool
    """Whether this is a registry entry."""
    comment: str
    """Comment above it."""
    line: int
    """1-based."""


class FileIndex(Struct, frozen=True, array_like=True, gc=False):
    """All that one blob says about the rest of the tree."""

    imports: tuple[Import, ...] = ()
    constants: tuple[Constant, ...] = ()
    classes: tuple[ClassInfo, ...] = ()
    functions: tuple[Function, ...] = ()
    tests: tuple[Test, ...] = ()
    calls: tuple[Call, ...] = ()
    writes: tuple[Write, ...] = ()
    options: tuple[OptionDecl, ...] = ()
    environment: tuple[EnvironmentUse, ...] = ()
