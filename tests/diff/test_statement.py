from __future__ import annotations

import pytest

from extractor.diff.statement import statement
from extractor.model.facts import Guard, GuardKind


def said(test: str, holds: bool = True, kind: GuardKind = "if") -> str:
    return statement(Guard(kind, 1, test, holds, False))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("x == 'a'", True), ('x == "a"', True), id="quotes"),
        pytest.param(("f( x,y )", True), ("f(x, y)", True), id="blanks"),
        pytest.param(("(a) and (b)", True), ("a and b", True), id="parentheses"),
        pytest.param(("not x", True), ("x", False), id="not x holds, x does not"),
        pytest.param(("not not x", True), ("x", True), id="twice not"),
        pytest.param(("x is None", False), ("x is not None", True), id="is not"),
        pytest.param(("x in y", False), ("x not in y", True), id="not in"),
        pytest.param(("not x == y", True), ("x != y", True), id="not around a comparison"),
    ],
)
def test_the_same_in_other_words(one: tuple[str, bool], other: tuple[str, bool]) -> None:
    assert said(*one) == said(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("x", True), ("x", False), id="other outcome"),
        pytest.param(("x < y", False), ("x >= y", True), id="not less: NaN is neither"),
        pytest.param(("a < b < c", False), ("a >= b >= c", True), id="a chain"),
        pytest.param(("x == 'a'", True), ("x == 'b'", True), id="other constant"),
        pytest.param(("a and b", True), ("b and a", True), id="order of evaluation"),
    ],
)
def test_something_else(one: tuple[str, bool], other: tuple[str, bool]) -> None:
    assert said(*one) != said(*other)


def test_the_construct_does_not_count() -> None:
    assert said("x", False, "early-exit") == said("x", False, "else") == said("not x")


@pytest.mark.parametrize(
    ("test", "holds", "kind", "shown"),
    [
        ("x in xs", True, "for", "<for x in xs>"),
        ("ValueError", True, "except", "<except ValueError>"),
        ("x matches 1", False, "match", "<not (x matches 1)>"),
        ("x in xs", True, "loop-exhausted", "<x in xs ran out>"),
    ],
)
def test_what_is_no_expression(test: str, holds: bool, kind: GuardKind, shown: str) -> None:
    assert said(test, holds, kind) == shown


@pytest.mark.parametrize("test", ["x ==", "(" * 300 + "x" + ")" * 300, "a" * 5000], ids=["broken", "deep", "long"])
def test_what_does_not_parse_stands_as_it_is(test: str) -> None:
    assert test in (said(test), f"({said(test)})") or said(test) == "x"
    assert said(test, False).startswith("not ")
