"""What an expression reads, by its form alone: maximal paths, calls, entries of mappings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from extractor.expression import nodes_of, path_of

_TRANSPARENT = frozenset(
    {
        "len",
        "int",
        "float",
        "str",
        "bool",
        "list",
        "tuple",
        "set",
        "sorted",
        "min",
        "max",
        "abs",
        "sum",
        "any",
        "all",
        "isinstance",
        "type",
        "hasattr",
        "repr",
        "dict",
        "frozenset",
        "range",
        "enumerate",
        "zip",
        "callable",
    }
)


def entry_key(node: ast.expr) -> tuple[ast.expr, str] | None:
    """Return the mapping and the key of `d["key"]` or `d.get("key")`, None for anything else."""
    if isinstance(node, ast.Subscript):
        holder, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        holder, key = node.func.value, node.args[0]
    else:
        return None
    return (holder, key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


class Substitute(ast.NodeTransformer):
    """Puts arguments in for parameters."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        """Take the arguments by parameter."""
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:  # the name that ast calls it by
        """Put the argument in the place of a parameter."""
        return self.given.get(node.id, node)


def reads_of(node: ast.expr) -> tuple[ast.expr, ...]:
    """Return the maximal paths and the calls with arguments in an expression, names that it binds itself left out."""
    known: tuple[ast.expr, ...] | None = node.__dict__.get("_reads")
    if known is None:
        known = node.__dict__["_reads"] = tuple(_reads_of(node))
    return known


def _reads_of(node: ast.expr) -> Iterator[ast.expr]:
    own = {
        n.id
        for c in nodes_of(node)
        if isinstance(c, ast.comprehension)
        for n in nodes_of(c.target)
        if isinstance(n, ast.Name)
    }
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Name | ast.Attribute):
            path = path_of(part)
            if not path and isinstance(part, ast.Attribute) and isinstance(part.value, ast.Call):
                yield part
                continue
            if path:
                if path.split(".", 1)[0] not in own:
                    yield part
                continue
        elif isinstance(part, ast.Call):
            name = path_of(part.func)
            if not part.args and not part.keywords and name:
                yield part
                continue
            if name in _TRANSPARENT:
                todo.extend(
                    reversed(
                        [*part.args, *(k.value for k in part.keywords)][
                            : 1 if name in ("isinstance", "hasattr") else None
                        ]
                    )
                )
                continue
            if name:
                yield part
                continue
        todo.extend(reversed(list(ast.iter_child_nodes(part))))
