"""What names mean: wanted exception classes and imports, as seen from a region."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cached_property

from extractor.model.facts import ConstantRef, ScanOptions
from extractor.scan.access import Path, path_of
from extractor.scan.constants import Constants
from extractor.scan.region import FUNCTIONS, Binding, Region, region_of
from extractor.scan.swallowing import swallowing_names
from extractor.scan.text import Source

_MAX_BASES = 8
"""Base classes are followed this far."""

_ASSIGNED_TO = re.compile(r"\b(\w+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)?$")
_RENAMED = re.compile(r"\s+as\s+(\w+)")

_Seen = frozenset[tuple[int, str]]


class FileNames:
    """Looks up the names of one file."""

    def __init__(self, tree: ast.Module, source: Source, options: ScanOptions) -> None:
        """Read the module level of `tree` once."""
        self.module: Region = region_of(tree, source)
        self.constants = Constants(tree, source.text)
        self._tree = tree
        self._source = source
        self._derived = frozenset(name.rpartition(".")[2] for name in options.derived)
        self._wanted = frozenset(name.rpartition(".")[2] for name in options.exceptions) | self._derived

    def scope_of(self, name: str, region: Region) -> Region:
        """Return the region in which a name is looked up: the function that binds it, or the module."""
        if name in region.hidden:
            return region
        scope: Region | None = region
        while scope is not None and not isinstance(scope.node, ast.Module):
            if name in scope.declared:
                break
            if scope.is_local(name):
                return scope
            scope = scope.outer
        return self.module

    def is_local(self, name: str, region: Region) -> bool:
        """Tell whether a name is bound in a function around, and so not looked up in the module."""
        return self.scope_of(name, region) is not self.module

    def canonical(self, path: Path, region: Region) -> Path | None:
        """Return a path with what an import bound in full (`s.exit` as `sys.exit`); None if the file defines its name.

        A name that nothing in the file binds stays as it is: a builtin, or one of a star import.
        """
        scope = self.scope_of(path[0], region)
        bindings = scope.bindings.get(path[0], [])
        if not bindings:
            return None if path[0] in scope.parameters else path
        refs = {
            import_ref(each.node, path[0]) if isinstance(each.node, (ast.Import, ast.ImportFrom)) else None
            for each in bindings
        }
        ref = refs.pop() if len(refs) == 1 else None
        if ref is None or path[0] in scope.parameters:
            return None
        inner = tuple("." + step for step in ref.name.split(".") if step)
        return (ref.module, *inner, *path[1:])

    def wanted(self, node: ast.expr, region: Region) -> str | None:
        """Return the class name if an expression names a wanted exception class, as seen from `region`."""
        return self._class_at(path_of(node), region, frozenset())

    def _class_at(self, path: Path | None, region: Region, seen: _Seen) -> str | None:
        if path is None:
            return None
        if len(path) == 1:
            return self._class_named(path[0], region, seen)
        name = path[-1].lstrip(".")
        if name not in self._wanted:
            return None
        full = self.canonical(path, region)
        if hasattr(builtins, name):
            return name if full == ("builtins", "." + name) else None
        return name if full is not None else None

    def _class_named(self, name: str, region: Region, seen: _Seen) -> str | None:
        scope = self.scope_of(name, region)
        key = id(scope), name
        if key in seen or name in scope.parameters or (scope is self.module and name in self.constants.rebound):
            return None
        bindings = scope.bindings.get(name)
        if not bindings:
            return name if name in self._wanted else None
        classes = {self._bound_class(each, name, scope, seen | {key}) for each in bindings}
        return classes.pop() if len(classes) == 1 else None

    def _bound_class(self, binding: Binding, name: str, scope: Region, seen: _Seen) -> str | None:
        node = binding.node
        if isinstance(node, ast.ImportFrom):
            original = next((alias.name for alias in node.names if (alias.asname or alias.name) == name), "")
            foreign = hasattr(builtins, original) and node.module != "builtins"
            return original if original in self._wanted and not foreign else None
        if isinstance(node, ast.ClassDef):
            return name if self._is_wanted_class(node, scope, seen) else None
        if binding.kind == "value" and binding.value is not None:
            return self._class_at(path_of(binding.value), scope, seen)
        return None

    def _is_wanted_class(self, node: ast.ClassDef, scope: Region, seen: _Seen) -> bool:
        if node.name not in self._wanted or hasattr(builtins, node.name):
            return False
        if node.name not in self._derived:
            return True
        # Another file may define a subclass of the same name; this one must derive from a wanted class itself.
        return any(self._class_at(path_of(base), scope, seen) is not None for base in node.bases)

    @cached_property
    def words(self) -> frozenset[str]:
        """Names whose presence in a function's text makes a site possible."""
        bound = (name for name in self.module.bindings if self._class_named(name, self.module, frozenset()))
        return self._wanted.union(bound, self.instances, self._aliases())

    def _aliases(self) -> Iterator[str]:
        """Return names that a function may give a wanted class, for use in functions inside it."""
        text = self._source.text
        for match in re.finditer("|".join(map(re.escape, sorted(self._wanted))), text):
            assigned = _ASSIGNED_TO.search(text, max(0, match.start() - 200), match.start())
            renamed = _RENAMED.match(text, match.end())
            if assigned is not None:
                yield assigned[1]
            elif renamed is not None and text.rfind("except", match.start() - 30, match.start()) < 0:
                yield renamed[1]

    @cached_property
    def instances(self) -> dict[str, ast.Call]:
        """Module-level names bound once to an instance of a wanted class."""
        values = self.constants.module.items()
        return {
            name: value
            for name, value in values
            if isinstance(value, ast.Call) and self.wanted(value.func, self.module) is not None
        }

    def prints_otherwise(self, name: str, depth: int = 0) -> bool:
        """Tell whether a class may print something else than its arguments, as `BaseException.__str__` does."""
        found = getattr(builtins, name, None)
        if isinstance(found, type) and issubclass(found, BaseException):
            # `KeyError` is the one whose own way is worked out; `OSError`, `SyntaxError` and others have theirs.
            return found.__str__ is not BaseException.__str__ and found is not KeyError
        node = self.class_named(name, self.module)
        if node is None or depth > _MAX_BASES or not node.bases:
            return True
        own = {each.name for each in node.body if isinstance(each, FUNCTIONS)}
        paths = [path_of(base) for base in node.bases]
        return bool(own & {"__init__", "__new__", "__str__"}) or any(
            path is None or self.prints_otherwise(path[-1].lstrip("."), depth + 1) for path in paths
        )

    @cached_property
    def swallowing(self) -> frozenset[str]:
        """Context managers of the file that may swallow exceptions."""
        return swallowing_names(self._tree, self._source.text)

    def self_class(self, name: str, region: Region) -> ast.ClassDef | None:
        """Return the class whose instance (or the class itself) a method's first parameter `name` is."""
        scope = self.scope_of(name, region)
        node = scope.node
        if scope.owner is None or not isinstance(node, FUNCTIONS) or name in scope.bindings:
            return None
        first = [*node.args.posonlyargs, *node.args.args][:1]
        static = any(path_of(each) == ("staticmethod",) for each in node.decorator_list)
        return scope.owner if first and first[0].arg == name and not static else None

    def class_named(self, name: str, region: Region) -> ast.ClassDef | None:
        """Return the class of that name, if the scope that the name is looked up in binds it once."""
        bindings = self.scope_of(name, region).bindings.get(name, ())
        node = bindings[0].node if len(bindings) == 1 else None
        return node if isinstance(node, ast.ClassDef) else None


def import_ref(node: ast.Import | ast.ImportFrom, name: str) -> ConstantRef | None:
    """Return what an import binds `name` to; an empty `name` in the result stands for the module itself."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if (alias.asname or alias.name) == name:
                return ConstantRef("." * node.level + (node.module or ""), alias.name)
        elif alias.asname == name or (alias.asname is None and alias.name == name):
            return ConstantRef(alias.name, "")
    return None
