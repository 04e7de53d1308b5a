"""Small facts for tests: what a scan of made-up files would give."""

from __future__ import annotations

from extractor.explain.record import explain
from extractor.model.dataset import DatasetBuild, FileCounts, Note, Scope, Skipped
from extractor.model.facts import Guard, GuardKind, Message, Placeholder, RaiseSite, Resolution, Text
from extractor.model.linked import LinkedSite
from extractor.model.record import Record, SiteRow
from extractor.model.source import Commit, GitSource

REPO = "owner/name"
SHA = "0123456789abcdef0123456789abcdef01234567"


def commit(**changes: str) -> Commit:
    values = {"sha": SHA, "ref": "main", "date": "2026-03-04T05:06:07.000Z", "permalink_ref": SHA} | changes
    return Commit(source=GitSource("https://example.org/owner/name"), **values)


def text(*parts: str | Placeholder) -> Text:
    """Fixed texts and values in the order in which they are printed."""
    texts, values = [""], []
    for part in parts:
        if isinstance(part, str):
            texts[-1] += part
        else:
            values.append(part)
            texts.append("")
    return Text(tuple(texts), tuple(values))


def value(expression: str, conversion: str | None = None, spec: str | None = None) -> Placeholder:
    return Placeholder(expression, conversion, spec)


def message(*variants: Text, resolution: Resolution = "literal", written: Text | None = None) -> Message:
    return Message(resolution, variants, written)


def guard(test: str, holds: bool = True, kind: GuardKind = "if", line: int = 10, stale: bool = False) -> Guard:
    return Guard(kind, line, test, holds, stale)


def linked(
    found: Message | str,
    path: str = "pkg/mod.py",
    line: int = 20,
    column: int = 8,
    qualname: str = "f",
    guards: tuple[Guard, ...] = (),
    excerpt: str | None = None,
) -> LinkedSite:
    known = message(text(found)) if isinstance(found, str) else found
    start, end = max(1, line - 18), line + 18
    lines = "\n".join(f"line {number}" for number in range(start, end + 1)) if excerpt is None else excerpt
    site = RaiseSite(line, line, column, qualname, "ValueError", known, guards, lines, start, end)
    return LinkedSite(path, site, known)


def one(site: LinkedSite) -> tuple[Record, SiteRow]:
    return explain([site], commit(), REPO, commit().date)[0]


def build(*sites: LinkedSite, **changes: str) -> DatasetBuild:
    read = commit(**changes)
    version = read.date
    return DatasetBuild(
        repo=REPO,
        commit=read,
        version=version,
        scope=Scope(("**/*.py",), ("docs/**",), ("ValueError",)),
        files=FileCounts(seen=5, scanned=3, skipped=1, left_out=1),
        rows=explain(sites, read, REPO, version),
        skipped=(Skipped("pkg/broken.py", "syntax-error", 3, "invalid syntax"),),
        notes=(Note("pkg/new.py", "read by LibCST only"),),
    )


SITES = (
    linked("plain text here", guards=(guard("x > 0"),)),
    linked(message(text("bad size ", value("size", "r"), " given")), line=40, qualname="C.g"),
    linked(message(text("first text here"), text("second text ", value("a")), resolution="resolved"), path="pkg/b.py"),
    linked(
        message(text(value("error")), resolution="unresolved"), path="pkg/c.py", guards=(guard("E", kind="except"),)
    ),
)
