"""Which raise statements are sites, and what each of them constructs (contract, sections 2 and 7)."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from extractor.scan.names import FileNames
from extractor.scan.region import Binding, Region
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
    found = _constructions(exception, node, region, names, states, frozenset()) if exception is not None else None
    return tuple(found) if found else None


def _constructions(
    node: ast.expr,
    at: ast.AST,
    region: Region,
    names: FileNames,
    states: RegionStates,
    seen: frozenset[int],
) -> list[Construction] | None:
    if isinstance(node, ast.NamedExpr):
        return _constructions(node.value, at, region, names, states, seen)
    if isinstance(node, ast.IfExp):
        one = _constructions(node.body, at, region, names, states, seen)
        other = _constructions(node.orelse, at, region, names, states, seen)
        return None if one is None or other is None else one + other
    stripped = strip_traceback(node)
    if stripped is not node and stripped is not None:
        return _constructions(stripped, at, region, names, states, seen)
    call = node if isinstance(node, ast.Call) else None
    target = call.func if call is not None else node
    name = names.wanted(target, region)
    if name is not None:
        return [Construction(name, call, at, bool(seen))]
    if not isinstance(target, ast.Name):
        return None
    if region.is_local(target.id):
        return _stored(target.id, call, at, region, names, states, seen)
    instance = names.instances.get(target.id) if call is None else None
    if isinstance(instance, ast.Call):
        wanted = names.wanted(instance.func, names.module)
        return [Construction(wanted, instance, names.module.node, True)] if wanted else None
    return None


def _stored(
    name: str,
    call: ast.Call | None,
    at: ast.AST,
    region: Region,
    names: FileNames,
    states: RegionStates,
    seen: frozenset[int],
) -> list[Construction] | None:
    """Follow a local name to the values that reach `at`: stored exceptions, or a local alias of the class."""
    reaching = states.definitions_at(at, name)
    if not reaching:
        return None
    found: list[Construction] = []
    for binding in reaching:
        if (binding is None and name not in region.parameters) or (binding and binding.kind == "deleted"):
            continue  # unbound there: Python raises UnboundLocalError instead
        if binding is None or binding.kind != "value" or binding.value is None or id(binding.node) in seen:
            return None
        made = _made(binding, call, at, region, names, states, seen)
        if made is None:
            return None
        found.extend(made)
    return found


def _made(
    binding: Binding,
    call: ast.Call | None,
    at: ast.AST,
    region: Region,
    names: FileNames,
    states: RegionStates,
    seen: frozenset[int],
) -> list[Construction] | None:
    assert binding.value is not None  # noqa: S101 -- checked by the caller
    if call is not None:
        wanted = names.wanted(binding.value, region)
        return [Construction(wanted, call, at, False)] if wanted else None
    return _constructions(binding.value, binding.node, region, names, states, seen | {id(binding.node)})
