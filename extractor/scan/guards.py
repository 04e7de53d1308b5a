"""The conditions that have one outcome on every way to a site (contract, section 5, "Guards")."""

from __future__ import annotations

import ast

from extractor.model.facts import Guard, GuardKind
from extractor.scan.flow import Decision
from extractor.scan.leaving import is_irrefutable
from extractor.scan.region import Place, Region
from extractor.scan.state import Outcome, RegionStates, case_subjects
from extractor.scan.text import Source, is_constant

MAX_GUARDS = 256
"""Most guards reported for one site. Generated code with thousands of checks in a row would be quadratic; the
conditions around the site and the nearest ones before it are kept."""


class Guards:
    """Tells the guards of the sites of one region."""

    def __init__(self, region: Region, source: Source, states: RegionStates) -> None:
        """Prepare the decisions that can be guards, in source order."""
        self._states = states
        self._source = source
        self._subjects = case_subjects(region)
        self._made: dict[tuple[int, GuardKind, bool, bool], Guard] = {}
        self._decisions = [each for each in region.decisions if not self._never_a_guard(each)]

    @staticmethod
    def _never_a_guard(node: Decision) -> bool:
        if isinstance(node, (ast.If, ast.While, ast.Assert)):
            return is_constant(node.test) is not None
        return isinstance(node, ast.match_case) and is_irrefutable(node)

    def of(self, site: ast.Raise, place: Place | None) -> tuple[Guard, ...]:
        """Return the guards of a site, outermost first."""
        around, passed_over = _ways(place), _later_cases(place)
        reachable = self._states.reachable(site)
        found: list[tuple[Guard, bool]] = []
        for decision in self._decisions:
            inside = around.get(id(decision))
            if reachable:
                outcome = self._states.outcome_at(site, decision)
            else:
                outcome = None if inside is None else Outcome(inside, stale=False)
            if outcome is None or (inside is None and isinstance(decision, ast.ExceptHandler)):
                continue
            if id(decision) in passed_over:
                continue
            kind = self._kind(decision, inside, outcome.holds)
            if kind is not None:
                found.append((self._guard(decision, kind, outcome), inside is not None))
        if len(found) > MAX_GUARDS:
            free = MAX_GUARDS - sum(kept for _, kept in found)
            before = [guard for guard, kept in found if not kept]
            dropped = set(map(id, before[: len(before) - max(free, 0)]))
            found = [(guard, kept) for guard, kept in found if id(guard) not in dropped]
        return tuple(guard for guard, _ in found)

    def _kind(self, node: Decision, inside: bool | None, holds: bool) -> GuardKind | None:
        if isinstance(node, ast.If):
            return "early-exit" if inside is None else "if" if inside else "else"
        if isinstance(node, ast.Assert):
            return "assert"
        if isinstance(node, ast.ExceptHandler):
            return "except"
        if isinstance(node, ast.match_case):
            return "match"
        if isinstance(node, ast.While):
            if inside or (inside is None and (holds or not _breaks(node))):
                return "while"
            return "loop-exhausted"
        if inside:
            return "for"
        # That a loop ran out says something only where leaving it early would have led elsewhere.
        left = inside is False or (not holds and node in self._states.left_early)
        return "loop-exhausted" if left else None

    def _guard(self, node: Decision, kind: GuardKind, outcome: Outcome) -> Guard:
        holds = True if kind == "loop-exhausted" else outcome.holds
        key = id(node), kind, holds, outcome.stale
        guard = self._made.get(key)
        if guard is None:
            line, test = self._test(node, kind)
            guard = self._made[key] = Guard(kind, line, test, holds, outcome.stale)
        return guard

    def _test(self, node: Decision, kind: GuardKind) -> tuple[int, str]:
        source = self._source
        if isinstance(node, (ast.For, ast.AsyncFor)):
            header = f"{source.folded(node.target)} in {source.folded(node.iter)}"
            keyword = "async for" if isinstance(node, ast.AsyncFor) else "for"
            return node.lineno, f"{keyword} {header}" if kind == "loop-exhausted" else header
        if isinstance(node, ast.ExceptHandler):
            return node.lineno, source.folded(node.type) if node.type is not None else "BaseException"
        if isinstance(node, ast.match_case):
            subject = source.folded(self._subjects[id(node)])
            test = f"{subject} matches {source.folded(node.pattern)}"
            guard = f" if {source.folded(node.guard)}" if node.guard is not None else ""
            return source.case_line(node.pattern.lineno), test + guard
        test = source.folded(node.test)
        return node.test.lineno, f"while {test}" if kind == "loop-exhausted" else test


def _ways(place: Place | None) -> dict[int, bool]:
    """Return the decisions whose branch a place is in, by id, with the outcome that leads there."""
    found: dict[int, bool] = {}
    while place is not None:
        node = place.node
        if isinstance(node, ast.Match):
            for index, case in enumerate(node.cases[: place.way + 1]):
                found[id(case)] = index == place.way
        elif isinstance(node, (ast.Try, ast.TryStar)):
            found[id(node.handlers[place.way])] = True
        else:
            found[id(node)] = bool(place.way)
        place = place.outer
    return found


def _later_cases(place: Place | None) -> set[int]:
    """Return the cases after the one that a place is in; they say nothing of it."""
    found: set[int] = set()
    while place is not None:
        if isinstance(place.node, ast.Match):
            found.update(id(case) for case in place.node.cases[place.way + 1 :])
        place = place.outer
    return found


def _breaks(node: ast.While) -> bool:
    """Tell whether a `break` in the body ends this very loop."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        each = todo.pop()
        if isinstance(each, ast.Break):
            return True
        if isinstance(each, (ast.For, ast.AsyncFor, ast.While)):
            todo.extend(each.orelse)
        elif isinstance(each, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not isinstance(
            each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        ):
            todo.extend(ast.iter_child_nodes(each))
    return False
