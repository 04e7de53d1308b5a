"""Which facts can hold where: a forward may-analysis over the structured statements of one function.

A state is a set of facts as a bit mask; joins are unions, and each event removes some facts and adds others (the
gen/kill form of data-flow analysis). The walk follows the statements themselves instead of an explicit control-flow
graph: Python has no goto, so the edges of `break`, `continue`, `return` and exceptions are known from the nesting.

Exceptions: any statement may raise, before or after it took effect. What a `try` cannot surely catch goes on outward.
A `with` block lets exceptions through unless its context manager is known to swallow some.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from extractor.scan.leaving import called, catches_everything, is_irrefutable
from extractor.scan.text import is_constant

State = int | None
"""Facts that may hold, one bit each; None where control never comes."""

Decision = ast.If | ast.While | ast.For | ast.AsyncFor | ast.Assert | ast.match_case | ast.ExceptHandler
"""A node whose outcome is a fact: a test, a loop header, a `case`, a handler."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor)
_WITHS = (ast.With, ast.AsyncWith)


class Knowledge(Protocol):
    """What is known of the functions and context managers that a region uses."""

    def noreturn(self, call: ast.Call) -> bool:
        """Tell whether a call never returns."""

    def swallows(self, context: ast.expr) -> bool:
        """Tell whether a context manager may swallow exceptions."""


class Facts(Protocol):
    """What a client of the walk tracks."""

    def outcome(self, state: int, decision: Decision, holds: bool) -> int:
        """Return the state after `decision` went one way."""

    def effect(self, state: int, node: ast.AST) -> int:
        """Return the state after a statement, a header or a capture took effect."""

    def unbind(self, state: int, handler: ast.ExceptHandler) -> int:
        """Return the state after a handler's name was deleted at its end."""

    def visit(self, state: int, node: ast.stmt) -> None:
        """Note the state with which control comes to a simple statement."""


def _join(a: State, b: State) -> State:
    if a is None:
        return b
    return a if b is None else a | b


def _ends_by_binding(node: ast.stmt) -> bool:
    """Tell whether binding a plain name is the last thing a statement does, so that it cannot raise after that."""
    if isinstance(node, ast.Assign):
        return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    return isinstance(node, (ast.AnnAssign, ast.AugAssign)) and isinstance(node.target, ast.Name)


class _Exits:
    """Where control may go from inside a block, with the states gathered so far."""

    __slots__ = ("breaks", "continues", "raised", "returns")

    def __init__(self) -> None:
        self.breaks: State = None
        self.continues: State = None
        self.returns: State = None
        self.raised: State = None


