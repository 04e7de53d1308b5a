"""`python -m tests.bench`: runs all contenders in turn, several rounds, and prints a table of medians and ratios."""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests.bench.measure import Cost, adopt_orphans, measure
from tests.bench.tree import Tree, build
from tests.oracle.releases import obtain

PATTERN = "raise ValueError($$$A)"
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Medians:
    """The median of each figure over the rounds."""

    cpu: float
    wall: float
    peak: float


class Bench:
    """The contenders on one tree."""

    def __init__(self, tree: Tree, scratch: Path) -> None:
        self.tree = tree
        self.scratch = scratch
        self.tools = Path(sys.executable).parent
        self.costs: dict[str, list[Cost]] = {}
        self.matches = 0

    def extractor(self, sha: str, cache: Path) -> Cost:
        """Run the extractor over the repository at one commit."""
        words: list[str | Path] = [
            "run",
            "--quiet",
            "--repo",
            "sgl-project/sglang",
            "--url",
            self.tree.root,
            "--sha",
            sha,
        ]
        places: list[str | Path] = ["--cache", cache, "--output", self.scratch / "dataset"]
        return measure([self.tools / "extractor", *words, *places], output=self.scratch / "extractor.out")

    def finder(self) -> Cost:
        """Run ast-grep over the same files; it only finds."""
        words: list[str | Path] = [
            "run",
            "--lang",
            "python",
            "--pattern",
            PATTERN,
            "--json=stream",
            self.tree.root / "python",
        ]
        output = self.scratch / "ast-grep.out"
        cost = measure([self.tools / "ast-grep", *words], output=output)
        self.matches = output.read_bytes().count(b"\n")
        return cost

    def script(self) -> Cost:
        """Run the LibCST script over the sample."""
        listing = self.scratch / "sample.txt"
        listing.write_text("\n".join(map(str, self.tree.sample)))
        return measure(
            [sys.executable, Path(__file__).with_name("plain_script.py"), listing], output=self.scratch / "script.out"
        )

    def round(self, number: int) -> None:
        """Run every contender once; the cache starts empty."""
        cache = self.scratch / f"cache{number}"
        self.note("cold", self.extractor(self.tree.first, cache))
        self.note("warm", self.extractor(self.tree.first, cache))
        self.note("changed", self.extractor(self.tree.second, cache))
        self.note("ast-grep", self.finder())
        self.note("script", self.script())

    def note(self, name: str, cost: Cost) -> None:
        """Keep a cost, and say so for whoever waits."""
        self.costs.setdefault(name, []).append(cost)
        sys.stderr.write(f"{name}: {cost.cpu:.2f} s CPU, {cost.wall:.2f} s wall, {cost.peak / MEGABYTE:.0f} MB\n")

    def medians(self) -> dict[str, Medians]:
        """Give the medians of all contenders."""

        def middle(costs: list[Cost], figure: Callable[[Cost], float]) -> float:
            return statistics.median(map(figure, costs))

        return {
            name: Medians(middle(c, lambda x: x.cpu), middle(c, lambda x: x.wall), middle(c, lambda x: x.peak))
            for name, c in self.costs.items()
        }


def table(found: dict[str, Medians], tree: Tree, matches: int) -> tuple[list[str], bool]:
    """Write the two tables; say whether every limit is kept."""
    scale, filtered = tree.all_bytes / tree.sample_bytes, tree.holding_bytes / tree.all_bytes
    names = {
        "cold": "(a) `extractor run`, empty cache",
        "warm": "(b) the same again",
        "changed": "(c) after 10 files changed",
        "ast-grep": f"(d) `ast-grep` (only finds: {matches:,} matches)",
        "script": f"(e) LibCST script on {len(tree.sample)} files, {tree.sample_bytes / MEGABYTE:.2f} MB",
    }
    lines = ["| what | CPU s, whole process tree | wall s | largest process MB |", "| --- | --: | --: | --: |"]
    for name, title in names.items():
        cost = found[name]
        lines.append(f"| {title} | {cost.cpu:.2f} | {cost.wall:.2f} | {cost.peak / MEGABYTE:.0f} |")
    scaled = found["script"].cpu * scale
    lines.append(
        f"| (e) scaled to all {tree.all_bytes / MEGABYTE:.1f} MB, as the script reads every file | {scaled:.0f} | | |"
    )
    part = f"the {tree.holding_bytes / MEGABYTE:.1f} MB of files whose text holds `raise ValueError`"
    lines.append(f"| (e) scaled to {part} | {scaled * filtered:.0f} | | |")
    cold = found["cold"]
    largest = max(found[name].peak for name in ("cold", "warm", "changed")) / MEGABYTE
    limits: list[tuple[str, float, str, float | None, str]] = [
        ("cold CPU / ast-grep CPU", cold.cpu / found["ast-grep"].cpu, "at most", 3.0, ""),
        ("scaled LibCST script CPU / cold CPU", scaled / cold.cpu, "at least", 20.0, ""),
        ("the same, had the script left out files without a site", scaled * filtered / cold.cpu, "", None, ""),
        ("cold CPU / warm CPU", cold.cpu / found["warm"].cpu, "at least", 6.0, ""),
        ("cold CPU / changed CPU", cold.cpu / found["changed"].cpu, "at least", 4.0, ""),
        ("cold wall / cold CPU", cold.wall / cold.cpu, "at most", 0.7, ""),
        ("largest process of the extractor", largest, "at most", 400.0, " MB"),
    ]
    lines += ["", "| ratio | measured | demanded | kept |", "| --- | --: | --: | --- |"]
    kept = True
    for title, value, direction, limit, unit in limits:
        if limit is None:
            lines.append(f"| {title} | {value:.2f}{unit} | | |")
            continue
        good = value <= limit if direction == "at most" else value >= limit
        kept = kept and good
        lines.append(f"| {title} | {value:.2f}{unit} | {direction} {limit:g}{unit} | {'yes' if good else 'no'} |")
    return lines, kept


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--release", default="0.5.18", help="released version to read")
    parser.add_argument("--rounds", type=int, default=3, help="rounds; the median is taken")
    parser.add_argument("--check", action="store_true", help="end with 1 when a limit is not kept")
    options = parser.parse_args()
    release = obtain(options.release)
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="extractor-bench-") as scratch:
        root = Path(scratch, "repository")
        root.mkdir()
        tree = build(release, root)
        bench = Bench(tree, Path(scratch))
        # Nothing is measured in the first run of each tool: byte code is compiled and the disk cache filled.
        bench.extractor(tree.first, Path(scratch, "cache-unmeasured"))
        bench.finder()
        for number in range(options.rounds):
            bench.round(number)
        lines, kept = table(bench.medians(), tree, bench.matches)
    host = f"Python {platform.python_version()}, LibCST {version('libcst')}, ast-grep {version('ast-grep-cli')}"
    sys.stdout.write("\n".join([f"sglang {options.release}, {options.rounds} rounds, {host}.", "", *lines, ""]))
    return 0 if kept or not options.check else 1


if __name__ == "__main__":
    raise SystemExit(main())
