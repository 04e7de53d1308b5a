"""Which raise statements are sites, counted by `ast` alone (contract, sections 2 and 7)."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracle.paths import targets, walk_here

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = Function | ast.Module


@dataclass(frozen=True)
class FoundSite:
    """One site as the oracle sees it."""

    node: ast.Raise
    scope: Scope
    """The innermost function around it, or the module."""
    qualname: str
    class_name: str
    """The innermost class around the function, dotted; empty if none."""
    stored: bool
    """Raised through a local name or a module-level instance."""

    @property
    def place(self) -> tuple[int, int, int]:
        """Line, column in UTF-8 bytes, last line."""
        return (self.node.lineno, self.node.col_offset, self.node.end_lineno or 0)


@dataclass(frozen=True)
class Wanted:
    """Through which expressions a file names the wanted class."""

    names: frozenset[str]
    modules: frozenset[str]

    def is_class(self, node: ast.expr | None) -> bool:
        """Say whether an expression is the wanted class."""
        if isinstance(node, ast.Name):
            return node.id in self.names
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "ValueError"
            and isinstance(node.value, ast.Name)
            and node.value.id in self.modules
        )

    def is_call(self, node: ast.expr | None) -> bool:
        """Say whether an expression makes a wanted exception (`with_traceback` and the like seen through)."""
        if isinstance(node, ast.IfExp):
            return self.is_value(node.body) and self.is_value(node.orelse)
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Attribute) and node.func.attr == "with_traceback":
            return self.is_value(node.func.value)
        return self.is_class(node.func)

    def is_value(self, node: ast.expr | None) -> bool:
        """Say whether raising an expression raises the wanted class."""
        return self.is_class(node) or self.is_call(node)


def parse(data: bytes) -> ast.Module:
    """Parse a file; the collector is off meanwhile, which halves the time."""
    import warnings

    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    finally:
        gc.enable()


def wanted_of(tree: ast.Module) -> Wanted:
    """Find the names that mean `ValueError` in a file."""
    names = {"ValueError"}
    modules: set[str] = set()
    aliases: set[str] = set()
    rebound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if node.module == "builtins" and node.level == 0 and alias.name == "ValueError":
                    aliases.add(alias.asname or alias.name)
                elif (alias.asname or alias.name) == "ValueError":
                    rebound.add("ValueError")
        elif isinstance(node, ast.Import):
            modules.update(alias.asname or alias.name for alias in node.names if alias.name == "builtins")
        elif (
            isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "ValueError"
        ) or (isinstance(node, ast.Name) and node.id == "ValueError" and not isinstance(node.ctx, ast.Load)):
            rebound.add("ValueError")
    for statement in tree.body:
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Name)
            and statement.value.id == "ValueError"
        ):
            aliases.update(t.id for t in statement.targets if isinstance(t, ast.Name))
    return Wanted(frozenset((names - rebound) | aliases), frozenset(modules))


def scopes_of(tree: ast.Module) -> Iterator[tuple[Scope, str, str, list[ast.Raise]]]:
    """Give each function and the module: node, qualified name, class around it, its own raise statements."""
    pending: list[tuple[ast.AST, str, str]] = [(tree, "<module>", "")]
    while pending:
        scope, qualname, class_name = pending.pop()
        raises: list[ast.Raise] = []
        prefix = "" if scope is tree else qualname
        stack: list[tuple[ast.AST, str, str]] = [(child, prefix, class_name) for child in children(scope)]
        named: dict[int, str] = {}
        while stack:
            node, prefix, cls = stack.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                pending.append((node, f"{prefix}.{node.name}".lstrip("."), cls))
                continue
            if isinstance(node, ast.ClassDef):
                prefix = cls = f"{prefix}.{node.name}".lstrip(".")
            elif isinstance(node, ast.Raise):
                raises.append(node)
                named[id(node)] = prefix or "<module>"
            elif isinstance(node, ast.expr):
                continue
            stack.extend((c, prefix, cls) for c in ast.iter_child_nodes(node))
        if raises:
            assert isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module))
            for name in sorted(set(named.values())):
                yield scope, name, class_name, [r for r in raises if named[id(r)] == name]


def children(scope: ast.AST) -> list[ast.AST]:
    """Give the statements of a scope."""
    assert isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module))
    return list(scope.body)


def stored_values(scope: Scope, name: str) -> list[ast.expr | None]:
    """Give all that a scope binds to a name; None stands for a binding that is no plain assignment."""
    values: list[ast.expr | None] = []
    plain: set[int] = set()
    if not isinstance(scope, ast.Module):
        parts = scope.args
        every = [*parts.posonlyargs, *parts.args, *parts.kwonlyargs, *filter(None, [parts.vararg, parts.kwarg])]
        values.extend(None for argument in every if argument.arg == name)
    for statement in scope.body:
        for node in walk_here(statement):
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                into = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in into:
                    if isinstance(target, ast.Name) and target.id == name:
                        plain.add(id(target))
                        if node.value is not None and not is_none(node.value):
                            values.append(node.value)
            elif isinstance(node, ast.NamedExpr) and node.target.id == name:
                plain.add(id(node.target))
                values.append(node.value)
            elif isinstance(node, ast.ExceptHandler) and node.name == name:
                values.append(None)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                values.extend(None for alias in node.names if (alias.asname or alias.name).split(".")[0] == name)
        names = [node for node in walk_here(statement) if isinstance(node, ast.Name) and node.id == name]
        values.extend(None for node in names if isinstance(node.ctx, ast.Store) and id(node) not in plain)
    return values


def is_none(node: ast.expr) -> bool:
    """Say whether an expression is `None`: raising that is a TypeError, so it reaches no such site."""
    return isinstance(node, ast.Constant) and node.value is None


def find_sites(tree: ast.Module) -> tuple[list[FoundSite], list[FoundSite]]:
    """Give the certain sites in source order, and the raises of a name of which only some bindings are wanted calls."""
    wanted = wanted_of(tree)
    sure: list[FoundSite] = []
    unsure: list[FoundSite] = []
    for scope, qualname, class_name, raises in scopes_of(tree):
        for node in raises:
            exc = node.exc
            if wanted.is_value(exc):
                sure.append(FoundSite(node, scope, qualname, class_name, stored=False))
            elif isinstance(exc, ast.Name):
                values = stored_values(scope, exc.id) or stored_values(tree, exc.id)
                hits = [value is not None and wanted.is_value(value) for value in values]
                if any(hits):
                    (sure if all(hits) else unsure).append(FoundSite(node, scope, qualname, class_name, stored=True))
    sure.sort(key=lambda site: site.place)
    return sure, unsure


__all__ = ["FoundSite", "Function", "Scope", "Wanted", "find_sites", "parse", "targets", "wanted_of"]
