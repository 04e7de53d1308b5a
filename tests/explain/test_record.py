from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import pytest

from extractor.explain.record import explain
from extractor.model.facts import Placeholder
from extractor.model.linked import LinkedSite
from tests.builders import REPO, SHA, commit, guard, linked, message, one, text, value

REFERENCE: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "reference.json").read_bytes())
PUBLISHED_SHA = "0132848349585cfe6aae51c4941cbae872505f8a"


def published(wanted: dict[str, Any]) -> LinkedSite:
    parts = [part if isinstance(part, str) else Placeholder(*part) for part in wanted["parts"]]
    return linked(message(text(*parts)), path=wanted["filePath"], line=wanted["lineNumber"])


@pytest.mark.parametrize("wanted", REFERENCE, ids=lambda wanted: wanted["errorMessage"][:20])
def test_published_records_are_reproduced(wanted: dict[str, Any]) -> None:
    read = commit(sha=PUBLISHED_SHA, permalink_ref=PUBLISHED_SHA)
    ((record, site),) = explain([published(wanted)], read, "sgl-project/sglang", read.date)
    if "alias" in wanted:
        assert site.aliases == (wanted["alias"],)
    else:
        assert record.id == wanted["id"]
    assert record.error_message == wanted["errorMessage"]
    for ours, key in (
        (record.slug, "slug"),
        (record.message_pattern, "messagePattern"),
        (record.github_url, "githubUrl"),
    ):
        assert wanted.get(key) in (ours, None)


def hashed(*parts: str) -> str:
    return sha256("\x01".join(parts).encode()).hexdigest()[:16]


def test_ids_of_equal_messages_go_by_record_order() -> None:
    sites = [
        linked("same text", line=3, qualname="f"),
        linked("same text", line=5, qualname="g"),
        linked("same text", line=7, qualname="g"),
        linked("same text", line=9, qualname="g"),
        linked("same text", line=1, path="pkg/other.py"),
    ]
    rows = explain(sites[::-1], commit(), REPO, commit().date)
    assert [record.id for record, _ in rows] == [
        hashed(REPO, "same text", "pkg/mod.py"),
        hashed(REPO, "same text", "pkg/mod.py", "g"),
        hashed(REPO, "same text", "pkg/mod.py", "g", "2"),
        hashed(REPO, "same text", "pkg/mod.py", "g", "3"),
        hashed(REPO, "same text", "pkg/other.py"),
    ]
    assert [record.line_number for record, _ in rows] == [3, 5, 7, 9, 1]


def test_an_alias_never_hides_an_id_or_another_alias() -> None:
    templated = message(text("the value ", value("x")))
    literal = message(text("the value {x}"))
    rows = explain(
        [linked(templated, line=1, qualname="f"), linked(templated, line=2, qualname="g"), linked(literal, line=3)],
        commit(),
        REPO,
        commit().date,
    )
    assert [site.aliases for _, site in rows] == [
        (hashed(REPO, "the value {x}", "pkg/mod.py", "f"),),  # the bare one is the id of line 3
        (hashed(REPO, "the value {x}", "pkg/mod.py", "g"),),
        (),
    ]
    assert rows[2][0].id == hashed(REPO, "the value {x}", "pkg/mod.py")


def test_the_text_as_written_in_the_raise_resolves_too() -> None:
    templated = message(
        text("limit 8 of ", value("x")), resolution="resolved", written=text("limit ", value("N"), " of ", value("x"))
    )
    _, site = one(linked(templated, qualname="f"))
    assert site.aliases == (
        hashed(REPO, "limit 8 of {x}", "pkg/mod.py"),
        hashed(REPO, "limit {N} of {x}", "pkg/mod.py"),
        hashed(REPO, "limit {} of {}", "pkg/mod.py"),
    )


def test_aliases_of_equal_sources_are_counted_like_ids() -> None:
    templated = message(text("the value ", value("x")))
    rows = explain([linked(templated, line=line, qualname="f") for line in (1, 2, 3)], commit(), REPO, commit().date)
    source = (REPO, "the value {x}", "pkg/mod.py")
    assert [site.aliases[0] for _, site in rows] == [hashed(*source), hashed(*source, "f"), hashed(*source, "f", "2")]


def test_five_thousand_equal_sites_have_ids_and_slugs_of_their_own() -> None:
    templated = message(text("same ", value("x")))
    rows = explain([linked(templated, line=line) for line in range(1, 5001)], commit(), REPO, commit().date)
    names = [name for record, site in rows for name in (record.id, *site.aliases)]
    assert len(set(names)) == len(names) == 10000
    assert len({record.slug for record, _ in rows}) == 5000


@pytest.mark.parametrize(
    "path",
    ["pkg/mod.py", "a b/c'd\"e.py", "x#y?z%.py", "\u00e9\u4e2d\n.py", "-dash/../odd.py", "a\\b.py"],
)
def test_link_leads_to_the_path(path: str) -> None:
    record, _ = one(linked("some text", path=path))
    parts = urlsplit(record.github_url)
    assert record.github_url.isascii() and not set(record.github_url) & set(" \"'\n<>")
    assert unquote(parts.path) == f"/{REPO}/blob/{SHA}/{path}"
    assert parts.fragment == "L2-L38"


def test_link_of_a_release_names_its_tag_and_one_line_has_no_range() -> None:
    site = linked("some text", line=1)
    single = LinkedSite(
        site.path, type(site.site)(1, 1, 0, "f", "ValueError", site.message, (), "x", 1, 1), site.message
    )
    ((record, _),) = explain([single], commit(permalink_ref="v1.2.3"), REPO, commit().date)
    assert record.github_url == f"https://github.com/{REPO}/blob/v1.2.3/pkg/mod.py#L1"
    assert record.analyzed_sha == SHA


def test_lone_surrogates_stand_as_escapes_everywhere() -> None:
    odd = "\udc80"
    found = linked(
        message(text(f"message {odd} ", value(f"x{odd}", None, odd))),
        qualname=f"f{odd}",
        guards=(guard(f"a == '{odd}'"), guard(f"'{odd}'", kind="except")),
        excerpt=f"line {odd}",
    )
    record, site = one(found)
    assert rb"\udc80" not in msgspec.json.encode(site.condition).replace(rb"\\udc80", b"")
    assert record.error_message == "message \\udc80 {}"
    assert record.source_code == "line \\udc80"
    msgspec.json.encode((record, site))


def test_a_long_message_is_kept_whole() -> None:
    long = "x" * 20000
    record, site = one(linked(long))
    assert record.error_message == record.message_pattern == long
    assert record.slug == "x" * 50
    assert site.message.template == long
