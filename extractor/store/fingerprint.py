"""What decides how a blob is read. Whoever reads a blob the same way comes to the same facts."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

import msgspec

from extractor.model.facts import ScanOptions

_PACKAGE = Path(__file__).parents[1]
_READERS = ("scan", "model/facts.py", "model/index.py", "sandbox.py")
"""Files and folders of the package whose text decides what is read from a blob, and in which form it is stored."""


def fingerprint(function: str, options: ScanOptions) -> bytes:
    """Return a digest of the reading code, the Python and LibCST that run it, the function called and its options."""
    taken = hashlib.blake2b(digest_size=16)
    for part in (_code(), sys.version.encode(), function.encode(), msgspec.msgpack.encode(options)):
        taken.update(len(part).to_bytes(8, "big") + part)
    return taken.digest()


@cache
def _code() -> bytes:
    taken = hashlib.blake2b()
    for path in (*_sources(), *_libcst_version()):
        text = path.read_bytes()
        taken.update(f"{path.name}\0{len(text)}\0".encode() + text)
    return taken.digest()


def _sources() -> list[Path]:
    roots = [_PACKAGE / reader for reader in _READERS]
    return [path for root in roots for path in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]


def _libcst_version() -> list[Path]:
    """Return the file in which LibCST notes its version.

    Importing LibCST costs 0.16 s of CPU time and `importlib.metadata` 0.05 s, where a whole warm run takes about one
    second.
    """
    spec = PathFinder.find_spec("libcst")
    if spec is None or spec.origin is None:
        return []
    noted = Path(spec.origin).with_name("_version.py")
    return [noted if noted.exists() else Path(spec.origin)]
