"""What a container, a `Literal` or an enum holds, resolved through names and imports to its members."""

from __future__ import annotations

import ast

from extractor.expression import literal, parse, path_of
from extractor.link.tree import Tree
from extractor.model.index import ClassInfo

_COLLECT = frozenset({"list", "tuple", "set", "frozenset", "sorted", "dict"})
_ENUM_BASES = ("Enum", "StrEnum", "IntEnum", "Flag")
_DEPTH = 6

Found = tuple[tuple[str, ...], str, int]
"""Members as source text, the file that declares them, the line (0 if they stand in the expression itself)."""


def members(tree: Tree, path: str, text: str, depth: int = 0) -> Found | None:
    """Return what the container written `text` in the file at `path` holds; None where it is not wholly known."""
    node = parse(text)
    return _members(tree, path, node, depth) if node is not None else None


def _members(tree: Tree, path: str, node: ast.expr, depth: int) -> Found | None:
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _elements(tree, path, node.elts, depth)
    if isinstance(node, ast.Dict):
        return _elements(tree, path, [k for k in node.keys if k is not None], depth) if None not in node.keys else None
    if isinstance(node, ast.Name | ast.Attribute):
        return _named(tree, path, path_of(node), depth)
    if isinstance(node, ast.Subscript) and path_of(node.value).rpartition(".")[2] == "Literal":
        elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _elements(tree, path, elements, depth)
    if isinstance(node, ast.Subscript) and path_of(node.value).rpartition(".")[2] in ("Optional", "List", "list"):
        return _members(tree, path, node.slice, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.BitOr):
        left, right = _members(tree, path, node.left, depth + 1), _members(tree, path, node.right, depth + 1)
        return (tuple(dict.fromkeys((*left[0], *right[0]))), left[1], left[2]) if left and right else None
    if isinstance(node, ast.Call):
        return _called(tree, path, node, depth)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return _each_value(tree, path, node, depth)
    return None


def _elements(tree: Tree, path: str, nodes: list[ast.expr], depth: int) -> Found | None:
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            inner = _members(tree, path, node.value, depth + 1)
            if inner is None:
                return None
            found.extend(inner[0])
            continue
        known, value = literal(node)
        if known:
            found.append(repr(value))
            continue
        name = path_of(node)
        text = single_value(tree, path, name) if name else None
        if text is None and not name:
            return None
        found.append(text or name)
    return tuple(dict.fromkeys(found)), path, 0


def single_value(tree: Tree, path: str, name: str) -> str | None:
    """Return the literal that a constant name stands for, as source text."""
    at = tree.resolve(path, name)
    constant = tree.constants(at[0]).get(at[1]) if at is not None else None
    if constant is None or constant.container or at is None:
        return None
    node = parse(constant.text)
    known, value = literal(node)
    if known:
        return repr(value)
    if isinstance(node, ast.Name | ast.Attribute) and constant.text != name:
        return single_value(tree, at[0], path_of(node))
    return None


def _named(tree: Tree, path: str, name: str, depth: int) -> Found | None:
    at = tree.resolve(path, name) if name else None
    if at is None:
        return None
    constant = tree.constants(at[0]).get(at[1])
    if constant is not None:
        if constant.text and not (constant.container and constant.members):
            inner = members(tree, at[0], constant.text, depth + 1)
            return (inner[0], at[0], constant.line) if inner is not None else None
        if not constant.container or not constant.members or "…" in constant.members or "**" in constant.members:
            return None
        nodes = [n for n in map(parse, (m.removeprefix("*") for m in constant.members)) if n is not None]
        starred = [
            ast.Starred(n, ast.Load()) if text.startswith("*") else n
            for n, text in zip(nodes, constant.members, strict=False)
        ]
        inner = _elements(tree, at[0], starred, depth + 1) if len(nodes) == len(constant.members) else None
        return (inner[0], at[0], constant.line) if inner is not None else None
    info = tree.class_of(*at)
    return enum_values(tree, at[0], info) if info is not None else None


def is_enum(info: ClassInfo) -> bool:
    """Whether the class is an enum, by its bases' names."""
    return any(base.rpartition(".")[2].endswith(_ENUM_BASES) for base in info.bases)


def enum_values(tree: Tree, path: str, info: ClassInfo) -> Found | None:
    """Return an enum's values as source text, or its members' names where they are not literal."""
    if not is_enum(info):
        return None
    prefix = info.name + "."
    found = []
    for constant in tree.files[path].constants:
        name = constant.name.removeprefix(prefix)
        if name == constant.name or "." in name or name.startswith("_"):
            continue
        known, value = literal(parse(constant.text))
        found.append(repr(value) if known and isinstance(value, str) else f"{info.name}.{name}")
    return (tuple(found), path, info.line) if found else None


def _called(tree: Tree, path: str, node: ast.Call, depth: int) -> Found | None:
    name = path_of(node.func)
    if name in _COLLECT and len(node.args) == 1:
        return _members(tree, path, node.args[0], depth + 1)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "keys" and not node.args:
        return _members(tree, path, node.func.value, depth + 1)
    if name and not node.args and not node.keywords:
        at = tree.resolve(path, name)
        function = tree.function(*at) if at is not None else None
        if at is not None and function is not None and function[1].value:
            return members(tree, at[0], function[1].value, depth + 1)
    return None


def _each_value(tree: Tree, path: str, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, depth: int) -> Found | None:
    """Resolve `[e.value for e in Enum]` and `[x for x in XS]`."""
    generator = node.generators[0]
    if len(node.generators) != 1 or generator.ifs or not isinstance(generator.target, ast.Name):
        return None
    element = path_of(node.elt)
    if element in (generator.target.id, f"{generator.target.id}.value"):
        return _members(tree, path, generator.iter, depth + 1)
    return None
