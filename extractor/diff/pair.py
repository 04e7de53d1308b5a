"""Which site of the old dataset is which of the new one: by id, then by alias, then by likeness; one to one.

An id stands for a file and a text. Where several sites of a file share a text, their ids differ by the order of the
sites, which a new neighbour changes; so such sites are told apart by function, guards and surroundings instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import product

from msgspec import Struct

from extractor.diff.assign import assign
from extractor.diff.candidates import candidates
from extractor.diff.features import Features, features
from extractor.diff.likeness import likeness, resemblance
from extractor.model.change import PairedBy
from extractor.model.record import Record, SiteRow

_FEW_PAIRS = 10_000
"""Pairs of sites of one file and text that are all looked at; 0.3 s."""


class Pair(Struct, frozen=True):
    """Two positions that are the same site."""

    old: int
    """Position in the old dataset."""
    new: int
    """Position in the new one."""
    by: PairedBy
    """How that was found."""
    likeness: float
    """0 to 1; 1 by id or alias."""


class Side:
    """One dataset's sites, position by position."""

    def __init__(self, records: Sequence[Record], rows: Sequence[SiteRow]) -> None:
        """Take both parts of a dataset, in record order."""
        self.rows = rows
        self._records = records
        self._features: dict[int, Features] = {}

    def features(self, place: int) -> Features:
        """Return a site taken apart; most sites are paired without that."""
        if place not in self._features:
            self._features[place] = features(self._records[place], self.rows[place])
        return self._features[place]

    def ids(self, place: int) -> tuple[str, ...]:
        """Return the published id and the aliases of a site."""
        return (self.rows[place].id, *self.rows[place].aliases)


def pair(old: Side, new: Side) -> list[Pair]:
    """Return the pairs in the order of the new dataset."""
    matching = _Matching(old, new)
    # From the closest agreement down, so that the exact solution is only asked for what is really in doubt.
    matching.by_key(lambda row: (row.file_path, row.message.source, row.qualname, row.condition))
    matching.by_key(lambda row: (row.file_path, row.message.source, row.qualname), only_if_single=True)
    matching.by_id()
    matching.by_alias()
    matching.by_likeness()
    return sorted(matching.pairs, key=lambda found: found.new)


class _Matching:
    """Pairs found so far, and who is still free."""

    def __init__(self, old: Side, new: Side) -> None:
        self._old = old
        self._new = new
        self._free_old = dict.fromkeys(range(len(old.rows)))
        self._free_new = dict.fromkeys(range(len(new.rows)))
        self.pairs: list[Pair] = []

    def by_key(self, key: Callable[[SiteRow], Hashable], only_if_single: bool = False) -> None:
        """Pair sites of the same key in their order, where both datasets have as many of them."""
        for olds, news in self._blocks(key):
            if len(olds) == len(news) and (len(olds) == 1 or not only_if_single):
                self._take_all(zip(olds, news, strict=True), "id")

    def by_id(self) -> None:
        """Pair sites of one file and text; the most alike ones where there are several."""
        for olds, news in self._blocks(lambda row: (row.file_path, row.message.template)):
            if len(olds) == len(news) == 1:
                self._take(olds[0], news[0], "id", 1.0)
                continue
            self._take_all(assign(self._resemblances(olds, news)), "id")
            # An id is an id: what looks like nothing else is paired too, in the order of the files.
            left = [place for place in olds if place in self._free_old]
            self._take_all(zip(left, (place for place in news if place in self._free_new), strict=False), "id")

    def _resemblances(self, olds: Sequence[int], news: Sequence[int]) -> dict[tuple[int, int], float]:
        old, new = [self._old.features(place) for place in olds], [self._new.features(place) for place in news]
        few = len(olds) * len(news) <= _FEW_PAIRS
        edges = product(range(len(olds)), range(len(news))) if few else candidates(old, new)
        return {(olds[one], news[other]): resemblance(old[one], new[other]) for one, other in edges}

    def by_alias(self) -> None:
        """Pair sites one of which was or may be published under an id of the other."""
        news: dict[str, list[int]] = defaultdict(list)
        for place in self._free_new:
            for name in self._new.ids(place):
                news[name].append(place)
        found = {(old, new): 1.0 for old in self._free_old for name in self._old.ids(old) for new in news.get(name, ())}
        self._take_all(assign(found), "alias")

    def by_likeness(self) -> None:
        """Pair what is left where it is alike enough."""
        olds, news = list(self._free_old), list(self._free_new)
        old = [self._old.features(place) for place in olds]
        new = [self._new.features(place) for place in news]
        found = {edge: likeness(old[edge[0]], new[edge[1]]) for edge in candidates(old, new)}
        # Squared, lest two poor pairs be preferred to one good one.
        chosen = assign({edge: value**2 for edge, value in found.items() if value > 0})
        for one, other in chosen:
            self._take(olds[one], news[other], "likeness", found[one, other])

    def _blocks(self, key: Callable[[SiteRow], Hashable]) -> list[tuple[list[int], list[int]]]:
        """Return the free sites of both datasets by key, where both have some."""
        blocks: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place in self._free_old:
            blocks[key(self._old.rows[place])][0].append(place)
        for place in self._free_new:
            blocks[key(self._new.rows[place])][1].append(place)
        return [block for block in blocks.values() if block[0] and block[1]]

    def _take_all(self, edges: Iterable[tuple[int, int]], by: PairedBy) -> None:
        for old, new in edges:
            self._take(old, new, by, 1.0)

    def _take(self, old: int, new: int, by: PairedBy, value: float) -> None:
        del self._free_old[old], self._free_new[new]
        self.pairs.append(Pair(old, new, by, value))
