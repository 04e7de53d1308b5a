"""Where things stand in a dataset's folder, and how it is told from any other folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

import orjson

from extractor.store.files import OutputError

MANIFEST = "manifest.json"
RECORDS = "records.jsonl"
SITES = "sites.jsonl"
INDEX = "index.json"
API = "api"
API_ERRORS = "api/errors"
TOOL = "extractor"

_TOP = frozenset({MANIFEST, RECORDS, SITES, INDEX, API})
_API_FILE = re.compile(r"[0-9a-f]{16}\.json\Z")


def api_file(record_id: str) -> str:
    """Return the path of a record's API payload."""
    return f"{API_ERRORS}/{record_id}.json"


def is_manifest(data: bytes) -> bool:
    """Return whether these bytes are a manifest that this program wrote, of whatever version."""
    try:
        return bool(orjson.loads(data)["tool"]["name"] == TOOL)
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def accept(folder: Path) -> None:
    """Raise `OutputError` unless `folder` is empty or a dataset and nothing else: replacing it must lose nothing."""
    if not folder.is_dir():
        raise OutputError.foreign(folder, "is not a folder")
    held = _names(folder)
    if not held:
        return
    if MANIFEST not in held or not _holds_manifest(folder / MANIFEST):
        raise OutputError.foreign(folder, "holds something other than a dataset")
    strange = sorted(held - _TOP) or _strange_below(folder)
    if strange:
        raise OutputError.foreign(folder, f"is a dataset, but also holds {strange[0]!a}, which is not part of it")


def _names(folder: Path) -> set[str]:
    with os.scandir(folder) as entries:
        return {entry.name for entry in entries}


def _holds_manifest(path: Path) -> bool:
    try:
        return is_manifest(path.read_bytes())
    except OSError:
        return False


def _strange_below(folder: Path) -> list[str]:
    api = folder / API
    if not api.is_dir():
        return []
    strange = [f"{API}/{name}" for name in _names(api) if name != "errors"]
    errors = api / "errors"
    if errors.is_dir():
        strange += [f"{API_ERRORS}/{name}" for name in _names(errors) if not _API_FILE.match(name)]
    return sorted(strange)
