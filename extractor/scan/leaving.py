"""Which constructs always leave, always match, or always catch: the vocabulary of control flow."""

from __future__ import annotations

import ast

from extractor.scan.access import path_of

NEVER_RETURN = frozenset(
    {("sys", ".exit"), ("exit",), ("quit",), ("os", "._exit"), ("os", ".abort")}
)  # fmt: skip
"""Standard functions that end the program, as `FileNames.canonical` writes them (contract, section 7)."""

SWALLOWING = frozenset(
    {"suppress", "raises", "assertRaises", "assertRaisesRegex", "warns", "ExitStack", "AsyncExitStack"}
)
"""Last names of context managers of the standard library and pytest that may swallow an exception."""

CATCH_ALL = frozenset({"BaseException"})
"""Classes that every exception is an instance of."""


def called(expression: ast.expr) -> ast.Call | None:
    """Return the call that an expression statement consists of, awaited or not."""
    if isinstance(expression, ast.Await):
        expression = expression.value
    return expression if isinstance(expression, ast.Call) else None


def context_name(context: ast.expr) -> str:
    """Return the last name of what makes a context manager, empty if it has none."""
    path = path_of(context.func) if isinstance(context, ast.Call) else path_of(context)
    return path[-1].lstrip(".") if path is not None else ""


def catches_everything(handler: ast.ExceptHandler) -> bool:
    """Tell whether no exception passes a handler."""
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(each, ast.Name) and each.id in CATCH_ALL for each in types)


def is_irrefutable(case: ast.match_case) -> bool:
    """Tell whether a `case` always matches: `_` or a bare name, without a guard (PEP 634)."""
    if case.guard is not None:
        return False
    pattern = case.pattern
    while isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    if isinstance(pattern, ast.MatchOr):
        return any(isinstance(each, ast.MatchAs) and each.pattern is None for each in pattern.patterns)
    return isinstance(pattern, ast.MatchAs)


def declared_noreturn(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function's return annotation is `NoReturn` or `Never` (PEP 484, `typing.Never`)."""
    returns = node.returns
    if isinstance(returns, ast.Constant) and isinstance(returns.value, str):
        return returns.value.rpartition(".")[2] in ("NoReturn", "Never")
    path = path_of(returns) if returns is not None else None
    return path is not None and path[-1].lstrip(".") in ("NoReturn", "Never")
