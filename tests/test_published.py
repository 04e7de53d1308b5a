"""The three published records, reproduced from their own excerpts. The excerpts are not ours to commit: they are read
from the folder that the team shares, and without it these tests are skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from extractor.explain.record import explain
from extractor.link import link
from extractor.model.facts import FileFacts, ScanOptions
from extractor.model.record import Record, SiteRow
from extractor.scan import scan
from tests.builders import commit

SHARED = Path(__file__).parents[2] / "shared" / "reference"
SHA = "0132848349585cfe6aae51c4941cbae872505f8a"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/reference beside the project")


def published() -> Iterator[dict[str, Any]]:
    """Id, path, line, first line and excerpt of each record; message, slug, pattern and URL where it tells them."""
    for path in sorted(SHARED.glob("api-*.json")):
        yield json.loads(path.read_bytes())["record"]
    for path in sorted(SHARED.glob("page-*.txt")):
        text = path.read_text()
        at = re.search(r"Thrown at (\S+):(\d+)\n\n(.*?)\n\nView on GitHub", text, re.DOTALL)
        message = re.search(r"Error message\n\n(.*?)\n\nWhat it means", text, re.DOTALL)
        assert at is not None and message is not None
        line = int(at[2])
        yield {
            "id": path.stem.partition("-")[2],
            "filePath": at[1],
            "lineNumber": line,
            "sourceCode": at[3],
            "sourceCodeStart": line - 18,
            "errorMessage": message[1],
        }


def around(excerpt: str, start: int) -> str:
    """A file in which the excerpt stands at its own lines: opened blocks and brackets before it, as it needs them."""
    lines = excerpt.splitlines()
    depth = (len(lines[0]) - len(lines[0].lstrip())) // 4
    head = ["def f():"] + ["    " * level + "if x:" for level in range(1, depth)]
    if lines[0].strip() == ")":
        head.append("    " * depth + "g(")
    filling = ["#"] * (start - 1 - len(head))
    text = "\n".join([*filling, *head, *lines])
    # A last statement that is cut off loses what belongs to it.
    while True:
        try:
            compile(text, "excerpt", "exec", dont_inherit=True)
        except SyntaxError:
            text = text.rpartition("\n")[0]
        else:
            return text


def reproduced(wanted: dict[str, Any]) -> tuple[Record, SiteRow]:
    source = around(wanted["sourceCode"], wanted["sourceCodeStart"])
    facts = scan(source.encode(), ScanOptions())
    assert isinstance(facts, FileFacts)
    read = commit(sha=SHA, permalink_ref=SHA)
    rows = explain(link([(wanted["filePath"], facts)]), read, "sgl-project/sglang", read.date)
    return next(row for row in rows if row[0].line_number == wanted["lineNumber"])


RECORDS = list(published()) if SHARED.is_dir() else []


@pytest.mark.parametrize("wanted", RECORDS, ids=lambda wanted: wanted["id"])
def test_published_record_is_reproduced(wanted: dict[str, Any]) -> None:
    record, site = reproduced(wanted)
    assert wanted["id"] in (record.id, *site.aliases)
    # One of the three writes a placeholder as in the source; ours writes `{}` and keeps that id as an alias.
    assert re.sub(r"\{[^}]*\}", "{}", wanted["errorMessage"]) == record.error_message
    assert (wanted["id"] == record.id) == (wanted["errorMessage"] == record.error_message)
    kept = wanted["sourceCode"].splitlines()[: len(record.source_code.splitlines())]
    assert record.source_code_start == wanted["sourceCodeStart"]
    assert record.source_code.splitlines() == kept
    for ours, key in (
        (record.slug, "slug"),
        (record.message_pattern, "messagePattern"),
        (record.error_class, "errorClass"),
        (record.severity, "severity"),
    ):
        assert wanted.get(key, ours) == ours
    if "githubUrl" in wanted:
        assert record.github_url == wanted["githubUrl"]


def test_there_are_three() -> None:
    assert len(RECORDS) == 3
