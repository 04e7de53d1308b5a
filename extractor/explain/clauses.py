"""Guards as clauses: who is tested, how, against what.

The structure between a guard's text and every sentence about it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec import Struct

from extractor.explain.dialect import FALSE_WORDS
from extractor.expression import literal, nodes_of, parse, path_of, source_of
from extractor.model.facts import Guard
from extractor.model.linked import Context, Input, Meaning, Values

_OPPOSITE = {
    "gt": "le",
    "ge": "lt",
    "eq": "ne",
    "none": "some",
    "true": "false",
    "in": "notin",
    "isa": "nota",
    "divides": "indivisible",
    "has": "lacks",
    "contains": "misses",
    "starts": "starts-not",
    "ends": "ends-not",
    "holds": "fails",
    "matches": "matches-not",
    "xor": "same",
    "running": "running-not",
    "caught": "caught-not",
    "exhausted": "exhausted-not",
}
OPPOSITE = {**_OPPOSITE, **{other: one for one, other in _OPPOSITE.items()}}
_COMPARISONS = {
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "eq",
    ast.IsNot: "ne",
    ast.In: "in",
    ast.NotIn: "notin",
}
_BOOLEAN = (ast.Compare, ast.BoolOp)
_FLIPPED = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge", "eq": "eq", "ne": "ne"}
_DEPTH = 6


class Clause(Struct, frozen=True):
    """One condition, true when the site is reached."""

    kind: str
    """One of the kinds above, or `and`, `or`, `exists`, `every`."""
    subject: ast.expr | None = None
    """What is tested."""
    objects: tuple[ast.expr, ...] = ()
    """What it is tested against."""
    parts: tuple[Clause, ...] = ()
    """Operands of `and`, `or`; the inner condition of `exists`, `every`."""
    text: str = ""
    """Source, where there is no better form: loops, handlers, patterns."""
    origin: str = "if"
    """Kind of the guard that it comes from."""
    line: int = 0
    """Line of that guard."""


class Reader:
    """Reads the guards of one site with what is known about names in them."""

    def __init__(self, context: Context) -> None:
        """Take the site's context."""
        self.context = context
        self._inside: dict[int, list[Input]] = {}
        self._alive: list[ast.AST] = []
        self.inputs: dict[str, Input] = {}
        for one in context.inputs:
            self.inputs.setdefault(one.expression, one)
        self.meanings: Mapping[str, Meaning] = {m.expression: m for m in context.meanings}
        self.values: Mapping[str, Values] = {v.expression: v for v in context.values}

    def constant(self, node: ast.expr) -> ast.expr:
        """Return the literal that a constant's name stands for, or the expression itself."""
        meaning = self.meanings.get(path_of(node))
        value = parse(meaning.value) if meaning is not None else None
        return value if value is not None and literal(value)[0] else node

    def elsewhere(self, inputs: tuple[Input, ...]) -> Reader:
        """Return a reader for tests of another function, which has other names."""
        return Reader(Context(inputs=inputs))

    def input(self, node: ast.AST | None) -> Input | None:
        """Return the input that an expression reads as a whole."""
        if node is None:
            return None
        return self.inputs.get(key_text(node)) if self.inputs else None

    def inputs_in(self, node: ast.AST) -> list[Input]:
        """Return the inputs that an expression reads anywhere."""
        found = self._inside.get(id(node))
        if found is None:
            found = []
            for part in nodes_of(node):
                if isinstance(part, ast.Name | ast.Attribute | ast.Call):
                    known = self.inputs.get(key_text(part))
                    if known is not None:
                        found.append(known)
            # The node is kept alive beside it, so that its id stays its own.
            self._inside[id(node)] = found
            self._alive.append(node)
        return found

    def clauses(self, guards: tuple[Guard, ...]) -> list[Clause]:
        """Return one clause a guard that is not stale, outermost first, chains on one subject merged."""
        found = [self._guard(guard) for guard in guards if not guard.stale]
        return _merged([clause for clause in found if clause is not None])

    def _guard(self, guard: Guard) -> Clause | None:
        kinds = {"for": "running", "except": "caught", "loop-exhausted": "exhausted", "match": "matches"}
        if guard.kind in kinds:
            kind = kinds[guard.kind]
            return Clause(kind if guard.holds else OPPOSITE[kind], text=guard.test, origin=guard.kind, line=guard.line)
        node = parse(guard.test)
        if node is None:
            return Clause("holds" if guard.holds else "fails", text=guard.test, origin=guard.kind, line=guard.line)
        return _placed(self.read(node, guard.holds), guard.kind, guard.line)

    def read(self, node: ast.expr, truth: bool, depth: int = 0) -> Clause:
        """Return what it means that `node` is true (or false)."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.read(node.operand, not truth, depth)
        if isinstance(node, ast.BoolOp):
            joined = isinstance(node.op, ast.And) == truth
            parts = _flat([self.read(part, truth, depth) for part in node.values], "and" if joined else "or")
            return Clause("and" if joined else "or", parts=tuple(parts))
        if isinstance(node, ast.Compare):
            return self._compare(node, truth)
        if isinstance(node, ast.Call):
            found = self._call(node, truth, depth)
            if found is not None:
                return found
        inner = self._meaning(node)
        if inner is not None and depth < _DEPTH:
            return self.read(inner, truth, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return Clause("indivisible" if truth else "divides", node.left, (node.right,))
        if isinstance(node, ast.NamedExpr):
            return self.read(node.value, truth, depth)
        return Clause("true" if truth else "false", node)

    def _meaning(self, node: ast.expr) -> ast.expr | None:
        """Return the condition that a name or a helper's call stands for, if it is one."""
        text = key_text(node)
        known = self.inputs.get(text)
        if known is not None and known.kind == "platform":
            return None
        meaning = self.meanings.get(text)
        inner = parse(meaning.value) if meaning is not None else None
        if isinstance(inner, ast.Call) and path_of(inner.func) == "bool" and len(inner.args) == 1:
            inner = inner.args[0]
        if isinstance(inner, ast.Compare | ast.BoolOp) or (
            isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not)
        ):
            return inner
        if isinstance(inner, ast.Call) and path_of(inner.func) in ("isinstance", "hasattr", "any", "all"):
            return inner
        return None

    def _compare(self, node: ast.Compare, truth: bool) -> Clause:
        right = node.comparators[0]
        if (
            len(node.ops) == 1
            and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot)
            and isinstance(right, _BOOLEAN)
        ) and isinstance(node.left, _BOOLEAN):
            differ = isinstance(node.ops[0], ast.NotEq | ast.IsNot) == truth
            return Clause("xor" if differ else "same", parts=(self.read(node.left, True), self.read(right, True)))
        pairs = []
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            pairs.append(self._pair(left, operator, right, truth))
            left = right
        if len(pairs) == 1:
            return pairs[0]
        return Clause("and" if truth else "or", parts=tuple(pairs))

    def _pair(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, truth: bool) -> Clause:
        kind = _COMPARISONS[type(operator)]
        if literal(left)[0] and not literal(right)[0] and kind in _FLIPPED:
            left, right, kind = right, left, _FLIPPED[kind]
        if not truth:
            kind = OPPOSITE[kind]
        read = self.input(left)
        if kind in ("eq", "ne") and read is not None and read.kind in ("option", "environment", "request-field"):
            constant = self.constant(right)
            if isinstance(literal(constant)[1], str):
                right = constant  # what a user types for the enum's member
        known, value = literal(right)
        if kind in ("in", "notin") and isinstance(left, ast.Constant) and path_of(right).endswith("environ"):
            # A test for presence reads as one for a value that is given.
            return Clause("some" if kind == "in" else "none", parse(f"{path_of(right)}.get({left.value!r})"))
        if kind in ("in", "notin") and literal(left)[0]:
            return Clause("contains" if kind == "in" else "misses", right, (left,))
        if kind in ("in", "notin"):
            return Clause(kind, left, self.members(right))
        if known and value is None:
            return Clause("none" if kind == "eq" else "some", left)
        if known and isinstance(value, bool) and isinstance(operator, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            return Clause("true" if (kind == "eq") == value else "false", left)
        if (
            isinstance(left, ast.BinOp)
            and isinstance(left.op, ast.Mod)
            and known
            and value == 0
            and kind in ("eq", "ne", "gt")
        ):
            return Clause("divides" if kind == "eq" else "indivisible", left.left, (left.right,))
        return Clause(kind, left, (right,))

    def members(self, node: ast.expr) -> tuple[ast.expr, ...]:
        """Return the members of a container as expressions, or the container itself where they are unknown."""
        values = self.values.get(source_of(node))
        if values is not None and values.members:
            found = [parse(member) for member in values.members]
            return tuple(member for member in found if member is not None)
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and node.elts:
            return tuple(node.elts)
        return (ast.Starred(node, ast.Load()),)

    def _call(self, node: ast.Call, truth: bool, depth: int) -> Clause | None:
        name = path_of(node.func)
        if name == "isinstance" and len(node.args) == 2:
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            return Clause("isa" if truth else "nota", node.args[0], tuple(kinds))
        if name == "hasattr" and len(node.args) == 2:
            return Clause("has" if truth else "lacks", node.args[0], (node.args[1],))
        if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return self._quantified(node.args[0], name == "any", truth, depth)
        if name == "bool" and len(node.args) == 1:
            return self.read(node.args[0], truth, depth)
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in ("startswith", "endswith")
            and len(node.args) == 1
        ):
            kind = "starts" if node.func.attr == "startswith" else "ends"
            given = tuple(node.args[0].elts) if isinstance(node.args[0], ast.Tuple) else (node.args[0],)
            return Clause(kind if truth else OPPOSITE[kind], node.func.value, given)
        if name == "callable" and len(node.args) == 1:
            return None
        return None

    def _quantified(self, node: ast.GeneratorExp | ast.ListComp, some: bool, truth: bool, depth: int) -> Clause | None:
        generator = node.generators[0]
        if len(node.generators) != 1 or generator.ifs:
            return None
        inner = self.read(node.elt, truth, depth + 1)
        text = f"{source_of(generator.target)} in {source_of(generator.iter)}"
        return Clause("exists" if some == truth else "every", generator.iter, (generator.target,), (inner,), text)


