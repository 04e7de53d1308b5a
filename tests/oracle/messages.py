"""Executes message expressions over stub values and compares the text with the reported patterns (section 6)."""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from extractor.model.facts import Message, Placeholder, RaiseSite, Text
from tests.oracle.guard_check import by_scope, compiled
from tests.oracle.points import never_returning
from tests.oracle.runtime import Run
from tests.oracle.search import Search
from tests.oracle.sites import FoundSite, Scope, find_sites, wanted_of
from tests.oracle.skeleton import Builder
from tests.oracle.stubs import Stub, World
from tests.oracle.values import Neutral, ValueCode, constants

SPECIAL = frozenset(".*+?^${}()|[]\\")


@dataclass
class Printed:
    """One text that the message expression gave, and the names it was made from."""

    text: str
    names: dict[str, Any]


@dataclass
class Production:
    """Where texts come from: the world they were made in, and the search that can make more."""

    world: World
    search: Search

    def more(self, count: int) -> list[Printed]:
        """Run on at random."""
        for start in self.search.exception_starts()[:3]:
            self.search.raise_at = start
            self.search.noise(count, (0.1, 0.3, 0.5))
        return list({r.text.text: r.text for r in self.search.reaches if isinstance(r.text, Printed)}.values())


@dataclass
class MessageVerdict:
    """What executing one site's message gave."""

    place: tuple[int, int]
    status: str
    """`checked`, or why not: `unreached`, `failed`, `empty-value`, `not-claimed`."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """(category, description): `no-match`, `group`, `unproducible`."""
    groups_checked: int = 0
    groups_open: int = 0
    empty_values: int = 0


def pattern(text: Text) -> str:
    """Build the pattern of a text as section 6 says; the rule of six characters is left to the explain stage."""
    return "(.+?)".join("".join("\\" + c if c in SPECIAL else c for c in part) for part in text.texts)


def world_for(known: dict[str, Any], site_class: str, names: set[str], assigned_attributes: set[str]) -> World:
    """Make the global names for one function: its class's constants are also those of `self` and `cls`."""
    own = dict(known)
    if site_class:
        for path, value in known.items():
            head, _, name = path.rpartition(".")
            if head == site_class or (head and site_class.endswith("." + head)):
                own[f"cls.{name}"] = value
                if name not in assigned_attributes:
                    own[f"self.{name}"] = value
    world = World(own)
    for name in names:
        world.update({"ValueError": ValueError, name: ValueError})
    return world


