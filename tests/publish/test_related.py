from __future__ import annotations

import pytest

from extractor.publish.groups import folder_of, kinds, tree
from extractor.publish.inputs import Input, decode_inputs
from extractor.publish.reading import Facts, GuardFacts, Head, MessageFacts, Row
from extractor.publish.related import related


def row(
    message: str,
    path: str = "a.py",
    *guards: str,
    inputs: tuple[str, ...] = (),
    family: str | None = None,
    name: str = "",
) -> Row:
    head = Head(message, message, message, "ValueError", "exception", "error", path, 10, ("tag",), family)
    tests = tuple(GuardFacts("if", 1, test, holds=True) for test in guards)
    facts = Facts(message, name or message, 10, 10, 4, MessageFacts(message, "literal"), guards=tests)
    return Row(head, facts, tuple(Input("option", flag) for flag in inputs))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        pytest.param(
            [row("a", "a.py", inputs=("--x",)), row("b", "b.py", inputs=("--x",))], "shares `--x`", id="an option"
        ),
        pytest.param(
            [row("a", "a.py", inputs=("--x", "--y")), row("b", "b.py", inputs=("--x", "--y"))],
            "shares `--x`, `--y`",
            id="two options",
        ),
        pytest.param(
            [row("a", "a.py", "x > 1", name="f"), row("b", "a.py", "x > 1", name="f")],
            "same condition: `x > 1`",
            id="a guard",
        ),
        pytest.param(
            [row("a", "a.py", "config.size > 1"), row("b", "b.py", "config.size > 1")],
            "tests `config.size > 1` too",
            id="a test",
        ),
        pytest.param([row("a", "a.py"), row("a", "b.py")], "same message elsewhere", id="the message"),
        pytest.param([row("a", "a.py", name="f"), row("b", "a.py", name="f")], "same function, `f`", id="the function"),
        pytest.param(
            [row("a", "a.py", family="unknown-name"), row("b", "b.py", family="unknown-name")],
            "same kind of failure, about tag",
            id="the family",
        ),
        pytest.param([row("a"), row("b")], "same file", id="the file"),
    ],
)
def test_what_is_shared_is_said(rows: list[Row], why: str) -> None:
    found = related(rows)
    assert [(r.row, r.why) for r in found[0]] == [(1, why)]
    assert [(r.row, r.why) for r in found[1]] == [(0, why)]


def test_what_shares_nothing_is_not_related() -> None:
    assert related([row("a", "a.py", "x"), row("b", "b.py", "x")]) == [(), ()]


def test_the_best_five_come_first() -> None:
    rows = [row(f"m{n}", "a.py") for n in range(8)]
    rows += [row("far", "z.py", inputs=("--x",)), row("near", "a.py", inputs=("--x",))]
    found = related(rows)
    assert found[9][0].row == 8
    assert len(found[9]) == 5


def test_an_error_is_not_shown_twice() -> None:
    rows = [row("a"), row("b"), row("b"), row("a")]
    assert [r.row for r in related(rows)[0]] == [1]


def test_lists_by_option_and_folder() -> None:
    rows = [row("a", "p/a.py", inputs=("--x", "--y")), row("b", "p/q/b.py", inputs=("--x",)), row("c", "p/q/c.py")]
    options = next(kind for kind in kinds(rows) if kind.key == "options")
    assert [(group.name, group.url, group.rows) for group in options.groups] == [
        ("--x", "options/x/", (0, 1)),
        ("--y", "options/y/", (0,)),
    ]
    folders = tree(rows)
    assert folders["p"].folders == ["p/a.py", "p/q"]
    assert folders["p/q"].rows == [1, 2]
    assert folders["p/q/c.py"].is_file


def test_options_of_one_name_have_two_folders() -> None:
    options = next(kind for kind in kinds([row("a", inputs=("--x", "-x"))]) if kind.key == "options")
    assert len({group.url for group in options.groups}) == 2
    assert folder_of("env", "A_B") == "env/A_B/"


@pytest.mark.parametrize(
    ("raw", "default", "place"),
    [
        pytest.param({"default": "1", "declaredAt": {"path": "a.py", "line": 3}}, "1", ("a.py", 3), id="with a place"),
        pytest.param({"default": None, "declaredAt": None, "choices": None}, "", ("", 0), id="unknown"),
        pytest.param({}, "", ("", 0), id="not told"),
    ],
)
def test_inputs(raw: dict[str, object], default: str, place: tuple[str, int]) -> None:
    [found] = decode_inputs([{"kind": "option", "name": "--x", "expression": "x", **raw}])
    assert (found.name, found.default, (found.path, found.line)) == ("--x", default, place)


def test_what_a_user_sets_comes_first() -> None:
    raw = [
        {"kind": "local", "name": "a"},
        {"kind": "option", "name": "--x"},
        {"kind": "option", "name": "--x"},
        {"kind": "option"},
    ]
    assert [i.name for i in decode_inputs(raw)] == ["--x", "a"]