def key_text(node: ast.AST) -> str:
    """Return the text by which inputs and meanings know an expression; kept on the node."""
    known: str | None = node.__dict__.get("_key")
    if known is None:
        known = path_of(node) or (source_of(node) if isinstance(node, ast.Call | ast.Attribute) else "")
        node.__dict__["_key"] = known
    return known


def _placed(clause: Clause, origin: str, line: int) -> Clause:
    return Clause(clause.kind, clause.subject, clause.objects, clause.parts, clause.text, origin, line)


def _flat(parts: list[Clause], kind: str) -> list[Clause]:
    found: list[Clause] = []
    for part in parts:
        found.extend(part.parts if part.kind == kind else [part])
    return found


def negated(clause: Clause) -> Clause:
    """Return the clause that holds exactly when this one does not."""
    if clause.kind in ("and", "or"):
        kind = "or" if clause.kind == "and" else "and"
        return Clause(kind, parts=tuple(map(negated, clause.parts)), origin=clause.origin, line=clause.line)
    if clause.kind in ("exists", "every"):
        kind = "every" if clause.kind == "exists" else "exists"
        return Clause(
            kind, clause.subject, clause.objects, (negated(clause.parts[0]),), clause.text, clause.origin, clause.line
        )
    return Clause(
        OPPOSITE[clause.kind], clause.subject, clause.objects, clause.parts, clause.text, clause.origin, clause.line
    )


