"""What `extractor match` answers: the records that a text comes from, how sure that is, and what else it tells of."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Sureness = Literal["sure", "likely", "similar", "possible"]
"""`sure`: text and traceback, or the text by itself, leave no other reading. `likely`: the best reading, something that
would decide is missing. `similar`: worded differently. `possible`: too little text to tell."""
Verdict = Literal["ours", "not-ours", "unknown"]


class Value(Struct, frozen=True):
    """One runtime value."""

    expression: str
    """Its source text in the raise statement."""
    value: str | None
    """As printed; null where its place in the message is missing."""


class Where(Struct, frozen=True):
    """A place in a source file."""

    path: str
    """Path in the repository, or as the traceback prints it."""
    line: int
    """1-based."""
    function: str
    """Qualified name in a dataset; bare name in a traceback, empty if it prints none."""


class Match(Struct, frozen=True, rename="camel"):
    """A record that the text may come from."""

    id: str
    """The record's id."""
    slug: str
    """Its slug."""
    sureness: Sureness
    """How sure it is."""
    score: int
    """For ordering within one text: fixed letters found, less what speaks against it, more for the traceback."""
    reasons: tuple[str, ...]
    """Why so sure, and why not more."""
    decides: str | None
    """What would show that it is this record and not the one before; null for the best of an event."""
    event: int
    """Place in `events`, from 0."""
    error_class: str
    """Class raised."""
    template: str
    """The message with `{}` for each value."""
    message: str
    """The message with the values filled in, `{}` where one is missing."""
    values: tuple[Value, ...]
    """The runtime values in order."""
    place: Where
    """The raise statement."""
    url: str
    """Link to the source."""
    condition: str
    """What must hold for the error, as Python."""
    condition_with_values: str
    """The same with the values of the message put in for their expressions."""
    solution: str | None
    """The most likely fix."""
    documentation: str
    """What the error means."""


class EventRow(Struct, frozen=True, rename="camel"):
    """One exception that the text tells of, or text outside of all of them that resembles a message."""

    error_class: str | None
    """Class that the text names; null if none."""
    message: str
    """Beginning of its message, at most 300 characters."""
    verdict: Verdict
    """`ours`: a record fits, surely or likely; `not-ours`: raised elsewhere; `unknown`: neither can be shown."""
    why: str | None
    """The reason of `not-ours`."""
    last: Where | None
    """Where its traceback ends; null without one."""
    speakers: tuple[str, ...]
    """Ranks or processes that printed it (`TP0 EP1`), at most 64."""
    count: int
    """How often it was printed; in a long log a lower bound."""


class Origin(Struct, frozen=True):
    """The dataset that was looked up."""

    repo: str
    """`owner/name`."""
    sha: str
    """The commit that was read."""
    version: str
    """`datasetVersion` of the manifest."""


class Answer(Struct, frozen=True, rename="camel"):
    """The whole answer."""

    schema_version: int
    """Always 1."""
    dataset: Origin
    """Where the records are from."""
    matches: tuple[Match, ...]
    """Best first; empty if nothing fits."""
    events: tuple[EventRow, ...]
    """What the text tells of, in its order."""
    unread: int
    """Pieces of a log that were not looked into, as it tells of more than 256 different events."""
