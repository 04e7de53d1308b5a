"""Guards of every site of whole releases, against runs of skeletons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.release_check import check_all_guards

pytestmark = pytest.mark.release


@pytest.mark.parametrize("version", ["0.5.18", "0.5.23"])
def test_guards_are_necessary_and_complete(release: Callable[[str], Path], version: str) -> None:
    tally = check_all_guards(release(version))
    wrong = ("unsound", "unknown", "kind", "text", "order", "fresh")
    assert not any(tally.counts[category] for category in wrong), tally.listing(*wrong)
    found = tally.counts["expected"] - tally.counts["incomplete"]
    assert found >= 0.99 * tally.counts["expected"], tally.listing("incomplete")
    # A guard called stale without need says too little; the contract sets no figure, one in a thousand is ours.
    assert tally.counts["stale"] <= 0.001 * tally.counts["reported"], tally.listing("stale")
    assert tally.counts["unreached"] <= 0.001 * tally.counts["reached"], "the oracle itself must reach the sites"
