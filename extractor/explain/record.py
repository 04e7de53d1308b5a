"""Linked sites to records and their fact rows: the entry of this stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from urllib.parse import quote

from extractor.explain.condition import condition
from extractor.explain.inputs import caller_row, input_row
from extractor.explain.message import message_row, older_forms
from extractor.explain.prose import explain_fields
from extractor.explain.text import clean
from extractor.identity import Ids, Slugs
from extractor.model.facts import Guard, RaiseSite
from extractor.model.linked import LinkedSite
from extractor.model.record import Explanation, MessageRow, Record, SiteRow
from extractor.model.source import Commit

Words = Callable[[Sequence[tuple[LinkedSite, MessageRow]]], Iterable[Explanation]]
"""Gives the prose of sites, in their order."""


def in_words(pairs: Sequence[tuple[LinkedSite, MessageRow]]) -> Iterable[Explanation]:
    """Write the prose of each site here and now."""
    return (explain_fields(linked, message) for linked, message in pairs)


def explain(
    sites: Sequence[LinkedSite], commit: Commit, repo: str, analyzed_at: str, words: Words = in_words
) -> tuple[tuple[Record, SiteRow], ...]:
    """Return one record and its facts for each site, ordered by (path, line, column).

    `repo` is `owner/name`, `analyzed_at` UTC as ISO 8601 with milliseconds and `Z`. The order, and with it every id
    and slug, does not depend on the order of `sites`. `words` may take the prose from elsewhere.
    """
    ordered = sorted(sites, key=lambda linked: (linked.path, linked.site.line, linked.site.column))
    messages = [message_row(linked.message, linked.site.exception_class) for linked in ordered]
    pairs = list(zip(ordered, messages, strict=True))
    names = _names(repo, pairs)
    slugs = Slugs()
    context = _Context(commit, repo, analyzed_at)
    return tuple(
        (
            context.record(linked, message, prose, record_id, slugs.take(message.template, record_id)),
            _row(linked, message, record_id, aliases),
        )
        for (linked, message), prose, (record_id, aliases) in zip(pairs, words(pairs), names, strict=True)
    )


_Pair = tuple[LinkedSite, MessageRow]


def _names(repo: str, pairs: list[_Pair]) -> list[tuple[str, tuple[str, ...]]]:
    """Return id and aliases of each site.

    Other extractors publish under other forms of the message; those ids resolve too. All ids are given out first, then
    the aliases that follow from the rows, then the others: what is given out never depends on what comes later, so an
    alias never stands in for a record, and a reader of the rows can compute the ids and first aliases anew.
    """
    ids = Ids(repo)
    taken = [ids.take(message.template, linked.path, linked.site.qualname) for linked, message in pairs]
    sources = [_aliases(ids, linked, {message.source} - {message.template}) for linked, message in pairs]
    older = [
        _aliases(
            ids, linked, older_forms(linked.message, linked.site.exception_class) - {message.template, message.source}
        )
        for linked, message in pairs
    ]
    return [(one, more + most) for one, more, most in zip(taken, sources, older, strict=True)]


def _aliases(ids: Ids, linked: LinkedSite, forms: set[str]) -> tuple[str, ...]:
    return tuple(ids.alias(form, linked.path, linked.site.qualname) for form in sorted(forms))


class _Context:
    """What all records of one run share."""

    def __init__(self, commit: Commit, repo: str, analyzed_at: str) -> None:
        self._commit = commit
        self._repo = repo
        self._analyzed_at = analyzed_at

    def record(self, linked: LinkedSite, message: MessageRow, words: Explanation, record_id: str, slug: str) -> Record:
        site = linked.site
        return Record(
            id=record_id,
            repo=self._repo,
            slug=slug,
            error_code=None,
            error_message=message.template,
            message_pattern=message.pattern,
            error_type=words.error_type,
            error_class=site.exception_class,
            http_status=words.http_status,
            severity=words.severity,
            file_path=linked.path,
            line_number=site.line,
            source_code=clean(site.excerpt),
            source_code_start=site.excerpt_start,
            source_code_end=site.excerpt_end,
            github_url=permalink(self._repo, self._commit.permalink_ref, linked.path, site),
            documentation=words.documentation,
            trigger_scenarios=words.trigger_scenarios,
            common_situations=words.common_situations,
            solutions=words.solutions,
            example_fix=words.example_fix,
            handling_strategy=words.handling_strategy,
            validation_code=words.validation_code,
            type_guard=words.type_guard,
            try_catch_pattern=words.try_catch_pattern,
            prevention_tips=words.prevention_tips,
            tags=words.tags,
            background_tag=words.background_tag,
            analyzed_sha=self._commit.sha,
            analyzed_at=self._analyzed_at,
        )


def permalink(repo: str, ref: str, path: str, site: RaiseSite) -> str:
    """Return the address of the excerpt at the commit read; `ref` is its sha, or the tag of a release."""
    lines = f"#L{site.excerpt_start}"
    if site.excerpt_end != site.excerpt_start:
        lines += f"-L{site.excerpt_end}"
    return f"{_file_link(repo, ref, path)}{lines}"


@lru_cache(maxsize=256)  # sites come file by file
def _file_link(repo: str, ref: str, path: str) -> str:
    return f"https://github.com/{repo}/blob/{quote(ref)}/{quote(path)}"


def _row(linked: LinkedSite, message: MessageRow, record_id: str, aliases: tuple[str, ...]) -> SiteRow:
    site = linked.site
    guards = tuple(map(_clean_guard, site.guards))
    return SiteRow(
        id=record_id,
        aliases=aliases,
        file_path=linked.path,
        line_number=site.line,
        end_line_number=site.end_line,
        column=site.column,
        qualname=clean(site.qualname),
        exception_class=site.exception_class,
        message=message,
        guards=guards,
        condition=condition(guards),
        surface=linked.context.surface,
        inputs=tuple(map(input_row, linked.context.inputs)),
        callers=tuple(map(caller_row, linked.context.callers)),
    )


def _clean_guard(guard: Guard) -> Guard:
    test = clean(guard.test)
    return guard if test is guard.test else Guard(guard.kind, guard.line, test, guard.holds, guard.stale)
