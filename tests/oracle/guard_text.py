"""Compares the text of a reported test with the syntax it was taken from."""

from __future__ import annotations

import ast

from tests.oracle.points import Point


def same_expression(text: str, node: ast.expr) -> bool:
    """Say whether a reported test is the source of an expression."""
    try:
        return ast.dump(ast.parse(f"({text})", mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError):
        return False


def same_text(point: Point, text: str) -> bool:
    """Say whether a reported test is the text of the point's test."""
    node = point.node
    try:
        if isinstance(node, (ast.If, ast.While, ast.Assert)):
            return same_expression(text, node.test) or (
                isinstance(node, ast.While) and text.startswith("while ") and same_expression(text[6:], node.test)
            )
        if isinstance(node, (ast.For, ast.AsyncFor)):
            for prefix in ("for ", ""):
                if text.startswith(prefix):
                    parsed = ast.parse(f"for {text.removeprefix(prefix)}: pass").body[0]
                    assert isinstance(parsed, ast.For)
                    if ast.dump(parsed.target) == ast.dump(node.target) and ast.dump(parsed.iter) == ast.dump(
                        node.iter
                    ):
                        return True
            return False
        if isinstance(node, ast.ExceptHandler):
            return text == "BaseException" if node.type is None else same_expression(text, node.type)
        if isinstance(node, ast.match_case):
            subject, _, rest = text.partition(" matches ")
            wanted = point.reads[0]
            parsed_match = ast.parse(f"match 0:\n case {rest}: pass").body[0]
            assert isinstance(parsed_match, ast.Match)
            case = parsed_match.cases[0]
            same_guard = (case.guard is None) == (node.guard is None) and (
                node.guard is None or case.guard is None or ast.dump(case.guard) == ast.dump(node.guard)
            )
            assert isinstance(wanted, ast.expr)
            return same_expression(subject, wanted) and ast.dump(case.pattern) == ast.dump(node.pattern) and same_guard
    except SyntaxError:
        return False
    return False


def show(point: Point) -> str:
    """Give a short text of a point."""
    node = point.node
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        return ast.unparse(node.test)
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return f"{ast.unparse(node.target)} in {ast.unparse(node.iter)}"
    if isinstance(node, ast.match_case):
        return ast.unparse(node.pattern)
    return ast.unparse(node.type) if isinstance(node, ast.ExceptHandler) and node.type else "BaseException"
