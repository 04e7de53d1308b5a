"""What an expression reads and what a statement changes, as access paths (`cfg.sizes[0]`).

A path is a tuple of steps: the name, then `.attribute` or `[constant]` or `[*]` for an index that is not constant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import Enum

Path = tuple[str, ...]

ANY_ITEM = "[*]"

MUTATORS = frozenset(
    {
        "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert",
        "intersection_update", "pop", "popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort",
        "symmetric_difference_update", "update", "__setitem__", "__delitem__",
    }
)  # fmt: skip
"""Methods of the built-in containers that change the object they are called on (contract, section 7)."""

HIDDEN_CHANGES = re.compile(r":=|\.\s*(?:" + "|".join(sorted(MUTATORS)) + r")\s*\(")
"""Text without which no expression changes anything; lets most expressions go unvisited."""


class Change(Enum):
    """How a path is changed."""

    BIND = "bind"
    """Assigned or deleted."""
    MUTATE = "mutate"
    """A method that changes its object is called on it."""


Effect = tuple[Change, Path]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def path_of(node: ast.expr) -> Path | None:
    """Return the access path that an expression spells, None for anything else."""
    steps: list[str] = []
    while True:
        if isinstance(node, ast.Name):
            steps.append(node.id)
            return tuple(reversed(steps))
        if isinstance(node, ast.Attribute):
            steps.append("." + node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript):
            steps.append(f"[{node.slice.value!r}]" if isinstance(node.slice, ast.Constant) else ANY_ITEM)
            node = node.value
        else:
            return None


def reads(*expressions: ast.AST | None) -> frozenset[Path]:
    """Return the longest paths that the expressions read, what they bind for themselves left out."""
    found: set[Path] = set()
    todo: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset()) for node in expressions if node is not None]
    while todo:
        node, own = todo.pop()
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            path = path_of(node)
            if path is not None:
                if path[0] not in own:
                    found.add(path)
                todo.extend((index, own) for index in _indexes(node))
                continue
        own = own | _own_names(node)
        todo.extend((child, own) for child in ast.iter_child_nodes(node))
    return frozenset(found)


def _own_names(node: ast.AST) -> frozenset[str]:
    """Return the variables of a comprehension or the parameters of a lambda, which nothing outside can change."""
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        names = (each for generator in node.generators for each in ast.walk(generator.target))
        return frozenset(each.id for each in names if isinstance(each, ast.Name))
    if isinstance(node, ast.Lambda):
        spec = node.args
        every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
        return frozenset(each.arg for each in every if each is not None)
    return frozenset()


def _indexes(node: ast.expr) -> Iterator[ast.expr]:
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript):
            if not isinstance(node.slice, ast.Constant):
                yield node.slice
            node = node.value
        else:
            assert isinstance(node, ast.Attribute)  # noqa: S101 -- path_of accepted the chain
            node = node.value


def disturbs(effect: Effect, path: Path) -> bool:
    """Tell whether a change may alter what reading `path` gives (contract, section 7, `stale`)."""
    change, changed = effect
    if change is Change.BIND and changed[-1].startswith("[") and len(path) == len(changed) - 1:
        # The test reads the container as a whole (`key in table`, `len(rows)`), and an item of it is set.
        changed = changed[:-1]
    if len(changed) > len(path):
        return False
    return all(_may_equal(a, b) for a, b in zip(changed, path, strict=False))


def _may_equal(a: str, b: str) -> bool:
    return a == b or (a[0] == "[" and b[0] == "[" and ANY_ITEM in (a, b))


def targets(node: ast.expr) -> Iterator[ast.expr]:
    """Return the single targets of a possibly nested assignment target."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            yield from targets(element)
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)
    else:
        yield node


def bound(target: ast.expr | None) -> Iterator[Effect]:
    """Return the changes that assigning to or deleting `target` makes."""
    for single in targets(target) if target is not None else ():
        path = path_of(single)
        if path is not None:
            yield Change.BIND, path


def pattern_names(pattern: ast.pattern) -> Iterator[str]:
    """Return the names that a `case` pattern captures (PEP 634)."""
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest


def hidden_effects(expressions: Iterable[ast.AST | None]) -> Iterator[Effect]:
    """Return what evaluating expressions changes: assignment expressions and calls of mutating methods."""
    for root in expressions:
        if root is None:
            continue
        for node in _evaluated(root):
            if isinstance(node, ast.NamedExpr):
                yield Change.BIND, (node.target.id,)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
                path = path_of(node.func.value)
                if path is not None:
                    yield Change.MUTATE, path


def _evaluated(root: ast.AST) -> Iterator[ast.AST]:
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.Lambda):  # its body runs elsewhere
            todo.extend(ast.iter_child_nodes(node))


def statement_effects(node: ast.stmt) -> Iterator[Effect]:
    """Return what a simple statement (or a definition) binds or deletes, hidden effects aside."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from bound(target)
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.AnnAssign) and node.value is not None):
        yield from bound(node.target)
    elif isinstance(node, ast.Delete):
        for target in node.targets:
            yield from bound(target)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield Change.BIND, ((alias.asname or alias.name.split(".")[0]),)
    elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        yield Change.BIND, (node.name,)


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Return every statement of a file, those of functions and classes too, without going through expressions."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo.extend(getattr(node, field, ()))


def evaluated(node: ast.AST) -> list[ast.AST]:
    """Return the expressions that a statement or header evaluates itself, its inner blocks left out."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return [*node.decorator_list]
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        return [node.test]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, ast.ExceptHandler):
        return []
    if isinstance(node, ast.match_case):
        return [node.guard] if node.guard is not None else []
    return list(ast.iter_child_nodes(node))


def assignment_expressions(root: ast.AST) -> Iterator[tuple[ast.NamedExpr, bool | None]]:
    """Return the assignment expressions below `root` (PEP 572), and whether evaluating it surely comes to them.

    None stands for one in a comprehension, which gives a name many values.
    """
    todo: list[tuple[ast.AST, bool | None]] = [(root, True)]
    while todo:
        node, certain = todo.pop()
        if isinstance(node, ast.NamedExpr):
            yield node, certain
        elif isinstance(node, ast.Lambda):
            continue
        maybe = None if certain is None else False
        if isinstance(node, ast.BoolOp):
            todo.append((node.values[0], certain))
            todo.extend((each, maybe) for each in node.values[1:])
        elif isinstance(node, ast.IfExp):
            todo.extend([(node.test, certain), (node.body, maybe), (node.orelse, maybe)])
        elif isinstance(node, ast.Compare):
            todo.extend([(node.left, certain), (node.comparators[0], certain)])
            todo.extend((each, maybe) for each in node.comparators[1:])
        else:
            many = isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
            todo.extend((child, None if many else certain) for child in ast.iter_child_nodes(node))
