"""Values that clauses accept: tried out on literals, so that no advice contradicts a guard."""

from __future__ import annotations

import ast
from collections.abc import Callable

from extractor.explain.clauses import Clause, key_of
from extractor.explain.vocabulary import TEST_WORDS
from extractor.expression import literal
from extractor.model.linked import Variable

_ORDER: dict[str, Callable[[float, float], bool]] = {
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def holds(clause: Clause, subject: str, value: object) -> bool | None:
    """Return whether the clause holds when `subject` has that literal value; None if that cannot be told."""
    if clause.kind in ("and", "or"):
        results = [holds(part, subject, value) for part in clause.parts]
        if clause.kind == "and":
            return False if False in results else None if None in results else True
        return True if True in results else None if None in results else False
    if clause.subject is None or key_of(clause.subject) != subject:
        return None
    kind = clause.kind
    if kind in ("none", "some"):
        return (value is None) == (kind == "none")
    if kind in ("true", "false"):
        return bool(value) == (kind == "true")
    objects = [literal(o) for o in clause.objects]
    if not all(known for known, _ in objects):
        return None
    return _compared(kind, value, [o for _, o in objects])


def _compared(kind: str, value: object, objects: list[object]) -> bool | None:
    if kind in ("eq", "ne"):
        return (value == objects[0]) == (kind == "eq")
    if kind in ("in", "notin"):
        return (value in objects) == (kind == "in")
    number = isinstance(value, int | float) and isinstance(objects[0], int | float)
    if kind in _ORDER:
        return _ORDER[kind](value, objects[0]) if number else None  # type: ignore[arg-type]  # both are numbers here
    if kind in ("divides", "indivisible"):
        if not number or not objects[0]:
            return None
        return bool(value % objects[0] == 0) == (kind == "divides")  # type: ignore[operator]  # both are numbers here
    if kind in ("starts", "starts-not") and isinstance(value, str):
        return any(value.startswith(str(o)) for o in objects) == (kind == "starts")
    return None


def value_of(text: str) -> tuple[bool, object]:
    """Return whether a source text is a literal, and its value."""
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False, None


def is_for_tests(variable: Variable) -> bool:
    """Tell whether an environment variable is one by which a project tells its own test runs apart."""
    return bool(TEST_WORDS & set(variable.name.split("_")))
