"""Messages of every site of whole releases, against the executed message expressions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.release_check import check_all_messages

pytestmark = pytest.mark.release


@pytest.mark.parametrize("version", ["0.5.18", "0.5.23"])
def test_patterns_match_what_the_expressions_print(release: Callable[[str], Path], version: str) -> None:
    tally = check_all_messages(release(version))
    wrong = ("no-match", "group", "unproducible")
    assert not any(tally.counts[category] for category in wrong), tally.listing(*wrong)
    sites = sum(tally.counts[resolution] for resolution in ("literal", "resolved", "partial", "unresolved"))
    claimed = tally.counts["literal"] + tally.counts["resolved"]
    assert tally.counts["checked"] > 0.97 * claimed, tally.listing("why")
    assert tally.counts["unresolved"] <= 0.003 * sites
    assert tally.counts["partial"] <= 0.01 * sites
