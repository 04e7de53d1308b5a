"""What a dataset says of the few records of an answer, read without reading the rest.

A record stands alone in its API file. Its facts are a line of `sites.jsonl`, found by the id it begins with: decoding
all lines would take a second.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct

from extractor.errors import ExtractorError

Read = Callable[[str], bytes]
"""Returns a file of the dataset by its path there. Raises `OSError`."""
_SITES = "sites.jsonl"


class Record(Struct, frozen=True, rename="camel"):
    """The part of a record that an answer shows."""

    documentation: str
    """What the error means."""
    solutions: tuple[str, ...]
    """Most likely fix first."""
    github_url: str
    """Link to the source."""


class Placeholder(Struct, frozen=True):
    """One runtime value."""

    expression: str
    """Its source text."""


class Text(Struct, frozen=True):
    """One possible text of a message."""

    pattern: str
    """Its pattern, by which the index names it."""
    placeholders: tuple[Placeholder, ...]
    """The runtime values in order."""


class Message(Struct, frozen=True):
    """The message's possible texts."""

    pattern: str
    """Pattern of the first."""
    placeholders: tuple[Placeholder, ...]
    """Values of the first."""
    variants: tuple[Text, ...] = ()
    """All of them, where there are several."""


class Site(Struct, frozen=True):
    """The part of a site's facts that an answer shows."""

    message: Message
    """Its message."""
    condition: str
    """What must hold."""

    def expressions(self, pattern: str) -> tuple[str, ...]:
        """Return the source texts of the values of the text with this pattern."""
        texts = (Text(self.message.pattern, self.message.placeholders), *self.message.variants)
        found = next((text for text in texts if text.pattern == pattern), texts[0])
        return tuple(value.expression for value in found.placeholders)


class _Payload(Struct, frozen=True):
    record: Record


class MissingRecordError(ExtractorError):
    """The parts of a dataset do not belong together."""

    @classmethod
    def of(cls, record_id: str, name: str) -> MissingRecordError:
        """Name the record and the file that lacks it."""
        return cls(f"the dataset is damaged: {name} has no record {record_id}; run `extractor run` again")


class Details:
    """Records and facts by id."""

    def __init__(self, read: Read) -> None:
        """Read files of one dataset with `read`."""
        self._read = read
        self._sites = b""

    def record(self, record_id: str) -> Record:
        """Return a record. Raises `MissingRecordError`."""
        name = f"api/errors/{record_id}.json"
        try:
            return msgspec.json.decode(self._read(name), type=_Payload).record
        except (FileNotFoundError, msgspec.DecodeError):
            raise MissingRecordError.of(record_id, name) from None

    def site(self, record_id: str) -> Site:
        """Return the facts behind a record. Raises `MissingRecordError`."""
        self._sites = self._sites or self._read(_SITES)
        start = self._sites.find(b'{"id":"%s"' % record_id.encode())
        if start < 0:
            raise MissingRecordError.of(record_id, _SITES)
        end = self._sites.find(b"\n", start)
        try:
            return msgspec.json.decode(self._sites[start : end if end >= 0 else None], type=Site)
        except msgspec.DecodeError:
            raise MissingRecordError.of(record_id, _SITES) from None
