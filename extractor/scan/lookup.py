"""What a name, attribute or constant item stands for, as seen from one region."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from extractor.model.facts import ConstantRef, Placeholder, Text
from extractor.scan.access import path_of
from extractor.scan.names import FileNames, import_ref
from extractor.scan.region import Binding, Region
from extractor.scan.state import RegionStates
from extractor.scan.text import Source
from extractor.scan.texts import Known, concat, either, is_bare, value

if TYPE_CHECKING:
    from extractor.scan.strings import Strings


class Lookup:
    """Follows names to the texts they were given."""

    def __init__(self, source: Source, names: FileNames, region: Region, states: RegionStates | None) -> None:
        """Take a region and, if its local names are to be followed, its solved analysis."""
        self.source = source
        self._names = names
        self._region = region
        self._states = states
        self._active: list[Binding] = []

    def text(self, node: ast.Name | ast.Attribute | ast.Subscript, at: ast.AST, strings: Strings) -> Known | None:
        """Return the texts that an expression stands for at the statement `at`, None if they are not known."""
        if isinstance(node, ast.Name):
            return self._name(node.id, at, strings)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, strings)
        return self._item(node, at, strings)

    def elements(self, node: ast.expr) -> list[ast.expr]:
        """Return the elements of a tuple or list display, or of a module-level tuple; empty if they are not known."""
        if isinstance(node, ast.Name) and not self._is_local(node.id):
            constant = self._names.constant(node.id)
            return constant.elts if isinstance(constant, ast.Tuple) else []  # a list may have been changed since
        return node.elts if isinstance(node, (ast.Tuple, ast.List)) else []

    def ref(self, node: ast.expr) -> ConstantRef | None:
        """Return where an imported name comes from, for the link stage to look up."""
        path = path_of(node)
        if path is None or any(step.startswith("[") for step in path) or self._is_local(path[0]):
            return None
        imported = self._names.imports.get(path[0])
        if imported is None:
            return None
        name = "".join((imported.name, *path[1:])).lstrip(".")
        return ConstantRef(imported.module, name) if name else None

    def _name(self, name: str, at: ast.AST, strings: Strings) -> Known | None:
        if self._region.is_local(name):
            return self._local(name, at, strings)
        outer = self._region.outer
        while outer is not None:
            if outer.is_local(name):
                return self._outside(self._names.constant(name, outer), strings, outer)
            outer = outer.outer
        return self._outside(self._names.constant(name), strings)

    def _attribute(self, node: ast.Attribute, strings: Strings) -> Known | None:
        path = path_of(node)
        if path is None or len(path) != 2:
            return None
        instance = path[0] in ("self", "cls")
        owner = self._region.owner if instance else self._names.class_named(path[0])
        if owner is None:
            return None
        return self._outside(self._names.class_constant(owner, node.attr, through_instance=instance), strings)

    def _item(self, node: ast.Subscript, at: ast.AST, strings: Strings) -> Known | None:
        """Look a constant key up in a dictionary display, or in a module-level one."""
        table: ast.expr | None = node.value
        constant = isinstance(table, ast.Name) and not self._is_local(table.id)
        if isinstance(table, ast.Name) and constant:
            table = self._names.constant(table.id)
        if not isinstance(table, ast.Dict) or not isinstance(node.slice, ast.Constant):
            return None
        for key, entry in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == node.slice.value:
                return self._outside(entry, strings) if constant else strings.text(entry, at)
        return None

    def _outside(self, node: ast.expr | None, strings: Strings, region: Region | None = None) -> Known | None:
        """Evaluate an expression of another scope, whose own local names are runtime values."""
        if node is None:
            return None
        inner = strings.at(Lookup(self.source, self._names, region or self._names.module, None))
        known = inner.text(node, self._names.module.node)
        return replace(known, elsewhere=True) if known is not None else None

    def _local(self, name: str, at: ast.AST, strings: Strings) -> Known | None:
        """Join what the assignments that reach `at` give."""
        reaching = self._states.definitions_at(at, name) if self._states is not None else None
        found: list[Known] = []
        for binding in reaching or ():
            if (binding is None and name not in self._region.parameters) or (binding and binding.kind == "deleted"):
                continue  # unbound there: no message is made
            known = self._bound(name, binding, strings) if binding is not None else None
            found.append(known or value(Placeholder(name, ref=_local_ref(name, binding))))
        if not found or all(is_bare(text) and not _has_ref(text) for each in found for text in each.texts):
            return None
        merged = either(found)
        return replace(merged, elsewhere=True) if merged is not None else None

    def _bound(self, name: str, binding: Binding, strings: Strings) -> Known | None:
        if binding.value is None or binding in self._active:
            return None
        self._active.append(binding)
        try:
            if binding.kind == "value":
                return strings.text(binding.value, binding.node)
            return self._augmented(name, binding, binding.value, strings) if binding.kind == "augment" else None
        finally:
            self._active.pop()

    def _augmented(self, name: str, binding: Binding, more: ast.expr, strings: Strings) -> Known | None:
        """`name += more`: what was there before, and more; in a loop, nobody knows how often."""
        reaching = self._states.definitions_at(binding.node, name) if self._states is not None else None
        first = [each for each in reaching or () if each not in self._active]
        before = [self._bound(name, each, strings) if each is not None else None for each in first]
        known = [each for each in before if each is not None]
        start = either(known) if known and len(known) == len(before) else None
        if start is None or reaching is None:
            return None
        if len(first) < len(reaching):
            looped = concat([start, value(Placeholder(name))])
            return replace(looped, exact=False) if looped is not None else None
        return concat([start, strings.field(more, binding.node, Placeholder(strings.source(more)))])

    def _is_local(self, name: str) -> bool:
        region: Region | None = self._region
        while region is not None and not isinstance(region.node, ast.Module):
            if region.is_local(name):
                return True
            region = region.outer
        return False


def _local_ref(name: str, binding: Binding | None) -> ConstantRef | None:
    if binding is None or not isinstance(binding.node, (ast.Import, ast.ImportFrom)):
        return None
    ref = import_ref(binding.node, name)
    return ref if ref is not None and ref.name else None


def _has_ref(text: Text) -> bool:
    return any(each.ref is not None for each in text.placeholders)
