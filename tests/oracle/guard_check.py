"""Checks all guards that a scan reports for one file."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from extractor.model.facts import Guard, RaiseSite
from tests.oracle.guard_text import show
from tests.oracle.guards import Verdict, constant, judge, staleness, wanted_kinds
from tests.oracle.points import Skeleton, never_returning
from tests.oracle.runtime import Run
from tests.oracle.search import Search, namespace
from tests.oracle.sites import FoundSite, Scope, find_sites
from tests.oracle.skeleton import Builder

Place = tuple[int, int]


def compiled(skeleton: Skeleton, world: dict[str, Any] | None = None) -> Callable[[Run], None]:
    """Make the function of a skeleton."""
    names = namespace(world)
    exec(skeleton.code, names)
    function: Callable[[Run], None] = names["_skeleton"]
    return function


def by_scope(found: list[FoundSite]) -> list[tuple[Scope, list[FoundSite]]]:
    """Group sites by the function around them."""
    groups: dict[int, tuple[Scope, list[FoundSite]]] = {}
    for site in found:
        groups.setdefault(id(site.scope), (site.scope, []))[1].append(site)
    return list(groups.values())


def searches(tree: ast.Module) -> Iterator[tuple[FoundSite, Search]]:
    """Give a finished exploration for each site of a file."""
    found, _ = find_sites(tree)
    no_return = never_returning(tree)
    for scope, sites in by_scope(found):
        skeleton = Builder(scope, [site.node for site in sites], no_return).build()
        function = compiled(skeleton)
        for number, site in enumerate(sites):
            search = Search(skeleton, function, number, seed=site.node.lineno)
            search.explore()
            yield site, search


def check_guards(tree: ast.Module, sites: tuple[RaiseSite, ...]) -> Iterator[tuple[FoundSite, Verdict]]:
    """Judge each site's guards; a site that was not reported is another test's business."""
    reported: dict[Place, tuple[Guard, ...]] = {(site.line, site.column): site.guards for site in sites}
    for site, search in searches(tree):
        guards = reported.get((site.node.lineno, site.node.col_offset))
        if guards is not None:
            yield site, judge(search, guards)


def model_guards(search: Search) -> tuple[Guard, ...]:
    """Make the guards that the runs themselves suggest; to show that the judge finds planted faults."""
    rows = []
    for k, point in enumerate(search.skeleton.points):
        values = {reach.last.get(k) for reach in search.reaches}
        if point.role in {"raises", "swallow", "pick"} or len(values) != 1 or None in values or constant(point):
            continue
        outcome = next(iter(values))
        assert outcome is not None
        kinds, holds, must = wanted_kinds(point, search.around.get(k), outcome)
        if must:
            text = f"{ast.unparse(point.reads[0])} matches {show(point)}" if point.role == "case" else show(point)
            if isinstance(point.node, ast.match_case) and point.node.guard is not None:
                text += f" if {ast.unparse(point.node.guard)}"
            stale = max(staleness(search, point, k, reach) for reach in search.reaches) == 2
            kind: Any = (
                sorted(kinds)[0]
                if len(kinds) == 1
                else ("loop-exhausted" if search.around.get(k) == "orelse" else "while")
            )
            rows.append((search.reaches[0].when[k], Guard(kind, point.line, text, holds, stale)))
    return tuple(guard for _, guard in sorted(rows, key=lambda row: row[0]))
