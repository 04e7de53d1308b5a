"""The classes that one file defines, with their bases: what `--subclasses` follows before the scan itself."""

from __future__ import annotations

import ast

from extractor.model.facts import ClassFacts, ScanFailure, ScanOptions
from extractor.scan.access import path_of
from extractor.scan.parse import parse


def find_classes(data: bytes, options: ScanOptions) -> ClassFacts | ScanFailure:
    """Return each class of a file with the dotted names of its bases; `options` has the shape that workers expect."""
    del options
    if b"class" not in data:
        return ClassFacts(())
    parsed = parse(data)
    if isinstance(parsed, ScanFailure):
        return parsed
    found = [(node.name, _bases(node)) for node in ast.walk(parsed.tree) if isinstance(node, ast.ClassDef)]
    return ClassFacts(tuple((name, bases) for name, bases in found if bases))


def _bases(node: ast.ClassDef) -> tuple[str, ...]:
    paths = (path_of(base) for base in node.bases)
    return tuple("".join(path) for path in paths if path is not None)
