"""Who calls a function, with the tests known at the call and what is handed over, up to three hops."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extractor.link.options import Options
from extractor.link.tree import Tree
from extractor.link.words import LOADING_FUNCTIONS, ROUTE_METHODS, SURE_RECEIVERS, TEST_FOLDERS
from extractor.model.index import ARGUMENT_BREAK, Call, Function
from extractor.model.linked import Caller

_HOPS = 3
_LISTED = 3
"""Direct callers listed; the others are counted."""
_NAMED = re.compile(r"([A-Za-z_]\w*)=(?!=)(.*)\Z", re.DOTALL)
_ROUTE = re.compile(rf"(?:\w+\.)*({'|'.join(ROUTE_METHODS)})\(\s*f?[\"']([^\"']+)")
_CONSTRUCTORS = ("__init__", "__post_init__", "__new__")


class Callers:
    """Finds the calls that lead to a function."""

    def __init__(self, tree: Tree, options: Options) -> None:
        """Index all calls by the last part of what they call."""
        self.tree = tree
        self.options = options
        self._by_name: dict[str, list[tuple[str, Call]]] = {}
        for path, file in tree.files.items():
            for call in file.calls:
                self._by_name.setdefault(call.callee.rpartition(".")[2], []).append((path, call))
        self._direct: dict[tuple[str, str], list[tuple[str, Call]]] = {}

    def of(self, path: str, function: Function) -> tuple[tuple[Caller, ...], int]:
        """Return the callers to list, nearest first, and how many direct calls there are."""
        direct = self.direct(path, function)
        if direct and TEST_FOLDERS.isdisjoint(direct[0][0].split("/")):
            direct = [pair for pair in direct if TEST_FOLDERS.isdisjoint(pair[0].split("/"))]
        listed = [self._caller(1, at, call, function) for at, call in direct[:_LISTED]]
        at, current, seen = path, function, {(path, function.qualname)}
        chain = direct
        for hop in range(2, _HOPS + 1):
            if not chain or chain[0][1].function < 0 or listed[-1].entry:
                break
            at = chain[0][0]
            current = self.tree.files[at].functions[chain[0][1].function]
            if (at, current.qualname) in seen or self._entry(current):
                break
            seen.add((at, current.qualname))
            chain = self.direct(at, current)
            if chain:
                listed.append(self._caller(hop, *chain[0], current))
        return tuple(listed), len(direct)

    def direct(self, path: str, function: Function) -> list[tuple[str, Call]]:
        """Return the direct calls of a function, those in shipped code first."""
        key = (path, function.qualname)
        found = self._direct.get(key)
        if found is None:
            found = sorted(
                self._find(path, function),
                key=lambda pair: (not TEST_FOLDERS.isdisjoint(pair[0].split("/")), pair[0] != path),
            )
            self._direct[key] = found
        return found

    def _find(self, path: str, function: Function) -> Iterator[tuple[str, Call]]:
        outer, _, name = function.qualname.rpartition(".")
        in_class = bool(outer) and self.tree.class_of(path, outer) is not None
        wanted = outer.rpartition(".")[2] if in_class and name in _CONSTRUCTORS else name
        unique = len(self.tree.by_function.get(name, ())) == 1
        for at, call in self._by_name.get(wanted, ()):
            if wanted != name:
                if self.tree.resolve(at, call.callee) == (path, outer):
                    yield at, call
            elif in_class:
                if self._calls_method(at, call, path, outer, unique):
                    yield at, call
            elif outer:
                if at == path and call.callee == name and self._inside(at, call, outer):
                    yield at, call
            elif self.tree.resolve(at, call.callee) == (path, name):
                yield at, call

    def _inside(self, at: str, call: Call, outer: str) -> bool:
        return call.function >= 0 and self.tree.files[at].functions[call.function].qualname.startswith(outer)

    def _calls_method(self, at: str, call: Call, path: str, outer: str, unique: bool) -> bool:
        receiver = call.callee.rpartition(".")[0]
        if receiver in ("self", "cls", "super()"):
            direct = receiver != "super()"
            if call.function < 0:
                return False
            holder = self.tree.files[at].functions[call.function].qualname.rpartition(".")[0]
            info = self.tree.class_of(at, holder)
            if info is None:
                return False
            return (direct and (at, holder) == (path, outer)) or any(
                (p, i.name) == (path, outer) and (direct or i is not info) for p, i in self.tree.ancestors(at, info)
            )
        short = outer.rpartition(".")[2]
        if not receiver:
            return False
        return unique or receiver.rpartition(".")[2].replace("_", "").lower() == short.lower()

    def _caller(self, hop: int, at: str, call: Call, called: Function) -> Caller:
        file = self.tree.files[at]
        function = file.functions[call.function] if call.function >= 0 else None
        return Caller(
            hop,
            function.qualname if function is not None else "<module>",
            at,
            call.line,
            call.callee,
            tuple((file.tests[n].text, file.tests[n].holds) for n in call.tests),
            arguments(call, called),
            call.caught,
            (),
            self._entry(function) if function is not None else "",
        )

    def _entry(self, function: Function) -> str:
        for decorator in function.decorators:
            route = _ROUTE.match(decorator)
            if route is not None:
                method = (
                    route[1].upper()
                    if route[1] not in ("api_route", "route", "websocket")
                    else route[1].replace("_", " ")
                )
                return f"http {method} {route[2]}"
        outer, _, name = function.qualname.rpartition(".")
        if outer.rpartition(".")[2] in self.options.whole and name in (
            *_CONSTRUCTORS,
            "from_cli_args",
            "resolve_once",
            "check_server_args",
        ):
            return "command-line"
        if function.qualname == "main":
            return "script"
        if name.endswith(tuple(SURE_RECEIVERS)) or name in ("launch_server", "run_server", "launch"):
            return "command-line"
        if name in LOADING_FUNCTIONS:
            return "model-loading"
        return ""


def arguments(call: Call, called: Function) -> tuple[tuple[str, str], ...]:
    """Return (parameter, argument) pairs of a call, as far as they can be told."""
    parameters = called.parameters.split()
    if parameters and parameters[0] in ("self", "cls") and "." in called.qualname:
        parameters = parameters[1:]
    pairs = []
    for position, argument in enumerate(call.arguments.split(ARGUMENT_BREAK) if call.arguments else ()):
        named = _NAMED.match(argument)
        if named is not None:
            pairs.append((named[1], named[2]))
        elif argument.startswith("*"):
            break
        elif position < len(parameters):
            pairs.append((parameters[position], argument))
    return tuple((name, value) for name, value in pairs if name in parameters and value != "…")
