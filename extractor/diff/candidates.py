"""Which pairs of sites are worth a closer look: those that share what few others have.

Looking at every pair would take 9,196 times 9,196 comparisons. Here each site is looked up by what can be said of it in
one word (its text, its function, a guard, a line near it, a word of its message); what too many share is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import nlargest

from extractor.diff.features import Features

Trait = tuple[str, ...]
_MOST_PAIRS = 2_500
"""Pairs that one trait may suggest; a commoner one tells nothing, and all of them together would be quadratic."""
_KEPT = 24
"""Candidates for each old site."""


def candidates(olds: Sequence[Features], news: Sequence[Features]) -> Iterator[tuple[int, int]]:
    """Yield positions in both sequences of pairs that may be the same site."""
    old_by_trait, new_by_trait = _index(olds), _index(news)
    shared: list[dict[int, float]] = [defaultdict(float) for _ in olds]
    for trait, old_places in old_by_trait.items():
        new_places = new_by_trait.get(trait, ())
        pairs = len(old_places) * len(new_places)
        if not 0 < pairs <= _MOST_PAIRS:
            continue
        for old in old_places:
            for new in new_places:
                shared[old][new] += 1 / pairs
    for old, found in enumerate(shared):
        # Of equal ones the first: `-new` makes the order total, so that it is the same in every run.
        for _, new in nlargest(_KEPT, ((weight, -new) for new, weight in found.items())):
            yield old, -new


def _index(sites: Sequence[Features]) -> dict[Trait, list[int]]:
    index: dict[Trait, list[int]] = defaultdict(list)
    for place, site in enumerate(sites):
        for trait in _traits(site):
            index[trait].append(place)
    return index


def _traits(site: Features) -> Iterator[Trait]:
    yield "text", site.template
    yield "place", site.path, site.qualname
    yield "function", site.qualname
    yield from (("guard", guard) for guard in dict.fromkeys(site.guards))
    yield from (("line", line) for line in site.lines)
    yield from (("word", word) for word in dict.fromkeys(site.words))
