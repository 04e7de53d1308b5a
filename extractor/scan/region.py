"""The functions of a file that can raise, each with its tests, bindings and raise statements.

A region is one function body (nested functions are regions of their own), or the module with its class bodies. Guards
are told within a region (contract, section 5), so nothing outside it needs to be looked at closely.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from extractor.scan.access import assignment_expressions, bound, evaluated, pattern_names, statement_effects
from extractor.scan.flow import Decision
from extractor.scan.text import Source

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

MODULE = "<module>"
"""Qualified name of code outside any function or class (contract, section 5)."""

_RAISE = re.compile("raise")

BindingKind = Literal["value", "augment", "import", "deleted", "opaque"]


@dataclass(frozen=True, slots=True)
class Place:
    """One construct around a statement, and the way through it that leads there."""

    node: ast.stmt | ast.match_case
    """An `if`, loop, `try`, `match` …"""
    way: bool | int
    """True for a body, False for an `else`; the index of the `case` or handler."""
    outer: Place | None
    """The next construct outward."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One place where a name gets a value."""

    node: ast.AST
    """The statement, loop, handler or `case` that binds."""
    kind: BindingKind
    """What is known of the value."""
    value: ast.expr | None = None
    """The assigned (or added) expression, for `value` and `augment`."""
    certain: bool = True
    """Whether the binding surely happens when control comes to `node`; not so inside `a and (x := b)`."""


@dataclass(frozen=True, slots=True, eq=False)
class RaiseStatement:
    """One raise statement of a region."""

    node: ast.Raise
    """The statement."""
    place: Place | None
    """What is around it."""
    scope: str
    """Qualified name of the function or class body that it stands in."""
    class_bindings: dict[str, list[Binding]]
    """What the class body that it stands in binds; empty elsewhere."""


@dataclass(slots=True, eq=False)
class Region:
    """One function body, or the module."""

    node: FunctionNode | ast.Module
    """The function, or the module."""
    qualname: str
    """`Outer.method.inner`, or `<module>`."""
    owner: ast.ClassDef | None
    """The class whose method this is."""
    outer: Region | None
    """The function around this one."""
    decisions: list[Decision] = field(default_factory=list)
    """Tests, loop headers, cases and handlers in source order."""
    raises: list[RaiseStatement] = field(default_factory=list)
    """Raise statements in source order."""
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    """Where each local name gets a value, in source order."""
    parameters: frozenset[str] = frozenset()
    """Names of the function's parameters."""
    declared: set[str] = field(default_factory=set)
    """Names under `global` or `nonlocal`: bound here, but not local."""
    hidden: frozenset[str] = frozenset()
    """Names of a class body, which stand before the function's own for code directly in it."""

    def is_local(self, name: str) -> bool:
        """Tell whether a name is bound in this region, and so never looked up outside it."""
        return name not in self.declared and (name in self.parameters or name in self.bindings)


def regions(tree: ast.Module, source: Source, words: frozenset[str]) -> Iterator[Region]:
    """Return the regions that hold a raise statement and one of `words` in their text, outermost first."""
    raising = sorted(source.lines_with(_RAISE))
    if not raising:
        return
    naming = sorted(source.lines_with(re.compile("|".join(map(re.escape, sorted(words))))))

    def can_raise(node: FunctionNode) -> bool:
        return _any_between(raising, node) and _any_between(naming, node)

    yield from _Collector(tree, MODULE, None, None, walrus=":=" in source.text).collected(can_raise)


def _any_between(lines: list[int], node: FunctionNode) -> bool:
    index = bisect_left(lines, node.lineno)
    return index < len(lines) and lines[index] <= (node.end_lineno or node.lineno)


def region_of(tree: ast.Module, source: Source) -> Region:
    """Return the module level of a file as a region."""
    collector = _Collector(tree, MODULE, None, None, walrus=":=" in source.text)
    collector.block(tree.body, None, MODULE)
    return collector.region


def in_class_body(region: Region, statement: RaiseStatement) -> Region:
    """Return the region as a statement directly in a class body sees it: with the names of the class first."""
    if not statement.class_bindings:
        return region
    names = frozenset(statement.class_bindings)
    return replace(region, bindings=region.bindings | statement.class_bindings, hidden=names)


