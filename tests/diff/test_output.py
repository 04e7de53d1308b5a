"""What people see: text of a repository stays text, whatever is in it."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from extractor.diff import markdown, terminal
from extractor.diff.compare import compare
from extractor.diff.wording import headline
from extractor.model.change import Diff
from tests.builders import guard
from tests.diff.sides import dataset, site

OURS = {"p", "strong", "code", "h3", "ul", "li", "br", "a", "del", "ins"}


class Page(HTMLParser):
    """What a rendered page holds."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: set[str] = set()
        self.pieces: list[str] = []
        """Texts of the code elements."""
        self._depth = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links |= {value or "" for name, value in attrs if name in ("href", "src")}
        if tag == "code":
            self._depth += 1
            self.pieces.append("")

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "code"

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.pieces[-1] += data


def page(found: Diff, limit: int | None = None) -> Page:
    return Page(MarkdownIt("commonmark", {"html": True}).render(markdown.render(found, limit)))


HOSTILE = [
    pytest.param("</code><script>alert(1)</script>", id="html"),
    pytest.param("[click](https://evil.example) ![](https://evil.example/x.png)", id="links"),
    pytest.param("`a` ``b`` **c** _d_ ~~e~~ __f__", id="marks"),
    pytest.param("\\*not\\* &amp; &#60;b&#62;", id="escapes"),
    pytest.param("a <br> b <!-- c", id="comment"),
    pytest.param("  two  blanks  ", id="blanks"),
    pytest.param("| a | b |\\", id="table and backslash"),
    pytest.param("@octocat #1 www.evil.example :tada: $x$", id="mentions and links without marks"),
]


@pytest.mark.parametrize("words", HOSTILE)
def test_markdown_shows_hostile_text_as_text(words: str) -> None:
    shown = page(compare(dataset(), dataset(site(words, guards=(guard("x == 1"),)))))
    assert shown.tags <= OURS
    assert words in shown.pieces
    assert all(link.startswith("https://github.com/owner/name/blob/") for link in shown.links)


@given(st.text(min_size=1, max_size=40))
def test_markdown_makes_nothing_of_any_text(words: str) -> None:
    assert page(compare(dataset(), dataset(site(words)))).tags <= OURS


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        pytest.param("a\n# b\n- c", "a\\n# b\\n- c", id="line breaks"),
        pytest.param("a\x1b[31mb", "a\\x1b[31mb", id="terminal control"),
        pytest.param("a\u202eb", "a\\u202eb", id="direction of writing"),
    ],
)
def test_what_would_steer_is_an_escape_everywhere(words: str, shown: str) -> None:
    found = compare(dataset(), dataset(site(words)))
    assert shown in page(found).pieces
    assert any(line.plain.strip() == shown for line in terminal.render(found, None))


def test_a_mention_in_markdown_cannot_be_read_as_one() -> None:
    text = markdown.render(
        compare(dataset(), dataset(site("ask @octocat at https://x.example or www.x.example"))), None
    )
    assert "@octocat" not in text
    assert "https://x.example" not in text
    assert "www.x" not in text


OLD = dataset(
    site("size must be at most 3", guards=(guard("size > 3"),)), site("gone for good", "b.py"), ref="v1", sha="1" * 40
)
NEW = dataset(
    site("size must be no more than 3", guards=(guard("size > 3"),)),
    *(site(f"new error {name} here", f"{name}.py") for name in "xyz"),
    ref="v2",
    sha="2" * 40,
)
FOUND = compare(OLD, NEW)


def test_the_headline() -> None:
    assert headline(FOUND) == "This change adds 3 errors, removes 1 error, rewords 1."
    assert headline(compare(OLD, OLD)) == "This change leaves every error as it is."


def test_text_for_a_terminal() -> None:
    lines = [line.plain for line in terminal.render(FOUND, 2)]
    assert lines[0] == "owner/name: v1 (111111111111) → v2 (222222222222)"
    assert lines[1] == "3 added, 1 removed, 1 changed (1 reworded), 0 unchanged"
    assert "    size must be [-at most-]{+no more than+} 3" in lines
    assert "  … and 1 more" in lines
    assert "Removed (1)" in lines


def test_markdown_shows_the_words_that_changed() -> None:
    shown = page(FOUND)
    assert {"del", "ins"} <= shown.tags
    assert "size must be at mostno more than 3" in shown.pieces


def test_no_limit_shows_all() -> None:
    assert sum("new error" in line.plain for line in terminal.render(FOUND, None)) == 3
    assert "… and" not in markdown.render(FOUND, None)
