"""What names mean at module level: wanted exception classes, constants, imports, `NoReturn` functions."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cached_property

from extractor.model.facts import ConstantRef, ScanOptions
from extractor.scan.access import path_of
from extractor.scan.leaving import SWALLOWING, context_name, declared_noreturn
from extractor.scan.region import FUNCTIONS, Binding, Region, region_of
from extractor.scan.swallowing import swallowing_names
from extractor.scan.text import Source


class FileNames:
    """Looks up names at module and class level of one file."""

    def __init__(self, tree: ast.Module, source: Source, options: ScanOptions) -> None:
        """Read the module level of `tree` once."""
        self._tree = tree
        self._source = source
        self.module: Region = region_of(tree)
        self._wanted = {name.rpartition(".")[2]: name for name in options.exceptions}

    def wanted(self, node: ast.expr, region: Region) -> str | None:
        """Return the class name if an expression names a wanted exception class, as seen from `region`."""
        path = path_of(node)
        if path is None:
            return None
        name = path[-1].lstrip(".")
        if len(path) == 1:
            return None if _is_local(region, name) else self._wanted_names.get(name)
        if name not in self._wanted or _is_local(region, path[0]):
            return None
        if hasattr(builtins, name):
            return name if path[0] in self._builtins_modules and len(path) == 2 else None
        return name

    @cached_property
    def words(self) -> frozenset[str]:
        """Names whose presence in a function's text makes a site possible."""
        return frozenset(self._wanted) | frozenset(self._wanted_names) | frozenset(self.instances)

    @cached_property
    def _builtins_modules(self) -> frozenset[str]:
        return frozenset(name for name, ref in self.imports.items() if ref == ConstantRef("builtins", ""))

    @cached_property
    def _wanted_names(self) -> dict[str, str]:
        """Names at module level that are bound to a wanted class on every way, with the class's own name."""
        found = {name: name for name in self._wanted if name not in self.module.bindings or not hasattr(builtins, name)}
        for name, bindings in self.module.bindings.items():
            classes = {self._class_bound(binding, name, found) for binding in bindings}
            if len(classes) == 1 and (only := classes.pop()) is not None:
                found[name] = only
        return found

    def _class_bound(self, binding: Binding, name: str, found: dict[str, str]) -> str | None:
        if isinstance(binding.node, ast.ImportFrom):
            original = next(alias.name for alias in binding.node.names if (alias.asname or alias.name) == name)
            builtin = hasattr(builtins, original)
            if original in self._wanted and (not builtin or binding.node.module == "builtins"):
                return original
        elif isinstance(binding.node, ast.ClassDef) and name in self._wanted and not hasattr(builtins, name):
            return name
        elif binding.kind == "value" and binding.value is not None:
            path = path_of(binding.value)
            if path is not None and len(path) == 1:
                return found.get(path[0])
            if path is not None and len(path) == 2 and path[0] in self._builtins_modules:
                return path[1].lstrip(".") if path[1].lstrip(".") in self._wanted else None
        return None

    @cached_property
    def instances(self) -> dict[str, ast.expr]:
        """Module-level names bound once to an instance of a wanted class."""
        found: dict[str, ast.expr] = {}
        for name, bindings in self.module.bindings.items():
            value = bindings[0].value if len(bindings) == 1 else None
            if isinstance(value, ast.Call) and self.wanted(value.func, self.module):
                found[name] = value
        return found

    @cached_property
    def imports(self) -> dict[str, ConstantRef]:
        """Module-level names bound by imports only; an empty `name` stands for the module itself."""
        found: dict[str, ConstantRef] = {}
        for name, bindings in self.module.bindings.items():
            node = bindings[0].node
            if len(bindings) == 1 and isinstance(node, (ast.Import, ast.ImportFrom)):
                ref = import_ref(node, name)
                if ref is not None:
                    found[name] = ref
        return found

    def constant(self, name: str, region: Region | None = None) -> ast.expr | None:
        """Return the value of a name of `region` (default: the module) that is bound exactly once."""
        region = region or self.module
        bindings = region.bindings.get(name, ())
        if len(bindings) != 1 or bindings[0].kind != "value" or name in region.parameters:
            return None
        if re.search(rf"^[ \t]+(?:global|nonlocal)\b.*\b{re.escape(name)}\b", self._source.text, re.MULTILINE):
            return None
        return bindings[0].value

    def class_named(self, name: str) -> ast.ClassDef | None:
        """Return the module-level class of that name, if the name is bound once."""
        bindings = self.module.bindings.get(name, ())
        node = bindings[0].node if len(bindings) == 1 else None
        return node if isinstance(node, ast.ClassDef) else None

    def class_constant(self, owner: ast.ClassDef, name: str, *, through_instance: bool) -> ast.expr | None:
        """Return the value of a class attribute bound once in the class body and set nowhere in the file.

        Through an instance, an annotated attribute is a field with a default (PEP 557), and any attribute may be one
        that a subclass overrides; only an upper-case name, which PEP 8 keeps for constants, is taken for one.
        """
        if through_instance and not name.isupper():
            return None
        values = [value for each, value in class_values(owner, fields=not through_instance) if each == name]
        if len(values) != 1 or re.search(rf"\.{re.escape(name)}\s*[+|&-]?=[^=]", self._source.text):
            return None
        return values[0]

    @cached_property
    def _noreturn_names(self) -> frozenset[str]:
        if not ("NoReturn" in self._source.text or "Never" in self._source.text):
            return frozenset()
        nodes = (node for node in ast.walk(self._tree) if isinstance(node, FUNCTIONS))
        return frozenset(node.name for node in nodes if declared_noreturn(node))

    def noreturn(self, call: ast.Call) -> bool:
        """Tell whether a call is of a function or method of this file that is declared never to return."""
        path = path_of(call.func)
        if path is None or not self._noreturn_names:
            return False
        if len(path) == 2 and path[0] not in ("self", "cls"):
            return False
        return len(path) <= 2 and path[-1].lstrip(".") in self._noreturn_names

    @cached_property
    def _swallowing_names(self) -> frozenset[str]:
        return SWALLOWING | swallowing_names(self._tree, self._source.text)

    def swallows(self, context: ast.expr) -> bool:
        """Tell whether a context manager is known to swallow exceptions: by its name, or by its code in this file."""
        return context_name(context) in self._swallowing_names


