"""The facts tracked through one region: the last outcome of each decision, staleness, reaching definitions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from extractor.scan.access import (
    HIDDEN_CHANGES,
    Change,
    Effect,
    Path,
    bound,
    disturbs,
    evaluated,
    hidden_effects,
    pattern_names,
    reads,
    statement_effects,
)
from extractor.scan.flow import Decision, Knowledge, Walk
from extractor.scan.region import Binding, Region
from extractor.scan.text import Source

_UNSEEN, _TRUE, _FALSE, _STALE, _TARGET = range(5)
"""Facts a decision has: not come to yet, last went true, last went false, changed since, what it gave changed since.

Each is a plane of the state: bit `plane * decisions + index`."""
_PLANES = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known of one decision at one statement."""

    holds: bool
    """The outcome that every way to the statement had."""
    stale: bool
    """Whether something that the test reads may have changed since."""


class RegionStates:
    """The solved analysis of one region."""

    def __init__(self, region: Region, source: Source, names: frozenset[str], knowledge: Knowledge) -> None:
        """Analyse `region`, following the definitions of the local `names`."""
        self._region = region
        self._source = source
        first, last = (1, None) if isinstance(region.node, ast.Module) else (region.node.lineno, region.node.end_lineno)
        self._hidden = source.lines_with(HIDDEN_CHANGES, first, last)
        self._subjects = case_subjects(region)
        self._index = {id(node): index for index, node in enumerate(region.decisions)}
        self._count = len(region.decisions)
        self._own = [sum(self._bit(plane, index) for plane in range(_PLANES)) for index in range(self._count)]
        self._reads: dict[str, list[tuple[int, Path]]] = {}
        for index, node in enumerate(region.decisions):
            for path in decision_reads(node, self._subject(node)):
                self._reads.setdefault(path[0], []).append((self._bit(_STALE, index), path))
            for path in _given(node):
                self._reads.setdefault(path[0], []).append((self._bit(_TARGET, index), path))
        self._definitions = _Definitions(region, names, _PLANES * self._count)
        self._effects: dict[int, tuple[int, int]] = {}
        self._at: dict[int, int] = {}
        self._watched = {id(each.node) for each in region.raises} | self._definitions.statements
        walk = Walk(self, knowledge)
        unseen = (1 << self._count) - 1
        walk.run(region.node.body, unseen | self._definitions.entry)
        self.left_early = walk.left_early

    def reachable(self, node: ast.stmt) -> bool:
        """Tell whether control can come to a raise statement at all."""
        return id(node) in self._at

    def outcomes_at(self, node: ast.stmt) -> Iterator[tuple[Decision, Outcome]]:
        """Return the decisions with one outcome on every way to a raise statement, the last in the source first."""
        planes = self._planes(node)
        known = (planes[_TRUE] ^ planes[_FALSE]) & ~planes[_UNSEEN]
        while known:
            index = known.bit_length() - 1
            known ^= 1 << index
            yield self._region.decisions[index], _outcome(planes, 1 << index)

    def outcome_at(self, node: ast.stmt, decision: Decision) -> Outcome:
        """Return the outcome of a decision around a raise statement, which always has one."""
        return _outcome(self._planes(node), 1 << self._index[id(decision)])

    def _planes(self, node: ast.stmt) -> list[int]:
        state, every = self._at.get(id(node), 0), (1 << self._count) - 1
        return [(state >> (plane * self._count)) & every for plane in range(_PLANES)]

    def definitions_at(self, node: ast.AST, name: str) -> list[Binding | None] | None:
        """Return the bindings of `name` that reach a statement (None for its value at entry), None if not followed."""
        state = self._at.get(id(node))
        return None if state is None else self._definitions.reaching(state, name)

    # What the walk asks.

    def outcome(self, state: int, decision: Decision, holds: bool) -> int:
        """Replace all that was known of a decision by its new outcome."""
        index = self._index[id(decision)]
        return (state & ~self._own[index]) | self._bit(_TRUE if holds else _FALSE, index)

    def effect(self, state: int, node: ast.AST) -> int:
        """Mark what a node changes as stale, and replace the definitions it kills."""
        masks = self._effects.get(id(node))
        if masks is None:
            masks = self._effects[id(node)] = self._masks(node)
        kill, gen = masks
        return (state & ~kill) | gen

    def unbind(self, state: int, handler: ast.ExceptHandler) -> int:
        """Mark what reads a handler's name, which is deleted at the handler's end."""
        return state | self._stale([(Change.BIND, (handler.name,))]) if handler.name else state

    def visit(self, state: int, node: ast.stmt) -> None:
        """Keep the state at the statements that are asked about."""
        key = id(node)
        if key in self._watched:
            self._at[key] = self._at.get(key, 0) | state

    def _masks(self, node: ast.AST) -> tuple[int, int]:
        if isinstance(node, ast.match_case):
            return self._capture_masks(node)
        stale = self._stale([*_effects_of(node), *self._hidden_effects_of(node)])
        kill, gen = self._definitions.masks(node)
        return kill, gen | stale

    def _capture_masks(self, case: ast.match_case) -> tuple[int, int]:
        effects: list[Effect] = [(Change.BIND, (name,)) for name in pattern_names(case.pattern)]
        kill, gen = self._definitions.masks(case)
        stale = self._stale(effects)
        # The case's own captures are fresh; if one of them takes the subject's name, the subject has changed.
        return kill, gen | stale & ~self._bit(_TARGET, self._index[id(case)])

    def _stale(self, effects: list[Effect]) -> int:
        mask = 0
        for effect in effects:
            for bit, path in self._reads.get(effect[1][0], ()):
                if disturbs(effect, path):
                    mask |= bit
        return mask

    def _hidden_effects_of(self, node: ast.AST) -> Iterator[Effect]:
        if self._hidden:
            expressions = [each for each in evaluated(node) if self._on_hidden_line(each)]
            yield from hidden_effects(expressions)

    def _on_hidden_line(self, node: ast.AST) -> bool:
        first: int = getattr(node, "lineno", 0)
        last: int = getattr(node, "end_lineno", None) or first
        return any(line in self._hidden for line in range(first, last + 1))

    def _bit(self, plane: int, index: int) -> int:
        return 1 << (plane * self._count + index)

    def _subject(self, node: Decision) -> ast.expr | None:
        return self._subjects.get(id(node)) if isinstance(node, ast.match_case) else None


