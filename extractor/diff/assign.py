"""Who goes with whom, one to one, so that the sum of the weights is greatest.

A sparse problem falls into connected parts, and each small part is solved exactly (Kuhn's and Munkres' method in the
form of Jonker and Volgenant, time O(n³)). `scipy` has the same and is 100 MB; `networkx` takes minutes where this takes
seconds. A part of more than `LARGEST` members, which takes hundreds of sites that all look alike, is paired from the
best pair down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

Edge = tuple[int, int]
LARGEST = 120
"""Members on the smaller side of a part that is solved exactly: 0.1 s."""


def assign(weights: Mapping[Edge, float]) -> list[Edge]:
    """Return pairs (old, new) of `weights`, sorted, of which no two share a member. Weights are above zero."""
    pairs = chain.from_iterable(_solve(part, weights) for part in _parts(weights))
    return sorted(pairs)


def _parts(edges: Mapping[Edge, float]) -> list[list[Edge]]:
    """Return the edges of each connected part, in a fixed order."""
    by_old: dict[int, list[int]] = defaultdict(list)
    by_new: dict[int, list[int]] = defaultdict(list)
    for old, new in sorted(edges):
        by_old[old].append(new)
        by_new[new].append(old)
    parts = []
    seen: set[int] = set()
    for start in by_old:
        if start in seen:
            continue
        seen.add(start)
        waiting, part = [start], []
        while waiting:
            old = waiting.pop()
            for new in by_old[old]:
                part.append((old, new))
                for other in by_new.get(new, ()):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
        parts.append(sorted(part))
    return parts


def _solve(part: Sequence[Edge], weights: Mapping[Edge, float]) -> list[Edge]:
    if len(part) == 1:
        return list(part)
    olds = sorted({old for old, _ in part})
    news = sorted({new for _, new in part})
    if min(len(olds), len(news)) > LARGEST:
        return _from_the_best_down(part, weights)
    if len(olds) > len(news):
        table = [[weights.get((old, new), 0.0) for old in olds] for new in news]
        found = [(olds[column], news[row]) for row, column in enumerate(_columns(table))]
    else:
        table = [[weights.get((old, new), 0.0) for new in news] for old in olds]
        found = [(olds[row], news[column]) for row, column in enumerate(_columns(table))]
    return [edge for edge in found if edge in weights]  # A weight of zero stood for "not together".


def _from_the_best_down(part: Sequence[Edge], weights: Mapping[Edge, float]) -> list[Edge]:
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    chosen = []
    for old, new in sorted(part, key=lambda edge: (-weights[edge], edge)):
        if old not in taken_old and new not in taken_new:
            taken_old.add(old)
            taken_new.add(new)
            chosen.append((old, new))
    return chosen


def _columns(table: Sequence[Sequence[float]]) -> list[int]:
    """Return for each row its column in the assignment of greatest sum; there are at least as many columns as rows.

    Rows come in one by one; each makes room along the cheapest chain of changes, found as Dijkstra finds a shortest way
    with `row_price` and `column_price` as potentials. Row and column 0 are an edge of the table that saves conditions.
    """
    width = len(table[0])
    row_price = [0.0] * (len(table) + 1)
    column_price = [0.0] * (width + 1)
    row_of = [0] * (width + 1)
    for row in range(1, len(table) + 1):
        row_of[0] = row
        came_from = _make_room(table, row_price, column_price, row_of)
        column = came_from.pop()
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    columns = [0] * len(table)
    for column in range(1, width + 1):
        if row_of[column]:
            columns[row_of[column] - 1] = column - 1
    return columns


def _make_room(
    table: Sequence[Sequence[float]], row_price: list[float], column_price: list[float], row_of: list[int]
) -> list[int]:
    """Find a free column for the row at column 0; return each column's predecessor, and the free column at the end."""
    width = len(column_price)
    least = [float("inf")] * width
    came_from = [0] * width
    done = [False] * width
    column = 0
    while True:
        done[column] = True
        row, step, following = row_of[column], float("inf"), 0
        for other in range(1, width):
            if done[other]:
                continue
            cost = -table[row - 1][other - 1] - row_price[row] - column_price[other]
            if cost < least[other]:
                least[other], came_from[other] = cost, column
            if least[other] < step:
                step, following = least[other], other
        for other in range(width):
            if done[other]:
                row_price[row_of[other]] += step
                column_price[other] -= step
            else:
                least[other] -= step
        column = following
        if row_of[column] == 0:
            return [*came_from, column]
