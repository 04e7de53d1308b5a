"""The whole tree by name: modules, what a name of a file stands for, classes and functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from extractor.model.index import ClassInfo, Constant, FileIndex, Function

_DEPTH = 5
"""Re-exports followed; a longer chain is taken for a cycle."""


class Tree:
    """Look-ups over all files. Built once a run; each table when first asked for."""

    def __init__(self, files: Mapping[str, FileIndex]) -> None:
        """Take every file of the commit, keyed by path."""
        self.files = files
        self.modules: dict[str, str] = {}
        self._names: dict[str, str] = {}
        packages = {path.removesuffix("/__init__.py") for path in files if path.endswith("/__init__.py")}
        for path in files:
            module = _module(path, packages)
            self.modules[module] = path
            self._names[path] = module
        self._constants: dict[str, dict[str, Constant]] = {}
        self._functions: dict[str, dict[str, int]] = {}
        self._classes: dict[str, dict[str, ClassInfo]] = {}
        self._imports: dict[str, dict[str, tuple[str, str]]] = {}
        self.by_class: dict[str, list[tuple[str, ClassInfo]]] = {}
        self.by_function: dict[str, list[tuple[str, Function]]] = {}
        for path, file in files.items():
            for info in file.classes:
                self.by_class.setdefault(info.name.rpartition(".")[2], []).append((path, info))
            for function in file.functions:
                self.by_function.setdefault(function.qualname.rpartition(".")[2], []).append((path, function))
        self._resolved: dict[tuple[str, str], tuple[str, str] | None] = {}

    @cached_property
    def packages(self) -> frozenset[str]:
        """Lower-case names of the top-level modules that some file imports and that the tree does not hold itself."""
        own = {module.partition(".")[0] for module in self.modules}
        named = {one.module.partition(".")[0] for file in self.files.values() for one in file.imports}
        return frozenset(name.lower() for name in named - own if name)

    def module(self, path: str) -> str:
        """Return the dotted module of a file, as an import would write it."""
        return self._names[path]

    def constants(self, path: str) -> dict[str, Constant]:
        """Return the file's constants by name; a name bound twice stands for its last value and is left out."""
        found = self._constants.get(path)
        if found is None:
            found = {}
            twice = set()
            for constant in self.files[path].constants:
                if constant.name in found:
                    twice.add(constant.name)
                found[constant.name] = constant
            for name in twice:
                del found[name]
            self._constants[path] = found
        return found

    def function(self, path: str, qualname: str, line: int = 0) -> tuple[int, Function] | None:
        """Return the function of that name; of several, the last that starts before `line`."""
        functions = self.files[path].functions
        table = self._functions.get(path)
        if table is None:
            table = self._functions[path] = {f.qualname: number for number, f in enumerate(functions)}
        number = table.get(qualname)
        if number is None:
            return None
        if line and functions[number].line > line:
            before = [i for i, f in enumerate(functions) if f.qualname == qualname and f.line <= line]
            number = before[-1] if before else number
        return number, functions[number]

    def class_of(self, path: str, name: str) -> ClassInfo | None:
        """Return a class of the file by qualified name."""
        table = self._classes.get(path)
        if table is None:
            table = self._classes[path] = {info.name: info for info in self.files[path].classes}
        return table.get(name)

    def find_class(self, path: str, name: str) -> tuple[str, ClassInfo] | None:
        """Return the class that `name` stands for in the file at `path`, or the only class of that name anywhere."""
        here = self.resolve(path, name)
        if here is not None:
            info = self.class_of(*here)
            if info is not None:
                return here[0], info
        named = self.by_class.get(name.rpartition(".")[2], ())
        return named[0] if len(named) == 1 else None

    def ancestors(self, path: str, info: ClassInfo) -> list[tuple[str, ClassInfo]]:
        """Return the class and its bases as far as the tree defines them, nearest first."""
        found = [(path, info)]
        seen = {(path, info.name)}
        for at, one in found:
            for base in one.bases:
                parent = self.find_class(at, base.split("[", 1)[0])
                if parent is not None and (parent[0], parent[1].name) not in seen:
                    seen.add((parent[0], parent[1].name))
                    found.append(parent)
            if len(found) > 24:
                break
        return found

    def imported(self, path: str) -> dict[str, tuple[str, str]]:
        """Return the file's imports: local name → (module, name)."""
        table = self._imports.get(path)
        if table is None:
            table = self._imports[path] = {i.local: (i.module, i.name) for i in self.files[path].imports}
        return table

    def resolve(self, path: str, name: str) -> tuple[str, str] | None:
        """Return (file, name there) of what a dotted name in a file stands for; None if that is not in the tree."""
        key = (path, name)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(path, name)
        return self._resolved[key]

    def _resolve(self, path: str, name: str, depth: int = 0) -> tuple[str, str] | None:
        """Return (file, name there) of what a dotted name in a file stands for, imports and re-exports followed."""
        head, _, rest = name.partition(".")
        if head in self.constants(path) or self._defines(path, head):
            return path, name
        target = self.imported(path).get(head)
        if target is None or depth > _DEPTH:
            return None
        module = self._absolute(path, target[0])
        if target[1]:
            inner = f"{target[1]}.{rest}" if rest else target[1]
            at = self.modules.get(module)
            found = self._resolve(at, inner, depth + 1) if at is not None and at != path else None
            if found is not None:
                return found
            return self._inside(f"{module}.{target[1]}", rest, depth)
        return self._inside(module, rest, depth)

    def _inside(self, module: str, rest: str, depth: int) -> tuple[str, str] | None:
        """Resolve the rest of a dotted name inside a module, whose submodules may come first."""
        while rest:
            head, _, tail = rest.partition(".")
            if f"{module}.{head}" in self.modules:
                module, rest = f"{module}.{head}", tail
            else:
                break
        at = self.modules.get(module)
        return self._resolve(at, rest, depth + 1) if at is not None and rest else None

    def _defines(self, path: str, name: str) -> bool:
        """Whether the file defines a function or class of that name at module level."""
        table = self._functions.get(path)
        if table is None:
            table = self._functions[path] = {f.qualname: number for number, f in enumerate(self.files[path].functions)}
        return name in table or self.class_of(path, name) is not None

    def _absolute(self, path: str, module: str) -> str:
        if not module.startswith("."):
            return module
        level = len(module) - len(module.lstrip("."))
        parts = self._names[path].split(".")
        if not path.endswith("/__init__.py"):
            parts = parts[:-1]
        parts = parts[: len(parts) - level + 1]
        tail = module.lstrip(".")
        return ".".join([*parts, tail]) if tail else ".".join(parts)


def _module(path: str, packages: set[str]) -> str:
    """Return the dotted module: the path from the outermost folder that is a package on."""
    parts = path.removesuffix(".py").split("/")
    start = next((n for n in range(len(parts) - 1) if "/".join(parts[: n + 1]) in packages), 0)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts = parts[:-1]
    return ".".join(parts[start:])
