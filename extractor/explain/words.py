"""Clauses in words: what is the case when the site is reached, and what would have to be the case instead."""

from __future__ import annotations

import ast
import re

from extractor.excerpt import got
from extractor.explain.clauses import Clause, Reader, negated
from extractor.explain.phrases import code, joined
from extractor.explain.predicates import Predicates
from extractor.expression import source_of

_LONGEST = 110
"""Characters of source that still read well inside of a sentence."""


class Wording(Predicates):
    """Says the clauses of one site."""

    def __init__(self, reader: Reader) -> None:
        """Take what is known about names."""
        super().__init__(reader)
        self._said: dict[tuple[int, int], tuple[str, Clause]] = {}
        self.tries: dict[int, str] = {}
        """Line of a handler → what its `try` block does."""

    def state(self, clause: Clause) -> str:
        """Say that the clause is the case."""
        return self._kept(clause, 0)

    def wish(self, clause: Clause) -> str:
        """Say how things are when the clause is not the case."""
        return self._kept(clause, 1)

    def demand(self, clause: Clause) -> str:
        """Say what has to be the case for the clause not to be."""
        return self._kept(clause, 2)

    def without_subject(self, clause: Clause) -> str:
        """Say how a simple clause's subject is when the clause is not the case, the subject itself left out."""
        return self.predicate(negated(clause).kind, negated(clause), must=False)

    def _kept(self, clause: Clause, form: int) -> str:
        """Say a clause once; it is kept beside its text, so that its id stays its own."""
        known = self._said.get((id(clause), form))
        if known is None:
            text = self._say(negated(clause) if form else clause, must=form == 2)
            known = self._said[id(clause), form] = (text, clause)
        return known[0]

    def _say(self, clause: Clause, must: bool) -> str:
        kind = clause.kind
        if kind in ("and", "or"):
            return self._compound(clause, must)
        if kind in ("exists", "every"):
            return self._quantified(clause, must)
        if kind in ("xor", "same"):
            first, second = (self._say(part, must=False) for part in clause.parts)
            verb = "must hold" if must else "holds"
            if kind == "xor":
                return f"only one of these {verb}: {first}; {second}"
            return f"both or neither of these {'must hold' if must else 'hold'}: {first}; {second}"
        if clause.subject is None:
            return self._phrase(clause, must)
        special = self._special(clause, must)
        return special or self._simple(clause, must)

    def _compound(self, clause: Clause, must: bool) -> str:
        if clause.kind == "or" and must:
            # "not both": what has to give way depends on the rest, so the last part is the demand.
            *given, last = clause.parts
            conditions = [self.state(negated(part)) for part in given]
            return (
                f"when {joined(conditions, 'and')}, {self._say(last, must=True)}"
                if conditions
                else self._say(last, must=True)
            )
        alike = self._alike(clause, must)
        if alike:
            return alike
        texts = []
        for part in clause.parts:
            text = self._say(part, must)
            texts.append(f"({text})" if part.kind in ("and", "or") and len(part.parts) > 1 else text)
        return joined(texts, clause.kind, either=clause.kind == "or")

    def _alike(self, clause: Clause, must: bool) -> str:
        """Say `a is None and b is None` in one breath: several subjects, one predicate."""
        kinds = {part.kind for part in clause.parts}
        if len(kinds) != 1 or len(clause.parts) < 2 or kinds & {"and", "or", "exists", "every"}:
            return ""
        kind = kinds.pop()
        first = clause.parts[0]
        same = {tuple(map(source_of, part.objects)) for part in clause.parts}
        if len(same) != 1 or any(part.subject is None for part in clause.parts) or self._special(first, must):
            return ""
        if len({self._kind_of(part.subject) for part in clause.parts}) != 1:
            return ""
        subjects = [self.thing(part.subject) for part in clause.parts]
        if len(set(subjects)) != len(subjects):
            return ""
        predicate = self.predicate(kind, first, must)
        if clause.kind == "and":
            return f"{joined(subjects, 'and')} {_plural(predicate)}"
        return f"{joined(subjects, 'or')} {predicate}"

    def _kind_of(self, node: ast.expr | None) -> str:
        known = self.reader.input(node)
        return known.kind if known is not None and known.kind in ("option", "environment", "request-field") else ""

    def _quantified(self, clause: Clause, must: bool) -> str:
        inner = self._say(clause.parts[0], must)
        target, within = source_of(clause.objects[0]), clause.subject
        where = self.thing(within) if within is not None and len(source_of(within)) < _LONGEST else "the items"
        if clause.kind == "exists":
            return f"{inner} for at least one {code(target)} in {where}"
        return f"{inner} for every {code(target)} in {where}"

    def _phrase(self, clause: Clause, must: bool) -> str:
        text = code(clause.text)
        match clause.kind:
            case "running":
                return f"an item of the loop {code('for ' + clause.text)} is at hand"
            case "caught":
                tried = self.tries.get(clause.line, "")
                return f"{code(tried)} has failed with {text}" if tried else f"{text} was caught"
            case "exhausted":
                return f"the loop {text} ran out"
            case "matches" | "matches-not":
                verb = "must match" if must else "matches"
                return (
                    f"{text} {'must not match' if must else 'does not match'}"
                    if clause.kind == "matches-not"
                    else f"{text} {verb}"
                )
            case "caught-not":
                return f"no {text} {'may be' if must else 'is'} raised before"
            case "exhausted-not":
                return f"the loop {text} {'must be' if must else 'is'} left before it runs out"
            case "running-not":
                return f"the loop {code('for ' + clause.text)} {'must have' if must else 'has'} no such item"
            case _:
                verb = (
                    ("must hold" if must else "holds")
                    if clause.kind == "holds"
                    else ("must not hold" if must else "does not hold")
                )
                return f"{text} {verb}"

    def _special(self, clause: Clause, must: bool) -> str:
        """Platforms and packages, whose predicates read badly as values."""
        known = self.reader.input(clause.subject)
        if known is None or clause.kind not in ("true", "false"):
            return ""
        wanted = clause.kind == "true"
        source = f" ({code(known.expression)})" if len(known.expression) < _LONGEST else ""
        if known.kind == "platform" and known.name != "GPU compute capability":
            hardware = known.type or known.name
            verb = ("must run" if wanted else "must not run") if must else ("runs" if wanted else "does not run")
            return f"the program {verb} on {hardware}{source}"
        if known.kind == "package":
            verb = ("must be" if wanted else "must not be") if must else ("is" if wanted else "is not")
            return f"the package `{known.name}` {verb} installed{source}"
        return ""

    def _simple(self, clause: Clause, must: bool) -> str:
        subject = clause.subject
        entry = got(subject) if clause.kind in ("true", "false", "none", "some") else None
        if entry is not None and self.reader.input(subject) is None:
            there = clause.kind in ("true", "some")
            verb = ("must have" if must else "has") if there else ("must not have" if must else "does not have")
            kind = "an entry" if clause.kind in ("none", "some") else "a set entry"
            return f"{self.thing(entry[0])} {verb} {kind} {self.value(entry[1])}"
        if (
            clause.kind in ("true", "false")
            and isinstance(subject, ast.Call)
            and isinstance(subject.func, ast.Attribute)
            and subject.func.attr == "is_contiguous"
        ):
            return f"{self.thing(subject.func.value)} {_be(clause.kind == 'true', must)} contiguous"
        if self.emptiness(clause.kind, clause, must) and isinstance(subject, ast.Call):
            subject = subject.args[0]
        return f"{self.thing(subject)} {self.predicate(clause.kind, clause, must)}"


def _be(wanted: bool, must: bool) -> str:
    if must:
        return "must be" if wanted else "must not be"
    return "is" if wanted else "is not"


def _plural(predicate: str) -> str:
    return re.sub(r"^is\b", "are", re.sub(r"^has\b", "have", re.sub(r"^does\b", "do", predicate)))
