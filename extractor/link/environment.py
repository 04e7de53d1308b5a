"""The table of environment variables: registries first, reads anywhere else second."""

from __future__ import annotations

from extractor.expression import literal, parse
from extractor.link.constants import single_value
from extractor.link.tree import Tree
from extractor.model.index import EnvironmentUse
from extractor.model.linked import Variable

_TYPES = (
    ("bool", "bool"),
    ("flag", "bool"),
    ("int", "int"),
    ("float", "float"),
    ("tuple", "tuple"),
    ("list", "list"),
    ("path", "str"),
    ("str", "str"),
    ("json", "str"),
)
"""Parts of a reader's name, and the type that it gives."""


class Environment:
    """All environment variables of the tree, by name."""

    def __init__(self, tree: Tree) -> None:
        """Read every registry entry and every read of every file."""
        self.by_name: dict[str, Variable] = {}
        reads: list[tuple[str, str, EnvironmentUse]] = []
        for path, file in tree.files.items():
            for use in file.environment:
                name = use.name
                if use.constant:
                    value = single_value(tree, path, name)
                    known, found = literal(parse(value)) if value else (False, None)
                    if not known or not isinstance(found, str):
                        continue
                    name = found
                if use.declared:
                    self.by_name.setdefault(name, _variable(name, path, use, tree))
                else:
                    reads.append((name, path, use))
        for name, path, use in reads:
            self.by_name.setdefault(name, _variable(name, path, use, tree))


def _variable(name: str, path: str, use: EnvironmentUse, tree: Tree) -> Variable:
    via = use.via.rpartition(".")[2].lower()
    kind = next((kind for part, kind in _TYPES if part in via), "" if use.declared else "str")
    default = use.default if literal(parse(use.default))[0] else single_value(tree, path, use.default) or ""
    return Variable(name, kind, default, use.comment, use.declared, path, use.line)
