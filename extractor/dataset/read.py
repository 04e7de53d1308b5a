"""A dataset on disk as typed values, for whoever shows, matches, compares or publishes it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
import orjson
from msgspec import Struct

from extractor.dataset import layout
from extractor.dataset.folder import DatasetError, Folder, consistently
from extractor.model.dataset import Index, Manifest
from extractor.model.record import Record, SiteRow

_T = TypeVar("_T")
_VERSION = 2
_SHORTEST_PREFIX = 4


class Dataset(Struct, frozen=True):
    """A whole dataset in memory."""

    manifest: Manifest
    """What was scanned and how."""
    records: tuple[Record, ...]
    """In record order."""
    sites: tuple[SiteRow, ...]
    """The facts of each record, in the same order."""


def read(path: Path) -> Dataset:
    """Return the dataset in the folder `path`, its two main files compared with the digests of the manifest.

    Raises `DatasetError` where there is none, or a damaged one, or one of another schema version.
    """
    return consistently(path, _read)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest alone. Raises `DatasetError`."""
    return consistently(path, manifest_of)


def read_index(path: Path) -> Index:
    """Return the compact rows alone: a tenth of the bytes. Raises `DatasetError`."""
    return consistently(path, _read_index)


def find(dataset: Dataset, key: str) -> tuple[Record, SiteRow]:
    """Return the record whose id, alias or slug is `key`, or whose id alone starts with it (four digits or more).

    Raises `DatasetError` where there is none, or several.
    """
    wanted = key.strip().lower()
    pairs = list(zip(dataset.records, dataset.sites, strict=True))
    for record, site in pairs:
        if wanted in (record.id, record.slug) or wanted in site.aliases:
            return record, site
    hits = [pair for pair in pairs if len(wanted) >= _SHORTEST_PREFIX and pair[0].id.startswith(wanted)]
    if len(hits) == 1:
        return hits[0]
    if hits:
        raise DatasetError(f"{len(hits)} ids start with {wanted!a}: give more digits")
    raise DatasetError(f"no record has the id or slug {key[:80]!a}: `extractor match` finds one by its message")


def manifest_of(folder: Folder) -> Manifest:
    """Return the manifest of an open folder. Raises `DatasetError`."""
    try:
        data = folder.read(layout.MANIFEST)
    except FileNotFoundError:
        raise DatasetError.foreign(folder.path, f"it holds no {layout.MANIFEST}") from None
    if not layout.is_manifest(data):
        raise DatasetError.foreign(folder.path, f"its {layout.MANIFEST} is not one of ours")
    version = orjson.loads(data).get("schemaVersion")
    if version != _VERSION:
        raise DatasetError.foreign(folder.path, f"schema version {version!a} instead of {_VERSION}")
    return _decode(folder, layout.MANIFEST, data, Manifest)


def _read(folder: Folder) -> Dataset:
    manifest = manifest_of(folder)
    records = _lines(folder, layout.RECORDS, manifest, Record)
    sites = _lines(folder, layout.SITES, manifest, SiteRow)
    if len(records) != len(sites):
        raise DatasetError.damaged(folder.path, layout.SITES, f"has {len(sites)} lines for {len(records)} records")
    return Dataset(manifest, records, sites)


def _read_index(folder: Folder) -> Index:
    return _decode(folder, layout.INDEX, listed(folder, layout.INDEX, manifest_of(folder)), Index)


def _lines(folder: Folder, name: str, manifest: Manifest, kind: type[_T]) -> tuple[_T, ...]:
    data = listed(folder, name, manifest)
    try:
        return tuple(msgspec.json.Decoder(kind).decode_lines(data))
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DatasetError.damaged(folder.path, name, f"cannot be read: {error}") from None


def listed(folder: Folder, name: str, manifest: Manifest) -> bytes:
    """Return a file of a dataset if it is the very one that the manifest lists; raises DatasetError."""
    try:
        data = folder.read(name)
    except FileNotFoundError:
        raise DatasetError.damaged(folder.path, name, "is missing") from None
    entry = manifest.files.get(name)
    if entry is None or len(data) != entry.bytes or sha256(data).hexdigest() != entry.sha256:
        raise DatasetError.damaged(folder.path, name, "is not the file that the manifest lists")
    return data


def _decode(folder: Folder, name: str, data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.Decoder(kind).decode(data)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DatasetError.damaged(folder.path, name, f"cannot be read: {error}") from None
