"""Whole-release checks: each file scanned and judged, results added up over processes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from extractor.model.facts import FileFacts, ScanFailure, ScanOptions
from extractor.scan import scan
from tests.oracle.guard_check import check_guards
from tests.oracle.messages import check_messages, summary
from tests.oracle.releases import files
from tests.oracle.sites import find_sites, parse


@dataclass
class Tally:
    """Counts, and a line for each fault."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, category: str, line: str) -> None:
        """Note one fault."""
        self.counts[category] += 1
        self.faults.setdefault(category, []).append(line)

    def listing(self, *categories: str) -> str:
        """Give the first faults of some categories, for an assertion's message."""
        lines = [f"{category}: {line}" for category in categories for line in self.faults.get(category, [])]
        return "\n".join([str(dict(self.counts)), *lines[:40]])


def scanned(release: Path) -> Iterator[tuple[str, ast.Module, FileFacts]]:
    """Give the readable files that can hold a site, parsed and scanned."""
    for name, data in files(release):
        if b"ValueError" not in data:
            continue
        facts = scan(data, ScanOptions())
        if isinstance(facts, FileFacts):
            yield name, parse(data), facts


def check_sites(release: Path) -> Tally:
    """Compare sites over every file of a release, readable or not."""
    tally = Tally()
    for name, data in files(release):
        tally.counts["files"] += 1
        facts = scan(data, ScanOptions())
        try:
            tree = parse(data)
        except (SyntaxError, ValueError):
            if not isinstance(facts, ScanFailure):
                tally.counts["read by LibCST only"] += 1
            continue
        if isinstance(facts, ScanFailure):
            tally.fault("failed", f"{name}: {facts}")
            continue
        sure, unsure = find_sites(tree)
        tally.counts["direct"] += sum(not site.stored for site in sure)
        tally.counts["stored"] += sum(site.stored for site in sure)
        tally.counts["unsure"] += len(unsure)
        mine = {(*site.place, site.qualname) for site in sure}
        theirs = [(site.line, site.column, site.end_line, site.qualname) for site in facts.sites]
        if theirs != sorted(set(theirs)):
            tally.fault("order", f"{name}: sites are not in source order, or stand twice")
        for row in mine - set(theirs):
            tally.fault("missing", f"{name}: {row}")
        open_rows = {(*site.place, site.qualname) for site in unsure}
        for row in set(theirs) - mine - open_rows:
            tally.fault("surplus", f"{name}: {row}")
    return tally


def check_all_guards(release: Path) -> Tally:
    """Judge the guards of every site."""
    tally = Tally()
    for name, tree, facts in scanned(release):
        for site, verdict in check_guards(tree, facts.sites):
            tally.counts["reached" if verdict.reached else "unreached"] += 1
            tally.counts["expected"] += verdict.expected
            tally.counts["reported"] += verdict.reported
            for category, text in verdict.faults:
                tally.fault(category, f"{name}:{site.node.lineno}: {text}")
    return tally


def check_all_messages(release: Path) -> Tally:
    """Execute the message of every site."""
    tally = Tally()
    for name, tree, facts in scanned(release):
        tally.counts.update(site.message.resolution for site in facts.sites)
        verdicts = list(check_messages(tree, facts.sites))
        tally.counts.update(
            {
                key: n
                for key, n in summary(verdicts).items()
                if key in {"checked", "failed", "unreached", "groups", "groups-open"}
            }
        )
        for verdict in verdicts:
            for category, text in verdict.faults:
                tally.fault(category, f"{name}:{verdict.place[0]}: {text}")
    return tally