def _is_local(region: Region | None, name: str) -> bool:
    while region is not None and not isinstance(region.node, ast.Module):
        if region.is_local(name):
            return True
        if name in region.declared:
            return False
        region = region.outer
    return False


def import_ref(node: ast.Import | ast.ImportFrom, name: str) -> ConstantRef | None:
    """Return what an import binds `name` to; an empty `name` in the result stands for the module itself."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if (alias.asname or alias.name) == name:
                return ConstantRef("." * node.level + (node.module or ""), alias.name)
        elif alias.asname == name or (alias.asname is None and alias.name == name):
            return ConstantRef(alias.name, "")
    return None


def class_values(owner: ast.ClassDef, *, fields: bool = True) -> list[tuple[str, ast.expr]]:
    """Return the assignments of a class body; without `fields`, annotated ones only if `ClassVar` or `Final`."""
    found: list[tuple[str, ast.expr]] = []
    for node in owner.body:
        if isinstance(node, ast.Assign):
            found.extend((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif (
            isinstance(node, ast.AnnAssign)
            and node.value is not None
            and isinstance(node.target, ast.Name)
            and (fields or _is_constant_annotation(node.annotation))
        ):
            found.append((node.target.id, node.value))
    return found


def _is_constant_annotation(annotation: ast.expr) -> bool:
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    path = path_of(annotation)
    return path is not None and path[-1].lstrip(".") in ("ClassVar", "Final")


MAX_CONSTANT = 2000
"""Longest text, in characters, that is kept as a constant; longer ones are prompts or kernels, not messages."""


def string_constants(tree: ast.Module) -> dict[str, str]:
    """Return module-level and class-level names bound exactly once, to a text (`NAME`, `Class.NAME`)."""
    values: dict[str, ast.expr | None] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for name, value in class_values(node):
                key = f"{node.name}.{name}"
                values[key] = None if key in values else value
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    values[target.id] = None if target.id in values else node.value
    return {
        name: value.value
        for name, value in values.items()
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and len(value.value) <= MAX_CONSTANT
    }
