"""The sites of one region, with their guards and messages."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from extractor.model.facts import RaiseSite
from extractor.scan.guards import Guards
from extractor.scan.knowledge import RegionKnowledge
from extractor.scan.lookup import Lookup
from extractor.scan.message import read_message
from extractor.scan.names import FileNames
from extractor.scan.raises import Construction, constructions, may_be_site
from extractor.scan.region import RaiseStatement, Region, in_class_body
from extractor.scan.state import RegionStates
from extractor.scan.strings import Strings
from extractor.scan.text import Source


def sites_of(region: Region, source: Source, names: FileNames) -> Iterator[RaiseSite]:
    """Return the sites of a region in source order."""
    candidates = [each for each in region.raises if may_be_site(each.node, in_class_body(region, each), names)]
    if not candidates:
        return
    followed = _names_followed([each.node for each in candidates], region)
    states = RegionStates(region, source, followed, RegionKnowledge(names, region, names.swallowing))
    guards: Guards | None = None
    for each in candidates:
        seen_from = in_class_body(region, each)
        made = constructions(each.node, seen_from, names, states)
        if made is None:
            continue
        guards = guards or Guards(region, source, states)
        yield _site(each, made, guards, Strings(Lookup(source, names, seen_from, states)), source, names)


def _site(
    statement: RaiseStatement,
    made: tuple[Construction, ...],
    guards: Guards,
    strings: Strings,
    source: Source,
    names: FileNames,
) -> RaiseSite:
    node = statement.node
    start, end, excerpt = source.excerpt(node.lineno)
    return RaiseSite(
        line=node.lineno,
        end_line=node.end_lineno or node.lineno,
        column=node.col_offset,
        qualname=statement.scope,
        exception_class=made[0].exception_class,
        message=read_message(made, strings, names.prints_otherwise),
        guards=guards.of(node, statement.place),
        excerpt=excerpt,
        excerpt_start=start,
        excerpt_end=end,
    )


def _names_followed(raises: list[ast.Raise], region: Region) -> frozenset[str]:
    """Return the local names that the raise statements use, directly or through the values of such names."""
    found: set[str] = set()
    todo: list[ast.AST] = [node.exc for node in raises if node.exc is not None]
    while todo:
        for node in ast.walk(todo.pop()):
            if not isinstance(node, ast.Name) or node.id in found:
                continue
            bindings = region.bindings.get(node.id)
            if bindings and region.is_local(node.id):
                found.add(node.id)
                todo.extend(binding.value for binding in bindings if binding.value is not None)
    return frozenset(found)
