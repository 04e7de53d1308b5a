"""Compares reported guards with what the runs of a skeleton showed (contract, sections 5 and 7)."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from extractor.model.facts import Guard
from tests.oracle.guard_text import same_text, show
from tests.oracle.paths import bound, conflict, reads, walk_here
from tests.oracle.points import Point
from tests.oracle.search import Search


@dataclass
class Verdict:
    """What comparing one site gave."""

    faults: list[tuple[str, str]] = field(default_factory=list)
    """(category, description); categories: unsound, incomplete, unknown, kind, text, order, stale, fresh."""
    reported: int = 0
    expected: int = 0
    reached: bool = True

    def add(self, category: str, text: str) -> None:
        """Note a fault."""
        self.faults.append((category, text))


ROLE_KINDS = {
    "if": {"if", "else", "early-exit"},
    "assert": {"assert"},
    "while": {"while", "loop-exhausted"},
    "for": {"for", "loop-exhausted"},
    "case": {"match"},
    "except": {"except"},
}


def can_leave(point: Point) -> bool:
    """Say whether a loop's body can leave other than by running out."""
    return any(
        isinstance(node, (ast.Return, ast.Raise, ast.Break))
        or (
            (isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)))
            and ast.unparse(node.func) in {"sys.exit", "exit", "quit", "os._exit", "os.abort"}
        )
        for statement in point.body
        for node in walk_here(statement)
    )


def surely_leaves(point: Point) -> bool:
    """Say whether a loop's body has a return, or a raise outside any try: leaving that avoids what follows the loop."""

    def look(body: list[ast.stmt], *, caught: bool) -> bool:
        for node in body:
            if isinstance(node, ast.Return) and not caught:
                return True
            if isinstance(node, ast.Raise) and not caught:
                return True
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(node, name, [])
                if (
                    inner
                    and isinstance(inner[0], ast.stmt)
                    and look(inner, caught=caught or isinstance(node, (ast.Try, ast.With)))
                ):
                    return True
            for handler in getattr(node, "handlers", []):
                if look(handler.body, caught=True):
                    return True
            for case in getattr(node, "cases", []):
                if look(case.body, caught=caught):
                    return True
            if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
                return False  # nothing after it is reached
        return False

    return look(point.body, caught=False)


def wanted_kinds(point: Point, side: str | None, outcome: bool) -> tuple[set[str], bool, bool]:
    """Give the kinds that the contract allows for a determined point, what `holds` is, whether it must be reported."""
    if point.role == "if":
        if side == "body":
            return {"if"}, True, True
        if side == "orelse":
            return {"else"}, False, True
        return {"early-exit"}, outcome, True
    if point.role == "assert":
        return {"assert"}, True, True
    if point.role == "while":
        if side == "body":
            return {"while"}, True, True
        if side == "orelse":
            return {"loop-exhausted", "while"}, outcome, True
        if outcome:
            return {"while", "early-exit"}, True, False
        broken = any(isinstance(n, ast.Break) for s in point.body for n in walk_here(s))
        return ({"while", "loop-exhausted"} if broken else {"while"}), False, True
    if point.role == "for":
        if side == "body":
            return {"for"}, True, True
        if outcome:
            return {"for"}, True, False
        must = (side == "orelse" and can_leave(point)) or surely_leaves(point)
        return {"loop-exhausted"}, True, must
    if point.role == "case":
        return {"match"}, outcome, True
    return {"except"}, True, side == "body"


def judge(search: Search, guards: tuple[Guard, ...], *, intense: bool = True) -> Verdict:
    """Compare the guards of one site with the runs towards it."""
    verdict = Verdict(reported=len(guards))
    if not search.reaches:
        verdict.reached = False
        return verdict
    points = search.skeleton.points
    claimed: dict[int, Guard] = {}
    for guard in guards:
        near = [
            k
            for k, p in enumerate(points)
            if p.line == guard.line and guard.kind in ROLE_KINDS.get(p.role, set()) and k not in claimed
        ]
        exact = [k for k in near if same_text(points[k], guard.test)]
        if exact:
            claimed[exact[0]] = guard
        elif near:
            claimed[near[0]] = guard
            verdict.add("text", f"{guard.kind} line {guard.line}: {guard.test!r} is not {show(points[near[0]])!r}")
        else:
            verdict.add("unknown", f"no such test: {guard}")
    if intense:
        settle(search, claimed)
    values = {k: {reach.last.get(k) for reach in search.reaches} for k in range(len(points))}
    for k, guard in claimed.items():
        check_claim(search, verdict, k, guard, values[k])
    for k, point in enumerate(points):
        if point.role in {"raises", "swallow", "pick"} or len(values[k]) != 1 or None in values[k]:
            continue
        outcome = next(iter(values[k]))
        assert outcome is not None
        _, holds, must = wanted_kinds(point, search.around.get(k), outcome)
        if must and not constant(point):
            verdict.expected += 1
            if k not in claimed:
                verdict.add("incomplete", f"{point.role} line {point.line}: {show(point)!r} is always {holds}")
    first = search.reaches[0]
    order = [first.when[k] for k in claimed if k in first.when]
    if order != sorted(order):
        verdict.add("order", f"guards are not in the order of decision: {[(g.kind, g.line) for g in guards]}")
    return verdict


