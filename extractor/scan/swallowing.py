"""Context managers of a file that may swallow exceptions, so that code after a `with` is reached from inside it.

A class swallows if its `__exit__` may return something true (library reference, "Context Manager Types"); a generator
function does if it yields inside a `try` one of whose handlers does not raise again (`contextlib.contextmanager`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from extractor.scan.access import path_of, statements

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DECORATORS = ("contextmanager", "asynccontextmanager")
_EXITS = ("__exit__", "__aexit__")


def swallowing_names(tree: ast.Module, text: str) -> frozenset[str]:
    """Return the names of the classes and functions of a file that are such context managers."""
    if not any(word in text for word in (*_EXITS, "contextmanager")):
        return frozenset()
    return frozenset(_swallowing(tree))


def _swallowing(tree: ast.Module) -> Iterator[str]:
    for node in statements(tree):
        if isinstance(node, ast.ClassDef):
            exits = (each for each in node.body if isinstance(each, _FUNCTIONS) and each.name in _EXITS)
            if any(_may_return_true(each) for each in exits):
                yield node.name
        elif isinstance(node, _FUNCTIONS) and _goes_on_after_an_exception(node):
            yield node.name


def _may_return_true(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    values = (each.value for each in _own_nodes(function) if isinstance(each, ast.Return))
    return any(value is not None and not (isinstance(value, ast.Constant) and not value.value) for value in values)


def _goes_on_after_an_exception(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if not any(map(_is_context_decorator, node.decorator_list)):
        return False
    return any(_yields(each.body) and not all(map(_raises_at_end, each.handlers)) for each in _tries(node))


def _is_context_decorator(node: ast.expr) -> bool:
    path = path_of(node)
    return path is not None and path[-1].lstrip(".") in _DECORATORS


def _tries(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Try]:
    return (each for each in _own_nodes(function) if isinstance(each, ast.Try))


def _yields(body: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Yield) for node in body for each in (node, *_own_nodes(node)))


def _raises_at_end(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)


def _own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """Walk a node without what stands in functions inside it."""
    todo = list(ast.iter_child_nodes(root))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
