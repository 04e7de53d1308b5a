from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from extractor.publish.highlight import Excerpt, Line, highlight, markup


def excerpt(source: str, line: int = 1, start: int = 1) -> Excerpt:
    lines = tuple(source.split("\n"))
    text = lines[line - start]
    return Excerpt(start, lines, line, len(text) - len(text.lstrip()))


def kinds(line: Line) -> set[str]:
    return {kind for kind, text in line if text.strip()}


def test_code_is_read_as_code() -> None:
    [lines] = highlight([excerpt("if x:\n    raise ValueError('a')", line=2)])
    assert kinds(lines[1]) == {"k", "", "s", "ne"}


def test_an_excerpt_that_begins_in_a_string_is_not_read_inside_out() -> None:
    for quotes in ('"""', "'''"):
        [lines] = highlight([excerpt(f"text of a docstring.\n{quotes}\nraise ValueError(1)\nx = 1", line=3)])
        assert kinds(lines[0]) == {"s"}
        assert "k" in kinds(lines[2])
        assert "s" not in kinds(lines[3])


def test_a_string_that_opens_in_an_excerpt_stays_a_string() -> None:
    [lines] = highlight([excerpt('raise ValueError(1)\nx = """a\nb', line=1)])
    assert kinds(lines[2]) == {"s"}


def test_excerpts_that_touch_are_read_once_and_agree() -> None:
    source = [f"x{n} = {n}" for n in range(30)]
    source[9] = source[14] = "raise ValueError"
    one, other = Excerpt(1, tuple(source[:20]), 10, 0), Excerpt(5, tuple(source[4:]), 15, 0)
    first, second = highlight([one, other])
    assert first[4:] == second[:16]


@given(
    st.lists(
        st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=40),
        min_size=1,
        max_size=8,
    )
)
def test_no_character_is_lost(lines: list[str]) -> None:
    [found] = highlight([Excerpt(1, tuple(lines), 1, 0)])
    assert ["".join(text for _, text in line) for line in found] == lines


def test_markup_is_escaped_and_cut() -> None:
    assert markup((("s", "<b>"), ("", "&")), 100) == '<span class="s">&lt;b&gt;</span>&amp;'
    assert markup((("", "a" * 50),), 10) == "a" * 10 + '<span class="cut">… line cut</span>'
