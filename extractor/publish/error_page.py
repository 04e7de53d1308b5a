"""The page of one error: what its template shows, from the record and the facts behind it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from markupsafe import Markup, escape
from msgspec import Struct

from extractor.model.record import Record
from extractor.publish import links, text
from extractor.publish.common import Common
from extractor.publish.highlight import Excerpt, Line, highlight, markup
from extractor.publish.inputs import SHOWN, Input, decode_inputs
from extractor.publish.reading import Facts, GuardFacts
from extractor.publish.render import Renderer, linked_data


class RelatedLink(Struct, frozen=True):
    """One related error, ready to be shown."""

    url: str
    title: str
    why: str


class ErrorJob(Struct, frozen=True):
    """What a worker needs for one page."""

    record: bytes
    """The record's line."""
    site: bytes
    """The site's line."""
    related: tuple[RelatedLink, ...]
    """Related errors, best first."""


class Limits(Struct, frozen=True):
    """How much a page shows."""

    text: int
    """Characters of one text."""
    line: int
    """Characters of one line of code."""
    items: int
    """Items of one list."""


LIMITS = (Limits(6000, 400, 100), Limits(2500, 200, 50), Limits(800, 120, 25), Limits(240, 60, 8))


class Shown(Struct, frozen=True):
    """A guard as a page shows it."""

    lead: str
    """Words before the test: `if`, `unless`, `for each` …"""
    test: str
    """The test, clipped."""
    line: int
    """1-based."""
    href: str
    """Its line in the excerpt, or on GitHub."""
    stale: bool
    """Whether it may no longer hold at the site."""


def error_pages(renderer: Renderer, jobs: Sequence[ErrorJob]) -> list[tuple[str, bytes]]:
    """Return path and bytes of the pages of some errors of one file."""
    records = [_RECORD.decode(job.record) for job in jobs]
    facts = [_FACTS.decode(job.site) for job in jobs]
    excerpts = [
        Excerpt(r.source_code_start, tuple(r.source_code.split("\n")), r.line_number, f.column)
        for r, f in zip(records, facts, strict=True)
    ]
    codes = highlight(excerpts)
    pages = []
    for record, fact, job, code in zip(records, facts, jobs, codes, strict=True):
        url = links.error_folder(record.repo, record.slug)
        page = _Page(renderer.common, url, record, fact, job.related, code)
        pages.append(
            (f"{url}index.html", renderer.fitting("error.html", url, [page.context(limits) for limits in LIMITS]))
        )
    return pages


_RECORD = msgspec.json.Decoder(Record)
_FACTS = msgspec.json.Decoder(Facts)


