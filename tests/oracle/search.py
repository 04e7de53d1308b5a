"""Runs a skeleton many times, steering it towards one site, so that every way of reaching the site is likely seen."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable
from typing import Any

from tests.oracle.paths import walk_here
from tests.oracle.points import EXITS, HARD_EXITS, Point, Skeleton, dotted
from tests.oracle.runtime import Abort, Chooser, Reach, Run, Unknown

MAX_RUNS = 4000
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
Evaluate = Callable[[int, dict[str, Any]], Any]


def namespace(world: dict[str, Any] | None = None) -> dict[str, Any]:
    """Give the global names of a skeleton."""
    names: dict[str, Any] = world if world is not None else {}
    names["_Unknown"] = Unknown
    return names


def execute(function: Callable[[Run], None], choose: Chooser, evaluate: Evaluate | None = None) -> Run:
    """Run a skeleton once."""
    run = Run(choose, evaluate)
    try:
        function(run)
    except (Abort, Unknown, Exception, SystemExit, KeyboardInterrupt, GeneratorExit):
        return run
    return run


def leaving(body: list[ast.stmt]) -> float:
    """Rate how surely a block leaves: 0 never, 1 sometimes, 2 always."""
    if not body:
        return 0
    score = 0.0
    for statement in body:
        for node in walk_here(statement):
            if isinstance(node, LEAVES) or (
                isinstance(node, ast.Call) and (dotted(node.func) in EXITS or dotted(node.func) in HARD_EXITS)
            ):
                score = 1
    last = body[-1]
    if isinstance(last, LEAVES):
        return 2
    if (
        isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Call)
        and dotted(last.value.func) in EXITS | HARD_EXITS
    ):
        return 2
    if isinstance(last, ast.If) and leaving(last.body) == 2 and leaving(last.orelse) == 2:
        return 2
    return score


def has_break(body: list[ast.stmt]) -> bool:
    """Say whether a block breaks a loop."""
    return any(isinstance(node, ast.Break) for statement in body for node in walk_here(statement))


class Search:
    """All runs towards one site of a skeleton."""

    def __init__(
        self,
        skeleton: Skeleton,
        function: Callable[[Run], None],
        site: int,
        seed: int = 0,
        evaluate: Evaluate | None = None,
    ) -> None:
        self.skeleton = skeleton
        self.function = function
        self.site = site
        self.evaluate = evaluate
        self.random = random.Random(seed)
        self.around = skeleton.around.get(site, {})
        self.raise_at: frozenset[int] = frozenset()
        self.reaches: list[Reach] = []
        self.runs = 0
        self.base: dict[int, str] = {}
        self.preferred = [self.prefer(k, point) for k, point in enumerate(skeleton.points)]

    def prefer(self, k: int, point: Point) -> bool:
        """Give the outcome of a point that is likelier to lead to the site."""
        if point.role in {"raises", "pick"}:
            return False
        if point.role in {"assert", "swallow"}:
            return True
        side = self.around.get(k)
        if side is not None:
            return side == "body"
        if point.role == "except":
            siblings = {
                j for j, p in enumerate(self.skeleton.points) if p.role == "except" and p.guarding is point.guarding
            }
            if siblings & self.around.keys():
                return False
            return leaving(point.body) < 2
        if point.role in {"for", "while"}:
            return leaving(point.orelse) == 2 and has_break(point.body)
        if has_break(point.body) != has_break(point.orelse):
            enclosing_loop_is_endless = self.endless(point)
            if enclosing_loop_is_endless:
                return has_break(point.body)
        return leaving(point.body) < leaving(point.orelse)

    def endless(self, point: Point) -> bool:
        """Say whether a point stands in a `while True` that does not hold the site."""
        target = next(node for node, n in self.skeleton.site_numbers.items() if n == self.site)
        if not hasattr(self, "_endless"):
            self._endless: set[int] = set()
            for p in self.skeleton.points:
                for root in (*p.body, *p.orelse):
                    for node in walk_here(root):
                        self._note(node, target)
            for root in self.skeleton_body():
                for node in walk_here(root):
                    self._note(node, target)
        return id(point.node) in self._endless

    def skeleton_body(self) -> list[ast.stmt]:
        """Give the statements of the whole scope."""
        return self.skeleton.body

    def _note(self, node: ast.AST, target: ast.Raise) -> None:
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant):
            inside = list(walk_here(node))
            if target not in inside:
                self._endless.update(map(id, inside))

    def chooser(self, flips: dict[int, str], noise: float = 0.0, exceptions: float = 0.0) -> Chooser:
        """Make a chooser: preferred outcomes but for the flips (`all` or `first` evaluation) and some noise."""
        counts: dict[int, int] = {}
        points = self.skeleton.points
        draw = self.random.random

        def choose(k: int) -> bool:
            seen = counts[k] = counts.get(k, 0) + 1
            role = points[k].role
            if role == "raises":
                if k in self.raise_at and flips.get(k) != "off":
                    return True
                return (k in flips and (flips[k] == "all" or seen == 1)) or (exceptions > 0 and draw() < exceptions)
            outcome = self.preferred[k]
            if role in {"for", "while"}:
                # A preferred loop is entered a few times; another, when flipped, once each time it is met.
                outcome = seen <= 3 if outcome else False
                if k in flips and flips[k] != "off":
                    outcome = (seen > 1 and self.preferred[k]) if self.preferred[k] else seen % 2 == 1
                    if flips[k] == "twice":
                        outcome = seen % 3 != 0
            elif k in flips and (
                flips[k] == "all" or (flips[k] == "first" and seen == 1) or (flips[k] == "second" and seen == 2)
            ):
                outcome = not outcome
            if noise and draw() < noise:
                outcome = not outcome
            return outcome

        return choose

    def go(self, flips: dict[int, str], noise: float = 0.0, exceptions: float = 0.0) -> set[int]:
        """Run once; give the points that were asked."""
        asked: set[int] = set()
        inner = self.chooser(flips, noise, exceptions)

        def choose(k: int) -> bool:
            asked.add(k)
            return inner(k)

        run = execute(self.function, choose, self.evaluate)
        self.runs += 1
        self.reaches.extend(reach for reach in run.reached if reach.site == self.site)
        return asked

    def exception_starts(self) -> list[frozenset[int]]:
        """Give sets of raising points to start from: none, and early ones of the tries whose handlers hold the site."""
        points = self.skeleton.points
        starts: list[frozenset[int]] = [frozenset()]
        needed = [points[k].guarding for k in self.around if points[k].role == "except"]
        chosen: set[int] = set()
        for guarding in needed:
            own = [k for k, p in enumerate(points) if p.role == "raises" and p.guarding is guarding]
            inside = {id(n) for s in (guarding.body if guarding else []) for n in walk_here(s)}
            own = [k for k in own if id(points[k].node) in inside]
            if own:
                starts.extend(frozenset(chosen | {k}) for k in own[:12])
                chosen.add(own[0])
        return starts

    def explore(self, noisy: int = 60) -> None:
        """Run from each start with every point flipped once, in the context where it was first met, then with noise."""
        for start in self.exception_starts():
            self.raise_at = start
            found = self.sweep({})
            if found:
                # The preferred outcomes miss the site: sweep again around the run that reached it.
                self.base = found
                self.sweep(found)
        for start in self.exception_starts()[:4]:
            self.raise_at = start
            self.noise(noisy, (0.02, 0.1, 0.3))

    def sweep(self, base: dict[int, str]) -> dict[int, str] | None:
        """Flip each point that is met, breadth first; give the flips that reached the site if `base` alone did not."""
        flipped: set[int] = set(base)
        found: dict[int, str] | None = None
        missed = False
        pending: list[tuple[dict[int, str], int]] = [(base, 0)]
        while pending and self.runs < MAX_RUNS:
            flips, level = pending.pop(0)
            before = len(self.reaches)
            asked = self.go(flips)
            reached = len(self.reaches) > before
            if flips is base:
                missed = not reached
            elif missed and reached and found is None:
                found = flips
            if not reached and level > 2:
                continue
            for k in sorted(asked - flipped):
                flipped.add(k)
                role = self.skeleton.points[k].role
                modes: Iterable[str] = ("all",)
                if role in {"if", "case", "assert", "pick"} and self.skeleton.in_loop(k):
                    modes = ("all", "first", "second")
                elif role in {"for", "while"}:
                    modes = ("all", "twice")
                pending.extend(({**flips, k: mode}, level + 1) for mode in modes)
        return found

    def noise(self, count: int, rates: tuple[float, ...], fixed: dict[int, str] | None = None) -> None:
        """Run with random deviations."""
        for n in range(count):
            rate = rates[n % len(rates)]
            self.go({**(self.base if n % 3 else {}), **(fixed or {})}, rate, rate / 4 if n % 2 else 0.0)
