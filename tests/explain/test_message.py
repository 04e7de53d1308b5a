from __future__ import annotations

import pytest

from extractor.explain.message import message_row
from extractor.model.facts import Text
from tests.builders import message, text, value


@pytest.mark.parametrize(
    ("found", "template", "source", "pattern"),
    [
        pytest.param(text("plain text"), "plain text", "plain text", "plain text", id="no value"),
        pytest.param(
            text("got ", value("a.b"), " here"), "got {} here", "got {a.b} here", "got (.+?) here", id="a value"
        ),
        pytest.param(
            text("number ", value("x", "r", ">10")),
            "number {}",
            "number {x!r:>10}",
            "number (.+?)",
            id="conversion, spec",
        ),
        pytest.param(text(value("e")), "{e}", "{e}", r"\{e\}", id="unresolved"),
        pytest.param(text(value("e", "r")), "{e}", "{e!r}", r"\{e\}", id="unresolved, with conversion"),
        pytest.param(
            text(value("a"), value("b[0]")), "{a}{b[0]}", "{a}{b[0]}", r"\{a\}\{b\[0\]\}", id="two values only"
        ),
        pytest.param(text(value("a"), ": ", value("b")), "{}: {}", "{a}: {b}", r"\{\}: \{\}", id="too short"),
        pytest.param(text(""), "ValueError", "ValueError", "ValueError", id="nothing printed"),
        pytest.param(
            text("bad \ud800 text"), r"bad \ud800 text", r"bad \ud800 text", r"bad \\ud800 text", id="surrogate"
        ),
        pytest.param(
            text("a {x} b", value("y")), "a {x} b{}", "a {x} b{y}", r"a \{x\} b(.+?)", id="braces in the text"
        ),
    ],
)
def test_forms(found: Text, template: str, source: str, pattern: str) -> None:
    row = message_row(message(found), "ValueError")
    assert (row.template, row.source, row.pattern) == (template, source, pattern)
    assert row.variants == ()


def test_variants_are_all_listed_and_the_first_is_the_message() -> None:
    row = message_row(message(text("first text"), text("second ", value("x"))), "ValueError")
    assert [variant.template for variant in row.variants] == ["first text", "second {}"]
    assert (row.template, row.pattern, row.placeholders) == ("first text", "first text", ())
    assert row.variants[1].placeholders[0].expression == "x"
