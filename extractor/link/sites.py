"""The entry of the stage: what the whole tree says about each site."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from extractor.excerpt import attempt, got, looked_up
from extractor.expression import nodes_of, parse, path_of, source_of
from extractor.link.callers import Callers, arguments
from extractor.link.constants import enum_values, members, single_value
from extractor.link.environment import Environment
from extractor.link.options import Options
from extractor.link.reads import Reads
from extractor.link.requests import Requests
from extractor.link.scope import Scope
from extractor.link.setters import Setters
from extractor.link.surface import surface
from extractor.link.tree import Tree
from extractor.link.words import SURE_RECEIVERS, TEST_FOLDERS
from extractor.model.facts import RaiseSite
from extractor.model.index import Call, ClassInfo, FileIndex, Function
from extractor.model.linked import (
    Caller,
    Context,
    Input,
    LinkedSite,
    Meaning,
    Option,
    Setter,
    Sibling,
    Values,
    Variable,
)

_EXPRESSIONS = frozenset({"if", "else", "early-exit", "assert", "while"})
_SIBLINGS = 12
_FAMILY = 10
_MOST_FEEDS = 8
"""Calls looked at for what they pass; with more, one source for all is unlikely."""
_Placed = TypeVar("_Placed", Caller, Setter)
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


class Declared:
    """Every name that the tree declares to users: what a record may speak of."""

    def __init__(self, options: Options, environment: Environment) -> None:
        """Take the tables."""
        self.flags = frozenset(options.flags)
        self.variables = frozenset(environment.by_name)
        heads = Counter(name.split("_", 1)[0] for name in self.variables if "_" in name)
        self.prefixes = frozenset(head for head, count in heads.items() if count >= _FAMILY)
        """First words that many variables share: an undeclared name with one of them looks like a variable."""


class Linker:
    """Gives each site its context. Built once a run from the indexes of all files."""

    def __init__(self, files: Mapping[str, FileIndex]) -> None:
        """Build the tables."""
        self.tree = Tree(files)
        self.options = Options(self.tree)
        self.environment = Environment(self.tree)
        self.requests = Requests(self.tree)
        self.reads = Reads(self.tree, self.options, self.environment, self.requests)
        self.callers = Callers(self.tree, self.options)
        self.setters = Setters(self.tree, self.options)
        self._read: dict[tuple[str, int, int], tuple[tuple[Input, ...], dict[str, Meaning]]] = {}
        self._caller_inputs: dict[tuple[str, str, tuple[tuple[str, bool], ...]], tuple[Input, ...]] = {}
        self.declared = Declared(self.options, self.environment)

    def link(self, sites: Sequence[LinkedSite]) -> list[LinkedSite]:
        """Return the sites with their contexts, in the same order."""
        groups: dict[tuple[str, str], list[RaiseSite]] = {}
        self._read.clear()
        for linked in sites:
            groups.setdefault((linked.path, linked.site.qualname), []).append(linked.site)
        return [
            LinkedSite(
                linked.path,
                linked.site,
                linked.message,
                self._context(linked, groups[linked.path, linked.site.qualname]),
            )
            for linked in sites
        ]

    def _context(self, linked: LinkedSite, group: Sequence[RaiseSite]) -> Context:
        path, site = linked.path, linked.site
        if path not in self.tree.files:
            return Context()
        function = self._function(path, site)
        holder = self._holder(path, site.qualname)
        scope = Scope(path, function, holder, site.line)
        inputs, meanings = self._site_inputs(path, site, function, scope)
        values = self._values(site, scope, meanings)
        callers, count = self.callers.of(path, function) if function is not None else ((), 0)
        chain = self.tree.ancestors(*holder) if holder is not None else []
        settings = any(i.name.rpartition(".")[2] in self.options.whole for _, i in chain)
        request = holder is not None and self.requests.is_model(*holder)
        info = holder[1] if holder is not None else None
        context = Context(
            surface=surface(path, function, [i for _, i in chain], settings, request, inputs, callers),
            inputs=inputs,
            meanings=tuple(meanings.values()),
            values=values,
            callers=tuple(self._told(one) for one in callers),
            caller_count=count,
            setters=tuple(self._told(one) for one in self.setters.of(inputs, function, path)),
            doc=function.doc if function is not None else "",
            class_doc=info.doc if info is not None else "",
            bases=info.bases if info is not None else (),
            siblings=self._siblings(path, site, group, function, holder),
            parameters=tuple(n for n in function.parameters.split() if n not in ("self", "cls"))
            if function is not None
            else (),
            refusals=function.refusals if function is not None else (),
            decorators=function.decorators if function is not None else (),
            settings=settings or _takes_settings(function),
            module=self.tree.module(path),
        )
        declared, undeclared = self._names(linked, context, (context.doc, context.class_doc))
        return replace(context, declared=declared, undeclared=undeclared)

    def _site_inputs(
        self, path: str, site: RaiseSite, function: Function | None, scope: Scope
    ) -> tuple[tuple[Input, ...], dict[str, Meaning]]:
        """Return what a site's guards read, once for the site and for those beside it."""
        key = (path, site.line, site.column)
        known = self._read.get(key)
        if known is None:
            meanings: dict[str, Meaning] = {}
            inputs = self._feeds(path, function, self._inputs(site, scope, meanings))
            known = self._read[key] = (inputs, meanings)
        return known

    def _siblings(
        self,
        path: str,
        site: RaiseSite,
        group: Sequence[RaiseSite],
        function: Function | None,
        holder: tuple[str, ClassInfo] | None,
    ) -> tuple[Sibling, ...]:
        """Return the other sites of a function whose innermost condition is a test, the nearest ones of many."""
        near = sorted(group, key=lambda other: abs(other.line - site.line))[: _SIBLINGS + 1]
        found = []
        for other in sorted(near, key=lambda one: one.line):
            valid = [guard for guard in other.guards if not guard.stale and guard.kind != "early-exit"]
            if other is site or not valid or valid[-1].kind not in _EXPRESSIONS:
                continue
            last = valid[-1]
            condition = last.test if last.holds else f"not ({last.test})"
            scope = Scope(path, function, holder, other.line)
            inputs = tuple(one for one in self._site_inputs(path, other, function, scope)[0] if one.source is not None)
            found.append(Sibling(other.line, condition, tuple(valid[:-1]), inputs))
        return tuple(found)

    def _told(self, one: _Placed) -> _Placed:
        """Add to a caller or setter what its tests read."""
        if not one.guards:
            return one
        found = self.tree.function(one.path, one.qualname, one.line)
        scope = Scope(one.path, found[1] if found is not None else None, self._holder(one.path, one.qualname), one.line)
        key = (one.path, one.qualname, one.guards)
        known = self._caller_inputs.get(key)
        if known is None:
            seen: dict[str, Input] = {}
            for text, _ in one.guards:
                node = parse(text)
                for read in self.reads.inputs(node, scope, {}) if node is not None else ():
                    if read.source is not None or read.kind in ("platform", "package", "config-field"):
                        seen.setdefault(read.expression, read)
            known = self._caller_inputs[key] = tuple(seen.values())
        return replace(one, inputs=known) if known else one

    def _feeds(self, path: str, function: Function | None, inputs: tuple[Input, ...]) -> tuple[Input, ...]:
        """Replace parameters by what every call found passes for them.

        Where that is one option, variable or config field.
        """
        if function is None or not any(one.kind == "parameter" for one in inputs):
            return inputs
        calls = [pair for pair in self.callers.direct(path, function) if TEST_FOLDERS.isdisjoint(pair[0].split("/"))]
        if not calls or len(calls) > _MOST_FEEDS:
            return inputs
        return tuple(self._fed(one, calls, function) if one.kind == "parameter" else one for one in inputs)

    def _fed(self, one: Input, calls: list[tuple[str, Call]], function: Function) -> Input:
        found: Input | None = None
        for at, call in calls:
            value = dict(arguments(call, function)).get(one.name)
            node = parse(value) if value else None
            if node is None or not path_of(node):
                return one
            caller = self.tree.files[at].functions[call.function] if call.function >= 0 else None
            scope = Scope(at, caller, self._holder(at, caller.qualname) if caller is not None else None, call.line)
            reads = list(self.reads.inputs(node, scope, {}))
            if (
                len(reads) != 1
                or reads[0].expression != path_of(node)
                or reads[0].kind not in ("option", "environment", "config-field", "request-field")
            ):
                return one
            if found is not None and (found.kind, found.name) != (reads[0].kind, reads[0].name):
                return one
            found = reads[0]
        return replace(found, expression=one.expression, fed=True) if found is not None else one

    def _function(self, path: str, site: RaiseSite) -> Function | None:
        found = self.tree.function(path, site.qualname, site.line)
        return found[1] if found is not None else None

    def _holder(self, path: str, qualname: str) -> tuple[str, ClassInfo] | None:
        """Return the innermost class around a function."""
        name = qualname
        while name:
            info = self.tree.class_of(path, name)
            if info is not None:
                return path, info
            name = name.rpartition(".")[0]
        return None

    def _inputs(self, site: RaiseSite, scope: Scope, meanings: dict[str, Meaning]) -> tuple[Input, ...]:
        """Return the inputs of the guards that are not stale, innermost guard first."""
        found: dict[tuple[str, str], Input] = {}
        for guard in reversed(site.guards):
            if guard.stale:
                continue
            node: ast.expr | None = None
            if guard.kind == "match":
                node = parse(guard.test.split(" matches ", 1)[0])
            elif guard.kind in _EXPRESSIONS:
                node = parse(guard.test)
            elif guard.kind == "except":
                attempted = looked_up(attempt(site, guard.line))
                node = attempted[1] if attempted is not None else None
            if node is None:
                continue
            for one in self.reads.inputs(node, scope, meanings):
                found.setdefault((one.name, one.expression), one)
        return tuple(found.values())[:24]

    def _values(self, site: RaiseSite, scope: Scope, meanings: dict[str, Meaning]) -> tuple[Values, ...]:
        """Resolve what `in` and `not in` test, and the enums whose members are compared with."""
        found: dict[str, Values] = {}
        for meaning in meanings.values():
            pair = got(parse(meaning.value)) if ".get(" in meaning.value else None
            if pair is not None:
                self._container(pair[0], scope, meanings, found)
        for guard in site.guards:
            if guard.kind == "except" and not guard.stale:
                attempted = looked_up(attempt(site, guard.line))
                if attempted is not None:
                    self._container(attempted[0], scope, meanings, found)
        for guard in site.guards:
            if guard.stale or guard.kind not in (*_EXPRESSIONS, "for"):
                continue
            node = parse(guard.test)
            for part in nodes_of(node) if node is not None else ():
                if isinstance(part, ast.Compare):
                    for operator, right in zip(part.ops, part.comparators, strict=True):
                        if isinstance(operator, ast.In | ast.NotIn):
                            self._container(right, scope, meanings, found)
                        elif isinstance(right, ast.Attribute):
                            self._enum(right, scope, meanings, found)
        return tuple(found.values())

    def _container(
        self, node: ast.expr, scope: Scope, meanings: Mapping[str, Meaning], found: dict[str, Values]
    ) -> None:
        text = source_of(node)
        written = (
            meanings[text].value
            if text in meanings and meanings[text].line == 0 and isinstance(node, ast.Call)
            else text
        )
        if isinstance(node, ast.Name):
            bound = scope.bound(text)
            if bound is not None and bound.text:
                written = bound.text
            elif text in scope.parameters or text in scope.bindings:
                return
        elif text.startswith(("self.", "cls.")) and scope.holder is not None:
            for at, info in self.tree.ancestors(*scope.holder):
                name = f"{info.name}.{text.partition('.')[2]}"
                if name in self.tree.constants(at):
                    known = members(self.tree, at, name)
                    if known is not None:
                        found[text] = Values(text, *known)
                    return
            return
        known = members(self.tree, scope.path, written)
        if known is not None and known[0]:
            found[text] = Values(text, *known)

    def _enum(self, node: ast.Attribute, scope: Scope, meanings: dict[str, Meaning], found: dict[str, Values]) -> None:
        owner = path_of(node.value)
        if not owner[:1].isupper() and not owner.rpartition(".")[2][:1].isupper():
            return
        at = self.tree.resolve(scope.path, owner)
        info = self.tree.class_of(*at) if at is not None else None
        known = enum_values(self.tree, at[0], info) if info is not None and at is not None else None
        if known is not None:
            found[owner] = Values(owner, *known)
            value = single_value(self.tree, scope.path, path_of(node))
            if value is not None and value[:1] in "'\"":
                meanings[path_of(node)] = Meaning(path_of(node), value, 0)

    def _names(
        self, linked: LinkedSite, context: Context, docs: Sequence[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return the flags and variables that the texts around a site name.

        Declared ones, and others that look like them.
        """
        texts = [text for variant in linked.message.variants for text in variant.texts]
        for one in context.inputs:
            if isinstance(one.source, Option):
                texts += [one.source.help, one.source.replacement]
            elif isinstance(one.source, Variable):
                texts.append(one.source.comment)
        texts += [guard.test for guard in linked.site.guards]
        texts += [meaning.value for meaning in context.meanings]
        texts += [test for caller in context.callers for test, _ in caller.guards]
        texts += [value for caller in context.callers for _, value in caller.arguments]
        texts += [text for setter in context.setters for text in (setter.value, *(test for test, _ in setter.guards))]
        texts += [member for values in context.values for member in values.members]
        texts += [line for line in linked.site.excerpt.split("\n") if line.lstrip().startswith("#")]
        joined = "\n".join([*texts, *docs])
        flags = set(_FLAG.findall(joined)) if "--" in joined else set()
        variables = set(_VARIABLE.findall(joined))
        known = {flag for flag in flags if flag in self.declared.flags} | {
            name for name in variables if name in self.declared.variables
        }
        alike = {name for name in variables if name.split("_", 1)[0] in self.declared.prefixes}
        return frozenset(known), frozenset((flags | alike) - known)


def _takes_settings(function: Function | None) -> bool:
    return function is not None and function.parameters.split(" ", 1)[0] in SURE_RECEIVERS
