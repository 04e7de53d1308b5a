"""Which raise statements are sites, and what each of them constructs (contract, sections 2 and 7)."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from extractor.scan.names import FileNames
from extractor.scan.region import Region
from extractor.scan.state import RegionStates


@dataclass(frozen=True, slots=True)
class Construction:
    """One exception object that a raise statement may raise."""

    exception_class: str
    """Name of the class."""
    call: ast.Call | None
    """The call that makes it; None for a bare class."""
    at: ast.AST
    """The statement in which it is made, where its names have their values."""
    stored: bool
    """Whether it was made in another statement than the raise."""


def may_be_site(node: ast.Raise, region: Region, names: FileNames) -> bool:
    """Tell cheaply whether a raise statement could be a site, before anything is analysed."""
    exception = strip_traceback(node.exc)
    if isinstance(exception, ast.NamedExpr):
        exception = exception.value
    if isinstance(exception, ast.IfExp):
        return True
    if isinstance(exception, ast.Call):
        return names.wanted(exception.func, region) is not None or isinstance(exception.func, ast.Name)
    return isinstance(exception, (ast.Name, ast.Attribute))


def strip_traceback(node: ast.expr | None) -> ast.expr | None:
    """Return the exception under `.with_traceback(tb)`, which gives back the same object."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "with_traceback":
        node = node.func.value
    return node


def constructions(
    node: ast.Raise, region: Region, names: FileNames, states: RegionStates
) -> tuple[Construction, ...] | None:
    """Return all that a raise statement may raise if every possibility is a wanted one, else None."""
    exception = strip_traceback(node.exc)
    found = _Follower(region, names, states).made_by(exception, node, frozenset()) if exception is not None else None
    return tuple(found) if found else None


class _Follower:
    """Follows an expression to the exceptions that it may be, as seen from one region."""

    def __init__(self, region: Region, names: FileNames, states: RegionStates) -> None:
        self._region = region
        self._names = names
        self._states = states

    def made_by(self, node: ast.expr, at: ast.AST, seen: frozenset[int]) -> list[Construction] | None:
        """Return what `node` may be at the statement `at`; `seen` holds the assignments on the way."""
        stripped = strip_traceback(node)
        if isinstance(node, ast.NamedExpr):
            return self.made_by(node.value, at, seen)
        if isinstance(node, ast.IfExp):
            one, other = self.made_by(node.body, at, seen), self.made_by(node.orelse, at, seen)
            return None if one is None or other is None else one + other
        if stripped is not None and stripped is not node:
            return self.made_by(stripped, at, seen)
        call = node if isinstance(node, ast.Call) else None
        target = call.func if call is not None else node
        name = self._names.wanted(target, self._region)
        if name is not None:
            return [Construction(name, call, at, bool(seen))]
        if not isinstance(target, ast.Name):
            return None
        if self._region.is_local(target.id):
            return self._stored(target.id, call, at, seen)
        return self._instance(target.id) if call is None else None

    def _instance(self, name: str) -> list[Construction] | None:
        """Return the exception that a module-level name holds."""
        names = self._names
        instance = names.instances.get(name) if not names.is_local(name, self._region) else None
        wanted = names.wanted(instance.func, names.module) if instance is not None else None
        return [Construction(wanted, instance, names.module.node, True)] if wanted is not None else None

    def _stored(self, name: str, call: ast.Call | None, at: ast.AST, seen: frozenset[int]) -> list[Construction] | None:
        """Follow a local name to the values that reach `at`: stored exceptions, or a local alias of the class."""
        if name in self._region.hidden or name in self._names.constants.rebound:
            return None
        found: list[Construction] = []
        for binding in self._states.definitions_at(at, name) or ():
            if binding is None or binding.kind == "deleted":
                if name in self._region.parameters:
                    return None
                continue  # unbound there: Python raises UnboundLocalError instead
            if binding.kind != "value" or binding.value is None or id(binding) in seen:
                return None
            if call is not None:
                wanted = self._names.wanted(binding.value, self._region)
                made = [Construction(wanted, call, at, False)] if wanted is not None else None
            else:
                made = self.made_by(binding.value, binding.node, seen | {id(binding)})
            if made is None:
                return None
            found.extend(made)
        return found or None
