"""The vocabulary of skeletons: choice points, compiled skeletons, and which calls never return."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field
from types import CodeType
from typing import Literal

from tests.oracle.paths import Path, walk_here

Role = Literal["if", "while", "assert", "for", "case", "except", "raises", "swallow", "pick"]

EXITS = frozenset({"sys.exit", "exit", "quit"})
HARD_EXITS = frozenset({"os._exit", "os.abort"})
SWALLOWERS = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
TRIVIAL = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)


@dataclass
class Point:
    """One choice point of a skeleton."""

    role: Role
    node: ast.AST
    """The statement, case or handler it belongs to."""
    line: int
    """Where the contract puts the guard."""
    body: list[ast.stmt]
    """What is done when it holds; for `raises` empty."""
    orelse: list[ast.stmt]
    earlier: tuple[int, ...] = ()
    """For a case: the earlier cases of its match."""
    reads: tuple[ast.AST, ...] = ()
    guarding: ast.Try | None = None
    """For `raises` and `except`: the innermost try around."""


@dataclass
class Skeleton:
    """A compiled skeleton and what its numbers mean."""

    code: CodeType
    source: str
    points: list[Point]
    bindings: list[tuple[tuple[Path, str], ...]]
    site_numbers: dict[ast.Raise, int]
    around: dict[int, dict[int, str]] = field(default_factory=dict)
    """For each site number: the points around it, with `body` or `orelse`."""
    body: list[ast.stmt] = field(default_factory=list)
    """The statements it was made from."""

    def in_loop(self, k: int) -> bool:
        """Say whether a point may be met more than once in a run."""
        if not hasattr(self, "_looped"):
            self._looped = {
                id(inner)
                for root in self.body
                for node in walk_here(root)
                if isinstance(node, (ast.For, ast.AsyncFor, ast.While))
                for statement in (*node.body, *node.orelse)
                for inner in walk_here(statement)
            }
        return id(self.points[k].node) in self._looped


def dotted(node: ast.expr) -> str:
    """Give `a.b.c` for a dotted name, else an empty string."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def builtin_exception(node: ast.expr | None) -> type[BaseException] | None:
    """Give the builtin exception class that an expression names or makes, if it is one."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Name):
        found = getattr(builtins, node.id, None)
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
    return None


def never_returning(tree: ast.Module) -> frozenset[str]:
    """Name the functions of a file that are annotated never to return."""
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.returns is not None
        and (
            dotted(node.returns).split(".")[-1] in {"NoReturn", "Never"}
            or (
                isinstance(node.returns, ast.Constant)
                and str(node.returns.value).split(".")[-1] in {"NoReturn", "Never"}
            )
        )
    )
