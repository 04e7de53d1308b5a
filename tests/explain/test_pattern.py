from __future__ import annotations

import json
import random
import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.explain.pattern import derive, escape

ESCAPED = ".*+?^${}()|[]\\"
HOSTILE = ESCAPED + "/-#&~ '\"<>=!:,\n\r\t\0\x1b\u2028\u00e9\u4e2d\U0001f600azAZ09_"


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        pytest.param(("a.b(c) [d]",), r"a\.b\(c\) \[d\]", id="characters of the list are escaped"),
        pytest.param(("a-b/c #d & e~ 'f'",), "a-b/c #d & e~ 'f'", id="no others, as re.escape would"),
        pytest.param(("back\\slash",), r"back\\slash", id="backslash"),
        pytest.param(("value ", " too"), "value (.+?) too", id="a value"),
        pytest.param(("abcde", ""), r"abcde\{\}", id="five fixed characters: the template"),
        pytest.param(("abcdef", ""), "abcdef(.+?)", id="six are enough"),
        pytest.param(("ab", "cd", "ef"), "ab(.+?)cd(.+?)ef", id="counted over all fixed texts"),
        pytest.param(("short",), "short", id="short without value"),
        pytest.param(("a {} brace ", ""), r"a \{\} brace (.+?)", id="braces of the text are no value"),
    ],
)
def test_table(texts: tuple[str, ...], wanted: str) -> None:
    assert derive(texts, "{}".join(texts)) == wanted


def test_exactly_the_listed_characters_are_escaped() -> None:
    assert {character for character in map(chr, range(0x500)) if escape(character) != character} == set(ESCAPED)


def printed(texts: list[str], values: list[str]) -> str:
    return "".join(text + value for text, value in zip(texts, [*values, ""], strict=True))


messages = st.lists(st.text(st.sampled_from(HOSTILE), max_size=8), min_size=1, max_size=5).filter(
    lambda texts: sum(map(len, texts)) >= 6
)


@given(messages, st.data())
def test_matches_whatever_values_are_printed(texts: list[str], data: st.DataObject) -> None:
    one = st.text(HOSTILE, min_size=1, max_size=6)
    values = [data.draw(one) for _ in texts[1:]]
    pattern = derive(texts, "{}".join(texts))
    assert re.fullmatch(pattern, printed(texts, values), re.DOTALL)
    assert re.search(pattern, "before " + printed(texts, values) + " after", re.DOTALL)


@given(
    st.lists(st.text("abc .(", min_size=1, max_size=8), min_size=2, max_size=5).filter(lambda t: sum(map(len, t)) > 5)
)
def test_groups_are_the_values_where_that_is_unambiguous(texts: list[str]) -> None:
    values = [str(number) for number in range(len(texts) - 1)]
    match = re.fullmatch(derive(texts, "{}".join(texts)), printed(texts, values), re.DOTALL)
    assert match is not None
    assert list(match.groups()) == values


@given(messages, st.data())
def test_re2_agrees(texts: list[str], data: st.DataObject) -> None:
    re2 = pytest.importorskip("re2")
    values = [data.draw(st.text(HOSTILE, min_size=1, max_size=6)) for _ in texts[1:]]
    options = re2.Options()
    options.dot_nl = True
    assert re2.compile(derive(texts, "{}".join(texts)), options).fullmatch(printed(texts, values))


def test_javascript_agrees() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    dice = random.Random(7)  # noqa: S311 (cases, not secrets)

    def some(least: int) -> str:
        return "".join(dice.choices(HOSTILE, k=dice.randint(least, 8)))

    cases = []
    for _ in range(400):
        texts = [some(6), *(some(0) for _ in range(dice.randint(0, 3)))]
        cases.append((derive(texts, "{}".join(texts)), printed(texts, [some(1) for _ in texts[1:]])))
    code = (
        "const cases = JSON.parse(require('fs').readFileSync(0));"
        "const bad = cases.filter(([p, t]) => !['s', 'su'].every(f => new RegExp('^(?:' + p + ')$', f).test(t)));"
        "process.stdout.write(JSON.stringify(bad))"
    )
    done = subprocess.run([node, "-e", code], input=json.dumps(cases), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_long_message_is_fast_to_match() -> None:
    texts = ["word " * 4000, ""]
    pattern = derive(texts, "{}".join(texts))
    assert re.fullmatch(pattern, printed(texts, ["value"]), re.DOTALL)
