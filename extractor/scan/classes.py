"""The classes that one file defines, with their bases: what `--subclasses` follows before the scan itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from extractor.model.facts import ClassFacts, ScanFailure, ScanOptions
from extractor.scan.access import path_of, statements
from extractor.scan.parse import parse


def find_classes(data: bytes, options: ScanOptions) -> ClassFacts | ScanFailure:
    """Return each class of a file with the dotted names of its bases; `options` has the shape that workers expect."""
    del options
    if b"class" not in data:
        return ClassFacts(())
    parsed = parse(data)
    if isinstance(parsed, ScanFailure):
        return parsed
    aliases = dict(_aliases(parsed.tree))
    found = [(node.name, _bases(node, aliases)) for node in statements(parsed.tree) if isinstance(node, ast.ClassDef)]
    return ClassFacts(tuple((name, bases) for name, bases in found if bases))


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Return other names that the file gives things: `from a import B as C`, `C = B`."""
    for node in statements(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            path = path_of(node.value)
            if path is not None:
                yield node.targets[0].id, "".join(path)


def _bases(node: ast.ClassDef, aliases: dict[str, str]) -> tuple[str, ...]:
    paths = (path_of(base) for base in node.bases)
    return tuple(_original("".join(path), aliases) for path in paths if path is not None)


def _original(name: str, aliases: dict[str, str]) -> str:
    seen: set[str] = set()
    while name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
    return name
