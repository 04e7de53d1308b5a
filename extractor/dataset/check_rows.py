"""What `check` asks of single records and sites: identity, order, agreement, pattern, excerpt, link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from extractor.identity import Ids, Slugs

Row = dict[str, Any]
Told = tuple[int, str]
"""1-based line of the file, and what is wrong there."""

_CONTEXT = 18
_LITERAL = r"[^.*+?^${}()|\[\]\\]|\\[.*+?^${}()|\[\]\\]"
_PATTERN = re.compile(rf"(?:{_LITERAL}|\(\.\+\?\))*\Z", re.DOTALL)
"""The grammar of a pattern (contract, section 6): whatever it allows compiles in Python, JavaScript and RE2."""
_UNESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SAME = (("id", "id"), ("filePath", "filePath"), ("lineNumber", "lineNumber"), ("errorClass", "exceptionClass"))


def names(repo: str, records: Sequence[Row], sites: Sequence[Row]) -> Iterator[Told]:
    """Compute ids, aliases and slugs anew and tell where the dataset has others."""
    pairs = list(zip(records, sites, strict=True))
    ids, slugs = Ids(repo), Slugs()
    for line, (record, site) in enumerate(pairs, 1):
        key = _key(record)
        wanted = ids.take(key, record["filePath"], site["qualname"])
        if record["id"] != wanted:
            yield line, f"id is {record['id']}, by its content it is {wanted}"
        slug = slugs.take(key, wanted)
        if record["slug"] != slug:
            yield line, f"slug is {record['slug']!a}, by its content it is {slug!a}"
    yield from _aliases(ids, pairs)


def _aliases(ids: Ids, pairs: Sequence[tuple[Row, Row]]) -> Iterator[Told]:
    """Compute the alias made of the source form anew; the others come from texts that no row holds."""
    seen = {record["id"] for record, _ in pairs}
    for line, (record, site) in enumerate(pairs, 1):
        source, aliases = site["message"]["source"], site["aliases"]
        first = [] if source == _key(record) else [ids.alias(source, record["filePath"], site["qualname"])]
        if aliases[: len(first)] != first:
            yield line, f"aliases are {aliases}, by the content the first is {first[0]}"
        if not seen.isdisjoint(aliases):
            yield line, f"aliases {aliases} hold the id or an alias of another record"
        seen.update(aliases)


def disorder(sites: Sequence[Row]) -> Iterator[Told]:
    """Tell where the order by (path, line, column) is broken, or a place occurs twice."""
    before: tuple[str, int, int] | None = None
    for line, site in enumerate(sites, 1):
        place = (site["filePath"], site["lineNumber"], site["column"])
        if before is not None and place <= before:
            yield line, "does not stand after the line before it in the order of path, line and column"
        before = place


def faults(manifest: Row, record: Row, site: Row) -> Iterator[str]:
    """Tell what in one record contradicts its site, the manifest or itself."""
    for ours, theirs in _SAME:
        if record[ours] != site[theirs]:
            yield f"{ours} is not the {theirs} of its site"
    for ours, theirs in (("repo", "repo"), ("analyzedSha", "sha"), ("analyzedAt", "datasetVersion")):
        if record[ours] != manifest[theirs]:
            yield f"{ours} is not the {theirs} of the manifest"
    message = site["message"]
    if record["errorMessage"] != message["template"] or record["messagePattern"] != message["pattern"]:
        yield "message and pattern are not those of its site"
    for text in (message, *message["variants"]):
        if not fits(text["pattern"], text["template"]):
            yield f"the pattern does not fit its template {text['template'][:60]!a}"
    if len(message["variants"]) == 1 or (
        message["variants"] and message["variants"][0]["template"] != message["template"]
    ):
        yield "the first variant is not the message"
    if site["endLineNumber"] < site["lineNumber"]:
        yield "the site ends before it starts"
    yield from _excerpt(record)


def fits(pattern: str, template: str) -> bool:
    """Return whether a pattern is well formed and stands for that template.

    Decided on the text, in linear time: running a foreign pattern in a backtracking engine could take for ever.
    """
    if not _PATTERN.match(pattern):
        return False
    texts = [_UNESCAPED.sub(r"\1", part) for part in pattern.split("(.+?)")]
    return "{}".join(texts) == template


def _excerpt(record: Row) -> Iterator[str]:
    line, start, end = record["lineNumber"], record["sourceCodeStart"], record["sourceCodeEnd"]
    if start != max(1, line - _CONTEXT) or not line <= end <= line + _CONTEXT:
        yield "the excerpt is not the 18 lines before and after"
    if record["sourceCode"].count("\n") != end - start:
        yield "the excerpt has another number of lines than it says"
    anchor = f"#L{start}" if start == end else f"#L{start}-L{end}"
    if not record["githubUrl"].endswith(anchor):
        yield "the link leads to other lines than the excerpt"


def _key(record: Row) -> str:
    return str(record["errorCode"] or record["errorMessage"])