def attributes_assigned(tree: ast.Module) -> set[str]:
    """Name the attributes of `self` that a file assigns."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    }


def texts_of(tree: ast.Module) -> Iterator[tuple[FoundSite, list[Printed], str, Production]]:
    """Give for each site the texts that reaching runs printed, a reason if none, and the world they were made in."""
    found, _ = find_sites(tree)
    no_return = never_returning(tree)
    wanted = wanted_of(tree)
    known = constants(tree, World)
    stored_attributes = attributes_assigned(tree)
    for scope, sites in by_scope(found):
        yield from texts_of_scope(scope, sites, no_return, set(wanted.names), known, stored_attributes)


def texts_of_scope(
    scope: Scope,
    sites: list[FoundSite],
    no_return: frozenset[str],
    names: set[str],
    known: dict[str, Any],
    stored: set[str],
) -> Iterator[tuple[FoundSite, list[Printed], str, Production]]:
    """Do so for one function."""
    code = ValueCode(scope, [site.node for site in sites])
    local = {path: value for path, value in known.items() if path.split(".")[0] not in code.parameters}
    builder = Builder(scope, [site.node for site in sites], no_return, code)
    expressions = []
    for site in sites:
        assert site.node.exc is not None
        body = Neutral(builder).visit(copy.deepcopy(site.node.exc))
        expressions.append(compile(ast.fix_missing_locations(ast.Expression(body)), "<message>", "eval"))
    skeleton = builder.build()
    current: list[Run] = []
    world = world_for(local, sites[0].class_name, names, stored)

    def evaluate(number: int, local_names: dict[str, Any]) -> Printed | str:
        here = {k: v for k, v in local_names.items() if not k.startswith("_")}
        space = World(world.known)
        space.update(world)
        space.update(here)
        space.unbound = code.names - here.keys()
        space["_pick"] = current[-1].pick
        try:
            made = eval(expressions[number], space)
            if isinstance(made, type):
                made = made()
            if not isinstance(made, BaseException):
                return f"gave a {type(made).__name__}"
            text = str(made)
            failed = [name for name in code.names if str(Stub(f"failed.{name}")) in text]
            return f"the value of {failed} could not be worked out" if failed else Printed(text, here)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def evaluated(make: Any, name: str) -> Any:
        try:
            return make()
        except Exception:
            return Stub(f"failed.{name}")

    world.update(
        {"_stub": lambda name: Stub(name, world.known), "_ev": evaluated, "_pick": lambda k: current[-1].pick(k)}
    )
    inner = compiled(skeleton, world)

    def function(run: Run) -> None:
        current.append(run)
        try:
            inner(run)
        finally:
            current.pop()

    for number, site in enumerate(sites):
        search = Search(skeleton, function, number, seed=site.node.lineno, evaluate=evaluate)
        search.explore(12)
        printed = {r.text.text: r.text for r in search.reaches if isinstance(r.text, Printed)}
        why = "unreached" if not search.reaches else "" if printed else str(search.reaches[0].text)
        yield site, list(printed.values()), why, Production(world, search)


def check_messages(tree: ast.Module, sites: tuple[RaiseSite, ...]) -> Iterator[MessageVerdict]:
    """Judge the messages of one file."""
    reported = {(site.line, site.column): site.message for site in sites}
    for site, printed, why, production in texts_of(tree):
        place = (site.node.lineno, site.node.col_offset)
        message = reported.get(place)
        if message is None:
            continue
        if message.resolution not in {"literal", "resolved"}:
            yield MessageVerdict(place, "not-claimed")
        elif not printed:
            yield MessageVerdict(place, "unreached" if why == "unreached" else "failed", [("why", why)])
        else:
            verdict = judge_message(place, message, printed, production.world)
            if any(category == "unproducible" for category, _ in verdict.faults):
                verdict = judge_message(place, message, production.more(300), production.world)
            yield verdict


def judge_message(place: tuple[int, int], message: Message, printed: list[Printed], world: World) -> MessageVerdict:
    """Compare all printed texts with all variants."""
    verdict = MessageVerdict(place, "checked")
    compiled_variants = [(text, re.compile(pattern(text), re.DOTALL)) for text in message.variants]
    produced: set[int] = set()
    for one in printed:
        # `str(ValueError())` is empty; the contract writes the class name then.
        shown = one.text or "ValueError"
        hits = []
        for n, (text, compiled_pattern) in enumerate(compiled_variants):
            match = compiled_pattern.fullmatch(shown)
            if match is not None:
                hits.append(n)
                if len(compiled_variants) == 1:
                    check_groups(verdict, text, match, one, world)
        if not hits:
            # A value may print nothing; the contract promises a match for non-empty ones only.
            hits = [
                n
                for n, (_, p) in enumerate(compiled_variants)
                if re.fullmatch(p.pattern.replace("(.+?)", "(.*?)"), shown, re.DOTALL)
            ]
            verdict.empty_values += bool(hits)
        produced.update(hits)
        if not hits:
            verdict.faults.append(("no-match", f"{shown!r} matches none of {[pattern(t) for t in message.variants]}"))
    for n, (text, _) in enumerate(compiled_variants):
        if n not in produced:
            verdict.faults.append(("unproducible", f"no run prints {text.texts!r}"))
    return verdict


def check_groups(verdict: MessageVerdict, text: Text, match: re.Match[str], printed: Printed, world: World) -> None:
    """Check that each group is the placeholder's value as printed."""
    values = [shown_value(placeholder, printed, world) for placeholder in text.placeholders]
    # An iterator gives another value each time it is asked.
    values = [
        v if v == shown_value(p, printed, world) else None for v, p in zip(values, text.placeholders, strict=True)
    ]
    # Values side by side cannot be told apart, nor can those that hold the text between them.
    ambiguous = any(not part or any(part in (v or "") for v in values) for part in text.texts[1:-1])
    for placeholder, group, wanted in zip(text.placeholders, match.groups(), values, strict=True):
        if wanted is None or ambiguous:
            verdict.groups_open += 1
        elif wanted.strip() != group.strip():
            verdict.faults.append(("group", f"{{{placeholder.expression}}} prints {wanted!r}, the group is {group!r}"))
        else:
            verdict.groups_checked += 1


def is_next(node: ast.AST) -> bool:
    """Whether a node takes the next item of an iterator: of a set of stubs that is another one each time."""
    return isinstance(node, ast.Name) and node.id == "next"


def shown_value(placeholder: Placeholder, printed: Printed, world: World) -> str | None:
    """Evaluate a placeholder's expression in the names of the site, and print it as the placeholder says."""
    try:
        space = World(world.known)
        space.update(world)
        space.update(printed.names)
        tree = ast.parse(f"({placeholder.expression})", mode="eval")
        body = ast.fix_missing_locations(ast.Expression(Neutral(None).visit(tree.body)))
        if any(isinstance(node, ast.IfExp) or is_next(node) for node in ast.walk(tree)):
            return None
        value = eval(compile(body, "<placeholder>", "eval"), space)
        spec = placeholder.format_spec or ""
        if "{" in spec:
            return None
        if placeholder.conversion == "r":
            value = repr(value)
        elif placeholder.conversion == "a":
            value = ascii(value)
        elif placeholder.conversion == "s":
            value = str(value)
        if isinstance(value, Stub) and spec[-1:] in set("dxXofFeEgGn"):
            # `%d` prints the stub's number where `{:d}` prints its text.
            return None
        return format(value, spec)
    except Exception:
        return None


def summary(verdicts: list[MessageVerdict]) -> Counter[str]:
    """Count statuses and fault categories."""
    counts = Counter(verdict.status for verdict in verdicts)
    counts.update(category for verdict in verdicts if verdict.status == "checked" for category, _ in verdict.faults)
    counts["groups"] = sum(verdict.groups_checked for verdict in verdicts)
    counts["groups-open"] = sum(verdict.groups_open for verdict in verdicts)
    return counts
