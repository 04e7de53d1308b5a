from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.diff import assign as module
from extractor.diff.assign import assign

Weights = dict[tuple[int, int], float]


def best_sum(weights: Weights) -> float:
    """Try every way: the oracle."""
    olds = sorted({old for old, _ in weights})
    news = sorted({new for _, new in weights})
    columns = [*news, *([None] * len(olds))]
    return max(
        sum(weights.get((old, new), 0) for old, new in zip(olds, chosen, strict=True) if new is not None)
        for chosen in permutations(columns, len(olds))
    )


edges = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 20).map(float), min_size=1, max_size=10
)


@given(edges)
def test_no_other_way_has_a_greater_sum(weights: Weights) -> None:
    found = assign(weights)
    assert set(found) <= set(weights)
    assert len({old for old, _ in found}) == len({new for _, new in found}) == len(found)
    assert sum(weights[edge] for edge in found) == best_sum(weights)


@given(edges, st.randoms())
def test_the_order_of_the_edges_does_not_matter(weights: Weights, random: object) -> None:
    shuffled = list(weights.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert assign(dict(shuffled)) == assign(weights)


def test_nothing_gives_nothing() -> None:
    assert assign({}) == []


def test_the_best_pair_is_not_always_taken() -> None:
    assert assign({(0, 0): 10.0, (0, 1): 9.0, (1, 0): 9.0}) == [(0, 1), (1, 0)]


def test_a_part_that_is_too_large_is_paired_from_the_best_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1)
    assert assign({(0, 0): 10.0, (0, 1): 9.0, (1, 0): 9.0}) == [(0, 0)]
