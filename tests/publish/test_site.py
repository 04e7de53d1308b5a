"""The whole of a built site: what stands in it, that every link leads somewhere, that it is the same each time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import html5lib
import jsonschema_rs
import orjson
import pytest
from defusedxml import ElementTree

from extractor.publish import PublishError, SiteSettings, build
from tests.publish.crawl import Document, broken
from tests.publish.datasets import HOSTILE, MANY, ORDINARY, dataset

BASE = "http://example.test/sub/path/"
SCHEMAS = Path(__file__).parents[2] / "schemas"


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def html_files(site: Path) -> list[Path]:
    return sorted(p for p in site.rglob("*.html") if p.is_file())


def records(data: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (data / "records.jsonl").read_text().split("\n") if line]


def test_every_link_leads_somewhere(site: Path, pages: dict[str, Document]) -> None:
    assert sum(len(page.links) for page in pages.values()) > 3000
    assert broken(site, pages, BASE) == []


def test_the_crawl_notices_a_missing_page(site: Path) -> None:
    page = Document(
        '<a href="../tags/no-such-tag/">x</a><a href="#nowhere">y</a><a href="http://example.test/else">z</a>'
    )
    assert len(broken(site, {"api/index.html": page}, BASE)) == 3


def test_no_page_is_too_large(site: Path) -> None:
    sizes = {p: p.stat().st_size for p in html_files(site)}
    assert max(sizes.values()) <= 50_000
    assert len(sizes) > len(ORDINARY) + len(HOSTILE) + len(MANY)


def test_every_page_is_valid_html(site: Path) -> None:
    # The reader is slow: of the pages that are alike, a few will do.
    alike = [path for path in html_files(site) if "generated-error" in str(path)]
    assert len(alike) == len(MANY)
    for path in sorted({*html_files(site)} - {*alike[5:]}):
        parser = html5lib.HTMLParser(strict=True)
        parser.parse(path.read_text(encoding="utf-8"))


def test_every_page_runs_our_scripts_alone(pages: dict[str, Document]) -> None:
    for path, page in pages.items():
        policies = [
            a["content"] for tag, a in page.tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policies and "script-src 'self'" in str(policies[0]) and "unsafe" not in str(policies[0]), path
        for tag, attributes in page.tags:
            assert not any(name.startswith("on") or name == "style" for name in attributes), path
            assert tag not in ("style", "iframe", "object", "embed", "base", "img"), path
            if tag == "script":
                assert attributes.get("type") == "application/ld+json" or "/assets/" in str(attributes["src"]), path
            if tag == "a":
                assert not str(attributes.get("href", "")).lower().startswith(("javascript:", "data:")), path


def test_linked_data_is_json(pages: dict[str, Document]) -> None:
    found = 0
    for page in pages.values():
        types = [a.get("type") for tag, a in page.tags if tag == "script"]
        if "application/ld+json" not in types:
            continue
        data = json.loads("".join(page.data["script"]))
        found += 1
        if "@graph" in data:
            assert {item["@type"] for item in data["@graph"]} == {"TechArticle", "BreadcrumbList"}
            assert data["@graph"][0]["url"].startswith(BASE)
    assert found == len(ORDINARY) + len(HOSTILE) + len(MANY) + 1


def test_a_page_tells_all_of_its_record(site: Path, data: Path) -> None:
    told = [record for record in records(data) if str(record["filePath"]).startswith("pkg/")]
    assert len(told) == len(ORDINARY)
    for record in told:
        page = html5lib.parse(
            (site / "owner/name" / str(record["slug"]) / "index.html").read_text(), namespaceHTMLElements=False
        )
        shown = " ".join("".join(page.itertext()).split())
        for key in ("errorMessage", "filePath", "errorClass", "severity"):
            assert " ".join(str(record[key]).split()) in shown, key
        for key in ("documentation", "triggerScenarios", "commonSituations"):
            assert " ".join(str(record[key]).replace("`", "").split()) in shown, key
        head = {(e.get("rel"), e.get("type")): e.get("href") for e in page.iter("link")}
        assert str(head["canonical", None]) == f"{BASE}owner/name/{record['slug']}/"
        assert str(head["alternate", "application/json"]).endswith(f"api/errors/{record['id']}.json")


def test_a_page_tells_options_and_callers_where_the_dataset_does(site: Path, data: Path) -> None:
    first = records(data)[0]
    page = (site / "owner/name" / str(first["slug"]) / "index.html").read_text()
    for text in (
        "--attn-cp-size",
        "Size of &lt;groups&gt;",
        "SOME_MODE",
        "server-launch",
        "Reached from",
        "pkg/<wbr>m.py:3",
    ):
        assert text in page
    for path in ("options/attn-cp-size", "env/SOME_MODE", "surfaces/server-launch"):
        assert str(first["slug"]) in (site / path / "index.html").read_text()
    options = json.loads((site / "api/options.json").read_bytes())
    assert options["options"][0]["default"] == "1" and options["options"][0]["errors"] == [first["id"]]
    assert options["environment"][0]["name"] == "SOME_MODE"


def test_guards_lead_to_their_lines(site: Path, data: Path) -> None:
    record = next(r for r in records(data) if str(r["errorMessage"]).startswith("bad size"))
    page = (site / "owner/name" / str(record["slug"]) / "index.html").read_text()
    assert '<span class="lead">if</span> <code>size &lt; 1</code> <a href="#L39">line 39</a>' in page
    assert (
        f'<span class="lead">if</span> <code>self.ready</code> <a href="{record["githubUrl"]}'.partition("#")[0] in page
    )


def test_the_api_answers_for_every_id_and_alias(site: Path, data: Path) -> None:
    check = jsonschema_rs.validator_for(
        json.loads((SCHEMAS / "api-error.v2.schema.json").read_text()), registry=registry()
    )
    sites = [json.loads(line) for line in (data / "sites.jsonl").read_text().split("\n") if line]
    ids = [i for row in sites for i in (row["id"], *row["aliases"])]
    assert len(ids) > len(sites)
    assert {p.stem for p in (site / "api/errors").iterdir()} == set(ids)
    for path in (site / "api/errors").iterdir():
        check.validate(orjson.loads(path.read_bytes()))
    for record in records(data):
        assert json.loads((site / f"api/errors/{record['id']}.json").read_bytes())["record"] == record
        assert list(json.loads((site / f"api/errors/{record['id']}.json").read_bytes())["record"]) == list(record)


def registry() -> jsonschema_rs.Registry:
    found = [json.loads(p.read_text()) for p in SCHEMAS.glob("*.json")]
    return jsonschema_rs.Registry([(schema["$id"], schema) for schema in found])


def test_every_json_file_is_json(site: Path) -> None:
    files = list(site.rglob("*.json"))
    assert len(files) > 220
    for path in files:
        json.loads(path.read_bytes())


def test_openapi_names_files_that_are_there(site: Path) -> None:
    document = json.loads((site / "api/openapi.json").read_bytes())
    assert document["openapi"].startswith("3.1")
    for path, item in document["paths"].items():
        assert "{id}" in path or (site / path.lstrip("/")).is_file()
        ref = item["get"]["responses"]["200"]["content"]["application/json"]["schema"].get("$ref")
        assert ref is None or ref.rpartition("/")[2] in document["components"]["schemas"]


def test_references_of_openapi_lead_somewhere_inside_it(site: Path) -> None:
    document = json.loads((site / "api/openapi.json").read_bytes())
    refs = re.findall(r'"\$ref": ?"([^"]*)"', json.dumps(document))
    assert len(refs) > 20
    for ref in refs:
        here = document
        assert ref.startswith("#/")
        for part in ref.removeprefix("#/").split("/"):
            here = here[part]


def test_sitemap_lists_every_page_once(site: Path, pages: dict[str, Document]) -> None:
    tree = ElementTree.parse(site / "sitemap.xml")
    found = [str(e.text) for e in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert len(found) == len(set(found)) == len(pages) - 1  # all but 404.html
    assert BASE in found


def test_feed_tells_what_changed(site: Path) -> None:
    feed = ElementTree.parse(site / "feed.xml")
    space = "{http://www.w3.org/2005/Atom}"
    titles = [str(e.findtext(f"{space}title")) for e in feed.iter(f"{space}entry")]
    assert "Added: generated error number 219 of a long list" in titles
    assert not any("generated error number 3 of" in title for title in titles)
    ids = [str(e.findtext(f"{space}id")) for e in feed.iter(f"{space}entry")]
    assert len(ids) == len(set(ids)) == len(titles)
    assert (site / "changes/index.html").is_file()


def test_headers_open_the_api_and_close_the_rest(site: Path) -> None:
    headers = (site / "_headers").read_text()
    assert re.search(r"^/sub/path/api/\*\n  Access-Control-Allow-Origin: \*$", headers, re.MULTILINE)
    assert "frame-ancestors 'none'" in headers and "immutable" in headers


def test_the_page_for_missing_pages_works_at_any_depth(pages: dict[str, Document]) -> None:
    for name, link in pages["404.html"].links:
        assert (
            link.startswith(("/sub/path/", "https://"))
            or (name == "action" and link.startswith("/sub/path/"))
            or link == "#main"
        )


def test_long_lists_are_paged(site: Path) -> None:
    first = (site / "files/many/list.py/index.html").read_text()
    assert 'rel="next"' in first and (site / "files/many/list.py/p~2/index.html").is_file()
    listed = "".join(p.read_text() for p in (site / "files/many/list.py").rglob("*.html"))
    for n in range(220):
        assert f">generated error number {n} of a long list<" in listed


def test_related_errors_say_why(site: Path, data: Path) -> None:
    record = next(r for r in records(data) if r["filePath"] == "many/list.py")
    page = (site / "owner/name" / str(record["slug"]) / "index.html").read_text()
    assert page.count("same file") == 5


def test_the_same_dataset_gives_the_same_bytes(data: Path, tmp_path: Path) -> None:
    build(SiteSettings(data, tmp_path / "a", jobs=1))
    build(SiteSettings(data, tmp_path / "b", jobs=2))
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_without_an_address_nothing_but_the_sitemap_has_one(data: Path, tmp_path: Path) -> None:
    build(SiteSettings(data, tmp_path / "a"))
    holding = {path for path, content in tree(tmp_path / "a").items() if b"http://127.0.0.1" in content}
    assert holding == {"sitemap.xml", "robots.txt"}


def test_an_unchanged_dataset_writes_nothing(data: Path, tmp_path: Path) -> None:
    settings = SiteSettings(data, tmp_path / "a")
    build(settings)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "a").rglob("*")}
    report = build(settings)
    assert report.unchanged and report.written == 0
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "a").rglob("*")} == before


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    output = tmp_path / "a"
    build(SiteSettings(dataset(tmp_path / "old", *ORDINARY, *MANY[:20]), output))
    report = build(SiteSettings(dataset(tmp_path / "new", *ORDINARY, *MANY[:19]), output))
    assert report.removed == 4  # the page, the API's answer, and two files of search data, named by their hash
    assert report.written < report.files / 2
    build(SiteSettings(tmp_path / "new", tmp_path / "b"))
    assert tree(output) == tree(tmp_path / "b")


def test_a_file_that_was_tampered_with_is_mended(data: Path, tmp_path: Path) -> None:
    settings = SiteSettings(data, tmp_path / "a")
    build(settings)
    page = tmp_path / "a/index.html"
    right = page.read_bytes()
    page.write_bytes(right.replace(b"Errors", b"Terror"))
    report = build(settings)
    assert not report.unchanged and report.written == 1
    assert page.read_bytes() == right


def test_a_killed_build_is_completed(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "a"
    build(SiteSettings(data, output))
    whole = tree(output)
    stamp = json.loads((output / ".extractor-site.json").read_bytes())
    (output / ".extractor-site.json").write_text(json.dumps(stamp | {"key": None, "files": {}}))
    (output / "tags/left-over").mkdir()
    (output / "tags/left-over/index.html").write_text("from a build that nobody finished")
    (output / "CNAME").write_text("example.test")
    build(SiteSettings(data, output))
    assert tree(output) == whole | {"CNAME": b"example.test"}


def test_a_foreign_folder_is_refused(data: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(PublishError, match="something other than a site"):
        build(SiteSettings(data, tmp_path))
    assert {p.name for p in tmp_path.iterdir()} == {"notes.txt"}


@pytest.mark.parametrize("inside", [".", "site", "../.."])
def test_the_dataset_is_no_place_for_a_site(data: Path, inside: str) -> None:
    before = tree(data)
    with pytest.raises(PublishError, match="name another with -o"):
        build(SiteSettings(data, data / inside))
    assert tree(data) == before


def test_an_empty_dataset_is_a_site_too(tmp_path: Path) -> None:
    build(SiteSettings(dataset(tmp_path / "data"), tmp_path / "a"))
    assert (tmp_path / "a/index.html").is_file()
