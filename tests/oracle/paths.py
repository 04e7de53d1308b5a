"""What an expression reads and what a statement binds, as access paths: an independent reading of contract section 7.

A path is a tuple such as `("cfg", ".model", "['k']")`. Whether a binding makes a test stale has three answers: it must,
it may (the contract leaves it open: an unlisted mutator, an item that may be the same), or it does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Path = tuple[str, ...]

NAMED_MUTATORS = frozenset({"append", "clear", "pop", "update", "add", "remove", "sort"})
"""The methods that the contract names."""
LIKE_MUTATORS = frozenset(
    {
        "extend", "insert", "reverse", "discard", "setdefault", "popitem", "appendleft", "popleft",
        "extendleft", "rotate", "difference_update", "intersection_update", "symmetric_difference_update",
        "move_to_end", "subtract", "put", "put_nowait", "get_nowait", "push", "write", "writelines", "seek",
        "truncate", "close", "fill", "resize", "set", "enqueue", "dequeue", "byteswap", "frombytes",
        "fromlist", "copy_", "fill_", "zero_", "set_", "resize_", "add_", "mul_", "extend_", "__setitem__",
        "__delitem__", "__setattr__", "__delattr__", "__iadd__",
    }
)  # fmt: skip
"""Methods that a reader may or may not count among "and their like"."""


def path_of(node: ast.expr) -> Path | None:
    """Give the access path of a name, attribute or item, or None for anything else."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        base = path_of(node.value)
        return None if base is None else (*base, "." + node.attr)
    if isinstance(node, ast.Subscript):
        base = path_of(node.value)
        mark = "=" if isinstance(node.slice, ast.Constant) else "?"
        return None if base is None else (*base, f"[{mark}{ast.unparse(node.slice)}]")
    return None


def reads(*roots: ast.AST) -> tuple[set[Path], set[Path]]:
    """Give the paths that are surely read, and those of comprehension variables and lambda bodies, which may count."""
    sure: set[Path] = set()
    loose: set[Path] = set()

    def visit(node: ast.AST, into: set[Path]) -> None:
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            path = path_of(node)
            if path is not None:
                if isinstance(node.ctx, ast.Load):
                    into.add(path)
                base: ast.expr = node
                while not isinstance(base, ast.Name):
                    if isinstance(base, ast.Subscript):
                        visit(base.slice, into)
                    assert isinstance(base, (ast.Attribute, ast.Subscript))
                    base = base.value
                return
        inner = (
            loose if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) else into
        )
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    for root in roots:
        visit(root, sure)
    return sure, loose


def walk_here(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a node without the bodies of nested functions, lambdas and classes."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        yield from walk_here(child)


def targets(node: ast.expr) -> Iterator[ast.expr]:
    """Give the single targets of a possibly nested target list."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from targets(part)
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)
    else:
        yield node


def bound(nodes: Iterable[ast.AST]) -> tuple[tuple[Path, str], ...]:
    """Give (path, how) for all that these nodes bind, delete or change: how is `bind`, `mutate` or `maybe`."""
    found: dict[tuple[Path, str], None] = {}

    def put(path: Path | None, how: str) -> None:
        if path is not None:
            found[path, how] = None

    for root in nodes:
        for node in walk_here(root):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(
                node.ctx, (ast.Store, ast.Del)
            ):
                put(path_of(node), "bind")
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    put(((alias.asname or alias.name).split(".")[0],), "bind")
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                put((node.name,), "bind")
            elif isinstance(node, ast.MatchMapping) and node.rest:
                put((node.rest,), "bind")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = node.func.attr
                if name in NAMED_MUTATORS:
                    put(path_of(node.func.value), "mutate")
                elif name in LIKE_MUTATORS:
                    put(path_of(node.func.value), "maybe")
            elif isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in {"setattr", "delattr"}:
                put(path_of(node.args[0]), "maybe")
    comprehension = {
        (part.id,)
        for root in nodes
        for node in walk_here(root)
        if isinstance(node, ast.comprehension)
        for part in targets(node.target)
        if isinstance(part, ast.Name)
    }
    return tuple((path, "maybe" if path in comprehension and how == "bind" else how) for path, how in found)


def conflict(read: Path, path: Path, how: str) -> str:
    """Say whether binding `path` makes a test that reads `read` stale: `must`, `may` or `no`."""
    if len(path) > len(read) and path[len(read)][0] == ".":
        return "no"  # another attribute of the object: not what the test reads
    exact = len(path) <= len(read)
    for mine, theirs in zip(read, path, strict=False):
        if mine == theirs:
            continue
        if mine[:1] == "[" and theirs[:1] == "[" and not (mine[1] == "=" and theirs[1] == "="):
            exact = False
            continue
        return "no"
    if not exact:
        return "may"
    return "may" if how == "maybe" else "must"
