"""How alike two sites are, and from where on they are taken for the same one.

Weights and limits were set by reading some 200 pairs of releases of sglang. In one function, text and guards
decide: the lines around are common to all of its sites. Elsewhere the place itself has to speak for it, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from rapidfuzz.distance import Indel

from extractor.diff.features import Features


class Weights(Struct, frozen=True):
    """What counts how much, and how much is enough."""

    message: float
    guards: float
    function: float = 0
    path: float = 0
    around: float = 0
    enough: float = 0.57


_SAME_FUNCTION = Weights(message=0.5, guards=0.5, enough=0.52)
_ELSEWHERE = Weights(message=0.45, guards=0.25, function=0.15, path=0.05, around=0.1)
_ELSEWHERE_IN_OTHER_WORDS = Weights(message=0.35, guards=0.2, function=0.1, path=0.1, around=0.25, enough=0.6)
"""For another file and another text, where nothing is certain."""
_SAME_GUARDS = 0.15
"""Added where all guards are the same and say something; the same test alone stands in many files."""
_SOMETHING = 3
"""Words from which a guard says something: `not x` stands everywhere."""
_INNERMOST = 0.7
"""Share of the innermost guard, which tells a site from its neighbours."""


def likeness(old: Features, new: Features) -> float:
    """Return how alike two sites are, 0 to 1; 0 where that is not enough to take them for the same."""
    weights = _weights(old, new)
    message = 1.0 if old.template == new.template else _sequence(old.words, new.words)
    # Two sites without any guard have nothing in common there; what the texts say counts for both.
    guards = _guards(old, new) if old.guards or new.guards else message
    total = weights.message * message + weights.guards * guards
    if weights is not _ELSEWHERE_IN_OTHER_WORDS and old.guards == new.guards and len(old.test_words) >= _SOMETHING:
        total += _SAME_GUARDS
    # Dear comparisons come last, and only where they can still decide.
    rest = weights.function + weights.path + weights.around
    if total + rest < weights.enough:
        return 0.0
    if rest:
        total += weights.function * _names(old.qualname_parts, new.qualname_parts)
        total += weights.path * _names(old.path_parts, new.path_parts)
        total += weights.around * _bags(old.lines, new.lines)
    return min(total, 1.0) if total >= weights.enough else 0.0


def resemblance(old: Features, new: Features) -> float:
    """Return how alike two sites of the same file and text are, above 0: which of several is which."""
    total = 0.4 * _names(old.qualname_parts, new.qualname_parts) + 0.3 * _guards(old, new)
    total += 0.1 * (old.source == new.source) + 0.2 * _bags(old.lines, new.lines)
    return 0.01 + total


def _weights(old: Features, new: Features) -> Weights:
    if old.path == new.path:
        return _SAME_FUNCTION if old.qualname == new.qualname else _ELSEWHERE
    return _ELSEWHERE if old.template == new.template else _ELSEWHERE_IN_OTHER_WORDS


def _guards(old: Features, new: Features) -> float:
    innermost = _sequence(old.test_words, new.test_words)
    return _INNERMOST * innermost + (1 - _INNERMOST) * _sequence(old.outer_words, new.outer_words)


def _sequence(old: Sequence[str], new: Sequence[str]) -> float:
    return 1.0 if old == new else Indel.normalized_similarity(old, new)


def _names(old: Sequence[str], new: Sequence[str]) -> float:
    """Compare dotted names or paths: the last part counts half, the others together half."""
    if old == new:
        return 1.0
    return (Indel.normalized_similarity(old[-1], new[-1]) + _sequence(old[:-1], new[:-1])) / 2


def _bags(old: Counter[str], new: Counter[str]) -> float:
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 0.0
