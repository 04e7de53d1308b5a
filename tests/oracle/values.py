"""Which local names feed a message, and the code that computes them inside a skeleton."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from tests.oracle.paths import targets, walk_here
from tests.oracle.sites import Scope

if TYPE_CHECKING:
    from tests.oracle.skeleton import Builder


class Neutral(ast.NodeTransformer):
    """Makes an expression evaluable over stubs: choices become random, filters pass, waiting is dropped."""

    def __init__(self, builder: Builder | None) -> None:
        self.builder = builder

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Choose a branch at random."""
        body, orelse = self.visit(node.body), self.visit(node.orelse)
        test: ast.expr = ast.Constant(True)
        if self.builder is not None:
            k = self.builder.point("pick", node, node.lineno, [], [])
            test = ast.Call(ast.Name("_pick", ast.Load()), [ast.Constant(k)], [])
        return ast.IfExp(test, body, orelse)

    def visit_Await(self, node: ast.Await) -> ast.expr:
        """Drop the waiting."""
        return self.visit(node.value)  # type: ignore[no-any-return]  # NodeTransformer.visit is untyped

    def visit_Yield(self, _: ast.Yield) -> ast.expr:
        """A sent value is anything."""
        return ast.Name("yielded", ast.Load())

    def visit_YieldFrom(self, _: ast.YieldFrom) -> ast.expr:
        """A returned value is anything."""
        return ast.Name("yielded", ast.Load())

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        """Leave out the binding: a lambda could not bind the outer name."""
        return self.visit(node.value)  # type: ignore[no-any-return]

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Let every element pass."""
        return ast.comprehension(self.visit(node.target), self.visit(node.iter), [], 0)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """See through `with_traceback`, which checks its argument."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"with_traceback", "add_note"}:
            return self.visit(node.func.value)  # type: ignore[no-any-return]
        return self.generic_visit(node)  # type: ignore[return-value]


def neutral(node: ast.expr, builder: Builder | None) -> str:
    """Give the source of an expression made evaluable."""
    import copy

    return ast.unparse(ast.fix_missing_locations(Neutral(builder).visit(copy.deepcopy(node))))


def assigned(scope: Scope) -> dict[str, list[ast.expr | None]]:
    """Give for each name bound in a scope the expressions bound to it (None where it is no plain expression)."""
    found: dict[str, list[ast.expr | None]] = {}
    for statement in scope.body:
        for node in walk_here(statement):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    for part in targets(target):
                        if isinstance(part, ast.Name):
                            found.setdefault(part.id, []).append(node.value)
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
                if isinstance(node.target, ast.Name):
                    found.setdefault(node.target.id, []).append(node.value)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.setdefault(node.id, []).append(None)
            elif (isinstance(node, ast.ExceptHandler) and node.name) or (
                isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
            ):
                found.setdefault(node.name, []).append(None)
    return found


