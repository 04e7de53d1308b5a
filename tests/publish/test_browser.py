"""The site in a real browser. Skipped, with the reason, on a machine that has none."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from extractor.publish.serve import server
from tests.publish.browser import FLAGS, axe, chromium, vnu

playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright to run the browser tests")
pytestmark = pytest.mark.skipif(
    chromium() is None, reason="no browser: install chromium, or name one in EXTRACTOR_CHROMIUM"
)
TRACEBACK = """\
INFO: starting
Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 198, in _run_module_as_main
    return _run_code(code, main_globals, None)
  File "/srv/venv/lib/python3.11/site-packages/pkg/mod.py", line 41, in g
    raise ValueError(f"bad size {size!r} given for {name}")
ValueError: bad size '12' given for a thing of many words
"""


class Look:
    """A page, and what it did that it should not."""

    def __init__(self, page: Any, base: str) -> None:
        self.page = page
        self.base = base
        self.complaints: list[str] = []
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: self.complaints.append(str(e)))
        page.on("request", lambda r: None if r.url.startswith(base) else self.complaints.append(f"request to {r.url}"))
        page.on("dialog", lambda _d: self.complaints.append("dialog"))
        page.on("response", lambda r: self.complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None)

    def go(self, path: str) -> Any:
        self.page.goto(self.base + path)
        return self.page


@contextmanager
def serving(site: Path, base_path: str) -> Iterator[str]:
    """Serve a site and give its address."""
    with server(site, base_path, 0, lambda _line: None) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}{base_path}"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serving(site, "/sub/path/") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as runner:
        found = runner.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def look(browser: Any, address: str) -> Iterator[Look]:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], color_scheme="light")
    looking = Look(context.new_page(), address)
    yield looking
    context.close()
    assert looking.complaints == []


def paste(page: Any, text: str) -> None:
    """Put a text into the search box and wait for what comes of it."""
    status = playwright.expect(page.locator("#status"))
    page.fill("#paste", "")
    status.to_have_text("")
    if len(text) > 5_000:  # The browser's own way to type takes minutes for thousands of lines.
        set_ = "(e, text) => { e.value = text; e.dispatchEvent(new Event('input')); }"
        page.locator("#paste").evaluate(set_, text)
    else:
        page.fill("#paste", text)
    status.to_have_text(re.compile("match|found", re.IGNORECASE), timeout=20_000)


def test_a_pasted_traceback_leads_to_its_page_with_values(look: Look) -> None:
    page = look.go("")
    paste(page, TRACEBACK)
    first = page.locator("#results li").first
    assert first.locator("mark").all_inner_texts() == ["'12'", "a thing of many words"]
    assert page.locator("#status").inner_text() == "One error matches what you pasted."
    first.locator("a").click()
    page.wait_for_url("**/owner/name/bad-size-given-for/")
    assert page.locator("h1").inner_text() == "bad size {} given for {}"


def test_a_traceback_tells_equal_messages_apart(look: Look) -> None:
    page = look.go("search/")
    for path, line, name in (("pkg/mod.py", 20, "f"), ("pkg/d.py", 20, "other")):
        paste(
            page,
            f'  File "/x/{path}", line {line}, in {name}\n    raise ValueError("plain text here")\nValueError: plain text here\n',
        )
        assert page.locator("#results li .where").first.inner_text() == f"{path}:{line}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("plain text here", True, id="a bare message"),
        pytest.param("2026-01-01 ERROR second text 17", True, id="the second possible text, in a log line"),
        pytest.param("bad size 3 given for x\r\nmore\r\n", True, id="line ends of Windows"),
        pytest.param("bad size given for", False, id="a value is missing"),
        pytest.param("first text  here", False, id="other white space"),
    ],
)
def test_messages_in_a_paste(look: Look, text: str, found: bool) -> None:
    page = look.go("search/")
    paste(page, text)
    assert ("match" in page.locator("#status").inner_text()) == found


def test_an_unknown_message_is_found_by_its_place(look: Look) -> None:
    page = look.go("search/")
    paste(page, 'Traceback (most recent call last):\n  File "/x/pkg/c.py", line 20, in f\n    raise\nValueError: zzz\n')
    assert page.locator("#results h2").first.inner_text() == "Raised at this place"
    assert page.locator("#results li").count() == 1


def test_search_by_words(look: Look) -> None:
    page = look.go("")
    paste(page, "generated long 17")
    assert page.locator("#results li a").first.inner_text() == "generated error number 17 of a long list"
    paste(page, "attn_cp_size")
    assert page.locator("#results li").count() == 1
    assert page.locator("#results p").inner_text() == "List: --attn-cp-size (1 error)"
    page.locator("#results p a").click()
    page.wait_for_url("**/options/attn-cp-size/")
    page = look.go("")
    paste(page, "zzzzzz")
    assert page.locator("#status").inner_text() == "Nothing found."


def test_search_from_the_header(look: Look) -> None:
    page = look.go("tags/")
    page.fill("#q", "generated 21")
    page.press("#q", "Enter")
    page.wait_for_url("**/search/?q=generated+21")
    page.wait_for_selector("#results li")


def test_a_paste_into_the_header_keeps_its_lines(look: Look) -> None:
    page = look.go("tags/")
    page.evaluate("text => navigator.clipboard.writeText(text)", TRACEBACK)
    page.focus("#q")
    page.keyboard.press("Control+V")
    page.wait_for_url("**/search/")
    page.wait_for_selector("#results mark")
    assert page.input_value("#paste") == TRACEBACK


def test_an_id_leads_to_its_page(look: Look, site: Path) -> None:
    page = look.go("search/")
    page.fill("#paste", sorted((site / "api/errors").iterdir())[0].stem)
    page.wait_for_url("**/owner/name/*/")


def test_copy(look: Look) -> None:
    page = look.go("owner/name/bad-size-given-for/")
    page.click(".message .copy")
    playwright.expect(page.locator(".message .copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "bad size {} given for {}"
    page.click(".code .copy")
    playwright.expect(page.locator(".code .copy")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert copied == [f"line {n}" for n in range(22, 59)]


def test_a_list_is_filtered(look: Look) -> None:
    page = look.go("files/many/list.py/")
    page.fill(".filter input", "LONG list.py:5070")
    assert page.locator(".rows li:visible").count() == 1
    assert page.locator(".filter [role=status]").inner_text().startswith("1 of ")
    page.fill(".filter input", "")
    assert page.locator(".rows li:visible").count() > 50


def test_the_theme_is_the_systems_until_one_is_chosen(look: Look) -> None:
    page = look.go("")
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(back)
    assert light != dark
    page.emulate_media(color_scheme="light")
    page.click("button.theme")
    assert page.evaluate(back) == dark
    page = look.go("tags/")
    assert page.evaluate(back) == dark
    assert page.locator("button.theme").inner_text() == "Light"


def test_the_keyboard_suffices(look: Look) -> None:
    page = look.go("owner/name/bad-size-given-for/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"


def test_without_scripts_every_error_is_in_reach(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.locator("noscript a").first.click()
    page.locator("a[rel=next]").click()
    page.locator(".rows a").last.click()
    assert page.locator("#message").inner_text() == "Error message"
    assert page.locator("button.copy:visible, button.theme:visible").count() == 0
    page.goto(f"{address}files/")
    for name in ("many", "list.py"):
        page.locator(".columns a", has_text=name).click()
    assert page.locator(".rows li").count() > 50
    context.close()


def hostile(site: Path) -> list[str]:
    pages = [
        p for p in site.glob("owner/name/*/index.html") if '"name":"evil/' in p.read_text() or "/evil/" in p.read_text()
    ]
    return [p.relative_to(site).as_posix().removesuffix("index.html") for p in pages]


def test_hostile_records_are_text(look: Look, site: Path) -> None:
    found = hostile(site)
    assert len(found) >= 7
    for path in [*found, "files/evil/", "owner/name/", "tags/"]:
        page = look.go(path)
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("footer").count() == page.locator("main").count() == 1
    page = look.go("search/")
    paste(page, "ValueError: <script>window.hacked = 1</script> is a message")
    assert page.evaluate("window.hacked") is None
    assert "<script>" in page.locator("#results li").first.inner_text()


def test_a_hostile_paste_takes_no_time(look: Look) -> None:
    page = look.go("search/")
    for text in ("bad size " * 20_000, "a" * 400_000, "bad size x given for" * 10_000, "a\n" * 10_000):
        paste(page, text)


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (768, "dark"), (1440, "light")])
def test_nobody_is_shut_out(browser: Any, address: str, width: int, scheme: str) -> None:
    script = axe()
    if script is None:
        pytest.skip("no axe-core: pip install axe-playwright-python")
    # The policy would refuse the checker's own script; that it is in force is what the other tests look at.
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    for path in (
        "",
        "search/",
        "api/",
        "tags/",
        "options/attn-cp-size/",
        "files/many/list.py/",
        "owner/name/bad-size-given-for/",
        "changes/",
    ):
        page.goto(address + path)
        if path == "search/":
            paste(page, TRACEBACK)
        page.evaluate(script.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run()")
        assert found["passes"]
        assert [(path, v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_the_checker_of_html_finds_nothing(site: Path) -> None:
    jar = vnu()
    if jar is None:
        pytest.skip("no Nu HTML checker: name a vnu.jar (npm package vnu-jar, Java 17) in EXTRACTOR_VNU")
    names = (
        "index.html",
        "404.html",
        "search",
        "api/index.html",
        "tags",
        "families",
        "options",
        "env",
        "changes",
        "files/evil",
        "files/pkg",
    )
    files = [str(site / name) for name in names if (site / name).exists()] + [
        str(site / path) for path in hostile(site)
    ]
    command = ["java", "-Xss16m", "-jar", str(jar), "--errors-only", "--skip-non-html", "--format", "gnu", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
