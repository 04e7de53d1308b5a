"""Which names of a module or class body keep one value: bound exactly once, by an assignment, and changed nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from extractor.scan.access import MUTATORS, path_of, statements
from extractor.scan.region import FUNCTIONS

MAX_CONSTANT = 2000
"""Longest text, in characters, that is kept as a constant; longer ones are prompts or kernels, not messages."""

_ENUM_BASES = ("Enum", "Flag")
_SET_ATTRIBUTE = re.compile(r"\.(\w+)\s*(?::[^=\n]+)?[-+*/|&^%]?=(?!=)")
# Each starts with a literal, which the regular expression engine finds fast.
_REBINDING = tuple(re.compile(rf"{word}[ \t\\]+[^\W\d]\w*\s*(?:[,;#\n\\]|$)") for word in ("global", "nonlocal"))


def single_values(body: list[ast.stmt], *, fields: bool = True) -> dict[str, ast.expr]:
    """Return the names that a module or class body binds exactly once, with their values.

    Without `fields`, an annotated name counts only if it is a `ClassVar` or `Final`: others are fields with a default
    (PEP 557), which each instance may have another value of.
    """
    found: dict[str, ast.expr | None] = {}
    for node in body:
        for name, value in _bindings(node, fields=fields):
            found[name] = None if name in found else value
    return {name: value for name, value in found.items() if value is not None}


def _bindings(node: ast.stmt, *, fields: bool) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(node, ast.Assign):
        plain = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        for name in stored_names(node.targets):
            yield name, node.value if plain else None
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None and isinstance(node.target, ast.Name):
            yield node.target.id, node.value if fields or _is_constant_annotation(node.annotation) else None
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name, None
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], None
    else:
        for name in stored_names([node]):
            yield name, None


def stored_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Return every name that is bound or deleted below some nodes, functions' own bodies left out."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
        elif not isinstance(node, ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))


def _is_constant_annotation(annotation: ast.expr) -> bool:
    path = path_of(annotation.value if isinstance(annotation, ast.Subscript) else annotation)
    return path is not None and path[-1].lstrip(".") in ("ClassVar", "Final")


class Constants:
    """The constants of one file."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        """Take the tree; each table is made when first asked for."""
        self._tree = tree
        self._text = text

    @cached_property
    def module(self) -> dict[str, ast.expr]:
        """Names of the module that keep one value."""
        values = single_values(self._tree.body)
        return {name: value for name, value in values.items() if name not in self.rebound}

    @cached_property
    def rebound(self) -> frozenset[str]:
        """Names that some function declares `global` or `nonlocal`, to bind them from inside."""
        if not any(pattern.search(self._text) for pattern in _REBINDING):
            return frozenset()
        nodes = (node for node in statements(self._tree) if isinstance(node, (ast.Global, ast.Nonlocal)))
        return frozenset(name for node in nodes for name in node.names)

    @cached_property
    def changed(self) -> frozenset[str]:
        """Names whose object the file changes in place: an item is set or deleted, or a mutating method is called."""
        found: set[str] = set()
        for node in ast.walk(self._tree):
            owner: ast.expr | None = None
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                owner = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
                owner = node.func.value
            elif isinstance(node, ast.AugAssign):
                owner = node.target
            path = path_of(owner) if owner is not None else None
            if path is not None:
                found.add(path[0])
        return frozenset(found)

    def of_class(self, owner: ast.ClassDef, name: str, *, through_instance: bool) -> ast.expr | None:
        """Return the value of a class attribute that the file sets nowhere else, None for any other.

        The members of an enumeration print as such, not as their values. Through an instance, any attribute may be one
        that a subclass overrides; only an upper-case name, which PEP 8 keeps for constants, is taken for one, and
        only if no other class of the file has it too.
        """
        if through_instance and not name.isupper():
            return None
        value = single_values(owner.body, fields=not through_instance).get(name)
        if value is None or self.is_enum(owner) or name in self._set_attributes:
            return None
        return None if through_instance and self._classes_with(name) > 1 else value

    def is_enum(self, owner: ast.ClassDef, depth: int = 0) -> bool:
        """Tell whether a class is an enumeration, by the names of its bases in this file."""
        for base in owner.bases:
            path = path_of(base)
            name = path[-1].lstrip(".") if path is not None else ""
            if name.endswith(_ENUM_BASES):
                return True
            if depth < 8 and any(self.is_enum(each, depth + 1) for each in self._classes.get(name, ())):
                return True
        return False

    @cached_property
    def _classes(self) -> dict[str, list[ast.ClassDef]]:
        found: dict[str, list[ast.ClassDef]] = {}
        for node in statements(self._tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
        return found

    def _classes_with(self, name: str) -> int:
        every = (each for classes in self._classes.values() for each in classes)
        return sum(name in stored_names(each.body) for each in every)

    @cached_property
    def _set_attributes(self) -> frozenset[str]:
        """Attribute names that are set or deleted anywhere in the file, `setattr` with a constant name included."""
        found: set[str] = set()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                found.add(node.attr)
            elif isinstance(node, ast.Call) and path_of(node.func) in (("setattr",), ("delattr",)):
                found.update(str(each.value) for each in node.args[1:2] if isinstance(each, ast.Constant))
        return frozenset(found)

    def texts(self) -> dict[str, str]:
        """Return the texts that other files may import: `NAME`, and `Class.NAME` of classes that are no enum."""
        values = dict(self.module)
        set_attributes: set[str] | None = None
        for node in self._tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            texts = [(name, value) for name, value in single_values(node.body).items() if _is_text(value)]
            if texts and not self.is_enum(node):
                if set_attributes is None:
                    set_attributes = set(_SET_ATTRIBUTE.findall(self._text))
                values.update((f"{node.name}.{name}", value) for name, value in texts if name not in set_attributes)
        return {
            name: value.value
            for name, value in values.items()
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and len(value.value) <= MAX_CONSTANT
        }


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
