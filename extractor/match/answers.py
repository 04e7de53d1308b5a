"""What was found, as the answer that is printed: each record with its values, condition, fix and link."""

from __future__ import annotations

from extractor.match import fill
from extractor.match.catalog import Catalog, Row
from extractor.match.details import Details
from extractor.match.matcher import Finding
from extractor.match.tally import Tally, Told
from extractor.model.answer import Answer, EventRow, Match, Origin, Value, Verdict, Where
from extractor.words import fixed_parts

_SHOWN = 300
_OURS = frozenset(("sure", "likely"))


def answer(catalog: Catalog, tally: Tally, details: Details, limit: int) -> Answer:
    """Return the best `limit` records of what `tally` holds, and all its events."""
    best: dict[int, Finding] = {}
    matches = []
    for number, finding in tally.ranked()[:limit]:
        matches.append(_match(catalog, details, number, finding, best.get(number)))
        best.setdefault(number, finding)
    origin = Origin(catalog.repo, catalog.sha, catalog.version)
    return Answer(1, origin, tuple(matches), tuple(map(_event, tally.told)), tally.unread)


def _match(catalog: Catalog, details: Details, number: int, finding: Finding, best: Finding | None) -> Match:
    fit = finding.fit
    row = catalog.rows[fit.row]
    record, site = details.record(row.id), details.site(row.id)
    pattern = row.patterns[fit.variant]
    expressions = site.expressions(pattern)
    values = (*fit.values, *[None] * len(expressions))[: len(expressions)]
    unknown = not fit.values and bool(expressions)
    return Match(
        id=row.id,
        slug=row.slug,
        sureness=finding.sureness,
        score=round(fit.score),
        reasons=finding.reasons,
        decides=None if best is None else _decides(row, finding, best),
        event=number,
        error_class=row.error_class,
        template=row.template,
        message=row.template if unknown else fill.message(fixed_parts(pattern), values),
        values=tuple(Value(expression, value) for expression, value in zip(expressions, values, strict=True)),
        place=Where(row.path, row.line, row.qualname),
        url=record.github_url,
        condition=site.condition,
        condition_with_values=fill.condition(site.condition, expressions, values),
        solution=record.solutions[0] if record.solutions else None,
        documentation=record.documentation,
    )


def _decides(row: Row, finding: Finding, best: Finding) -> str:
    same = finding.fit.covered == best.fit.covered and finding.fit.letters == best.fit.letters
    if same:
        return f"a traceback that ends in {row.qualname} ({row.path})"
    return f"the whole message: this one reads “{row.template}”"


def _event(told: Told) -> EventRow:
    event, place = told.found.event, told.found.place
    frame = place.frame
    verdict: Verdict = "unknown"
    if told.found.foreign:
        verdict = "not-ours"
    elif any(finding.sureness in _OURS for finding in told.found.findings):
        verdict = "ours"
    return EventRow(
        error_class=event.kind or None,
        message=event.message.strip()[:_SHOWN],
        verdict=verdict,
        why=told.found.foreign or None,
        last=Where(frame.path, frame.line, frame.function) if frame is not None else None,
        speakers=tuple(told.speakers),
        count=told.count,
    )
