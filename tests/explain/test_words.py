"""Conditions in words: what is the case, and what would have to be. No condition may come out inverted."""

from __future__ import annotations

import pytest

from extractor.explain.clauses import Reader, negated
from extractor.explain.words import Wording
from extractor.model.linked import Context, Input, Meaning, Option, Values, Variable
from tests.builders import guard


def option(field: str, default: str = "None", switch: bool = False, kind: str = "int") -> Option:
    flag = "--" + field.replace("_", "-")
    return Option(field, flag, (), "", kind, switch, default, None, False, "", False, "", "Args", "", "args.py", 1)


CONTEXT = Context(
    inputs=(
        Input("option", "--cp-size", "a.cp_size", option("cp_size", "1")),
        Input("option", "--fuse", "a.fuse", option("fuse", "False", switch=True, kind="bool")),
        Input("option", "--mode", "a.mode", option("mode", kind="str")),
        Input("environment", "APP_ON", "envs.APP_ON.get()", Variable("APP_ON", "bool", "False", "", True, "e.py", 1)),
        Input("request-field", "stop", "self.stop", None, "Optional[str]", "None"),
        Input("config-field", "width", "config.width"),
        Input("platform", "NVIDIA CUDA", "is_cuda()"),
        Input("package", "fancy", "is_fancy_available()"),
        Input("parameter", "ready", "ready", None, "bool"),
    ),
    meanings=(Meaning("wide", "a.cp_size > 1", 3), Meaning("LIMIT", "8", 1)),
    values=(Values("KINDS", ("'p'", "'q'"), "k.py", 1),),
)

WORDS = [
    pytest.param("a.cp_size > 1", True, "`--cp-size` is greater than 1", "`--cp-size` must be at most 1", id="greater"),
    pytest.param(
        "a.cp_size > 1", False, "`--cp-size` is at most 1", "`--cp-size` must be greater than 1", id="not greater"
    ),
    pytest.param(
        "1 < a.cp_size", True, "`--cp-size` is greater than 1", "`--cp-size` must be at most 1", id="literal first"
    ),
    pytest.param("a.fuse", True, "`--fuse` is set", "`--fuse` must not be set", id="switch"),
    pytest.param("not a.fuse", True, "`--fuse` is not set", "`--fuse` must be set", id="not a switch"),
    pytest.param("a.mode is None", True, "`--mode` is not given", "`--mode` must be given", id="option left out"),
    pytest.param("a.mode is not None", True, "`--mode` is given", "`--mode` must be left out", id="option given"),
    pytest.param("a.mode == 'x'", True, "`--mode` is `x`", "`--mode` must not be `x`", id="equal"),
    pytest.param(
        "a.mode not in ('x', 'y')",
        True,
        "`--mode` is neither `x` nor `y`",
        "`--mode` must be one of `x` or `y`",
        id="closed set",
    ),
    pytest.param(
        "a.mode not in KINDS",
        True,
        "`--mode` is neither `p` nor `q`",
        "`--mode` must be one of `p` or `q`",
        id="constant",
    ),
    pytest.param(
        "a.mode in table",
        True,
        "`--mode` is among the values of `table`",
        "`--mode` must not be among the values of `table`",
        id="open set",
    ),
    pytest.param(
        "a.cp_size % LIMIT != 0",
        True,
        "`--cp-size` is not divisible by `LIMIT` (8)",
        "`--cp-size` must be divisible by `LIMIT` (8)",
        id="remainder",
    ),
    pytest.param(
        "a.cp_size % 8",
        True,
        "`--cp-size` is not divisible by 8",
        "`--cp-size` must be divisible by 8",
        id="bare remainder",
    ),
    pytest.param("envs.APP_ON.get()", True, "`APP_ON` is true", "`APP_ON` must not be true", id="variable"),
    pytest.param(
        "self.stop is None",
        True,
        "request field `stop` is not given",
        "request field `stop` must be given",
        id="request",
    ),
    pytest.param(
        "config.width < 8",
        True,
        "`width` of the model config is less than 8",
        "`width` of the model config must be at least 8",
        id="config",
    ),
    pytest.param(
        "not is_cuda()",
        True,
        "the program does not run on NVIDIA CUDA (`is_cuda()`)",
        "the program must run on NVIDIA CUDA (`is_cuda()`)",
        id="platform",
    ),
    pytest.param(
        "is_fancy_available()",
        False,
        "the package `fancy` is not installed (`is_fancy_available()`)",
        "the package `fancy` must be installed (`is_fancy_available()`)",
        id="package",
    ),
    pytest.param("ready", False, "`ready` is false", "`ready` must be true", id="boolean"),
    pytest.param("x is None", True, "`x` is `None`", "`x` must not be `None`", id="None"),
    pytest.param("len(x) == 0", True, "`x` is empty", "`x` must not be empty", id="empty"),
    pytest.param("len(x) != 3", True, "the length of `x` is not 3", "the length of `x` must be 3", id="length"),
    pytest.param(
        "x.ndim != 2",
        True,
        "the number of dimensions of `x` is not 2",
        "the number of dimensions of `x` must be 2",
        id="dimensions",
    ),
    pytest.param("not x.is_contiguous()", True, "`x` is not contiguous", "`x` must be contiguous", id="layout"),
    pytest.param(
        "x.shape[1] != 4", True, "dimension 1 of `x` is not 4", "dimension 1 of `x` must be 4", id="one dimension"
    ),
    pytest.param(
        "not isinstance(x, (int, str))",
        True,
        "`x` is not an integer or a string",
        "`x` must be an integer or a string",
        id="types",
    ),
    pytest.param(
        "not hasattr(x, 'y')",
        True,
        "`x` does not have an attribute `'y'`",
        "`x` must have an attribute `'y'`",
        id="attribute",
    ),
    pytest.param("x.startswith('a')", False, "`x` does not start with `'a'`", "`x` must start with `'a'`", id="prefix"),
    pytest.param("'k' not in x", True, "`x` does not contain `'k'`", "`x` must contain `'k'`", id="contents"),
    pytest.param("wide", True, "`--cp-size` is greater than 1", "`--cp-size` must be at most 1", id="local condition"),
    pytest.param(
        "a.fuse and a.cp_size > 1",
        True,
        "`--fuse` is set and `--cp-size` is greater than 1",
        "when `--fuse` is set, `--cp-size` must be at most 1",
        id="both",
    ),
    pytest.param(
        "a.fuse and a.cp_size > 1",
        False,
        "either `--fuse` is not set or `--cp-size` is at most 1",
        "`--fuse` must be set and `--cp-size` must be greater than 1",
        id="not both",
    ),
    pytest.param(
        "x is None or y is None", True, "`x` or `y` is `None`", "`x` and `y` must not be `None`", id="one of two"
    ),
    pytest.param(
        "not 0 < x < 8",
        True,
        "either `x` is at most 0 or `x` is at least 8",
        "`x` must be greater than 0 and `x` must be less than 8",
        id="outside a range",
    ),
    pytest.param(
        "(x is None) != (y is None)",
        True,
        "only one of these holds: `x` is `None`; `y` is `None`",
        "both or neither of these must hold: `x` is `None`; `y` is `None`",
        id="exactly one",
    ),
    pytest.param(
        "any(i > 1 for i in x)",
        True,
        "`i` is greater than 1 for at least one `i` in `x`",
        "`i` must be at most 1 for every `i` in `x`",
        id="any",
    ),
    pytest.param(
        "all(i > 1 for i in x)",
        False,
        "`i` is at most 1 for at least one `i` in `x`",
        "`i` must be greater than 1 for every `i` in `x`",
        id="not all",
    ),
]


