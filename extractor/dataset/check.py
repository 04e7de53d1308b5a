"""Whether a dataset is what it says: every file, line and cross-reference (`extractor check`).

This reads what is on disk as any outside reader would, JSON by JSON, and computes anew what can be computed.
Questions about single rows stand in `check_rows.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import orjson
from msgspec import Struct

from extractor.dataset import check_rows, layout, schema
from extractor.dataset.check_rows import Row
from extractor.dataset.folder import DatasetError, Folder, ReplacedError, consistently
from extractor.dataset.write import index_row
from extractor.model.record import Record, SiteRow
from extractor.words import build as build_words


class Problem(Struct, frozen=True):
    """One thing that is wrong with a dataset."""

    where: str
    """File of the dataset, with `:line` where a line is meant."""
    what: str
    """What is wrong, in one line."""


def check(path: Path) -> tuple[Problem, ...]:
    """Return everything wrong with the dataset at `path`; nothing if it is sound.

    Checked: each part against its schema; lengths and digests; that no file is missing or too many; ids, aliases and
    slugs computed anew; order; that records, sites, index and API files agree; counts; patterns; excerpts and links.
    Raises `DatasetError` where there is no dataset to check.
    """
    return consistently(path, _check)


def _check(folder: Folder) -> tuple[Problem, ...]:
    problems = tuple(_problems(folder))
    if problems and folder.gone():
        raise ReplacedError.damaged(folder.path, "the folder", "was replaced while it was checked")
    return problems


def _problems(folder: Folder) -> Iterator[Problem]:
    manifest = _manifest(folder)
    fault = schema.fault("manifest.v2", manifest)
    if fault is not None:
        yield Problem(layout.MANIFEST, fault)
        return  # nothing can be compared with a manifest that is none
    yield from _files(folder, manifest["files"])
    records, faulty = _rows(folder, layout.RECORDS, "record.v2")
    sites, more = _rows(folder, layout.SITES, "site.v1")
    yield from faulty + more
    if not faulty and not more:  # rows that do not fit their schema cannot be compared either
        yield from _together(manifest, records, sites)
        yield from _derived(folder, manifest, records, sites)


def _manifest(folder: Folder) -> dict[str, Any]:
    try:
        data = folder.read(layout.MANIFEST)
    except FileNotFoundError:
        raise DatasetError.foreign(folder.path, f"it holds no {layout.MANIFEST}") from None
    if not layout.is_manifest(data):
        raise DatasetError.foreign(folder.path, f"its {layout.MANIFEST} is not one of ours")
    manifest: dict[str, Any] = orjson.loads(data)
    return manifest


def _rows(folder: Folder, name: str, kind: schema.Name) -> tuple[list[Row], list[Problem]]:
    """Return the decoded lines of a file, and the lines that do not fit the schema."""
    try:
        rows = [orjson.loads(line) for line in folder.read(name).splitlines()]
    except (OSError, orjson.JSONDecodeError) as error:
        return [], [Problem(name, _reason(error))]
    faults = ((number, schema.fault(kind, row)) for number, row in enumerate(rows, 1))
    return rows, [Problem(f"{name}:{number}", fault) for number, fault in faults if fault is not None]


def _files(folder: Folder, listed: dict[str, dict[str, Any]]) -> Iterator[Problem]:
    there = {name for name in folder.names(".") if name != layout.API}
    there |= {f"{layout.API}/{name}" for name in folder.names(layout.API) if name != "errors"}
    there |= {f"{layout.API_ERRORS}/{name}" for name in folder.names(layout.API_ERRORS)}
    for name in sorted(there - listed.keys() - {layout.MANIFEST}):
        yield Problem(ascii(name)[1:-1], "is not listed in the manifest")
    for name, entry in listed.items():
        try:
            data = folder.read(name)
        except OSError as error:
            yield Problem(name, _reason(error))
            continue
        if len(data) != entry["bytes"]:
            yield Problem(name, f"has {len(data)} bytes, the manifest says {entry['bytes']}")
        elif sha256(data).hexdigest() != entry["sha256"]:
            yield Problem(name, "has another digest than the manifest says")


def _together(manifest: Row, records: list[Row], sites: list[Row]) -> Iterator[Problem]:
    """Compare records and sites as two lists, and both with the manifest."""
    counts = manifest["counts"]
    resolutions = Counter(site["message"]["resolution"] for site in sites)
    files = counts["files"]
    for what, said, found in (
        ("counts/records", counts["records"], len(records)),
        ("counts/sites", counts["sites"], len(sites)),
        ("counts/files/skipped", files["skipped"], len(manifest["skipped"])),
        ("counts/files/seen", files["seen"], files["scanned"] + files["skipped"] + files["leftOut"]),
        *((f"counts/messages/{name}", said, resolutions[name]) for name, said in counts["messages"].items()),
    ):
        if said != found:
            yield Problem(layout.MANIFEST, f"{what} is {said}, the files have {found}")
    if len(records) != len(sites):
        yield Problem(layout.SITES, f"has {len(sites)} lines for {len(records)} records")
        return
    yield from (
        Problem(f"{layout.RECORDS}:{line}", what) for line, what in check_rows.names(manifest["repo"], records, sites)
    )
    for line, (record, site) in enumerate(zip(records, sites, strict=True), 1):
        for what in check_rows.faults(manifest, record, site):
            yield Problem(f"{layout.RECORDS}:{line}", what)
    for line, what in check_rows.disorder(sites):
        yield Problem(f"{layout.SITES}:{line}", what)


def _derived(folder: Folder, manifest: Row, records: list[Row], sites: list[Row]) -> Iterator[Problem]:
    """Look at what is made from records and sites: the index and the API payloads."""
    if len(records) == len(sites):
        yield from _index(folder, manifest, records, sites)
    expected = {layout.api_file(record["id"]): record for record in records}
    for name in sorted(manifest["files"].keys() - expected.keys() - {layout.RECORDS, layout.SITES, layout.INDEX}):
        yield Problem(name, "belongs to no record")
    for name, record in expected.items():
        try:
            payload = orjson.loads(folder.read(name))
        except (OSError, orjson.JSONDecodeError) as error:
            yield Problem(name, _reason(error))
            continue
        # A payload that equals its record needs no second look at the record's schema.
        if payload != {"record": record, "datasetVersion": manifest["datasetVersion"]}:
            yield Problem(name, schema.fault("api-error.v2", payload) or "is not the record of records.jsonl")


def _index(folder: Folder, manifest: Row, records: list[Row], sites: list[Row]) -> Iterator[Problem]:
    try:
        index = orjson.loads(folder.read(layout.INDEX))
    except (OSError, orjson.JSONDecodeError) as error:
        yield Problem(layout.INDEX, _reason(error))
        return
    fault = schema.fault("index.v1", index)
    if fault is not None:
        yield Problem(layout.INDEX, fault)
        return
    for key in ("datasetVersion", "repo", "sha"):
        if index[key] != manifest[key]:
            yield Problem(layout.INDEX, f"{key} is not that of the manifest")
    rows = [
        orjson.loads(msgspec.json.encode(index_row(msgspec.convert(record, Record), msgspec.convert(site, SiteRow))))
        for record, site in zip(records, sites, strict=True)
    ]
    if len(rows) != len(index["errors"]):
        yield Problem(layout.INDEX, f"has {len(index['errors'])} rows for {len(rows)} records")
        return
    for number, (row, found) in enumerate(zip(rows, index["errors"], strict=True)):
        if row != found:
            yield Problem(layout.INDEX, f"errors/{number} is not what its record and site say")
    if index["words"] != build_words(row["patterns"] for row in rows):
        yield Problem(layout.INDEX, "words is not what its rows say")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "is missing"
    return f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"
