"""Every site of whole releases: the same as an independent count by `ast`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.release_check import check_sites

pytestmark = pytest.mark.release


@pytest.mark.parametrize(("version", "direct"), [("0.5.18", 4594), ("0.5.23", 9196)])
def test_sites_are_those_of_an_independent_count(release: Callable[[str], Path], version: str, direct: int) -> None:
    tally = check_sites(release(version))
    wrong = ("missing", "surplus", "order", "failed")
    assert not any(tally.counts[category] for category in wrong), tally.listing(*wrong)
    assert tally.counts["direct"] == direct
