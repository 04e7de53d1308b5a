"""The site of a whole release: what it must keep to at its full size."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import html5lib
import pytest

from extractor.publish import SiteSettings, build
from tests.publish.browser import FLAGS, chromium
from tests.publish.crawl import Document, broken, documents
from tests.publish.test_site import html_files

pytestmark = pytest.mark.release
VALUES = ("17", "torch.float32", "'some value'", "cuda:0")


@pytest.fixture(scope="module")
def whole(release: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Dataset and site."""
    room = tmp_path_factory.mktemp("whole")
    repository = room / "repository"
    repository.mkdir()
    git = ["git", "--git-dir", str(repository / ".git"), "--work-tree", str(release("0.5.23"))]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A", "."], check=True)
    subprocess.run(
        [*git, "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "-qm", "release"], check=True
    )
    run = ["run", "--repo", "owner/name", "--url", str(repository), "--sha", "HEAD", "--no-cache", "-q"]
    subprocess.run([sys.executable, "-m", "extractor", *run, "-o", str(room / "data")], check=True)
    build(SiteSettings(room / "data", room / "site", jobs=os.cpu_count() or 1))
    return room / "data", room / "site"


@pytest.fixture(scope="module")
def all_pages(whole: tuple[Path, Path]) -> dict[str, Document]:
    return documents(whole[1])


def test_every_link_and_every_json_file(whole: tuple[Path, Path], all_pages: dict[str, Document]) -> None:
    _, site = whole
    assert len(all_pages) > 9_000
    assert broken(site, all_pages, "http://x.test/") == []
    answers = [json.loads(path.read_bytes()) for path in (site / "api/errors").iterdir()]
    records = (whole[0] / "records.jsonl").read_bytes().count(b"\n")
    assert len({answer["record"]["id"] for answer in answers}) == records > 9_000


def test_sizes(whole: tuple[Path, Path]) -> None:
    _, site = whole
    assert max(path.stat().st_size for path in html_files(site)) <= 50_000
    loaded = [path for path in (site / "assets").iterdir() if path.suffix in (".js", ".json")]
    assert len(loaded) == 8
    assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in loaded) <= 300_000


def test_a_sample_of_pages_is_valid(whole: tuple[Path, Path]) -> None:
    for path in html_files(whole[1])[::60]:
        html5lib.HTMLParser(strict=True).parse(path.read_text(encoding="utf-8"))


def test_nothing_is_written_again(whole: tuple[Path, Path]) -> None:
    data, site = whole
    assert build(SiteSettings(data, site)).unchanged


def messages(data: Path, step: int) -> Iterator[tuple[str, str, str]]:
    """Slug, traceback, and message of some records, with values in the message."""
    records = (data / "records.jsonl").read_text().split("\n")
    sites = (data / "sites.jsonl").read_text().split("\n")
    for index in range(0, len(sites) - 1, step):
        record, facts = json.loads(records[index]), json.loads(sites[index])
        message = facts["message"]
        fixed = message["template"].split("{}")
        if message["resolution"] not in ("literal", "resolved") or len(fixed) - 1 != len(message["placeholders"]):
            continue
        text = fixed[0] + "".join(VALUES[(index + n) % len(VALUES)] + part for n, part in enumerate(fixed[1:]))
        place = (
            f'  File "/x/site-packages/{record["filePath"]}", line {record["lineNumber"] + 1}, in {facts["qualname"]}'
        )
        yield record["slug"], f"Traceback (most recent call last):\n{place}\n    raise x\nValueError: {text}\n", text


@pytest.mark.skipif(chromium() is None, reason="no browser: install chromium, or name one in EXTRACTOR_CHROMIUM")
def test_pasted_tracebacks_lead_to_their_pages(whole: tuple[Path, Path]) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright to run the browser tests")
    from tests.publish.test_browser import serving

    data, site = whole
    pastes = list(messages(data, 10))
    assert len(pastes) > 800
    with serving(site, "/") as address, playwright.sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.goto(f"{address}search/")
        found = page.evaluate(ASK, [text for _, text, _ in pastes])
        browser.close()
    wrong = [(text, urls[:2]) for (slug, _, text), urls in zip(pastes, found, strict=True) if not right(slug, urls)]
    assert len(wrong) <= 0.002 * len(pastes), wrong[:5]


def right(slug: str, urls: list[str]) -> bool:
    return bool(urls) and urls[0] == f"owner/name/{slug}/"


ASK: Any = """async (texts) => {
  const form = document.querySelector("form.paste");
  const worker = new Worker(form.dataset.worker, { type: "module" });
  const next = () => new Promise((done) => worker.addEventListener("message", ({ data }) => done(data), { once: true }));
  const address = (path) => new URL(path, location.href).href;
  worker.postMessage({ load: address(form.dataset.search), words: address(form.dataset.words) });
  await next();
  const found = [];
  for (const [id, text] of texts.entries()) {
    const answer = next();
    worker.postMessage({ id, text });
    found.push((await answer).matches.map((hit) => hit.url));
  }
  return found;
}"""
