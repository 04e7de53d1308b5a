"""A dataset as the site needs it: a light row of every record for lists and search, and the raw lines for its page.

The raw lines go to the workers as they are, and into the API unchanged, so that nothing is encoded twice.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, field

from extractor.dataset import layout
from extractor.dataset.folder import DatasetError, Folder, consistently
from extractor.dataset.read import listed, manifest_of
from extractor.model.dataset import Manifest
from extractor.model.facts import Resolution
from extractor.publish.inputs import Caller, Input, RawInput, decode_inputs


class GuardFacts(Struct, frozen=True):
    """One guard, as in `sites.jsonl`."""

    kind: str
    line: int
    test: str
    holds: bool
    stale: bool = False


class PlaceholderFacts(Struct, frozen=True, rename="camel"):
    """One runtime value of a message."""

    expression: str


class TextFacts(Struct, frozen=True):
    """One possible text of a message."""

    template: str
    source: str = ""
    placeholders: tuple[PlaceholderFacts, ...] = ()


class MessageFacts(Struct, frozen=True):
    """The message of a site."""

    template: str
    resolution: Resolution
    source: str = ""
    placeholders: tuple[PlaceholderFacts, ...] = ()
    variants: tuple[TextFacts, ...] = ()


class Facts(Struct, frozen=True, rename="camel"):
    """What a page tells from `sites.jsonl`. The last three fields stand in newer datasets only."""

    id: str
    qualname: str
    line_number: int
    end_line_number: int
    column: int
    message: MessageFacts
    aliases: tuple[str, ...] = ()
    guards: tuple[GuardFacts, ...] = ()
    condition: str = ""
    surface: str = ""
    inputs: tuple[RawInput, ...] = ()
    callers: tuple[Caller, ...] = ()


class Head(Struct, frozen=True, rename="camel"):
    """The part of a record that lists and search show."""

    id: str
    slug: str
    error_message: str
    error_class: str
    error_type: str
    severity: str
    file_path: str
    line_number: int
    tags: tuple[str, ...]
    background_tag: str | None = None


class Row(Struct, frozen=True):
    """One error, without its prose and excerpt."""

    head: Head
    """From the record."""
    facts: Facts
    """From the site."""
    inputs: tuple[Input, ...]
    """Options, environment variables and fields that its guards test."""
    record: bytes = field(default=b"")
    """The record's line, as it stands in the dataset."""
    site: bytes = field(default=b"")
    """The site's line."""


class Source(Struct, frozen=True):
    """All that a site is made of."""

    manifest: Manifest
    """The manifest."""
    manifest_bytes: bytes
    """The same, as it stands in the dataset."""
    index_bytes: bytes
    """`index.json`, as it stands in the dataset."""
    rows: tuple[Row, ...]
    """In record order."""


def digest(path: Path) -> str:
    """Return what identifies the dataset at `path`: its manifest's hash. Raises `DatasetError`."""
    return consistently(path, lambda folder: sha256(_manifest(folder)).hexdigest())


def read(path: Path) -> Source:
    """Return the dataset at `path`, its files compared with the digests of the manifest. Raises `DatasetError`."""
    return consistently(path, _read)


def _read(folder: Folder) -> Source:
    manifest = manifest_of(folder)
    return Source(
        manifest=manifest,
        manifest_bytes=_manifest(folder),
        index_bytes=listed(folder, layout.INDEX, manifest),
        rows=_rows(folder, manifest),
    )


def _manifest(folder: Folder) -> bytes:
    manifest_of(folder)
    return folder.read(layout.MANIFEST)


def _rows(folder: Folder, manifest: Manifest) -> tuple[Row, ...]:
    records = listed(folder, layout.RECORDS, manifest).splitlines()
    sites = listed(folder, layout.SITES, manifest).splitlines()
    heads, facts = msgspec.json.Decoder(Head), msgspec.json.Decoder(Facts)
    if len(records) != len(sites):
        raise DatasetError.damaged(folder.path, layout.SITES, f"has {len(sites)} lines for {len(records)} records")
    try:
        pairs = [(heads.decode(r), facts.decode(s), r, s) for r, s in zip(records, sites, strict=True)]
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DatasetError.damaged(folder.path, "a line", f"cannot be read: {error}") from None
    return tuple(Row(head, site, decode_inputs(site.inputs), r, s) for head, site, r, s in pairs)
