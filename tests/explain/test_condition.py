from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from extractor.explain.condition import condition
from extractor.model.facts import Guard
from tests.builders import guard


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        pytest.param("a == b", "a != b", id="eq"),
        pytest.param("a != b", "a == b", id="ne"),
        pytest.param("a is None", "a is not None", id="is"),
        pytest.param("a is not None", "a is None", id="is not"),
        pytest.param("a in b", "a not in b", id="in"),
        pytest.param("a not in b", "a in b", id="not in"),
        pytest.param("not a", "a", id="not"),
        pytest.param("not not a", "not a", id="only one not is unwrapped"),
        pytest.param("not (a or b)", "a or b", id="not of a parenthesised operand"),
        pytest.param("not(a)", "a", id="not without blank"),
        pytest.param("a", "not (a)", id="a name"),
        pytest.param("a < b", "not (a < b)", id="order is not flipped: it is false both ways for a NaN"),
        pytest.param("a == b == c", "not (a == b == c)", id="a chain has no one operator"),
        pytest.param("a and b", "not (a and b)", id="and"),
        pytest.param("a == b or c", "not (a == b or c)", id="the comparison is not the whole"),
        pytest.param("not a == b", "a == b", id="not binds looser than =="),
        pytest.param("(a) == (b)", "(a) != (b)", id="parentheses beside the operator stay"),
        pytest.param("'==' == a", "'==' != a", id="an operator in a string on the left"),
        pytest.param("a == '=='", "a != '=='", id="an operator in a string on the right"),
        pytest.param("f(a == b) == c", "f(a == b) != c", id="an operator in the left operand"),
        pytest.param("'é' in a", "'é' not in a", id="UTF-8 offsets"),
        pytest.param("'''x\ny''' == a", "'''x\ny''' != a", id="a line break in a string"),
        pytest.param("a == '''é\né''' ", "a != '''é\né''' ", id="a line break on the right"),
        pytest.param("island in inside", "island not in inside", id="names that hold operators"),
        pytest.param("not (x := f())", "(x := f())", id="an assignment is never bare"),
        pytest.param("new syntax here", "not (new syntax here)", id="what cannot be parsed"),
        pytest.param("'\\d' == a", "'\\d' != a", id="an invalid escape gives no warning"),
        pytest.param("'a\r\nb' is a", "not ('a\r\nb' is a)", id="a carriage return shifts the parser's columns"),
        pytest.param("(" * 300 + "a" + ")" * 300, "not (" + "(" * 300 + "a" + ")" * 300 + ")", id="too deep"),
        pytest.param("-" * 5000 + "a", "not (" + "-" * 5000 + "a)", id="too long"),
    ],
)
def test_negation(test: str, wanted: str) -> None:
    assert condition([guard(test, holds=False)]) == wanted


@pytest.mark.parametrize(
    ("guards", "wanted"),
    [
        pytest.param([], "", id="none"),
        pytest.param([guard("a or b")], "a or b", id="or alone"),
        pytest.param([guard("a or b"), guard("c")], "(a or b) and c", id="or needs parentheses"),
        pytest.param([guard("a and b"), guard("c")], "a and b and c", id="and needs none"),
        pytest.param([guard("not a"), guard("c")], "not a and c", id="not needs none"),
        pytest.param([guard("a if b else c"), guard("d")], "(a if b else c) and d", id="ternary"),
        pytest.param([guard("lambda: 0"), guard("d")], "(lambda: 0) and d", id="lambda"),
        pytest.param([guard("x := f()")], "(x := f())", id="assignment alone"),
        pytest.param([guard("a, b"), guard("c")], "(a, b) and c", id="tuple"),
        pytest.param([guard("f(a or b)"), guard("c")], "f(a or b) and c", id="or inside a call"),
        pytest.param([guard("f(lambda: 0)"), guard("c")], "f(lambda: 0) and c", id="lambda inside a call"),
        pytest.param([guard("'a or b'"), guard("c")], "'a or b' and c", id="or inside a string"),
        pytest.param([guard("not (a or b)", holds=False), guard("c")], "(a or b) and c", id="unwrapped or"),
        pytest.param([guard("a"), guard("b", stale=True)], "a", id="stale guards are left out"),
        pytest.param([guard("a or b"), guard("b", stale=True)], "a or b", id="and do not count"),
        pytest.param([guard("what is this"), guard("c")], "what is this and c", id="unparsable without loose words"),
        pytest.param([guard("what or this is"), guard("c")], "(what or this is) and c", id="unparsable"),
        pytest.param([guard("x in xs", kind="for"), guard("x")], "<for x in xs> and x", id="for"),
        pytest.param([guard("KeyError", kind="except")], "<except KeyError>", id="except"),
        pytest.param([guard("for x in xs", kind="loop-exhausted")], "<for x in xs ran out>", id="loop ran out"),
        pytest.param([guard("a matches 1", kind="match")], "<a matches 1>", id="case"),
        pytest.param([guard("a matches 1", False, "match")], "<not (a matches 1)>", id="earlier case"),
        pytest.param([guard("a", False, "while"), guard("b", False, "else")], "not (a) and not (b)", id="other kinds"),
    ],
)
def test_conjunction(guards: list[Guard], wanted: str) -> None:
    assert condition(guards) == wanted


class Value:
    """Anything goes between two of these, so that a random expression has a value."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and other.number == self.number

    def __hash__(self) -> int:
        return self.number

    def __lt__(self, other: object) -> bool:
        return isinstance(other, Value) and self.number < other.number

    def __gt__(self, other: object) -> bool:
        return isinstance(other, Value) and self.number > other.number

    def __contains__(self, other: object) -> bool:
        return isinstance(other, Value) and other.number < self.number

    def __bool__(self) -> bool:
        return self.number > 0


def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(["==", "!=", "is", "is not", "in", "not in", "<", "and", "or"])
    return st.one_of(
        st.tuples(inner, operator, inner).map(" ".join),
        inner.map("not {}".format),
        inner.map("({})".format),
        inner.map("f({})".format),
        st.tuples(inner, inner, inner).map(lambda part: "{} if {} else {}".format(*part)),
        inner.map("lambda: {}".format),
        inner.map("y := {}".format),
    )


def parses(text: str) -> bool:
    try:
        compile(f"({text})", "test", "eval")
    except SyntaxError:
        return False
    return True


expressions = st.recursive(st.sampled_from("abcd"), deeper, max_leaves=8).filter(parses)
outcomes = st.lists(st.tuples(expressions, st.booleans()), min_size=1, max_size=4)


@given(outcomes, st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_is_true_exactly_when_every_guard_has_its_outcome(tests: list[tuple[str, bool]], numbers: list[int]) -> None:
    names = {name: Value(number) for name, number in zip("abcd", numbers, strict=True)} | {"f": lambda value: value}
    written = condition([guard(test, holds) for test, holds in tests])
    try:
        wanted = all(bool(eval(f"({test})", dict(names))) is holds for test, holds in tests)  # noqa: S307 (our own text)
        found = bool(eval(written, dict(names)))  # noqa: S307 (our own text)
    except TypeError:  # `a in (b == c)` and its like have no value
        assume(False)
    assert found is wanted
