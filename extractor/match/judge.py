"""How well a record fits an event, how sure that is, and why: the only place where evidence is weighed.

Text and traceback are judged apart. A traceback that ends in the record's function makes a whole or shortened text
sure; without one, text alone is sure only where it is whole, long, told by one record, and names the program.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from msgspec import Struct

from extractor.match.align import Alignment, Message
from extractor.match.catalog import Catalog, Row
from extractor.match.events import Event
from extractor.match.places import Place
from extractor.match.squash import squash
from extractor.match.values import Reading
from extractor.model.answer import Sureness

Wording = Literal["whole", "cut", "reworded", "scraps", "none"]

ORDER: dict[Sureness, int] = {"sure": 0, "likely": 1, "similar": 2, "possible": 3}
"""The surest first."""
_ELLIPSES = ("...", "\u2026", "[truncated", "<truncated")
_WRAPPERS = frozenset(
    ("BadRequestError", "HTTPException", "APIError", "APIStatusError", "RayTaskError", "ValidationError")
)
"""Classes that carry another exception's text."""
_SLACK = 0.03
"""Part of a text that typing over or a lost word may take while it still counts as whole."""
_FEW_LETTERS, _FEW_WORDS, _FEW_BITS = 14, 3, 12.0
"""Less than this is said by many programs."""
_MANY_LETTERS, _MANY_BITS = 30, 26.0
"""From here on a text was met in one function only, copies of it aside."""
_CUT_LETTERS, _CUT_SHARE = 24, 0.3
"""A shortened text of fewer letters, or less of the whole, could be the start of another one."""
_FEWEST_LETTERS = 8
_NEAR_SHARE = 0.55
"""Less of a text than this is another text."""
_PLACE_ALONE = 0.2
_ALONE = 3.0
"""What it is worth that a line is a record's text and nothing else."""
_LONGEST_WORD = 14
_LEAD = 3
"""Letters before a text that a mark of a list, or a number, may take."""
_TAIL = 12
"""Letters that may follow on a line before the message counts as a longer one."""


class Fit(Struct, frozen=True):
    """One record laid on one event."""

    row: int
    """Number of the row."""
    variant: int
    """Which of its texts."""
    wording: Wording
    """What of the text is there."""
    share: float
    """Part of the fixed letters found, 0 to 1."""
    letters: int
    """Fixed letters found."""
    words: int
    """Fixed words found whole."""
    bits: float
    """How telling they are."""
    score: float
    """For ordering."""
    bonus: float
    """What of the score the traceback gave."""
    lead: int
    """Letters of the message before the record's text."""
    tail: int
    """Letters of its line after the record's text."""
    here: bool
    """Whether the traceback ends in the record's function."""
    values: tuple[str | None, ...]
    """The runtime values."""
    covered: tuple[int, int]
    """Stretch of the message that the record's text takes."""


def fit(
    catalog: Catalog, event: Event, message: Message, alignment: Alignment, reading: Reading | None, place: Place
) -> Fit:
    """Weigh one alignment."""
    target = alignment.target
    here = target.row in place.rows and place.where in ("line", "function")
    if reading is None:
        bonus = _traceback_bonus(target.row, place, 0.0)
        return Fit(target.row, target.variant, "none", 0.0, 0, 0, 0.0, bonus, bonus, 0, 0, here, (), (0, 0))
    missing = _missing(event, message, alignment, reading)
    total, matched = len(target.text), min(reading.matched, len(target.text))
    bonus = _traceback_bonus(target.row, place, matched / total)
    lead = len(squash(event.message[: reading.start])) if event.opened else 0
    behind = missing.behind if not missing.tail else 0
    loss = missing.inner * (0.15 if missing.dotted else 0.5) + alignment.extra * (0.1 if missing.dotted else 0.6)
    loss += missing.head * (0.1 if missing.cut_on else 0.4) + missing.tail * (0.1 if missing.cut_off else 0.4)
    if event.opened:
        loss += 0.5 * min(lead, 30) + 0.25 * min(behind, 20)
    words = _words(alignment)
    wording = _wording(total, matched, alignment.extra, missing)
    alone = wording == "whole" and not behind and not squash(_line_before(event.message, reading.start))
    return Fit(
        row=target.row,
        variant=target.variant,
        wording=wording,
        share=matched / total,
        letters=matched,
        words=len(words),
        bits=sum(map(catalog.weight, words)),
        score=matched - loss + bonus + _literal(event.message, target.parts) + (_ALONE if alone else 0.0),
        bonus=bonus,
        lead=lead,
        tail=behind,
        here=here,
        values=reading.values,
        covered=(reading.start, reading.end),
    )


