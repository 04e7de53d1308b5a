"""Clauses in words: what is the case when the site is reached, and what would have to be the case instead."""

from __future__ import annotations

import ast
import re

from extractor.explain.clauses import Clause, Reader, negated
from extractor.explain.dialect import COMPARED, PROPERTIES, TYPE_WORDS
from extractor.expression import literal, nodes_of, path_of, source_of
from extractor.model.linked import Input, Option, Variable

_LONGEST = 110
_MOST_VALUES = 14
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}


class Wording:
    """Says the clauses of one site."""

    def __init__(self, reader: Reader) -> None:
        """Take what is known about names."""
        self.reader = reader
        self._said: dict[tuple[int, int], tuple[str, Clause]] = {}
        self.tries: dict[int, str] = {}
        """Line of a handler → what its `try` block does."""

    # things

    def thing(self, node: ast.expr | None) -> str:
        """Name an expression: a flag, a variable, a field, or its source."""
        if node is None:
            return "it"
        known = self.reader.input(node)
        if known is not None and not isinstance(node, ast.Call):
            named = self.input(known)
            if named:
                return named
        if known is not None and known.kind in ("environment", "option", "config-field", "request-field"):
            return self.input(known)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            known_rest, rest = literal(node.values[1])
            if known_rest and not rest:
                return self.thing(node.values[0])  # `x or ""`
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS and self._speaks(node):
            return f"{self.operand(node.left)} {_OPERATORS[type(node.op)]} {self.operand(node.right)}"
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            path = path_of(node.value)
            if path.endswith(".shape") and literal(node.slice)[0]:
                return f"dimension {source_of(node.slice)} of {self.thing(node.value.value)}"  # type: ignore[attr-defined]
        return code(source_of(node))

    def operand(self, node: ast.expr) -> str:
        """Name an operand, arithmetic of its own in parentheses."""
        text = self.thing(node)
        return f"({text})" if isinstance(node, ast.BinOp) and not text.startswith("`") else text

    def _speaks(self, node: ast.expr) -> bool:
        """Whether some part of an expression has a better name than its source."""
        return any(
            (known := self.reader.input(part)) is not None
            and known.kind in ("option", "environment", "request-field", "config-field")
            for part in nodes_of(node)
            if isinstance(part, ast.Name | ast.Attribute | ast.Call)
        )

    def _called(self, node: ast.Call) -> str:
        name = path_of(node.func)
        if name == "len" and len(node.args) == 1:
            return f"the length of {self.thing(node.args[0])}"
        if name == "set" and len(node.args) == 1:
            return f"the distinct values of {self.thing(node.args[0])}"
        if name in ("int", "float", "str") and len(node.args) == 1:
            return self.thing(node.args[0])
        if name in ("tuple", "list") and len(node.args) == 1 and path_of(node.args[0]).endswith(".shape"):
            return self.thing(node.args[0])
        if name == "type" and len(node.args) == 1:
            return f"the type of {self.thing(node.args[0])}"
        path = path_of(node)
        if path:
            for ending, phrase in PROPERTIES.items():
                if ending.endswith("()") and path.endswith("." + ending) and isinstance(node.func, ast.Attribute):
                    return phrase.format(self.thing(node.func.value))
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr == "size"
            and len(node.args) == 1
            and literal(node.args[0])[0]
        ):
            return f"dimension {source_of(node.args[0])} of {self.thing(node.func.value)}"
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("lower", "strip", "upper") and not node.args:
            return self.thing(node.func.value)
        return code(source_of(node))

    def _attribute(self, node: ast.Attribute) -> str:
        if node.attr in PROPERTIES and not literal(node.value)[0]:
            root = path_of(node.value)
            if root:
                return PROPERTIES[node.attr].format(self.thing(node.value))
        if node.attr == "value":
            return self.thing(node.value)
        return code(source_of(node))

    def input(self, known: Input) -> str:
        """Name an input; empty where its source text is the best name."""
        match known.kind:
            case "option":
                flag = isinstance(known.source, Option) and known.source.flag
                return f"`{known.name}`" if flag else f"the setting `{known.name}`"
            case "environment":
                return f"`{known.name}`"
            case "request-field":
                return f"request field `{known.name}`"
            case "config-field":
                return f"`{known.name}` of the model config"
            case _:
                return ""

    def value(self, node: ast.expr, subject: ast.expr | None = None) -> str:
        """Say what something is compared with: option values bare, others as source."""
        known, value = literal(node)
        if known and isinstance(value, str):
            named = self.reader.input(subject)
            bare = named is not None and named.kind in ("option", "environment", "request-field", "config-field")
            if value == "":
                return "an empty string"
            return f"`{value}`" if bare and "`" not in value else code(repr(value))
        if known:
            return f"{value}" if isinstance(value, int | float) and not isinstance(value, bool) else f"`{value}`"
        if isinstance(node, ast.Starred):
            return f"the values of {code(source_of(node.value))}"
        constant = self.reader.constant(node)
        if constant is not node:
            named = self.reader.input(subject)
            text = isinstance(literal(constant)[1], str)
            if text and named is not None and named.kind in ("environment", "option", "request-field"):
                return self.value(constant, subject)
            return f"{code(path_of(node))} ({source_of(constant)})"
        return self.thing(node)

    def listed(self, nodes: tuple[ast.expr, ...], subject: ast.expr | None, word: str = "or") -> str:
        """List values, the first ones of many."""
        texts = [self.value(node, subject) for node in nodes]
        if len(texts) > _MOST_VALUES:
            return ", ".join(texts[:_MOST_VALUES]) + f" and {len(texts) - _MOST_VALUES} more"
        return joined(texts, word)

    # clauses

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
        return self._predicate(negated(clause).kind, negated(clause), must=False)

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
        predicate = self._predicate(kind, first, must)
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
        if (
            clause.kind in ("true", "false")
            and isinstance(subject, ast.Call)
            and isinstance(subject.func, ast.Attribute)
            and subject.func.attr == "is_contiguous"
        ):
            return f"{self.thing(subject.func.value)} {_be(clause.kind == 'true', must)} contiguous"
        if self._emptiness(clause.kind, clause, must) and isinstance(subject, ast.Call):
            subject = subject.args[0]
        return f"{self.thing(subject)} {self._predicate(clause.kind, clause, must)}"

    def _emptiness(self, kind: str, clause: Clause, must: bool) -> str:
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

    def _predicate(self, kind: str, clause: Clause, must: bool) -> str:
        is_, is_not = ("must be", "must not be") if must else ("is", "is not")
        known = self.reader.input(clause.subject)
        given = known is not None and (
            known.kind == "environment" or (known.kind in ("option", "request-field") and _optional(known))
        )
        if known is not None and known.kind == "environment" and kind in ("none", "some"):
            return f"{is_ if kind == 'some' else is_not} set"
        one = self.value(clause.objects[0], clause.subject) if clause.objects else ""
        empty = self._emptiness(kind, clause, must)
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


def code(text: str) -> str:
    """Put source in backticks, long text cut at a blank."""
    folded = " ".join(text.split())
    if len(folded) > _LONGEST:
        folded = folded[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"`{folded}`" if "`" not in folded else folded


def joined(texts: list[str], word: str, either: bool = False) -> str:
    """Join with commas and a last word."""
    if len(texts) == 1:
        return texts[0]
    start = "either " if either and len(texts) == 2 and not any(text.startswith("either") for text in texts) else ""
    return start + ", ".join(texts[:-1]) + f" {word} {texts[-1]}"


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


def _be(wanted: bool, must: bool) -> str:
    if must:
        return "must be" if wanted else "must not be"
    return "is" if wanted else "is not"


def _has(wanted: bool, must: bool) -> str:
    if must:
        return "must have" if wanted else "must not have"
    return "has" if wanted else "does not have"


def _plural(predicate: str) -> str:
    return re.sub(r"^is\b", "are", re.sub(r"^has\b", "have", re.sub(r"^does\b", "do", predicate)))


def capital(text: str) -> str:
    """Start a sentence, source in backticks left alone."""
    return text[:1].upper() + text[1:]
