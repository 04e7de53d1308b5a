"""Code to put before a call: the guards as one test over the user's own values, exact or not at all."""

from __future__ import annotations

import ast
from typing import Any

from extractor.explain.case import Case, leaves
from extractor.explain.clauses import Clause, key_text
from extractor.explain.dialect import BUILTIN_TYPES, SAFE_CALLS, SAFE_METHODS
from extractor.expression import fresh, literal, nodes_of, parse, path_of
from extractor.model.facts import Guard
from extractor.model.linked import Option

_MOST_GUARDS = 10
_LONGEST = 700
_HARMLESS = SAFE_CALLS | BUILTIN_TYPES | {"self", "cls"}
_EXPRESSIONS = frozenset({"if", "else", "early-exit", "assert", "while"})
_DEPTH = 5


class _UnknownError(Exception):
    """Part of a guard cannot be evaluated outside of the program."""


def validation_code(case: Case) -> str | None:
    """Return `if …: raise …` that is true exactly when the guards are; None if one of them cannot be written so."""
    guards = case.site.guards
    if not guards or len(guards) > _MOST_GUARDS or any(g.stale or g.kind not in _EXPRESSIONS for g in guards):
        return None
    if not all(_promising(case, guard) for guard in guards):
        return None
    try:
        tests = [_test(case, guard) for guard in guards]
    except _UnknownError:
        return None
    tests = list(dict.fromkeys(tests))
    if sum(map(len, tests)) > _LONGEST or not any(_speaks(test) for test in tests):
        return None
    demand = case.words.demand(case.primary) if case.primary is not None else ""
    text = demand.replace("`", "").replace('"', "'")
    raised = "SystemExit" if any(test for test in tests if "args." in test) else case.site.exception_class
    if not raised.isidentifier():
        raised = "ValueError"
    head = " and ".join(f"({t})" if _loose(t) and len(tests) > 1 else t for t in tests)
    if len(head) > 100 and len(tests) > 1:
        lines = "\n    and ".join(f"({t})" if _loose(t) else t for t in tests)
        head = f"(\n    {lines}\n)"
    code = f"if {head}:\n    raise {raised}({text!r})"
    return code if _compiles(code) else None


def _promising(case: Case, guard: Guard) -> bool:
    """Whether every name in a guard is one that a rewritten test may use or has a replacement.

    A look before the work.
    """
    node = parse(guard.test)
    if node is None:
        return False
    reader = case.reader
    own = {
        n.id
        for part in nodes_of(node)
        if isinstance(part, ast.comprehension)
        for n in nodes_of(part.target)
        if isinstance(n, ast.Name)
    }
    for part in nodes_of(node):
        if (
            isinstance(part, ast.Name)
            and part.id not in own
            and part.id not in case.parameters
            and part.id not in _HARMLESS
        ):
            known = part.id in reader.inputs or part.id in reader.meanings or part.id in reader.values
            if not known and not any(
                text.startswith((part.id + ".", part.id + "(")) for text in (*reader.inputs, *reader.meanings)
            ):
                return False
        elif (
            isinstance(part, ast.Call) and key_text(part) not in reader.meanings and key_text(part) not in reader.inputs
        ):
            named = isinstance(part.func, ast.Name) and part.func.id in SAFE_CALLS
            if not named and not (isinstance(part.func, ast.Attribute) and part.func.attr in SAFE_METHODS):
                return False
    return True


def _speaks(test: str) -> bool:
    node = parse(test)
    return node is not None and any(isinstance(part, ast.Name) for part in ast.walk(node))


def _loose(test: str) -> bool:
    node = parse(test)
    return isinstance(node, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)


def _test(case: Case, guard: Guard) -> str:
    node = fresh(guard.test)
    if node is None:
        raise _UnknownError
    rewritten = _Rewrite(case).expression(node)
    if not guard.holds:
        rewritten = _negated(rewritten)
    return ast.unparse(ast.fix_missing_locations(rewritten))


_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