class _Missing(Struct, frozen=True):
    """Fixed letters that are not there, by place, and whether they were cut off there."""

    head: int
    cut_on: bool
    tail: int
    cut_off: bool
    inner: int
    dotted: bool
    behind: int
    """Letters on the line behind the text."""


def _missing(event: Event, message: Message, alignment: Alignment, reading: Reading) -> _Missing:
    text = event.message
    head, tail = _edges(alignment, reading)
    behind = _line(text, reading.end, event.stops)
    letters = len(squash(behind))
    before = _line_before(text, reading.start)
    dotted_on = before.rstrip().endswith(_ELLIPSES) or before.lstrip().startswith(_ELLIPSES)
    # Behind the exception's name a message begins with its first word, or the second. In other text, at most the rest
    # of a value may stand before the rest of a message.
    begun = head <= _LONGEST_WORD if event.opened else len(before.split()) <= 1
    gaps = _gaps(message, alignment)
    total = len(alignment.target.text)
    return _Missing(
        head=head,
        cut_on=head > 0 and (begun or dotted_on),
        tail=tail,
        cut_off=tail > 0 and (letters < _LEAD or behind.lstrip().startswith(_ELLIPSES)),
        inner=max(0, total - min(reading.matched, total) - head - tail),
        dotted=any(dots in gaps for dots in _ELLIPSES),
        behind=letters,
    )


def _literal(text: str, parts: tuple[str, ...]) -> float:
    """Return a little for parts that stand in the text letter by letter: it decides between `Bad x` and `bad x`."""
    wanted = [part.strip() for part in parts if part.strip()]
    return sum(1 for part in wanted if part in text) / len(wanted) if wanted else 0.0


def _traceback_bonus(row: int, place: Place, share: float) -> float:
    """Return what the traceback adds: in the right function the more, the more of the text is there, too.

    A function of another release may have other records: their place alone must not beat the whole text next to it.
    """
    if row in place.rows and place.where in ("line", "function"):
        rank = place.rows.index(row)
        best = 58.0 if place.where == "line" and rank == 0 else 50.0 - 0.5 * min(rank, 8)
        return best * max(share, _PLACE_ALONE)
    if row in place.file:
        return 10.0 - 0.5 * min(place.rows.index(row), 8) if row in place.rows else 5.0
    return -10.0 if place.file else 0.0


def _line_before(text: str, end: int) -> str:
    return text[:end].rpartition("\n")[2]


def _line(text: str, start: int, stops: tuple[int, ...]) -> str:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return text[start : min([end, *(stop for stop in stops if stop >= start)])]


def _edges(alignment: Alignment, reading: Reading) -> tuple[int, int]:
    """Return how many fixed letters are missing at the beginning and at the end."""
    if not alignment.runs:
        return 0, 0
    found_short = reading.matched - alignment.matched
    head = alignment.runs[0].target
    tail = len(alignment.target.text) - alignment.runs[-1].target_end
    missing = len(alignment.target.text) - min(reading.matched, len(alignment.target.text))
    if found_short:
        head = min(head, missing)
        tail = 0 if reading.closed else min(tail, missing - head)
    return head, tail


def _gaps(message: Message, alignment: Alignment) -> str:
    """Return what stands in the message between the runs."""
    offsets = message.squashed.offsets
    pairs = pairwise(alignment.runs)
    return "\n".join(
        message.squashed.source[offsets[left.text_end - 1] + 1 : offsets[right.text]][:400]
        for left, right in pairs
        if right.text < len(offsets)
    )


def _wording(total: int, matched: int, extra: int, missing: _Missing) -> Wording:
    if not matched:
        return "none"
    slack = max(2.0, total * _SLACK)
    if total - matched <= slack and extra <= slack:
        return "whole"
    # A lost leading word or final one is within what pastes lose, too.
    tail_cut = missing.cut_off or (missing.tail <= slack and missing.behind <= _TAIL)
    head_cut = missing.cut_on or missing.head <= slack
    if head_cut and tail_cut and (missing.dotted or (missing.inner <= slack and extra <= slack)):
        return "cut"
    return "reworded" if matched / total >= _NEAR_SHARE else "scraps"


def _words(alignment: Alignment) -> list[str]:
    """Return the words of the target that stand whole in the runs."""
    target = alignment.target
    held = " ".join(target.text[run.target : run.target_end] for run in alignment.runs)
    return [word for word in target.words if squash(word) and squash(word) in held]