class ValueCode:
    """Code that computes the names a set of raise statements depends on."""

    def __init__(self, scope: Scope, raises: list[ast.Raise]) -> None:
        self.names: set[str] = set()
        bindings = assigned(scope)
        pending: list[ast.AST] = [node.exc for node in raises if node.exc is not None]
        while pending:
            for node in ast.walk(pending.pop()):
                if isinstance(node, ast.Name) and node.id in bindings and node.id not in self.names:
                    self.names.add(node.id)
                    pending.extend(value for value in bindings[node.id] if value is not None)
        self.shadowed: set[str] = set()
        if not isinstance(scope, ast.Module):
            parts = scope.args
            every = [*parts.posonlyargs, *parts.args, *parts.kwonlyargs, *filter(None, [parts.vararg, parts.kwarg])]
            self.shadowed = {argument.arg for argument in every} & self.names
        self.parameters: set[str] = (
            set()
            if isinstance(scope, ast.Module)
            else {
                argument.arg
                for argument in [
                    *scope.args.posonlyargs,
                    *scope.args.args,
                    *scope.args.kwonlyargs,
                    *filter(None, [scope.args.vararg, scope.args.kwarg]),
                ]
            }
        )

    def prelude(self) -> list[str]:
        """Bind the parameters that the code binds again."""
        return [f"{name} = _stub({name!r})" for name in sorted(self.shadowed)]

    def stub(self, target: ast.expr) -> list[str]:
        """Bind a name to something unknown."""
        if isinstance(target, ast.Name) and target.id in self.names:
            return [f"{target.id} = _stub({target.id!r})"]
        return []

    def assignment(self, node: ast.stmt, builder: Builder) -> list[str]:
        """Give the code of an assignment statement, if it binds a name that matters."""
        inner = [part for part in walk_here(node) if isinstance(part, ast.NamedExpr) and part.target.id in self.names]
        lines = [f"{p.target.id} = _ev(lambda: {neutral(p.value, builder)}, {p.target.id!r})" for p in inner]
        if isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name) and node.target.id in self.names:
                name = node.target.id
                whole = ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value)
                lines.append(f"{name} = _ev(lambda: {neutral(whole, builder)}, {name!r})")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                lines.extend(self.unpack(target, node.value, builder))
        elif isinstance(node, ast.Delete):
            lines.extend(f"del {t.id}" for t in node.targets if isinstance(t, ast.Name) and t.id in self.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                lines.extend(self.stub(ast.Name((alias.asname or alias.name).split(".")[0], ast.Store())))
        return lines

    def unpack(self, target: ast.expr, value: ast.expr, builder: Builder) -> list[str]:
        """Assign a value to a target, part by part where both are displays."""
        if isinstance(target, ast.Name):
            if target.id not in self.names:
                return []
            if empty_display(value):
                # It is filled by calls that are not run here; what it then holds is anything.
                return self.stub(target)
            return [f"{target.id} = _ev(lambda: {neutral(value, builder)}, {target.id!r})"]
        if (
            isinstance(target, (ast.Tuple, ast.List))
            and isinstance(value, (ast.Tuple, ast.List))
            and len(target.elts) == len(value.elts)
        ):
            return [line for t, v in zip(target.elts, value.elts, strict=True) for line in self.unpack(t, v, builder)]
        return [line for part in targets(target) for line in self.stub(part)]


def empty_display(node: ast.expr) -> bool:
    """Say whether an expression makes an empty container."""
    if isinstance(node, (ast.List, ast.Set)):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, ast.Call) and ast.unparse(node) in {"list()", "set()", "dict()"}


SIMPLE = (
    ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.operator, ast.Name, ast.expr_context,
    ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Attribute, ast.Call, ast.keyword, ast.UnaryOp, ast.unaryop,
    ast.Subscript,
)  # fmt: skip


def constants(tree: ast.Module, world: Any) -> dict[str, Any]:
    """Give the module and class constants of a file as far as they can be worked out: `NAME` and `Class.NAME`."""
    known: dict[str, Any] = {}

    def collect(body: list[ast.stmt], prefix: str) -> None:
        counts: dict[str, int] = {}
        for statement in body:
            for node in walk_here(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    counts[node.id] = counts.get(node.id, 0) + 1
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                bases = " ".join(ast.unparse(base) for base in statement.bases)
                if "Enum" not in bases and "Flag" not in bases:
                    collect(statement.body, f"{prefix}{statement.name}.")
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target, value = statement.targets[0], statement.value
            elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                target, value = statement.target, statement.value
            else:
                continue
            if (
                isinstance(target, ast.Name)
                and counts.get(target.id) == 1
                and all(isinstance(n, SIMPLE) for n in ast.walk(value))
            ):
                try:
                    found = eval(neutral(value, None), world(dict(known)))
                except Exception:
                    continue
                if type(found) is str or (type(found) in (tuple, list, int, float, set, dict) and found):
                    known[prefix + target.id] = found

    collect(tree.body, "")
    return known