class _Page(Struct, frozen=True):
    common: Common
    url: str
    record: Record
    facts: Facts
    related: tuple[RelatedLink, ...]
    code: tuple[Line, ...]

    def context(self, limits: Limits) -> Callable[[], dict[str, Any]]:
        """Return what makes the template's values, within some limits."""

        def make() -> dict[str, Any]:
            record, facts = self.record, self.facts
            title = text.title(record.error_message)
            guards = self._guards(limits)
            return {
                "r": record,
                "facts": facts,
                "limits": limits,
                "title": title,
                "description": text.one_line(record.documentation.replace("`", ""), 200),
                "message": message(facts.message.template, len(facts.message.placeholders), limits.text),
                "variants": [v.template for v in facts.message.variants if v.template != facts.message.template][
                    : limits.items
                ],
                "values": [p.expression for p in facts.message.placeholders][: limits.items],
                "code": self._code(limits),
                "guards": guards[: limits.items],
                "guards_left": max(0, len(guards) - limits.items),
                "inputs": [self._input(item) for item in decode_inputs(facts.inputs) if item.kind in SHOWN][
                    : limits.items
                ],
                "callers": facts.callers[: min(8, limits.items)],
                "blob": links.blob_base(record.github_url),
                "trail": trail(record.file_path),
                "tags": [(tag, self._list("tags", tag)) for tag in record.tags[: limits.items]],
                "family": (record.background_tag, self._list("families", record.background_tag)),
                "surface": (facts.surface, self._list("surfaces", facts.surface)),
                "related": self.related,
                "json": f"api/errors/{record.id}.json",
                "linked_data": linked_data(self._linked_data(title)),
            }

        return make

    def _code(self, limits: Limits) -> list[tuple[int, bool, Markup]]:
        start, first, last = self.record.source_code_start, self.record.line_number, self.facts.end_line_number
        return [
            (number, first <= number <= max(first, last), markup(line, limits.line))
            for number, line in enumerate(self.code, start)
        ]

    def _guards(self, limits: Limits) -> list[Shown]:
        shown = []
        for guard in self.facts.guards:
            lead, test = _lead(guard)
            test = text.clip(test, min(limits.text, 600))
            shown.append(Shown(lead, test, guard.line, self._line(guard.line), guard.stale))
        return shown

    def _line(self, line: int) -> str:
        if 0 <= line - self.record.source_code_start < len(self.code):
            return f"#L{line}"
        blob = links.blob_base(self.record.github_url)
        return f"{blob}#L{line}" if blob else ""

    def _input(self, item: Input) -> tuple[Input, str]:
        kind = {"option": "options", "environment": "env"}.get(item.kind, "")
        return item, self._list(kind, item.name)

    def _list(self, kind: str, name: str | None) -> str:
        return self.common.urls.get(f"{kind} {name}", "") if name else ""

    def _linked_data(self, title: str) -> dict[str, Any]:
        record, root = self.record, self.common.base_url or links.up(self.url)
        here = self.common.base_url + links.quoted(self.url) if self.common.base_url else "./"
        names = [("Errors", root), (record.repo, root + self.common.repo_url)]
        names.append((text.one_line(record.file_path, 200), root + links.file_folder(record.file_path)))
        crumbs = [
            {"@type": "ListItem", "position": i, "name": name, "item": item}
            for i, (name, item) in enumerate([*names, (title, here)], 1)
        ]
        article = {
            "@type": "TechArticle",
            "headline": title,
            "description": text.one_line(record.documentation.replace("`", ""), 300),
            "url": here,
            "mainEntityOfPage": here,
            "datePublished": record.analyzed_at,
            "dateModified": record.analyzed_at,
            "inLanguage": "en",
            "keywords": list(record.tags[:20]),
            "about": {
                "@type": "SoftwareSourceCode",
                "codeRepository": f"https://github.com/{record.repo}",
                "programmingLanguage": "Python",
            },
            "isAccessibleForFree": True,
        }
        return {
            "@context": "https://schema.org",
            "@graph": [article, {"@type": "BreadcrumbList", "itemListElement": crumbs}],
        }


def message(template: str, placeholders: int, most: int) -> Markup:
    """Return a message as HTML with its runtime values marked, where it is clear which `{}` they are."""
    shown = text.clip(text.visible(template), most)
    parts = shown.split("{}")
    if len(parts) - 1 > placeholders or placeholders == 0:
        return escape(shown)
    return Markup("<var>{}</var>").join(escape(part) for part in parts)


def trail(path: str) -> list[tuple[str, str]]:
    """Return the parts of a path with the lists that they lead to."""
    parts = path.split("/")
    return [(part, links.file_folder("/".join(parts[: i + 1]))) for i, part in enumerate(parts)]


_LEADS = {
    ("for", True): "for each",
    ("loop-exhausted", True): "after the loop ran out:",
    ("while", True): "while",
    ("while", False): "once no longer",
    ("match", True): "case",
    ("match", False): "not the case",
    ("except", True): "on exception",
}


def _lead(guard: GuardFacts) -> tuple[str, str]:
    """Return the words before a test, and the test; `unless not x` reads better as `if x`."""
    lead = _LEADS.get((guard.kind, guard.holds))
    if lead is not None:
        return lead, guard.test
    if not guard.holds and guard.test.startswith("not "):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            tree = ast.parse(guard.test[:_LONGEST_TEST], mode="eval").body
            if isinstance(tree, ast.UnaryOp):
                return "if", guard.test.removeprefix("not ").lstrip()
    return "if" if guard.holds else "unless", guard.test


_LONGEST_TEST = 500
