"""What one file says about its raise sites. Facts hold no path: the same blob may stand at two paths.

These types cross process boundaries and stand in the cache, so they are plain, frozen and encodable by msgspec.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from extractor.model.index import FileIndex

Resolution = Literal["literal", "resolved", "partial", "unresolved"]
GuardKind = Literal["if", "else", "early-exit", "assert", "while", "for", "loop-exhausted", "match", "except"]
Reader = Literal["ast", "libcst"]


class ConstantRef(Struct, frozen=True):
    """A name that another module of the repository may define; the link stage looks it up."""

    module: str
    """Dotted module as the import writes it, leading dots for a relative import."""
    name: str
    """The constant's name there; `Class.NAME` for a class attribute."""


class Placeholder(Struct, frozen=True, omit_defaults=True):
    """One runtime value in a message."""

    expression: str
    """Source text of the value, white space folded."""
    conversion: str | None = None
    """`r`, `s` or `a`, as after `!` in an f-string or after `%`; null if none."""
    format_spec: str | None = None
    """Source text of the format specification (`d`, `.2f`); null if none."""
    ref: ConstantRef | None = None
    """Set while the value may be a constant of another file."""


class Text(Struct, frozen=True):
    """A message text: fixed texts with runtime values between them."""

    texts: tuple[str, ...]
    """One more than there are placeholders; text i stands before placeholder i."""
    placeholders: tuple[Placeholder, ...] = ()
    """The runtime values in order."""

    @property
    def bare(self) -> bool:
        """Whether nothing of the text is known: it consists of runtime values only."""
        return bool(self.placeholders) and not any(self.texts)


class Message(Struct, frozen=True):
    """What `str(exception)` prints, as far as the source tells."""

    resolution: Resolution
    """How much is known, and where from (contract, section 5)."""
    variants: tuple[Text, ...]
    """The possible texts in source order (runtime values alone last), at least one; the first is the main one."""
    written: Text | None = None
    """The text as the raise statement writes it, where constants were put in for names; an older id may use it."""


class Guard(Struct, frozen=True):
    """One condition with a known outcome whenever control reaches the site."""

    kind: GuardKind
    """Which construct decides it."""
    line: int
    """1-based line where the test starts (`case`, `except`, `for`: where the keyword stands)."""
    test: str
    """Source text, white space folded, comments and redundant outer parentheses removed."""
    holds: bool
    """The known outcome."""
    stale: bool
    """Whether something the test reads may have changed between test and site."""


class RaiseSite(Struct, frozen=True):
    """One `raise` statement that raises a wanted exception class."""

    line: int
    """1-based line of the `raise` keyword."""
    end_line: int
    """1-based line of the statement's last character."""
    column: int
    """0-based UTF-8 offset of the `raise` keyword in its line."""
    qualname: str
    """`Outer.method.inner` without `<locals>`; `<module>` at module level."""
    exception_class: str
    """Name of the class raised."""
    message: Message
    """The message."""
    guards: tuple[Guard, ...]
    """Outermost first, in the order in which they are decided."""
    excerpt: str
    """Source lines around the site, joined with a line feed."""
    excerpt_start: int
    """1-based first line of the excerpt."""
    excerpt_end: int
    """1-based last line of the excerpt."""


class FileFacts(Struct, frozen=True, tag="facts"):
    """All that one blob says."""

    sites: tuple[RaiseSite, ...]
    """In source order."""
    constants: dict[str, str]
    """Module-level (`NAME`) and class-level (`Class.NAME`) string constants bound exactly once."""
    reader: Reader
    """Which parser read the structure: `ast`, or `libcst` for syntax newer than the running Python."""
    index: FileIndex = FileIndex()
    """What the link stage needs of this file to explain the sites of others."""


FailureReason = Literal["syntax-error", "encoding", "nul-byte", "too-deep", "too-large", "timeout", "crash"]


class ScanFailure(Struct, frozen=True, tag="failure"):
    """A blob that could not be read as Python."""

    reason: FailureReason
    """Why."""
    detail: str
    """One line for a person, without any path."""
    line: int | None = None
    """1-based line where reading failed, if known."""


class ClassFacts(Struct, frozen=True, tag="classes"):
    """The classes that one blob defines."""

    classes: tuple[tuple[str, tuple[str, ...]], ...]
    """Name and dotted base names of each class that has bases."""


class ScanOptions(Struct, frozen=True):
    """What a scan looks for."""

    exceptions: tuple[str, ...] = ("ValueError",)
    """Names of the wanted classes: builtin, or dotted."""
    derived: tuple[str, ...] = ()
    """Names of subclasses of those that the repository defines."""


ScanOutcome = FileFacts | ScanFailure