@pytest.mark.parametrize(("test", "holds", "state", "demand"), WORDS)
def test_words(test: str, holds: bool, state: str, demand: str) -> None:
    reader = Reader(CONTEXT)
    (clause,) = reader.clauses((guard(test, holds),))
    words = Wording(reader)
    assert words.state(clause) == state
    assert words.demand(clause) == demand


@pytest.mark.parametrize(("test", "holds", "state"), [pytest.param(*row.values[:3], id=row.id) for row in WORDS])
def test_a_negation_undone_is_the_clause(test: str, holds: bool, state: str) -> None:
    reader = Reader(CONTEXT)
    (clause,) = reader.clauses((guard(test, holds),))
    twice = negated(negated(clause))
    assert Wording(reader).state(twice) == state
    (flipped,) = reader.clauses((guard(test, not holds),))
    assert Wording(reader).state(negated(flipped)) == state


def test_a_chain_of_alternatives_is_one_closed_set() -> None:
    reader = Reader(Context())
    guards = (guard("x == 'a'", False, "else"), guard("x in ('b', 'c')", False, "else"), guard("y", True))
    first, second = (Wording(reader).state(clause) for clause in reader.clauses(guards))
    assert first == "`x` is none of `'a'`, `'b'` and `'c'`"
    assert second == "`y` is set"


def test_stale_guards_say_nothing() -> None:
    assert Reader(Context()).clauses((guard("x > 1", stale=True),)) == []


def test_what_cannot_be_parsed_is_quoted() -> None:
    reader = Reader(Context())
    (clause,) = reader.clauses((guard("x >", True),))
    assert Wording(reader).state(clause) == "`x >` holds"
    assert Wording(reader).demand(clause) == "`x >` must not hold"