def settle(search: Search, claimed: dict[int, Guard]) -> None:
    """Search harder for runs that show an unreported test to be undetermined, or a stale guard to be stale."""
    points = search.skeleton.points
    values = {k: {reach.last.get(k) for reach in search.reaches} for k in range(len(points))}
    for k, point in enumerate(points):
        if (
            point.role in {"raises", "swallow", "pick", "except"}
            or k in claimed
            or len(values[k]) != 1
            or None in values[k]
            or constant(point)
        ):
            continue
        outcome = next(iter(values[k]))
        assert outcome is not None
        if not wanted_kinds(point, search.around.get(k), outcome)[2]:
            continue
        for start in search.exception_starts()[:3]:
            search.raise_at = start
            search.noise(150, (0.05, 0.2, 0.4), {k: "all"})
            search.noise(50, (0.05, 0.2, 0.4))
    for k, guard in claimed.items():
        if guard.stale and not any(staleness(search, points[k], k, reach) for reach in search.reaches):
            search.noise(200, (0.02, 0.1, 0.3))


def staleness(search: Search, point: Point, k: int, reach: Any) -> int:
    """Rate a test in one run: 2 something it reads was bound since, 1 perhaps, 0 not."""
    if k not in reach.when:
        return 0
    sure, loose = reads(*point.reads)
    # Names that the test itself binds (`:=`, the target of `for`) are bound, not read; marking them is accepted.
    own = {path for path, _ in bound(point.reads)}
    if isinstance(point.node, (ast.For, ast.AsyncFor)) and search.around.get(k) == "body":
        own |= {path for path, _ in bound((point.node.target,))}
    loose = loose | own
    worst = 0
    for n in reach.log[reach.when[k] + 1 :]:
        if n < 0:
            continue
        for path, how in search.skeleton.bindings[n]:
            for group, cap in ((sure, 2), (loose, 1)):
                for read in group:
                    answer = conflict(read, path, how)
                    worst = max(worst, min(cap, {"must": 2, "may": 1, "no": 0}[answer]))
    return worst


def check_claim(search: Search, verdict: Verdict, k: int, guard: Guard, seen: set[bool | None]) -> None:
    """Check one reported guard against the outcomes seen."""
    point = search.skeleton.points[k]
    holds = guard.holds
    if guard.kind == "loop-exhausted" and holds:
        wanted: bool = False
    else:
        wanted = holds
    name = f"{guard.kind} line {guard.line}: {guard.test!r} holds={guard.holds}"
    wrong = seen - {wanted}
    if wrong == {None} and guard.kind == "match" and not guard.holds:
        # An earlier case took the subject: the contract does not say whether this one "was evaluated".
        wrong = set()
    # A stale guard says only what the test gave when it was decided; that must still be so.
    if wrong:
        verdict.add("unsound", f"{name}, but a run reached the site with {sorted(map(str, wrong))}")
        return
    allowed, holds_wanted, _ = wanted_kinds(point, search.around.get(k), wanted)
    if guard.kind not in allowed or (guard.holds != holds_wanted and guard.kind != "loop-exhausted"):
        verdict.add("kind", f"{name}, expected {sorted(allowed)} {holds_wanted}")
    worst = max(staleness(search, point, k, reach) for reach in search.reaches)
    if worst == 2 and not guard.stale:
        verdict.add("fresh", f"{name} is not marked stale, but something it reads is bound after it")
    if worst == 0 and guard.stale:
        verdict.add("stale", f"{name} is marked stale, but nothing it reads is bound after it")


def constant(point: Point) -> bool:
    """Say whether a test is decided before the program runs."""
    node = point.reads[0] if point.reads else None
    if point.role not in {"if", "while", "assert"} or node is None:
        return False
    return not any(isinstance(n, (ast.Name, ast.Call, ast.Await, ast.Yield)) for n in ast.walk(node))


def tally(verdicts: list[Verdict]) -> Counter[str]:
    """Count faults by category."""
    return Counter(category for verdict in verdicts for category, _ in verdict.faults)