def grade(row: Row, event: Event, place: Place, best: Fit, same: int, named: bool) -> tuple[Sureness | None, list[str]]:
    """Return how sure `best` is, with reasons; none if it must not be claimed.

    `same` counts the other records that fit the text alike, `named` whether that text names the program.
    """
    reasons = [_text_reason(best)]
    cap: Sureness = "sure"
    if place.frame is not None:
        cap, reason = _traceback_cap(row, place, best)
        reasons.append(reason)
    if event.kind and event.kind != row.error_class and event.kind not in _WRAPPERS:
        reasons.append(f"the paste says {event.kind}, the record {row.error_class}")
        cap = least(cap, "possible" if place.frame is not None or best.lead <= _LEAD else "likely")
    if best.lead > _LEAD and best.wording != "none":
        reasons.append("the text stands inside another message")
        cap = least(cap, "likely")
    if best.tail > _TAIL and event.opened:
        reasons.append("the message goes on where the record's ends")
        cap = least(cap, "likely")
    if same and best.here and place.where != "line":
        reasons.append("another raise of this function has the same text, and the line fits none exactly")
        cap = least(cap, "likely")
    if same and not best.here:
        reasons.append(f"{same} other record{'s have' if same > 1 else ' has'} the same text, and no traceback decides")
        cap = least(cap, "likely")
    found = _by_text(best, place)
    if found in ("sure", "likely") and place.where == "nowhere" and not named:
        reasons.append("no traceback shows which program printed it: a related project may have the same text")
        cap = least(cap, "likely")
    return (None if found is None else least(found, cap)), reasons


def _by_text(best: Fit, place: Place) -> Sureness | None:
    if best.here:
        # What was raised in this function at a raise statement is one of its records; the text says which.
        shown: Sureness = "likely" if place.raising else "possible"
        by_wording: dict[Wording, Sureness | None] = {
            "whole": "sure",
            "cut": "sure" if best.letters >= _FEW_LETTERS and best.share >= _CUT_SHARE else shown,
            "reworded": "likely" if place.raising else "similar",
            "scraps": "possible" if place.raising or best.share >= _CUT_SHARE else None,
            "none": "possible" if place.raising or place.where == "line" else None,
        }
        return by_wording[best.wording]
    weak = best.letters < _FEW_LETTERS or best.words < _FEW_WORDS or best.bits < _FEW_BITS
    strong = best.letters >= _MANY_LETTERS and best.bits >= _MANY_BITS
    if best.wording == "whole":
        if weak:
            return "possible" if best.lead <= _LEAD or best.letters >= _FEW_LETTERS else None
        return "sure" if strong else "likely"
    if best.wording == "cut":
        long = best.letters >= _CUT_LETTERS and best.share >= _CUT_SHARE
        if long and strong and best.share >= _NEAR_SHARE:
            return "likely"
        short = best.share >= _CUT_SHARE and best.letters >= _FEWEST_LETTERS and best.lead <= _LEAD
        return "possible" if long or short else None
    if best.wording == "reworded":
        return "similar" if not weak else None
    return None


def _text_reason(best: Fit) -> str:
    said: dict[Wording, str] = {
        "whole": "the whole fixed text is there",
        "cut": f"{best.share:.0%} of the fixed text is there, the rest is cut off",
        "reworded": f"{best.share:.0%} of the fixed text is there, the rest reads differently: perhaps another release",
        "scraps": f"only {best.share:.0%} of the fixed text is there",
        "none": "nothing of the message decides",
    }
    return said[best.wording]


def _traceback_cap(row: Row, place: Place, best: Fit) -> tuple[Sureness, str]:
    frame = place.frame
    shown = f"{frame.function or '?'}, line {frame.line}" if frame is not None else "?"
    if best.here:
        moved = (
            "at this very line"
            if place.where == "line" and frame and frame.line == row.line
            else f"in this function ({shown})"
        )
        return "sure", f"the traceback ends {moved}"
    if best.row in place.file:
        return "likely", f"the traceback ends elsewhere in this file: {shown}"
    if place.file:
        return "possible", f"the traceback ends in another file: {frame.path if frame is not None else '?'}"
    return "likely", f"the traceback ends in a file without a record ({shown}): perhaps another release"


def least(left: Sureness, right: Sureness) -> Sureness:
    """Return the less sure of two."""
    return left if ORDER[left] >= ORDER[right] else right
