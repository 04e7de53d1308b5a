"""Events to findings: the order of the matcher. One event is looked up, laid out, weighed and graded here."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from extractor.match import judge, values
from extractor.match.align import Alignment, Message
from extractor.match.catalog import Catalog
from extractor.match.events import Event
from extractor.match.judge import Fit, Wording
from extractor.match.places import Place, Places
from extractor.model.answer import Sureness
from extractor.words import WORD, lower

_SHARE_IN_FREE_TEXT = 0.3
"""Text that no exception's name opens must hold this much of a record's words, by weight, to be looked at closely."""
_WHOLE_LETTERS = 12
_PLACE_ALONE = 5.0
_READ = 12
"""Alignments that are read in full."""
_FROM_TRACEBACK = 24
_TELLING_NAME = 5
_FEWEST_TEST_WORDS = frozenset(("test", "tests", "testing", "benchmark", "benchmarks"))


class Finding(Struct, frozen=True):
    """A record for an event."""

    fit: Fit
    """How it fits."""
    sureness: Sureness
    """How sure that is."""
    reasons: tuple[str, ...]
    """Why."""


class Found(Struct, frozen=True):
    """What is known of one event."""

    event: Event
    """The event."""
    place: Place
    """Where its traceback ends."""
    findings: tuple[Finding, ...]
    """Best first; empty if no record fits."""
    foreign: str
    """Why it is none of ours; empty if it may be."""


class Matcher:
    """Looks up events in one dataset."""

    def __init__(self, catalog: Catalog) -> None:
        """Prepare for the rows of `catalog`."""
        self.catalog = catalog
        """The rows."""
        self.places = Places(catalog.rows)
        """Their files and functions."""

    def match(self, event: Event, context: str) -> Found:
        """Return the records that fit an event; `context` is the text around, which decides between equal records."""
        place = self.places.last(event.frames)
        if place.where == "outside":
            return Found(event, place, (), _outside(place))
        if place.raising is False:
            return Found(event, place, (), _no_raise(place))
        fits = self._fits(event, place, context)
        findings = self._graded(event, place, fits)
        return Found(event, place, tuple(findings), "")

    def _fits(self, event: Event, place: Place, context: str) -> list[Fit]:
        fewest = 0.0 if event.opened or event.frames else _SHARE_IN_FREE_TEXT
        numbers = dict.fromkeys(number for number, share in self.catalog.alike(event.message) if share >= fewest)
        numbers.update(dict.fromkeys(place.rows[:_FROM_TRACEBACK]))
        if not numbers:
            return []
        message = Message(event.message)
        laid = [
            max((message.lay(target) for target in self.catalog.targets(number)), key=_worth, default=None)
            for number in numbers
        ]
        held = [
            alignment
            for alignment in laid
            if alignment is not None and (alignment.runs or alignment.target.row in place.rows)
        ]
        held.sort(
            key=lambda alignment: (
                -_worth(alignment) - 40 * alignment.share * (alignment.target.row in place.rows),
                alignment.target.row,
            )
        )
        fits = []
        for alignment in held[:_READ]:
            reading = values.read(message.squashed, alignment, event.stops, opened=event.opened)
            fits.append(judge.fit(self.catalog, event, message, alignment, reading, place))
        fits += self._silent(event, place)
        if any(fit.wording == "whole" and fit.letters >= _WHOLE_LETTERS for fit in fits):
            fits = list(map(_without_place, fits))
        around = set(WORD.findall(lower(context[:20_000])))
        return sorted(fits, key=lambda fit: (-fit.score - self._context(fit, around), fit.row))

    def _silent(self, event: Event, place: Place) -> list[Fit]:
        """Return the records of the traceback's function that have no text: a bare class, or a value as a whole."""
        if place.where not in ("line", "function"):
            return []
        fits = []
        for number in place.rows:
            row = self.catalog.rows[number]
            at_line = place.where == "line" and number == place.rows[0]
            if self.catalog.targets(number):
                continue
            if row.resolution == "unresolved":
                fits.append(_silent(number, "none", 30.0 if at_line else 12.0))
            elif event.message.strip() in ("", row.error_class):
                fits.append(_silent(number, "whole", 40.0 if at_line else 35.0))
        return fits

    def _context(self, fit: Fit, around: set[str]) -> float:
        """Return a little for a record whose place is spoken of, and take a little for one in tests."""
        row = self.catalog.rows[fit.row]
        place = set(
            WORD.findall(lower(f"{row.path.removesuffix('.py').replace('/', ' ')} {row.qualname.replace('.', ' ')}"))
        )
        spoken = sum(1 for word in place if word in around)
        return 0.1 * min(spoken, 8) - (0.5 if place & _FEWEST_TEST_WORDS else 0.0)

    def _names(self, fit: Fit) -> bool:
        """Whether the fixed text itself says whose it is: `sglang`, `SGLANG_CACHE`."""
        text = self.catalog.rows[fit.row].template.lower()
        return any(package.lower() in text for package in self.places.packages if len(package) >= _TELLING_NAME)

    def _graded(self, event: Event, place: Place, fits: list[Fit]) -> list[Finding]:
        findings = []
        for fit in fits:
            same = sum(
                1
                for other in fits
                if other is not fit
                and other.wording == fit.wording
                and other.letters == fit.letters
                and abs(other.share - fit.share) < 0.01
                and other.covered == fit.covered
                and other.here == fit.here
            )
            row = self.catalog.rows[fit.row]
            sureness, reasons = judge.grade(row, event, place, fit, same, self._names(fit))
            if sureness is not None:
                findings.append(Finding(fit, sureness, tuple(reasons)))
        return _demote(findings)


def _demote(findings: list[Finding]) -> list[Finding]:
    """Only the first can be sure, and none is surer than the first: the others are what it would be instead."""
    kept = findings[:1]
    for finding in findings[1:]:
        cap: Sureness = judge.least(kept[0].sureness, "likely")
        kept.append(Finding(finding.fit, judge.least(finding.sureness, cap), finding.reasons))
    return kept


def _worth(alignment: Alignment) -> float:
    return alignment.matched - 0.5 * alignment.extra - 0.1 * (len(alignment.target.text) - alignment.matched)


def _without_place(fit: Fit) -> Fit:
    """Take from a text that is not whole what its place gave: a whole one stands against it, moved by a release."""
    if fit.wording in ("whole", "cut") or fit.bonus <= _PLACE_ALONE:
        return fit
    return msgspec.structs.replace(fit, score=fit.score - fit.bonus + _PLACE_ALONE)


def _silent(number: int, wording: Wording, score: float) -> Fit:
    return Fit(number, 0, wording, 0.0, 0, 0, 0.0, score, score, 0, 0, True, (), (0, 0))


def _outside(place: Place) -> str:
    frame = place.frame
    return (
        f"raised outside the scanned tree: {frame.path}, line {frame.line}" if frame is not None else "raised elsewhere"
    )


def _no_raise(place: Place) -> str:
    frame = place.frame
    where = f"{frame.path}, line {frame.line}" if frame is not None else "there"
    return f"{where} is no raise statement: Python or a compiled extension raised it there"