def _negated(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
        return ast.Compare(node.left, [_FLIPPED[type(node.ops[0])]()], node.comparators)
    return ast.UnaryOp(ast.Not(), node)


class _Rewrite(ast.NodeTransformer):
    """Replaces reads of options by `args.field`, constants by their values; refuses what it cannot carry over."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.depth = 0
        self.bound: set[str] = set()
        self.parameters = {
            one.name.split(".", 1)[0] for one in case.context.inputs if one.kind in ("parameter", "tensor-property")
        }
        self.parameters |= case.parameters

    def expression(self, node: ast.expr) -> ast.expr:
        """Visit an expression, which gives one."""
        changed: ast.expr = self.visit(node)
        return changed

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name | ast.Attribute | ast.Call):
            text = key_text(node)
            replaced = self._replacement(text, node)
            if replaced is not None:
                return replaced
        if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
            self.bound |= {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Lambda | ast.Yield | ast.JoinedStr):
            raise _UnknownError
        return super().visit(node)

    def _replacement(self, text: str, node: ast.AST) -> ast.AST | None:
        known = self.case.reader.inputs.get(text)
        bound = self.case.reader.meanings.get(text)
        if bound is not None and bound.line and isinstance(node, ast.Name):
            known = None  # its own expression is more exact than the input that it comes from
        if known is not None and known.kind == "option" and isinstance(known.source, Option) and text:
            return ast.Attribute(ast.Name("args", ast.Load()), known.source.field, ast.Load())
        if known is not None and known.kind == "request-field" and text:
            return ast.Attribute(ast.Name("request", ast.Load()), known.name, ast.Load())
        if known is not None and known.kind in ("environment", "platform", "package"):
            raise _UnknownError
        meaning = None if text[:1].isupper() and "." in text else self.case.reader.meanings.get(text)
        if meaning is not None and self.depth < _DEPTH and not text.startswith("self."):
            inner = fresh(meaning.value) if meaning.line or isinstance(node, ast.Call) else None
            if inner is not None:
                self.depth += 1
                try:
                    return self.expression(inner)
                except _UnknownError:
                    if isinstance(node, ast.Call):
                        raise
                finally:
                    self.depth -= 1
        values = self.case.reader.values.get(text)
        if values is not None:
            members = [parse(m) for m in values.members]
            if members and all(m is not None and literal(m)[0] for m in members):
                return ast.Tuple([m for m in members if m is not None], ast.Load())
        return None

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:  # the name that ast calls it by
        path = path_of(node)
        if not path:
            return self.generic_visit(node)
        root = path.split(".", 1)[0]
        known = self.case.reader.inputs.get(path)
        if root in self.bound:
            return node
        if (
            node.attr.isupper()
            or root not in self.parameters
            or (known is not None and known.kind in ("environment", "platform", "package"))
        ):
            # An enum's member, another package's name, the object's own state: nothing the user's code has at hand.
            raise _UnknownError
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:  # the name that ast calls it by
        known = self.case.reader.inputs.get(node.id)
        if node.id in self.bound or (known is None and node.id in self.parameters):
            return node
        if known is None or known.kind not in ("parameter", "tensor-property", "config-field"):
            raise _UnknownError  # a local of the function: nothing that the user's code has at hand
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:  # the name that ast calls it by
        name = path_of(node.func)
        if isinstance(node.func, ast.Name) and node.func.id in SAFE_CALLS:
            if node.func.id == "isinstance":
                kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
                if any(not (isinstance(k, ast.Name) and k.id in BUILTIN_TYPES) for k in kinds):
                    raise _UnknownError
                node.args[0] = self.expression(node.args[0])
                return node
            node.args = [self.expression(a) for a in node.args]
            node.keywords = [ast.keyword(k.arg, self.expression(k.value)) for k in node.keywords]
            return node
        if isinstance(node.func, ast.Attribute) and node.func.attr in SAFE_METHODS and name:
            node.func.value = self.expression(node.func.value)
            node.args = [self.expression(a) for a in node.args]
            return node
        raise _UnknownError

    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # the name that ast calls it by
        for part in (node.left, *node.comparators):
            if isinstance(part, ast.Tuple) and not part.elts:
                raise _UnknownError
        return self.generic_visit(node)


def _compiles(code: str) -> bool:
    try:
        compile(code, "<check>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def type_guard(case: Case) -> str | None:
    """Return a function that tells whether a value has the type that the primary condition asks for."""
    for leaf in leaves(case.primary):
        if leaf.kind == "nota" and leaf.subject is not None:
            types = [ast.unparse(o) for o in leaf.objects]
            if all(t in BUILTIN_TYPES for t in types):
                name = path_of(leaf.subject).rpartition(".")[2]
                known = case.reader.input(leaf.subject)
                if known is not None and known.kind == "request-field":
                    name = known.name
                elif known is None or known.kind not in ("parameter", "option", "config-field"):
                    continue
                if not name.isidentifier():
                    continue
                union = types[0] if len(types) == 1 else "(" + ", ".join(types) + ")"
                return f"def is_valid_{name.strip('_')}(value: object) -> bool:\n    return isinstance(value, {union})"
    return None


def try_catch(case: Case) -> str | None:
    """Return how to call a public function of a module and tell this error from others."""
    site, module = case.site, case.context.module
    name = site.qualname
    if case.context.surface not in ("python-api", "model-loading", "request") or not module or "." in name:
        return None
    if name.startswith("_") or not name.isidentifier() or site.exception_class != "ValueError":
        return None
    if any(part.startswith("_") or not part.isidentifier() for part in module.split(".")):
        return None
    if name == "main" or {"test", "tests"} & set(module.split(".")):
        return None
    fixed = max(case.variants[0].texts, key=len).strip()
    if len(fixed) < 12:
        return None
    piece = fixed[:60].rsplit(" ", 1)[0] if len(fixed) > 60 else fixed
    code = (
        f"from {module} import {name}\n\ntry:\n    result = {name}(...)\nexcept ValueError as error:\n"
        f"    if {piece!r} not in str(error):\n        raise\n"
        "    result = None  # the condition above was met: handle it here"
    )
    return code if _compiles(code) else None


def strategy(case: Case, validation: str | None, guard: str | None, catch: str | None) -> str | None:
    """Return how calling code best deals with the error."""
    primary = case.primary
    if primary is not None and primary.kind == "caught":
        return "try-catch"
    if guard is not None:
        return "type-guard"
    kinds = {one.kind for one in case.inputs_of(primary)}
    if kinds & {"platform", "package"}:
        return "fallback"
    if case.context.surface in ("kernel", "internal") and validation is None:
        return None
    if validation is not None or kinds & {"option", "environment", "request-field", "parameter", "config-field"}:
        return "validation"
    return "try-catch" if catch is not None else None


def is_option_check(clause: Clause, case: Case) -> bool:
    """Whether a clause tests options only."""
    inputs = case.inputs_of(clause)
    return bool(inputs) and all(one.kind == "option" for one in inputs)
