"""Code of a record: it compiles, and the pre-check is true exactly when the guards are."""

from __future__ import annotations

import pytest

from tests.explain.evaluation import compare
from tests.trees import explained, linked_sites, with_files

FUNCTION = """
    KINDS = ("odd", "even")
    def f(server_args, x, y=None, kind="odd", items=()):
        doubled = x * 2
{body}
"""

BODIES = [
    pytest.param("if x < 1:\n    raise ValueError('m')", id="bound"),
    pytest.param("if not 0 <= x < 8:\n    raise ValueError('m')", id="chain"),
    pytest.param("if x is None or y is None:\n    raise ValueError('m')", id="or"),
    pytest.param("if not (x and y):\n    raise ValueError('m')", id="negated and"),
    pytest.param("if (x is None) != (y is None):\n    raise ValueError('m')", id="one of two"),
    pytest.param("if kind not in KINDS:\n    raise ValueError('m')", id="constant"),
    pytest.param(
        "if kind == 'odd':\n    return 1\nelif kind == 'even':\n    return 2\nelse:\n    raise ValueError('m')",
        id="else of a chain",
    ),
    pytest.param(
        "if kind == 'odd':\n    return 1\nif kind == 'even':\n    return 2\nraise ValueError('m')", id="early exits"
    ),
    pytest.param("if doubled % 3 != 0:\n    raise ValueError('m')", id="local"),
    pytest.param(
        "if server_args.tp_size > 1 and server_args.mode == 'exact':\n    raise ValueError('m')", id="options"
    ),
    pytest.param(
        "if server_args.enable_fusion:\n    if server_args.cp_size % 2:\n        raise ValueError('m')", id="nested"
    ),
    pytest.param("if not isinstance(x, (int, str)):\n    raise ValueError('m')", id="isinstance"),
    pytest.param("if any(i is None for i in items):\n    raise ValueError('m')", id="any"),
    pytest.param("if len(items) != x:\n    raise ValueError('m')", id="len"),
    pytest.param("assert x\nif not y:\n    raise ValueError('m')", id="assert"),
]


def files(body: str) -> dict[str, str]:
    indented = "\n".join("        " + line for line in body.split("\n"))
    return with_files(aaa=FUNCTION.replace("{body}", indented))


@pytest.mark.parametrize("body", BODIES)
def test_the_check_is_true_to_the_guards(body: str) -> None:
    record = explained(files(body))
    assert record.validation_code is not None
    compared, held, difference = compare(linked_sites(files(body))[0], record.validation_code, 600, 7)
    assert not difference
    assert compared > 20 and 0 < held < compared


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if probe(x):\n    raise ValueError('m')", id="helper of the program"),
        pytest.param("if x.kind is Kind.A:\n    raise ValueError('m')", id="enum"),
        pytest.param("z = load()\nif z:\n    raise ValueError('m')", id="value of the program"),
        pytest.param("for i in items:\n    if i:\n        raise ValueError('m')", id="loop"),
        pytest.param("try:\n    g(x)\nexcept KeyError:\n    raise ValueError('m')", id="handler"),
        pytest.param("if x:\n    x = g(x)\n    if y:\n        raise ValueError('m')", id="stale"),
        pytest.param("raise ValueError('m')", id="nothing to check"),
    ],
)
def test_no_check_that_is_not_exact(body: str) -> None:
    assert explained(files(body)).validation_code is None


def test_options_are_called_as_their_parser_does() -> None:
    record = explained(files("if server_args.gemm == 'a':\n    raise ValueError('m')"))
    assert record.validation_code == "if args.gemm == 'a':\n    raise SystemExit('--gemm-backend must not be a')"


def test_type_guard() -> None:
    record = explained(files("if not isinstance(x, (int, str)):\n    raise ValueError('m')"))
    assert record.type_guard is not None and record.handling_strategy == "type-guard"
    found: dict[str, object] = {}
    exec(record.type_guard, found)  # noqa: S102  # the code under test is there to be run  # the code under test is there to be run
    check = found["is_valid_x"]
    assert callable(check) and check(1) and check("a") and not check([])
    assert explained(files("if not isinstance(x, Thing):\n    raise ValueError('m')")).type_guard is None