class Walk:
    """One analysis of one function body."""

    def __init__(self, facts: Facts, knowledge: Knowledge) -> None:
        """Take the client, and what is known of the names around."""
        self._facts = facts
        self._knowledge = knowledge
        self._breaks = self._continues = self._returns = self._raised = _Exits()
        self._inside: list[ast.stmt] = []
        self.left_early: set[ast.stmt] = set()
        """Loops that a `return`, `break` or uncaught `raise` in their body leaves."""

    def run(self, body: list[ast.stmt], state: int) -> None:
        """Analyse a function or module body from its entry."""
        self._block(body, state)

    def _block(self, body: list[ast.stmt], state: State) -> State:
        for node in body:
            if state is None:
                return None
            raised = self._raised
            raised.raised = _join(raised.raised, state)
            state = self._statement(node, state)
            if state is not None and not _ends_by_binding(node):
                raised.raised = _join(raised.raised, state)
        return state

    def _statement(self, node: ast.stmt, state: int) -> State:
        if isinstance(node, ast.If):
            return self._if(node, state)
        if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return self._leave(node, state)
        if isinstance(node, _LOOPS):
            return self._for(node, state)
        if isinstance(node, ast.While):
            return self._while(node, state)
        if isinstance(node, (ast.Try, ast.TryStar)):
            return self._try(node, state)
        if isinstance(node, _WITHS):
            return self._with(node, state)
        if isinstance(node, ast.Match):
            return self._match(node, state)
        if isinstance(node, ast.Assert):
            return self._assert(node, state)
        self._facts.visit(state, node)
        if isinstance(node, ast.ClassDef):
            after = self._block(node.body, state)
            return None if after is None else self._facts.effect(after, node)
        state = self._facts.effect(state, node)
        call = called(node.value) if isinstance(node, ast.Expr) else None
        if call is not None and self._knowledge.noreturn(call):
            self._mark_left(caught=True)
            return None
        return state

    def _leave(self, node: ast.Return | ast.Raise | ast.Break | ast.Continue, state: int) -> State:
        self._facts.visit(state, node)
        state = self._facts.effect(state, node)
        if isinstance(node, ast.Raise):
            self._mark_left(caught=True)
            self._raised.raised = _join(self._raised.raised, state)
        elif isinstance(node, ast.Return):
            self._mark_left(caught=False)
            self._returns.returns = _join(self._returns.returns, state)
        elif isinstance(node, ast.Break):
            self.left_early.add(next(loop for loop in reversed(self._inside) if not isinstance(loop, ast.Try)))
            self._breaks.breaks = _join(self._breaks.breaks, state)
        else:
            self._continues.continues = _join(self._continues.continues, state)
        return None

    def _mark_left(self, *, caught: bool) -> None:
        """Note the loops that leaving from here ends; a raise may be caught by a `try` it stands in."""
        for outer in reversed(self._inside):
            if isinstance(outer, ast.Try):
                if caught:
                    return
            else:
                self.left_early.add(outer)

    def _if(self, node: ast.If, state: int) -> State:
        after: State = None
        while True:
            state = self._facts.effect(state, node)
            known = is_constant(node.test)
            if known is not False:
                after = _join(after, self._block(node.body, self._facts.outcome(state, node, True)))
            if known is True:
                return after
            state = self._facts.outcome(state, node, False)
            # A long `elif` chain is as deep as it is long; walk it flat.
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                node = node.orelse[0]
                continue
            return _join(after, self._block(node.orelse, state))

    def _assert(self, node: ast.Assert, state: int) -> State:
        self._facts.visit(state, node)
        state = self._facts.effect(state, node)
        self._raised.raised = _join(self._raised.raised, self._facts.outcome(state, node, False))
        return self._facts.outcome(state, node, True)

    def _while(self, node: ast.While, state: int) -> State:
        endless = is_constant(node.test) is True
        exits, head = _Exits(), state
        while True:
            tested = self._facts.effect(head, node)
            after = self._loop_body(node, exits, self._facts.outcome(tested, node, True))
            again = _join(head, after)
            if again == head:
                break
            head = again or 0
            self._raised.raised = _join(self._raised.raised, head)
        over = None if endless else self._block(node.orelse, self._facts.outcome(tested, node, False))
        return _join(over, exits.breaks)

    def _for(self, node: ast.For | ast.AsyncFor, state: int) -> State:
        exits, head = _Exits(), state
        while True:
            item = self._facts.outcome(self._facts.effect(head, node), node, True)
            again = _join(head, self._loop_body(node, exits, item))
            if again == head:
                break
            head = again or 0
            self._raised.raised = _join(self._raised.raised, head)
        over = self._block(node.orelse, self._facts.outcome(head, node, False))
        return _join(over, exits.breaks)

    def _loop_body(self, node: ast.For | ast.AsyncFor | ast.While, exits: _Exits, state: int) -> State:
        before = self._breaks, self._continues
        self._breaks = self._continues = exits
        self._inside.append(node)
        after = self._block(node.body, state)
        self._inside.pop()
        self._breaks, self._continues = before
        return _join(after, exits.continues)

    def _with(self, node: ast.With | ast.AsyncWith, state: int) -> State:
        state = self._facts.effect(state, node)
        if not any(self._knowledge.swallows(item.context_expr) for item in node.items):
            return self._block(node.body, state)
        inner, outer = _Exits(), self._raised
        inner.raised = state
        self._raised = inner
        after = self._block(node.body, state)
        self._raised = outer
        outer.raised = _join(outer.raised, inner.raised)
        return _join(after, inner.raised)

    def _match(self, node: ast.Match, state: int) -> State:
        state = self._facts.effect(state, node)
        after: State = None
        rest: State = state
        for position, case in enumerate(node.cases):
            if rest is None:
                break
            taken = rest
            if not is_irrefutable(case):
                taken = self._facts.outcome(taken, case, True)
                rest = self._facts.outcome(rest, case, False)
            else:
                rest = None
            for later in node.cases[position + 1 :]:
                if not is_irrefutable(later):
                    taken = self._facts.outcome(taken, later, False)
            after = _join(after, self._block(case.body, self._facts.effect(taken, case)))
        return _join(after, rest)

    def _try(self, node: ast.Try | ast.TryStar, state: int) -> State:
        if not node.finalbody:
            return self._try_body(node, state)
        with self._intercepted() as exits:
            after = self._try_body(node, state)
        final = node.finalbody
        for name, outer in (
            ("breaks", self._breaks),
            ("continues", self._continues),
            ("returns", self._returns),
            ("raised", self._raised),
        ):
            passing: State = getattr(exits, name)
            if passing is not None:
                setattr(outer, name, _join(getattr(outer, name), self._block(final, passing)))
        return self._block(final, after)

    @contextmanager
    def _intercepted(self) -> Iterator[_Exits]:
        """Send every way out through one place, so that a `finally` block is passed on each of them."""
        before = self._breaks, self._continues, self._returns, self._raised
        exits = _Exits()
        self._breaks = self._continues = self._returns = self._raised = exits
        yield exits
        self._breaks, self._continues, self._returns, self._raised = before

    def _try_body(self, node: ast.Try | ast.TryStar, state: int) -> State:
        thrown, outer = _Exits(), self._raised
        thrown.raised = state
        self._raised = thrown
        if node.handlers:
            self._inside.append(node)
        after = self._block(node.body, state)
        if node.handlers:
            self._inside.pop()
        self._raised = outer
        caught = thrown.raised
        assert caught is not None  # noqa: S101 -- starts as the state at the `try`
        if not any(catches_everything(handler) for handler in node.handlers):
            outer.raised = _join(outer.raised, caught)
        after = self._block(node.orelse, after)
        for handler in node.handlers:
            entered = self._facts.effect(self._facts.outcome(caught, handler, True), handler)
            end = self._block(handler.body, entered)
            if end is not None:
                after = _join(after, self._facts.unbind(end, handler))
        return after