def key_of(node: ast.expr | None) -> str:
    """Return what tells two subjects apart."""
    return source_of(node) if node is not None else ""


def _merged(clauses: list[Clause]) -> list[Clause]:
    """Join `x != a`, `x != b`, `x not in …` of a chain into one `notin`, `not isinstance` into one `nota`.

    That is how an `if`/`elif` chain that ends in a raise spells its closed set.
    """
    found: list[Clause] = []
    for clause in clauses:
        kind = {"ne": "notin", "notin": "notin", "nota": "nota"}.get(clause.kind, "")
        open_set = any(isinstance(o, ast.Starred) for o in clause.objects)
        if kind and clause.origin in FALSE_WORDS and not open_set:
            key = key_of(clause.subject)
            for place, earlier in enumerate(found):
                same = (earlier.kind in (kind, "ne") and earlier.kind != "nota") or earlier.kind == kind
                known = not any(isinstance(o, ast.Starred) for o in earlier.objects)
                if same and known and key_of(earlier.subject) == key and earlier.origin in FALSE_WORDS:
                    objects = {key_of(o): o for o in (*earlier.objects, *clause.objects)}
                    del found[place]
                    clause = Clause(kind, clause.subject, tuple(objects.values()), (), "", clause.origin, clause.line)
                    break
        found.append(clause)
    return found
