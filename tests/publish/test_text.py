from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.publish import text


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        pytest.param("plain, ä, 中文, 🙂\n\t", "plain, ä, 中文, 🙂\n\t", id="what can be seen stays"),
        pytest.param("a\u202eb", "a\\u202eb", id="turns the text around"),
        pytest.param("a\x00b\x1b", "a\\x00b\\x1b", id="control characters"),
        pytest.param("a\u200bb\ufeff", "a\\u200bb\\ufeff", id="invisible"),
        pytest.param("\ufffe\U0010ffff", "\\ufffe\\U0010ffff", id="not allowed in HTML"),
    ],
)
def test_what_is_invisible_becomes_its_escape(given_: str, shown: str) -> None:
    assert text.visible(given_) == shown


def test_a_title_is_the_first_sixty_characters() -> None:
    assert text.title("DSpark ignores --speculative-moe-a2a-backend; with dp attention it") == (
        "DSpark ignores --speculative-moe-a2a-backend; with dp attent"
    )
    assert text.title("a\n  b") == "a b"
    assert text.title("\n") == "Error"


@pytest.mark.parametrize(
    ("prose", "html"),
    [
        ("use `a < b` now", "use <code>a &lt; b</code> now"),
        ("one ` only <b>", "one ` only &lt;b&gt;"),
        ("`a\nb`", "`a\nb`"),
        ("`<i>`", "<code>&lt;i&gt;</code>"),
    ],
)
def test_what_stands_in_backquotes_is_code(prose: str, html: str) -> None:
    assert text.prose(prose) == html


@given(st.text(max_size=500), st.integers(8, 100))
def test_clipping_keeps_the_bound(value: str, most: int) -> None:
    assert len(text.one_line(value, most)) <= max(most, 1) * 10  # escapes of invisible characters are longer
    assert text.clip(value, most).startswith(value[:most].rstrip())


@pytest.mark.parametrize(
    ("number", "noun", "said"), [(1, "error", "1 error"), (9196, "error", "9,196 errors"), (2, "family", "2 families")]
)
def test_counts_read_well(number: int, noun: str, said: str) -> None:
    assert text.count(number, noun) == said
