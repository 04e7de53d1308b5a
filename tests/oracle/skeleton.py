"""Turns one function (or a module's top level) into a skeleton: the same control flow, with random tests.

The skeleton is Python source that Python itself compiles and runs, so `finally`, `else` of loops and the like mean
what they really mean. Only tests, iterations, exceptions and site records are replaced, by calls to `runtime.Run`
(named `_r`).
"""

from __future__ import annotations

import ast

from tests.oracle.paths import Path, bound, targets
from tests.oracle.points import (
    EXITS,
    HARD_EXITS,
    SWALLOWERS,
    TRIVIAL,
    Point,
    Role,
    Skeleton,
    builtin_exception,
    dotted,
)
from tests.oracle.sites import Scope
from tests.oracle.values import ValueCode


class Builder:
    """Writes the source of a skeleton statement by statement."""

    def __init__(
        self, scope: Scope, sites: list[ast.Raise], no_return: frozenset[str], values: ValueCode | None = None
    ) -> None:
        self.scope = scope
        self.site_numbers = {node: n for n, node in enumerate(sites)}
        self.no_return = no_return
        self.values = values
        self.lines: list[str] = []
        self.points: list[Point] = []
        self.bindings: list[tuple[tuple[Path, str], ...]] = []
        self.around: dict[int, dict[int, str]] = {}
        self.depth = 1
        self.enclosing: list[tuple[int, str]] = []
        self.tries: list[ast.Try | None] = []

    def build(self) -> Skeleton:
        """Write and compile."""
        self.lines.append("def _skeleton(_r):")
        if self.values is not None:
            for line in self.values.prelude():
                self.emit(line)
        self.block(self.scope.body)
        source = "\n".join(self.lines) + "\n"
        code = compile(source, "<skeleton>", "exec")
        return Skeleton(code, source, self.points, self.bindings, self.site_numbers, self.around, self.scope.body)

    def emit(self, text: str) -> None:
        """Write one line."""
        self.lines.append("    " * self.depth + text)

    def point(
        self, role: Role, node: ast.AST, line: int, body: list[ast.stmt], orelse: list[ast.stmt], *reads: ast.AST
    ) -> int:
        """Make a choice point."""
        guarding = self.tries[-1] if self.tries else None
        self.points.append(Point(role, node, line, body, orelse, reads=reads, guarding=guarding))
        return len(self.points) - 1

    def block(self, body: list[ast.stmt], enclosing: tuple[int, str] | None = None) -> None:
        """Write a block; `enclosing` is the point it hangs on."""
        if enclosing is not None:
            self.enclosing.append(enclosing)
        before = len(self.lines)
        for statement in body:
            self.statement(statement)
        if len(self.lines) == before:
            self.emit("pass")
        if enclosing is not None:
            self.enclosing.pop()

    def indented(self, body: list[ast.stmt], enclosing: tuple[int, str] | None = None, first: str = "") -> None:
        """Write a block one level deeper, after an optional first line."""
        self.depth += 1
        if first:
            self.emit(first)
        self.block(body, enclosing)
        self.depth -= 1

    def risk(self, node: ast.stmt) -> None:
        """Let an exception come before a statement where something would see it."""
        if self.tries and not isinstance(node, TRIVIAL):
            self.emit(f"_r.maybe({self.point('raises', node, node.lineno, [], [])})")

    def binds(self, *nodes: ast.AST) -> None:
        """Note what these nodes bind."""
        found = bound(nodes)
        if found:
            self.emit(f"_r.bind({self.group(found)})")

    def group(self, found: tuple[tuple[Path, str], ...]) -> int:
        """Number a group of bindings; -1 if empty."""
        if not found:
            return -1
        self.bindings.append(found)
        return len(self.bindings) - 1

    def test(
        self, role: Role, node: ast.stmt, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> tuple[str, int]:
        """Write a test as an expression; constants stay as they are."""
        if isinstance(test, ast.Constant):
            return repr(bool(test.value)), -1
        k = self.point(role, node, test.lineno, body, orelse, test)
        own = self.group(bound((test,)))
        before = f"_r.bind({own}) or " if own >= 0 else ""
        if self.tries:
            return f"{before}_r.risky({k}, {self.point('raises', node, test.lineno, [], [])})", k
        return f"{before}_r.test({k})", k

    def statement(self, node: ast.stmt) -> None:
        """Write one statement."""
        name = type(node).__name__.lower()
        method = getattr(self, f"on_{name}", None)
        if method is not None:
            method(node)
        else:
            self.plain(node)

    def plain(self, node: ast.stmt) -> None:
        """Write a statement that only matters for what it binds, or because it never returns."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if self.tries and node.decorator_list:
                self.risk(node)
            self.emit(f"_r.bind({self.group((((node.name,), 'bind'),))})")
            return
        self.risk(node)
        call = node.value if isinstance(node, ast.Expr) else None
        call = call.value if isinstance(call, ast.Await) else call
        if isinstance(call, ast.Call):
            name = dotted(call.func)
            if name in HARD_EXITS:
                self.emit("_r.leave()")
                return
            if name in EXITS:
                self.emit("raise SystemExit")
                return
            if name in self.no_return or (
                name.startswith(("self.", "cls.")) and name.split(".", 1)[1] in self.no_return
            ):
                self.emit("raise _Unknown")
                return
        if self.values is not None:
            for line in self.values.assignment(node, self):
                self.emit(line)
        self.binds(node)

    def on_return(self, node: ast.Return) -> None:
        """`return`."""
        self.risk(node)
        self.emit("return")

    def on_break(self, _: ast.Break) -> None:
        """`break`."""
        self.emit("break")

    def on_continue(self, _: ast.Continue) -> None:
        """`continue`."""
        self.emit("continue")

    def on_raise(self, node: ast.Raise) -> None:
        """`raise`, a site or another."""
        self.risk(node)
        number = self.site_numbers.get(node)
        if number is not None:
            self.around[number] = dict(self.enclosing)
            names = ", locals()" if self.values is not None else ""
            self.emit(f"_r.site({number}{names})")
        if node.exc is None:
            self.emit("raise")
            return
        known = (
            ValueError if number is not None and builtin_exception(node.exc) is None else builtin_exception(node.exc)
        )
        if known is not None and issubclass(known, (UnicodeError, BaseExceptionGroup)):
            known = None  # cannot be made without arguments
        self.emit(f"raise {known.__name__ if known else '_Unknown'}")

    def on_assert(self, node: ast.Assert) -> None:
        """`assert`."""
        text, _ = self.test("assert", node, node.test, [], [])
        self.emit(f"if not ({text}): raise AssertionError")

    def on_if(self, node: ast.If) -> None:
        """`if` with its `elif` and `else`."""
        text, k = self.test("if", node, node.test, node.body, node.orelse)
        self.emit(f"if {text}:")
        self.indented(node.body, (k, "body") if k >= 0 else None)
        if node.orelse:
            self.emit("else:")
            self.indented(node.orelse, (k, "orelse") if k >= 0 else None)

    def on_while(self, node: ast.While) -> None:
        """`while` with its `else`."""
        text, k = self.test("while", node, node.test, node.body, node.orelse)
        self.emit(f"while {text}:")
        self.indented(node.body, (k, "body") if k >= 0 else None, "_r.step()")
        if node.orelse:
            self.emit("else:")
            self.indented(node.orelse, (k, "orelse") if k >= 0 else None)

    def on_for(self, node: ast.For | ast.AsyncFor) -> None:
        """`for` with its `else`."""
        self.risk(node)
        self.binds(node.iter)
        k = self.point("for", node, node.lineno, node.body, node.orelse, node.iter)
        point = self.point("raises", node, node.lineno, [], []) if self.tries else -1
        self.emit(f"for _ in _r.loop({k}, {point}, {self.group(bound((node.target,)))}):")
        self.depth += 1
        if self.values is not None:
            for part in targets(node.target):
                for line in self.values.stub(part):
                    self.emit(line)
        self.block(node.body, (k, "body"))
        self.depth -= 1
        if node.orelse:
            self.emit("else:")
            self.indented(node.orelse, (k, "orelse"))

    on_asyncfor = on_for

    def on_with(self, node: ast.With | ast.AsyncWith) -> None:
        """`with`: a plain one is its body; one that swallows is a context manager."""
        self.risk(node)
        swallows = any(
            isinstance(item.context_expr, ast.Call) and dotted(item.context_expr.func).split(".")[-1] in SWALLOWERS
            for item in node.items
        )
        for item in node.items:
            if item.optional_vars is not None and self.values is not None:
                for part in targets(item.optional_vars):
                    for line in self.values.stub(part):
                        self.emit(line)
        self.binds(
            *(item.context_expr for item in node.items), *(i.optional_vars for i in node.items if i.optional_vars)
        )
        if swallows:
            self.emit(f"with _r.swallow({self.point('swallow', node, node.lineno, [], [])}):")
            self.tries.append(None)
            self.indented(node.body)
            self.tries.pop()
        else:
            self.emit("if 1:")
            self.indented(node.body)
        self.risk(node)

    on_asyncwith = on_with

    def on_classdef(self, node: ast.ClassDef) -> None:
        """Write a class body: it runs in place."""
        self.risk(node)
        self.emit("class _C:")
        self.indented(node.body)
        self.emit(f"_r.bind({self.group((((node.name,), 'bind'),))})")

    def on_match(self, node: ast.Match) -> None:
        """`match` as a chain of tests."""
        self.risk(node)
        self.binds(node.subject)
        earlier: list[int] = []
        opened = 0
        for case in node.cases:
            bare = case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            if bare:
                self.binds(case.pattern)
                self.emit("if 1:")
                self.indented(case.body)
                break
            extra = (case.guard,) if case.guard is not None else ()
            k = self.point("case", case, case.pattern.lineno, case.body, [], node.subject, case.pattern, *extra)
            self.points[k].earlier = tuple(earlier)
            earlier.append(k)
            own = self.group(bound((case.pattern, *extra)))
            before = f"_r.bind({own}) or " if own >= 0 else ""
            if self.tries:
                point = self.point("raises", node, node.lineno, [], [])
                self.emit(f"if {before}_r.risky({k}, {point}):")
            else:
                self.emit(f"if {before}_r.test({k}):")
            self.depth += 1
            if self.values is not None:
                for name in {path[0][0] for path in bound((case.pattern,))}:
                    for line in self.values.stub(ast.Name(name, ast.Store())):
                        self.emit(line)
            self.depth -= 1
            self.indented(case.body, (k, "body"))
            self.emit("else:")
            self.depth += 1
            opened += 1
            self.emit("pass")
        self.depth -= opened

    def on_try(self, node: ast.Try) -> None:
        """`try` with handlers, `else` and `finally`."""
        self.emit("try:")
        if node.finalbody:
            self.tries.append(node)
            if node.handlers:
                self.depth += 1
                self.emit("try:")
                self.handlers(node)
                self.depth -= 1
            else:
                self.indented(node.body)
                assert not node.orelse
            self.tries.pop()
            self.emit("finally:")
            self.indented(node.finalbody)
        else:
            self.handlers(node)

    on_trystar = on_try

    def handlers(self, node: ast.Try) -> None:
        """Write the body, handlers and `else` of a try; `try:` itself is written."""
        self.tries.append(node)
        self.indented(node.body)
        self.tries.pop()
        for handler in node.handlers:
            kinds: list[ast.expr] = []
            if handler.type is not None:
                kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            known = [
                found
                for kind in kinds
                if (found := builtin_exception(kind)) is not None and not isinstance(kind, ast.Call)
            ]
            reads = (handler.type,) if handler.type is not None else ()
            k = self.point("except", handler, handler.lineno, handler.body, [], *reads)
            self.points[k].guarding = node
            text = "None" if handler.type is None else "(" + "".join(f"{c.__name__}, " for c in known) + ")"
            self.emit(f"except _r.handler({k}, {text}, all_known={len(known) == len(kinds)}):")
            self.depth += 1
            self.emit(f"_r.caught({k})")
            if handler.name:
                n = self.group((((handler.name,), "bind"),))
                self.emit(f"_r.bind({n})")
                if self.values is not None:
                    for line in self.values.stub(ast.Name(handler.name, ast.Store())):
                        self.emit(line)
                self.emit("try:")
                self.indented(handler.body, (k, "body"))
                self.emit("finally:")
                self.depth += 1
                self.emit(f"_r.bind({n})")
                self.depth -= 1
            else:
                self.block(handler.body, (k, "body"))
            self.depth -= 1
        if node.orelse:
            self.emit("else:")
            self.indented(node.orelse)
