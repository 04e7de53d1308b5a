"""The conditions that have one outcome on every way to a site (contract, section 5, "Guards")."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from extractor.model.facts import Guard, GuardKind
from extractor.scan.flow import Decision
from extractor.scan.leaving import is_irrefutable
from extractor.scan.region import Place, Region
from extractor.scan.state import Outcome, RegionStates, case_subjects
from extractor.scan.text import Source, is_constant

MAX_GUARDS = 128
"""Most guards reported for one site. Generated code with thousands of checks in a row would be quadratic; then the
conditions around the site and the nearest ones before it are kept. The most in a sglang release are 29."""


class Guards:
    """Tells the guards of the sites of one region."""

    def __init__(self, region: Region, source: Source, states: RegionStates) -> None:
        """Prepare the decisions that can be guards, in source order."""
        self._states = states
        self._source = source
        self._subjects = case_subjects(region)
        self._made: dict[tuple[int, GuardKind, bool, bool], Guard] = {}
        self._ignored = {id(each) for each in region.decisions if self._never_a_guard(each)}
        self._order = {id(each): index for index, each in enumerate(region.decisions)}

    @staticmethod
    def _never_a_guard(node: Decision) -> bool:
        if isinstance(node, (ast.If, ast.While, ast.Assert)):
            return is_constant(node.test) is not None
        return isinstance(node, ast.match_case) and is_irrefutable(node)

    def of(self, site: ast.Raise, place: Place | None) -> tuple[Guard, ...]:
        """Return the guards of a site, outermost first."""
        around, passed_over = _ways(place), _later_cases(place)
        found: dict[int, Guard] = {}
        for decision, outcome in self._outcomes(site, place):
            key = id(decision)
            if len(found) >= MAX_GUARDS:
                break
            if key not in self._ignored and key not in passed_over:
                self._add(found, decision, around.get(key), outcome)
        if len(found) >= MAX_GUARDS:
            for decision, inside in _decided(place):
                if id(decision) not in self._ignored:
                    self._add(found, decision, inside, self._states.outcome_at(site, decision))
        return tuple(found[index] for index in sorted(found))

    def _outcomes(self, site: ast.Raise, place: Place | None) -> Iterator[tuple[Decision, Outcome]]:
        """Return what is known at a site; where control never comes, the conditions around it, as if it did."""
        if self._states.reachable(site):
            yield from self._states.outcomes_at(site)
        else:
            yield from ((decision, Outcome(holds, stale=False)) for decision, holds in _decided(place))

    def _add(self, found: dict[int, Guard], decision: Decision, inside: bool | None, outcome: Outcome) -> None:
        if inside is None and isinstance(decision, ast.ExceptHandler):
            return  # that a handler was passed through is no condition of what comes after it
        kind = self._kind(decision, inside, outcome.holds)
        if kind is not None:
            found[self._order[id(decision)]] = self._guard(decision, kind, outcome)

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


def _decided(place: Place | None) -> Iterator[tuple[Decision, bool]]:
    """Return the decisions whose branch a place is in, with the outcome that leads there."""
    while place is not None:
        node = place.node
        if isinstance(node, ast.Match):
            for index, case in enumerate(node.cases[: place.way + 1]):
                yield case, index == place.way
        elif isinstance(node, (ast.Try, ast.TryStar)):
            yield node.handlers[place.way], True
        elif isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While)):
            yield node, bool(place.way)
        place = place.outer


def _ways(place: Place | None) -> dict[int, bool]:
    return {id(decision): holds for decision, holds in _decided(place)}


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
