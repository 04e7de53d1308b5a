"""What two datasets differ in. Published as `schemas/diff.v1.schema.json`, so fields are added, never renamed."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["moved", "reworded", "revalued", "reguarded", "reclassed"]
"""Kinds of change of one site; several can hold at once.

`moved`: other file or function. `reworded`: other fixed text. `revalued`: the same fixed text with other values in it.
`reguarded`: other conditions. `reclassed`: another exception class.
"""
PairedBy = Literal["id", "alias", "likeness"]
Piece = Literal["same", "removed", "added"]


class DiffSide(Struct, frozen=True, rename="camel"):
    """One of the two datasets."""

    repo: str
    """`owner/name`."""
    sha: str
    """Commit read, 40 hex digits."""
    ref: str
    """What was asked for."""
    dataset_version: str
    """That of the manifest."""
    sites: int
    """Sites of the dataset."""


class Site(Struct, frozen=True, rename="camel"):
    """One raise site as one of the datasets has it."""

    id: str
    """The record's id."""
    file_path: str
    """Path in the repository."""
    line_number: int
    """1-based line of the `raise` keyword."""
    qualname: str
    """Function around it; `<module>` at module level."""
    exception_class: str
    """Name of the class raised."""
    template: str
    """The message with each runtime value written `{}`."""
    source: str
    """The message with each runtime value written as in an f-string."""
    condition: str
    """The guards joined with `and`; empty if there is none."""
    url: str
    """Permanent link to the excerpt."""


class Word(Struct, frozen=True):
    """A run of words of a word diff."""

    kind: Piece
    """Whether it stands in both texts, only in the old or only in the new one."""
    text: str
    """The words, blanks included: the old text is all that is not `added`, the new one all that is not `removed`."""


class GuardChange(Struct, frozen=True):
    """Conditions that only one side has. Formatting, order and the construct that decides them do not count."""

    removed: tuple[str, ...]
    """Statements that held at the old site only, as Python."""
    added: tuple[str, ...]
    """Statements that hold at the new site only, as Python."""


class Change(Struct, frozen=True, rename="camel"):
    """One site that is in both datasets and not the same."""

    kinds: tuple[Kind, ...]
    """What changed, at least one kind."""
    old: Site
    """The site before."""
    new: Site
    """The site after."""
    paired_by: PairedBy
    """How it was found to be the same site."""
    likeness: float
    """0 to 1: how alike the two are; 1 for pairs by id or alias."""
    words: tuple[Word, ...]
    """Word diff of `source`; empty unless reworded or revalued."""
    guards: GuardChange | None
    """Set if reguarded."""


class NameChange(Struct, frozen=True):
    """Names that conditions of one dataset test and those of the other do not."""

    added: tuple[str, ...]
    """Names that only the new one tests, sorted."""
    removed: tuple[str, ...]
    """Names that only the old one tests, sorted."""


class DiffCounts(Struct, frozen=True):
    """How many sites became what. `moved` to `reclassed` overlap, as one site can change in several ways."""

    added: int
    """Sites of the new dataset alone."""
    removed: int
    """Sites of the old dataset alone."""
    changed: int
    """Sites of both that are not the same."""
    moved: int
    """Of those, in another file or function."""
    reworded: int
    """Of those, with another fixed text."""
    revalued: int
    """Of those, with other values in the same fixed text."""
    reguarded: int
    """Of those, under other conditions."""
    reclassed: int
    """Of those, of another exception class."""
    unchanged: int
    """Sites of both that are the same but for their line."""


class Diff(Struct, frozen=True, rename="camel"):
    """All that two datasets differ in. Lists stand in record order of the dataset they are from."""

    schema_version: int
    """Always 1."""
    old: DiffSide
    """The dataset before."""
    new: DiffSide
    """The dataset after."""
    counts: DiffCounts
    """Sizes of the lists, by kind."""
    added: tuple[Site, ...]
    """Sites of the new dataset alone."""
    removed: tuple[Site, ...]
    """Sites of the old dataset alone."""
    changed: tuple[Change, ...]
    """Sites of both, in the order of the new dataset."""
    options: NameChange | None
    """Command line options in conditions; null if a dataset does not list what its conditions read."""
    environment: NameChange | None
    """Environment variables in conditions; null as for options."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.added or self.removed or self.changed)