def _outcome(planes: list[int], bit: int) -> Outcome:
    holds = bool(planes[_TRUE] & bit)
    # That a loop ran out, or a case did not match, stays so whatever its target or captures are used for afterwards.
    stale = planes[_STALE] | planes[_TARGET] if holds else planes[_STALE]
    return Outcome(holds, bool(stale & bit))


def case_subjects(region: Region) -> dict[int, ast.expr]:
    """Return the subject of the `match` around each `case` of a region, by the id of the `case`."""
    if not any(isinstance(node, ast.match_case) for node in region.decisions):
        return {}
    return {
        id(case): node.subject for node in ast.walk(region.node) if isinstance(node, ast.Match) for case in node.cases
    }


def decision_reads(node: Decision, subject: ast.expr | None) -> frozenset[Path]:
    """Return the paths that a decision's test reads."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return reads(node.iter)
    if isinstance(node, ast.ExceptHandler):
        return reads(node.type)
    if isinstance(node, ast.match_case):
        captured = set(pattern_names(node.pattern))
        return frozenset(path for path in reads(node.pattern, node.guard) if path[0] not in captured) | reads(subject)
    return reads(node.test)


def _given(node: Decision) -> frozenset[Path]:
    """Return the paths to which a decision itself gives a value where it goes one way: loop target, captures."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return reads(node.target)
    if isinstance(node, ast.match_case):
        return frozenset((name,) for name in pattern_names(node.pattern))
    return frozenset()


def _effects_of(node: ast.AST) -> Iterator[Effect]:
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield from bound(node.target)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            yield from bound(item.optional_vars)
    elif isinstance(node, ast.ExceptHandler):
        if node.name:
            yield Change.BIND, (node.name,)
    elif isinstance(node, ast.stmt):
        yield from statement_effects(node)


class _Definitions:
    """Bits for the definitions of some names."""

    def __init__(self, region: Region, names: frozenset[str], first_bit: int) -> None:
        self._bits: dict[str, list[tuple[int, Binding | None]]] = {}
        self._by_node: dict[int, list[tuple[str, int]]] = {}
        self.entry = self._certain = 0
        self.statements: set[int] = set()
        bit = first_bit
        for name in sorted(names):
            self._bits[name] = [(1 << bit, None)]
            self.entry |= 1 << bit
            for binding in region.bindings.get(name, ()):
                bit += 1
                self._bits[name].append((1 << bit, binding))
                self._by_node.setdefault(id(binding.node), []).append((name, 1 << bit))
                self._certain |= binding.certain << bit
                self.statements.add(id(binding.node))
            bit += 1

    def masks(self, node: ast.AST) -> tuple[int, int]:
        kill = gen = 0
        for name, bit in self._by_node.get(id(node), ()):
            if bit & self._certain:
                for other, _ in self._bits[name]:
                    kill |= other
            gen |= bit
        return kill & ~gen, gen

    def reaching(self, state: int, name: str) -> list[Binding | None] | None:
        if name not in self._bits:
            return None
        return [binding for bit, binding in self._bits[name] if state & bit]
