"""What is said of a subject: `is greater than 1`, `must be one of …`, in both moods."""

from __future__ import annotations

import ast
import re

from extractor.explain.clauses import Clause
from extractor.explain.dialect import COMPARED, TYPE_WORDS
from extractor.explain.naming import Naming
from extractor.explain.phrases import code, joined
from extractor.expression import literal, path_of, source_of
from extractor.model.linked import Input, Option, Variable


class Predicates(Naming):
    """Says the predicate of a simple clause."""

    def emptiness(self, kind: str, clause: Clause, must: bool) -> str:
        """`len(x) == 0` and its like read as what they are."""
        subject = clause.subject
        if not (
            isinstance(subject, ast.Call)
            and path_of(subject.func) == "len"
            and len(subject.args) == 1
            and len(clause.objects) == 1
        ):
            return ""
        known, number = literal(clause.objects[0])
        if not known or isinstance(number, bool):
            return ""
        if (kind, number) in (("eq", 0), ("lt", 1), ("le", 0)):
            return "must be empty" if must else "is empty"
        if (kind, number) in (("ne", 0), ("ge", 1), ("gt", 0)):
            return "must not be empty" if must else "is not empty"
        return ""

    def predicate(self, kind: str, clause: Clause, must: bool) -> str:
        """Say what is (or has to be) so of the subject; `kind` is that of the clause."""
        is_, is_not = ("must be", "must not be") if must else ("is", "is not")
        known = self.reader.input(clause.subject)
        given = known is not None and (
            known.kind == "environment" or (known.kind in ("option", "request-field") and _optional(known))
        )
        if known is not None and known.kind == "environment" and kind in ("none", "some"):
            return f"{is_ if kind == 'some' else is_not} set"
        one = self.value(clause.objects[0], clause.subject) if clause.objects else ""
        empty = self.emptiness(kind, clause, must)
        if empty:
            return empty
        match kind:
            case "gt" | "ge" | "lt" | "le":
                return f"{is_} {COMPARED[kind]} {one}"
            case "eq":
                return f"{is_} {one}"
            case "ne":
                return f"{is_not} {one}"
            case "none":
                return ("must be left out" if must else "is not given") if given else f"{is_} `None`"
            case "some":
                return f"{is_} given" if given else f"{is_not} `None`"
            case "true" | "false":
                return self._truth(kind == "true", known, clause, must)
            case "in" if given and any(literal(o) == (True, None) for o in clause.objects):
                rest = tuple(o for o in clause.objects if literal(o) != (True, None))
                among = " one of " if len(rest) > 1 else " "
                return f"{'must be' if must else 'is'} left out or{among}{self.listed(rest, clause.subject)}"
            case "notin" if given and any(literal(o) == (True, None) for o in clause.objects):
                rest = tuple(o for o in clause.objects if literal(o) != (True, None))
                return f"{is_} given and not {self.listed(rest, clause.subject)}"
            case "in":
                return f"{is_}{_among(clause)}{self.listed(clause.objects, clause.subject)}"
            case "notin":
                return self._outside(clause, must)
            case "isa" | "nota":
                types = joined([_type(o) for o in clause.objects], "or")
                return f"{is_ if kind == 'isa' else is_not} {types}"
            case "divides":
                return f"{is_} divisible by {one}"
            case "indivisible":
                return f"{is_not} divisible by {one}"
            case "has" | "lacks":
                return f"{_has(kind == 'has', must)} an attribute {one}"
            case "contains" | "misses":
                verb = (
                    ("must contain" if must else "contains")
                    if kind == "contains"
                    else ("must not contain" if must else "does not contain")
                )
                return f"{verb} {one}"
            case _:
                verb = kind.split("-")[0]
                values = self.listed(clause.objects, clause.subject)
                base = verb.removesuffix("s")
                if kind.endswith("-not"):
                    return f"{'must' if must else 'does'} not {base} with {values}"
                return f"{'must ' + base if must else verb} with {values}"

    def _outside(self, clause: Clause, must: bool) -> str:
        if len(clause.objects) == 2 and not any(isinstance(o, ast.Starred) for o in clause.objects):
            first, second = (self.value(o, clause.subject) for o in clause.objects)
            return f"{'must be' if must else 'is'} neither {first} nor {second}"
        if len(clause.objects) == 1 and not isinstance(clause.objects[0], ast.Starred):
            return f"{'must not be' if must else 'is not'} {self.value(clause.objects[0], clause.subject)}"
        if any(isinstance(o, ast.Starred) for o in clause.objects):
            return f"{'must not be' if must else 'is not'} among {self.listed(clause.objects, clause.subject, 'and')}"
        listed = self.listed(clause.objects, clause.subject, "and")
        return f"must be none of {listed}" if must else f"is none of {listed}"

    def _truth(self, wanted: bool, known: Input | None, clause: Clause, must: bool) -> str:
        is_, is_not = ("must be", "must not be") if must else ("is", "is not")
        kind = ""
        if known is not None:
            source = known.source
            kind = source.type if isinstance(source, Option | Variable) else known.type
            if isinstance(source, Option) and (
                source.switch or "BooleanOptional" in source.type or source.negative or source.type == "bool"
            ):
                return f"{is_ if wanted else is_not} set"
            if known.kind == "option" and isinstance(source, Option) and not source.switch:
                empty = "0" if source.type in ("int", "float") else "empty"
                return f"{is_not if wanted else is_} {empty}"
            if known.kind == "environment":
                return f"{is_ if wanted else is_not} {'true' if kind == 'bool' else 'set'}"
        name = source_of(clause.subject) if clause.subject is not None else ""
        if isinstance(clause.subject, ast.BinOp):
            return f"{is_not if wanted else is_} 0"
        if isinstance(clause.subject, ast.Call):
            if "is_contiguous" in name:
                return f"{is_ if wanted else is_not} given"
            return f"{'must be' if must else 'is'} {'true' if wanted else 'false'}"
        if kind.startswith("bool") or re.search(
            r"(?:^|[._])(?:is|has|use|enable|disable|should|can|allow|need|requires?|supports?|with)_", name
        ):
            return f"{is_} {'true' if wanted else 'false'}"
        if kind.startswith(
            ("List", "list", "Dict", "dict", "Tuple", "tuple", "str", "Sequence", "Optional[List", "Optional[str")
        ) or isinstance(clause.subject, ast.ListComp):
            return (
                f"{is_ if not wanted else is_not} empty"
                if not kind.startswith("Optional")
                else f"{is_ if wanted else is_not} given and non-empty"
            )
        if wanted:
            return "must not be empty or unset" if must else "is set"
        return "must be empty or unset" if must else "is empty or unset"


def _optional(known: Input) -> bool:
    """Whether `None` stands for not given."""
    if isinstance(known.source, Option):
        return known.source.default in ("None", "")
    return known.default == "None" or "Optional" in known.type or "None" in known.type


def _type(node: ast.expr) -> str:
    text = source_of(node)
    return TYPE_WORDS.get(text, f"a {code(text)}")


def _among(clause: Clause) -> str:
    if any(isinstance(o, ast.Starred) for o in clause.objects):
        return " among "
    return " one of " if len(clause.objects) > 1 else " "


def _has(wanted: bool, must: bool) -> str:
    if must:
        return "must have" if wanted else "must not have"
    return "has" if wanted else "does not have"
