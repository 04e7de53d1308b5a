"""Runs a record's pre-check and the guards that it was made from on the same values, with no code of the extractor.

Every dotted path that a guard reads gets a value; the pre-check sees the same value under the name that it uses. Where one of the
two cannot be evaluated (a helper of the program, a local computed elsewhere), there is nothing to compare.
"""

from __future__ import annotations

import ast
import contextlib
import io
import random
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from extractor.model.linked import LinkedSite, Option

PLAIN: tuple[Any, ...] = (
    None,
    0,
    1,
    2,
    3,
    -1,
    8,
    64,
    "",
    "a",
    "auto",
    True,
    False,
    [],
    ["a"],
    [1, 2],
    [None, 1],
    0.5,
    {},
)
_BUILTINS = vars(__import__("builtins"))


class UnknownError(Exception):
    """Cannot be evaluated here."""


def paths(node: ast.AST) -> set[str]:
    """Return the maximal dotted paths that an expression reads."""
    found = set()
    inner = {id(child.value) for child in ast.walk(node) if isinstance(child, ast.Attribute)}
    called = {id(child.func) for child in ast.walk(node) if isinstance(child, ast.Call)}
    own = {
        n.id
        for c in ast.walk(node)
        if isinstance(c, ast.comprehension)
        for n in ast.walk(c.target)
        if isinstance(n, ast.Name)
    }
    for child in ast.walk(node):
        if isinstance(child, ast.Name | ast.Attribute) and id(child) not in inner and id(child) not in called:
            text = ast.unparse(child)
            if text.replace(".", "").replace("_", "").isalnum() and text.split(".")[0] not in own | set(_BUILTINS):
                found.add(text)
        elif (
            isinstance(child, ast.Attribute)
            and id(child) in called
            and isinstance(child.value, ast.Name | ast.Attribute)
        ):
            text = ast.unparse(child.value)
            if text.split(".")[0] not in own:
                found.add(text)
    return {path for path in found if not any(other.startswith(path + ".") for other in found)}


def literals(texts: list[str]) -> list[Any]:
    """Return the literals in some expressions, and their neighbours."""
    found: list[Any] = []
    for text in texts:
        for node in ast.walk(ast.parse(text, mode="eval")):
            if isinstance(node, ast.Constant):
                found.append(node.value)
                if isinstance(node.value, int) and not isinstance(node.value, bool):
                    found += [node.value + 1, node.value - 1, 2 * node.value]
    return found


def namespace(values: Mapping[str, Any]) -> dict[str, Any]:
    """Make objects of dotted paths."""
    roots: dict[str, Any] = {}
    for path, value in values.items():
        parts = path.split(".")
        if len(parts) == 1:
            roots[path] = value
            continue
        holder = roots.setdefault(parts[0], SimpleNamespace())
        for part in parts[1:-1]:
            if not hasattr(holder, part):
                setattr(holder, part, SimpleNamespace())
            holder = getattr(holder, part)
        setattr(holder, parts[-1], value)
    return roots


def runs_into(code: str, names: Mapping[str, Any]) -> bool:
    """Return whether a pre-check objects."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "<check>", "exec"), dict(names))  # noqa: S102  # the code under test is there to be run
    except (ValueError, SystemExit) as error:
        if isinstance(error, SystemExit) or "raise" in code:
            return True
        raise UnknownError from error
    except Exception as error:
        raise UnknownError from error
    return False


def reached(site: LinkedSite, names: dict[str, Any]) -> bool:
    """Return whether all guards have their outcome."""
    try:
        for guard in site.site.guards:
            if bool(eval(guard.test, dict(names))) != guard.holds:  # noqa: S307  # a test of ours over stub values
                return False
    except Exception as error:
        raise UnknownError from error
    return True


def renamed(site: LinkedSite) -> dict[str, str]:
    """Return how the pre-check calls what a guard reads."""
    found = {}
    for one in site.context.inputs:
        if one.kind == "option" and isinstance(one.source, Option):
            found[one.expression] = f"args.{one.source.field}"
        elif one.kind == "request-field":
            found[one.expression] = f"request.{one.name}"
    return found


def compare(site: LinkedSite, code: str, rounds: int, seed: int) -> tuple[int, int, str]:
    """Return in how many rounds both could be evaluated, in how many of these the guards held, and the first difference."""
    chance = random.Random(seed)  # noqa: S311  # to be repeatable, not secret
    meanings = {m.expression: m.value for m in site.context.meanings}
    tests = [guard.test for guard in site.site.guards]
    read = set().union(*(paths(ast.parse(test, mode="eval")) for test in tests))
    computed: dict[str, str] = {}
    while new := {path for path in read if path in meanings and path not in computed}:
        for path in new:
            computed[path] = meanings[path]
            with contextlib.suppress(SyntaxError):
                read |= paths(ast.parse(meanings[path], mode="eval"))
    # An object is told by its attributes where both it and they are read.
    read = {path for path in read if not any(other.startswith(path + ".") for other in read)}
    pool = [*PLAIN, *literals(tests), *literals([m for v in site.context.values for m in v.members])]
    names = renamed(site)
    compared = held = 0
    for _ in range(rounds):
        values = {path: chance.choice(pool) for path in sorted(read - set(computed))}
        for path in sorted(computed) * len(computed):
            with contextlib.suppress(Exception):
                values[path] = eval(computed[path], namespace(values))  # noqa: S307  # as above
        shown = {names[path]: value for path, value in values.items() if path in names} | values
        for container in site.context.values:
            with contextlib.suppress(Exception):
                if container.expression.replace(".", "").isidentifier():
                    values[container.expression] = tuple(map(ast.literal_eval, container.members))
        try:
            wanted = reached(site, namespace(values))
            found = runs_into(code, namespace(shown))
        except UnknownError:
            continue
        compared += 1
        held += wanted
        if wanted != found:
            return compared, held, f"{values}: guards {wanted}, check {found}"
    return compared, held, ""
