"""Which calls of a region never return, and which of its context managers swallow exceptions."""

from __future__ import annotations

import ast

from extractor.scan.access import path_of
from extractor.scan.leaving import NEVER_RETURN, SWALLOWING, context_name, declared_noreturn
from extractor.scan.names import FileNames
from extractor.scan.region import FUNCTIONS, Region


class RegionKnowledge:
    """Answers for one region."""

    def __init__(self, names: FileNames, region: Region, swallowing: frozenset[str]) -> None:
        """Take the file's names, and those of its own context managers that swallow exceptions."""
        self._names = names
        self._region = region
        self._swallowing = SWALLOWING | swallowing

    def noreturn(self, call: ast.Call) -> bool:
        """Tell whether a call ends the program, or is of a function of this file that is declared never to return."""
        path = path_of(call.func)
        if path is None:
            return False
        if self._names.canonical(path, self._region) in NEVER_RETURN:
            return True
        if len(path) == 1:
            bindings = self._names.scope_of(path[0], self._region).bindings.get(path[0], ())
            return len(bindings) == 1 and _is_noreturn(bindings[0].node)
        owner = self._names.self_class(path[0], self._region) if len(path) == 2 else None
        return owner is not None and self._method_never_returns(owner, path[1].lstrip("."), 0)

    def _method_never_returns(self, owner: ast.ClassDef, name: str, depth: int) -> bool:
        methods = [each for each in owner.body if isinstance(each, FUNCTIONS) and each.name == name]
        if methods:
            return all(map(_is_noreturn, methods))
        bases = (path_of(base) for base in owner.bases)
        classes = [self._names.class_named(base[0], self._region) for base in bases if base is not None]
        return depth < 8 and any(each and self._method_never_returns(each, name, depth + 1) for each in classes)

    def swallows(self, context: ast.expr) -> bool:
        """Tell whether a context manager is known to swallow exceptions: by its name, or by its code in this file."""
        return context_name(context) in self._swallowing


def _is_noreturn(node: ast.AST) -> bool:
    return isinstance(node, FUNCTIONS) and declared_noreturn(node)