class _Collector:
    """Walks the statements of one region."""

    def __init__(
        self,
        node: FunctionNode | ast.Module,
        qualname: str,
        owner: ast.ClassDef | None,
        outer: Region | None,
        *,
        walrus: bool,
    ) -> None:
        parameters: frozenset[str] = frozenset()
        if isinstance(node, FUNCTIONS):
            spec = node.args
            every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
            parameters = frozenset(each.arg for each in every if each is not None)
        self.region = Region(node, qualname, owner, outer, parameters=parameters)
        self._nested: list[tuple[FunctionNode, str, ast.ClassDef | None]] = []
        self._classes: list[tuple[ast.ClassDef, dict[str, list[Binding]]]] = []
        self._walrus = walrus

    def collected(self, can_raise: Callable[[FunctionNode], bool]) -> Iterator[Region]:
        region = self.region
        self.block(region.node.body, None, region.qualname)
        if region.raises:
            yield region
        around = region if isinstance(region.node, FUNCTIONS) else None
        for node, qualname, owner in self._nested:
            if can_raise(node):
                inner = _Collector(node, qualname, owner, around, walrus=self._walrus)
                yield from inner.collected(can_raise)

    def block(self, body: list[ast.stmt], place: Place | None, scope: str) -> None:
        for node in body:
            self._statement(node, place, scope)

    def _statement(self, node: ast.stmt, place: Place | None, scope: str) -> None:
        if self._walrus:
            self._bind_inside(node)
        if isinstance(node, ast.Raise):
            bindings = self._classes[-1][1] if self._classes else {}
            self.region.raises.append(RaiseStatement(node, place, scope, bindings))
        elif isinstance(node, ast.If):
            self._if(node, place, scope)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            self._definition(node, place, scope)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self._loop(node, place, scope)
        elif isinstance(node, (ast.Try, ast.TryStar)):
            self._try(node, place, scope)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._bind_targets(item.optional_vars, node)
            self.block(node.body, place, scope)
        elif isinstance(node, ast.Match):
            self._match(node, place, scope)
        elif isinstance(node, ast.Assert):
            self.region.decisions.append(node)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.region.declared.update(node.names)
        else:
            self._simple(node)

    def _if(self, node: ast.If, place: Place | None, scope: str) -> None:
        while True:  # an `elif` chain, walked flat: it is as deep as it is long
            self.region.decisions.append(node)
            self.block(node.body, Place(node, True, place), scope)
            place = Place(node, False, place)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                node = node.orelse[0]
                if self._walrus:
                    self._bind_inside(node)
            else:
                self.block(node.orelse, place, scope)
                return

    def _definition(self, node: FunctionNode | ast.ClassDef, place: Place | None, scope: str) -> None:
        self._bind(node.name, Binding(node, "opaque"))
        qualname = node.name if scope == MODULE else f"{scope}.{node.name}"
        if isinstance(node, ast.ClassDef):
            self._classes.append((node, {}))
            self.block(node.body, place, qualname)
            self._classes.pop()
        else:
            self._nested.append((node, qualname, self._classes[-1][0] if self._classes else None))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, place: Place | None, scope: str) -> None:
        self.region.decisions.append(node)
        if not isinstance(node, ast.While):
            self._bind_targets(node.target, node)
        self.block(node.body, Place(node, True, place), scope)
        self.block(node.orelse, Place(node, False, place), scope)

    def _try(self, node: ast.Try | ast.TryStar, place: Place | None, scope: str) -> None:
        self.block(node.body, place, scope)
        for index, handler in enumerate(node.handlers):
            self.region.decisions.append(handler)
            if handler.name:
                self._bind(handler.name, Binding(handler, "opaque"))
            self.block(handler.body, Place(node, index, place), scope)
        self.block(node.orelse, place, scope)
        self.block(node.finalbody, place, scope)

    def _match(self, node: ast.Match, place: Place | None, scope: str) -> None:
        for index, case in enumerate(node.cases):
            self.region.decisions.append(case)
            if self._walrus:
                self._bind_inside(case)
            for name in pattern_names(case.pattern):
                self._bind(name, Binding(case, "opaque"))
            self.block(case.body, Place(node, index, place), scope)

    def _simple(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind_pair(target, node.value, node)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind_pair(node.target, node.value, node)
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                kind: BindingKind = "augment" if isinstance(node.op, ast.Add) else "opaque"
                self._bind(node.target.id, Binding(node, kind, node.value))
        else:
            kind = "import" if isinstance(node, (ast.Import, ast.ImportFrom)) else "opaque"
            kind = "deleted" if isinstance(node, ast.Delete) else kind
            for _, path in statement_effects(node):
                if len(path) == 1:
                    self._bind(path[0], Binding(node, kind))

    def _bind_pair(self, target: ast.expr, value: ast.expr, node: ast.stmt) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, Binding(node, "value", value))
        elif (
            isinstance(target, (ast.Tuple, ast.List))
            and isinstance(value, (ast.Tuple, ast.List))
            and len(target.elts) == len(value.elts)
            and not any(isinstance(each, ast.Starred) for each in (*target.elts, *value.elts))
        ):
            for single, part in zip(target.elts, value.elts, strict=True):
                self._bind_pair(single, part, node)
        else:
            self._bind_targets(target, node)

    def _bind_targets(self, target: ast.expr | None, node: ast.AST) -> None:
        for _, path in bound(target):
            if len(path) == 1:
                self._bind(path[0], Binding(node, "opaque"))

    def _bind_inside(self, node: ast.AST) -> None:
        """Bind what assignment expressions in a statement or header bind."""
        for root in evaluated(node):
            for each, certain in assignment_expressions(root):
                kind: BindingKind = "opaque" if certain is None else "value"
                self._bind(each.target.id, Binding(node, kind, each.value, bool(certain)))

    def _bind(self, name: str, binding: Binding) -> None:
        # A class body binds its own names, not those of the function around it.
        bindings = self._classes[-1][1] if self._classes else self.region.bindings
        bindings.setdefault(name, []).append(binding)
