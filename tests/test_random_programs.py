"""Guards of small random programs, against every path through them."""

from __future__ import annotations

import pytest

from extractor.model.facts import FileFacts, ScanOptions
from extractor.scan import scan
from tests.oracle.enumerate_paths import TooManyError, exact_search
from tests.oracle.guard_check import searches
from tests.oracle.guards import judge
from tests.oracle.programs import Writer
from tests.oracle.sites import parse

BATCH = 60


@pytest.mark.parametrize("batch", range(8))
def test_guards_are_exactly_those_of_all_paths(batch: int) -> None:
    judged = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        source = Writer(seed, 4 + seed % 5).write()
        facts = scan(source.encode(), ScanOptions())
        assert isinstance(facts, FileFacts)
        reported = {(site.line, site.column): site.guards for site in facts.sites}
        for site, search in searches(parse(source.encode())):
            try:
                exact_search(search, limit=1500)
            except TooManyError:
                continue
            verdict = judge(search, reported[site.node.lineno, site.node.col_offset], intense=False)
            assert not verdict.faults, f"seed {seed}, site in line {site.node.lineno}: {verdict.faults}\n{source}"
            judged += verdict.reached
    assert judged > BATCH // 2
