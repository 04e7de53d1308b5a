from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from extractor.dataset.render import render, visible
from extractor.model.linked import LinkedSite
from tests.builders import SITES, guard, linked, one


def shown(site: LinkedSite) -> str:
    console = Console(file=StringIO(), width=200, color_system=None)
    console.print(render(*one(site)))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_person_finds_the_facts() -> None:
    site = linked("plain text here", guards=(guard("x > 0"), guard("y", holds=False, stale=True)))
    found = shown(site)
    record, _ = one(site)
    for part in (record.id, record.slug, record.error_message, "pkg/mod.py:20", record.github_url, "x > 0", "line 20"):
        assert part in found
    assert "may have changed since" in found
    assert "Example fix" not in found


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.path)
def test_every_form_renders(site: LinkedSite) -> None:
    assert one(site)[0].id in shown(site)


def test_the_repository_cannot_steer_the_terminal_or_forge_markup() -> None:
    odd = "\x1b[31m\x07\x9b\u202e\r [bold]not markup[/bold] [/]"
    found = shown(linked(odd + " message", qualname=f"f{odd}", guards=(guard(f"x == '{odd}'"),), excerpt=odd))
    assert not set(found) & set("\x1b\x07\x9b\u202e\r")
    assert "[bold]not markup[/bold]" in found
    assert "\\x1b[31m" in found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("plain \u00e9 \u4e2d \U0001f600", "plain \u00e9 \u4e2d \U0001f600"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\x1bb", "a\\x1bb"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_visible(text: str, wanted: str) -> None:
    assert visible(text) == wanted


def test_a_pipe_gets_each_text_in_one_piece() -> None:
    long = "word " * 60
    record, site = one(linked(long.strip()))
    out = StringIO()
    Console(file=out, width=40).print(render(record, site), soft_wrap=True)
    lines = out.getvalue().splitlines()
    assert long.strip() in lines
    assert record.github_url in lines
    assert f"  {record.documentation}" in lines
