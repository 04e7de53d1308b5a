"""An answer as lines for a person: the same text in a terminal and in a pipe, with style names for the former."""

from __future__ import annotations

from collections.abc import Iterator

from extractor.model.answer import Answer, EventRow, Match

Line = tuple[str, str]
"""Style and text: `title`, `good`, `fair`, `weak`, `key`, `plain`, `dim`."""
_STYLES = {"sure": "good", "likely": "fair", "similar": "weak", "possible": "weak"}
_LONGEST_VALUE = 400
_SPEAKERS_SHOWN = 16


def lines(answer: Answer) -> Iterator[list[Line]]:
    """Yield the lines of an answer, each as pieces with a style."""
    for number, match in enumerate(answer.matches):
        if number:
            yield [("plain", "")]
        yield from _match(match, answer.events[match.event]) if match.decides is None else _other(match)
    if not answer.matches:
        yield [("title", "No record fits.")]
    foreign = [event for event in answer.events if event.verdict == "not-ours"]
    if foreign or not answer.matches:
        yield [("plain", "")]
    for event in foreign:
        yield [("key", "Not ours  "), ("plain", _said(event))]
        yield [("dim", f"  {event.why}{_speakers(event)}")]
    if not answer.matches:
        for event in answer.events:
            if event.verdict != "not-ours":
                yield [("key", "Unknown  "), ("plain", f"{_said(event)}{_speakers(event)}")]
    if answer.unread:
        yield [
            ("dim", f"{answer.unread} more pieces of the log were not looked into: it holds too many different errors.")
        ]


def _match(match: Match, event: EventRow) -> Iterator[list[Line]]:
    yield [(_STYLES[match.sureness], match.sureness), ("plain", "  "), ("title", match.slug), ("dim", f"  {match.id}")]
    yield [("title", f"{match.error_class}: "), ("plain", match.message)]
    yield [("dim", "because: "), ("plain", "; ".join(match.reasons) + _speakers(event))]
    yield [("plain", f"{match.place.path}:{match.place.line}  in {match.place.function}")]
    yield [("dim", match.url)]
    for value in match.values:
        shown = "(missing in the paste)" if value.value is None else _cut(value.value)
        yield [("key", f"  {value.expression}"), ("plain", f" = {shown}")]
    if match.condition:
        yield [("key", "Raised when  "), ("plain", match.condition)]
        if match.condition_with_values != match.condition:
            yield [("key", "  that is    "), ("plain", match.condition_with_values)]
    if match.solution is not None:
        yield [("key", "First try    "), ("plain", match.solution)]


def _other(match: Match) -> Iterator[list[Line]]:
    yield [(_STYLES[match.sureness], match.sureness), ("plain", "  "), ("title", match.slug), ("dim", f"  {match.id}")]
    yield [("plain", f"  {match.place.path}:{match.place.line}  in {match.place.function}")]
    yield [("dim", "  would be shown by "), ("plain", f"{match.decides}")]


def _said(event: EventRow) -> str:
    said = f"{event.error_class}: {event.message}" if event.error_class else event.message
    return _cut(" ".join(said.split()), 160)


def _speakers(event: EventRow) -> str:
    shown = ", ".join(event.speakers[:_SPEAKERS_SHOWN])
    more = f" and {len(event.speakers) - _SPEAKERS_SHOWN} more" if len(event.speakers) > _SPEAKERS_SHOWN else ""
    times = f"printed {event.count} times" if event.count > 1 else ""
    by = f"by {shown}{more}" if shown else ""
    return f" ({' '.join(filter(None, (times, by)))})" if times or by else ""


def _cut(text: str, longest: int = _LONGEST_VALUE) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
