"""Pieces to what a text tells of: each different event looked up once, with who printed it and how often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from extractor.match import events, judge, lines
from extractor.match.events import Event
from extractor.match.lines import Line
from extractor.match.matcher import Finding, Found, Matcher

MOST_EVENTS = 256
"""Different events that are looked up in one text."""
_MOST_SPEAKERS = 64
_MOST_KNOWN = 20_000
_KEY = 400
_WHOLE_LINE = 40
_DIGITS = str.maketrans("", "", "0123456789")


class Told(Struct):
    """One event of a text."""

    found: Found
    """What is known of it."""
    speakers: dict[str, None]
    """Who printed it, in order."""
    count: int = 1
    """How often it came."""


class Tally:
    """Counts the events of one text."""

    def __init__(self, matcher: Matcher) -> None:
        """Look up in `matcher`."""
        self._matcher = matcher
        self._told: dict[tuple[str, ...], Told | None] = {}
        self._looked_up = 0
        self.unread = 0
        """Pieces of text behind the last event that was looked up."""

    @property
    def told(self) -> list[Told]:
        """The events that were looked up, in order."""
        return [told for told in self._told.values() if told is not None]

    def read(self, pieces: Iterable[str]) -> None:
        """Take in pieces of a text."""
        for piece in pieces:
            if self._looked_up >= MOST_EVENTS:
                self.unread += 1
                continue
            for event in _events(piece):
                self._take(event, piece)

    def ranked(self) -> list[tuple[int, Finding]]:
        """Return all findings with the places of their events, best first, each record once."""
        found = [(number, finding) for number, told in enumerate(self.told) for finding in told.found.findings]
        found.sort(key=lambda pair: (judge.ORDER[pair[1].sureness], -pair[1].fit.score, pair[0]))
        first: dict[int, tuple[int, Finding]] = {}
        for number, finding in found:
            first.setdefault(finding.fit.row, (number, finding))
        return list(first.values())

    def _take(self, event: Event, piece: str) -> None:
        key = _key(event)
        told = self._told.get(key)
        if told is not None:
            told.count += 1
            if len(told.speakers) < _MOST_SPEAKERS and event.speaker:
                told.speakers[event.speaker] = None
            return
        if key in self._told or len(self._told) >= _MOST_KNOWN:
            return
        self._looked_up += 1
        found = self._matcher.match(event, piece)
        # Free text that resembles nothing is no event.
        worth = bool(event.kind or event.frames or found.findings)
        self._told[key] = Told(found, {event.speaker: None} if event.speaker else {}) if worth else None


def _events(piece: str) -> Iterator[Event]:
    """Yield the events of a piece, each speaker's lines by themselves: ranks print at the same time."""
    voices: dict[str, list[Line]] = {}
    speaker = ""
    for line in lines.read(iter(piece.splitlines())):
        speaker = line.speaker or speaker
        voices.setdefault(speaker, []).append(line)
    for spoken in voices.values():
        yield from events.find(spoken)


def _key(event: Event) -> tuple[str, ...]:
    last = event.frames[-1] if event.frames else None
    place = (last.path, last.function, str(last.line)) if last is not None else ()
    message = event.message.strip()
    first = message.partition("\n")[0]
    # What follows a line in a log may be anything; a short line may be the first of a wrapped message.
    said = (first if len(first) >= _WHOLE_LINE else message)[:_KEY]
    return (event.kind, said.translate(_DIGITS), *place)
