"""What a name, attribute or constant item stands for, as seen from one region."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from extractor.model.facts import ConstantRef, Placeholder, Text
from extractor.scan.access import Path, path_of
from extractor.scan.names import FileNames, import_ref
from extractor.scan.region import Binding, Region
from extractor.scan.state import RegionStates
from extractor.scan.text import Source
from extractor.scan.texts import Known, concat, either, value

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
        if isinstance(node, ast.Name):
            constant = self._constant(node.id)
            return constant.elts if isinstance(constant, ast.Tuple) else []  # a list may be changed, by other files too
        return node.elts if isinstance(node, (ast.Tuple, ast.List)) else []

    def ref(self, node: ast.expr) -> ConstantRef | None:
        """Return where an imported name comes from, for the link stage to look up."""
        path = path_of(node)
        if path is None or any(step.startswith("[") for step in path) or not self.is_imported(path[0]):
            return None
        full = self._names.canonical(path, self._region)
        name = "".join(full[1:]).lstrip(".") if full is not None else ""
        return ConstantRef(full[0], name) if full is not None and name else None

    def is_imported(self, name: str) -> bool:
        """Tell whether a name is bound, and by imports only."""
        bindings = self._names.scope_of(name, self._region).bindings.get(name, ())
        return bool(bindings) and all(isinstance(each.node, (ast.Import, ast.ImportFrom)) for each in bindings)

    def is_standard(self, path: Path) -> bool:
        """Tell whether a function is the builtin or imported one that its name says, not one of this file."""
        return self._names.canonical(path, self._region) is not None

    def _constant(self, name: str) -> ast.expr | None:
        """Return the value of a name that keeps one value, and that no function around binds."""
        return self._names.constants.module.get(name) if not self._names.is_local(name, self._region) else None

    def _name(self, name: str, at: ast.AST, strings: Strings) -> Known | None:
        scope = self._names.scope_of(name, self._region)
        if name in self._region.hidden or name in self._names.constants.rebound:
            return None
        if scope is self._names.module:
            return self._outside(self._names.constants.module.get(name), strings)
        if self._region.is_local(name):
            return self._local(name, at, strings)
        bindings = scope.bindings.get(name, [])
        single = bindings[0] if len(bindings) == 1 and name not in scope.parameters else None
        return self._outside(single.value, strings, scope) if single is not None and single.kind == "value" else None

    def _attribute(self, node: ast.Attribute, strings: Strings) -> Known | None:
        path = path_of(node)
        if path is None or len(path) != 2:
            return None
        instance = self._names.self_class(path[0], self._region)
        owner = instance or self._names.class_named(path[0], self._region)
        if owner is None:
            return None
        value = self._names.constants.of_class(owner, node.attr, through_instance=instance is not None)
        return self._outside(value, strings)

    def _item(self, node: ast.Subscript, at: ast.AST, strings: Strings) -> Known | None:
        """Look a constant key up in a dictionary display, or in a module-level one that nothing changes."""
        table: ast.expr | None = node.value
        name = table.id if isinstance(table, ast.Name) else None
        if name is not None:
            table = self._constant(name)
        if not isinstance(table, ast.Dict) or not isinstance(node.slice, ast.Constant):
            return None
        if not all(isinstance(key, ast.Constant) for key in table.keys):
            return None  # `**other`, or a key that is worked out, may be the one
        if name is not None and name in self._names.constants.changed:
            return None
        for key, entry in zip(reversed(table.keys), reversed(table.values), strict=True):
            if isinstance(key, ast.Constant) and key.value == node.slice.value:
                return self._outside(entry, strings) if name is not None else strings.text(entry, at)
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
        found = [self._reached(name, each, strings) for each in self._reaching(name, at)]
        if not found or all(text.bare and not _has_ref(text) for each in found for text in each.texts):
            return None
        merged = either(found)
        return replace(merged, elsewhere=True) if merged is not None else None

    def _reaching(self, name: str, at: ast.AST) -> list[Binding | None]:
        """Return the bindings that reach `at`, None for a parameter's value; where the name is unbound, none."""
        reaching = self._states.definitions_at(at, name) if self._states is not None else None
        bound = [each for each in reaching or () if each is None or each.kind != "deleted"]
        return bound if name in self._region.parameters else [each for each in bound if each is not None]

    def _reached(self, name: str, binding: Binding | None, strings: Strings) -> Known:
        known = self._bound(name, binding, strings) if binding is not None else None
        return known or value(Placeholder(name, ref=_local_ref(name, binding)))

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
        reaching = self._reaching(name, binding.node)
        first = [each for each in reaching if each not in self._active]
        added = strings.field(more, binding.node, Placeholder(strings.source(more)))
        start = either([self._before(name, each, strings) for each in first]) if first else None
        if start is None or (all(text.bare for text in start.texts) and all(text.bare for text in added.texts)):
            return None
        if len(first) < len(reaching):
            looped = concat([start, value(Placeholder(name))])
            return replace(looped, exact=False) if looped is not None else None
        return concat([start, added])

    def _before(self, name: str, binding: Binding | None, strings: Strings) -> Known:
        """Return what stood in a name before something was added; a value of its own where that is not known."""
        known = self._bound(name, binding, strings) if binding is not None else None
        if known is None and binding is not None and binding.kind == "value" and binding.value is not None:
            return value(Placeholder(strings.source(binding.value)))
        return known or value(Placeholder(name))


def _local_ref(name: str, binding: Binding | None) -> ConstantRef | None:
    if binding is None or not isinstance(binding.node, (ast.Import, ast.ImportFrom)):
        return None
    ref = import_ref(binding.node, name)
    return ref if ref is not None and ref.name else None


def _has_ref(text: Text) -> bool:
    return any(each.ref is not None for each in text.placeholders)
