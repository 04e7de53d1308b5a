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
_READERS = {
    "scan": ("scan", "model/facts.py", "model/index.py", "sandbox.py"),
    "explain": ("explain", "excerpt.py", "expression.py", "identity.py", "model", "sandbox.py"),
}
"""For each stage whose outcomes are kept, files and folders of the package whose text decides what they are."""


def fingerprint(function: str, options: ScanOptions) -> bytes:
    """Return a digest of the reading code, the Python and LibCST that run it, the function called and its options."""
    taken = hashlib.blake2b(digest_size=16)
    for part in (_code(_stage(function)), sys.version.encode(), function.encode(), msgspec.msgpack.encode(options)):
        taken.update(len(part).to_bytes(8, "big") + part)
    return taken.digest()


def _stage(function: str) -> str:
    """Return the room of the package that a function stands in, empty for any other function."""
    package, _, rest = function.partition(".")
    room = rest.partition(":")[0].partition(".")[0]
    return room if package == _PACKAGE.name and room in _READERS else ""


@cache
def _code(stage: str) -> bytes:
    taken = hashlib.blake2b()
    for path in (*_sources(stage), *_libcst_version()):
        text = path.read_bytes()
        taken.update(f"{path.name}\0{len(text)}\0".encode() + text)
    return taken.digest()


def _sources(stage: str) -> list[Path]:
    roots = [_PACKAGE / reader for reader in _READERS.get(stage, ("",))]
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
