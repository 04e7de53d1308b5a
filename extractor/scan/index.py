"""One file's index for the link stage: one walk over the statements, expressions only where something is asked.

The tree is the one that the scan parsed. Nothing here looks at other files or at what counts as a site.
"""

from __future__ import annotations

import ast
import re

from extractor.model.index import (
    ARGUMENT_BREAK,
    Binding,
    Call,
    ClassField,
    ClassInfo,
    Constant,
    EnvironmentUse,
    FileIndex,
    Function,
    Import,
    OptionDecl,
    Parameter,
    Test,
    Write,
)
from extractor.scan.index_env import environment_reads, registry_entries
from extractor.scan.index_options import argument_option, field_option
from extractor.scan.index_text import Source, dotted, first_paragraph
from extractor.scan.index_words import BUILTIN_NAMES, COMMON_METHODS, FOREIGN_MODULES, VIEW_WORDS

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_WRAPPERS = frozenset({"frozenset", "set", "list", "tuple", "dict", "OrderedDict", "MappingProxyType", "sorted"})
_PATH = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*")
_REGISTRY_READ = re.compile(rb"\.([A-Z][A-Z0-9_]{4,})\.get\(\)")
_SHORT = 20
"""Lines; a longer function does more than to read a setting."""
_MEMBER_LIMIT = 160
_ARGUMENT_LIMIT = 60


class _Scope:
    """What is gathered while one function, class or module body is walked."""

    __slots__ = (
        "assigned",
        "attributes",
        "bindings",
        "calls",
        "caught",
        "index",
        "is_class",
        "name",
        "raises",
        "refusals",
        "stack",
        "writes",
    )

    def __init__(self, index: int, name: str, is_class: bool) -> None:
        self.index = index
        self.name = name
        self.is_class = is_class
        self.stack: list[tuple[ast.expr, bool]] = []
        self.caught = ""
        self.raises = False
        self.refusals: list[int] = []
        self.bindings: list[tuple[str, int, ast.expr | None, bool]] = []
        self.calls: list[tuple[ast.Call, str, tuple[tuple[ast.expr, bool], ...], str]] = []
        self.writes: list[tuple[str, str, ast.expr, int, tuple[tuple[ast.expr, bool], ...]]] = []
        self.attributes: dict[str, list[ast.expr]] = {}


def index(tree: ast.Module, text: str) -> FileIndex:
    r"""Index one file; `text` is what `tree` was parsed from, with `\n` line ends."""
    source = text.encode("utf-8", "surrogatepass")
    return _Indexer(Source(source)).run(tree, source)


class _Indexer:
    """Gathers a file's index. One object a file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.imports: list[Import] = []
        self.constants: list[Constant] = []
        self.classes: list[ClassInfo] = []
        self.functions: list[Function | None] = []
        self.tests: list[Test] = []
        self.test_ids: dict[tuple[str, bool, int], int] = {}
        self.calls: list[Call] = []
        self.writes: list[Write] = []
        self.options: list[OptionDecl] = []
        self.registry: list[EnvironmentUse] = []
        self.foreign: set[str] = set()
        self.texts: dict[int, str] = {}

    def run(self, tree: ast.Module, source: bytes) -> FileIndex:
        """Walk the module and put the parts together."""
        scope = _Scope(-1, "", False)
        self._block(tree.body, scope, None)
        self._finish(scope, [])
        return FileIndex(
            tuple(self.imports),
            tuple(self.constants),
            tuple(self.classes),
            tuple(f for f in self.functions if f is not None),
            tuple(self.tests),
            tuple(self.calls),
            tuple(self.writes),
            tuple(self.options),
            (*self.registry, *environment_reads(source)),
        )

    # statements

    def _block(self, body: list[ast.stmt], scope: _Scope, owner: _Scope | None) -> None:
        stack = scope.stack
        depth = len(stack)
        for statement in body:
            kind = type(statement)
            if kind is ast.Expr:
                self._calls_of(statement.value, scope)  # type: ignore[attr-defined]
            elif kind is ast.Assign:
                self._assign(statement, statement.targets, statement.value, scope, owner)  # type: ignore[attr-defined]
            elif kind is ast.If:
                self._branch(statement, scope, owner)  # type: ignore[arg-type]
            elif kind is ast.Return:
                if statement.value is not None:  # type: ignore[attr-defined]
                    self._calls_of(statement.value, scope)  # type: ignore[attr-defined]
            elif kind is ast.Raise:
                if statement.exc is not None:  # type: ignore[attr-defined]
                    self._calls_of(statement.exc, scope)  # type: ignore[attr-defined]
                scope.raises = scope.raises or statement.exc is not None  # type: ignore[attr-defined]
            else:
                self._other(statement, scope, owner)
        del stack[depth:]

    def _branch(self, node: ast.If, scope: _Scope, owner: _Scope | None) -> None:
        stack = scope.stack
        depth = len(stack)
        while True:  # an `elif` chain, walked flat: it is as deep as it is long
            self._calls_of(node.test, scope)
            if isinstance(node.body[-1], ast.Raise):
                scope.refusals.append(node.test.lineno)
            stack.append((node.test, True))
            self._block(node.body, scope, owner)
            stack[-1] = (node.test, False)
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                break
            node = node.orelse[0]
        self._block(node.orelse, scope, owner)
        if node.orelse or len(stack) > depth + 1 or not isinstance(node.body[-1], _LEAVING):
            del stack[depth:]
        # else: the test is known to be false for the rest of this block, which removes it

    def _other(self, node: ast.stmt, scope: _Scope, owner: _Scope | None) -> None:
        if isinstance(node, _FUNCTIONS):
            self._function(node, scope, owner)
        elif isinstance(node, ast.ClassDef):
            self._class(node, scope)
        elif isinstance(node, ast.AnnAssign):
            self._annotated(node, scope, owner)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.AugAssign):
            self._bind(node.target, None, node.lineno, scope, each=False)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._bind(node.target, node.iter, node.lineno, scope, each=True)
            self._calls_of(node.iter, scope)
            self._block(node.body, scope, owner)
            self._block(node.orelse, scope, owner)
        elif isinstance(node, ast.While):
            self._block(node.body, scope, owner)
            self._block(node.orelse, scope, owner)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self._calls_of(item.context_expr, scope)
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, item.context_expr, node.lineno, scope, each=False)
            self._block(node.body, scope, owner)
        elif isinstance(node, ast.Try | ast.TryStar):
            self._try(node, scope, owner)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                self._block(case.body, scope, owner)

    def _try(self, node: ast.Try | ast.TryStar, scope: _Scope, owner: _Scope | None) -> None:
        before = scope.caught
        for handler in node.handlers:
            names = ast.unparse(handler.type) if handler.type is not None else "BaseException"
            if any(word in names for word in ("ValueError", "Exception")):
                scope.caught = "raised" if any(isinstance(s, ast.Raise) for s in ast.walk(handler)) else "handled"
                break
        self._block(node.body, scope, owner)
        scope.caught = before
        for handler in node.handlers:
            self._block(handler.body, scope, owner)
        self._block(node.orelse, scope, owner)
        self._block(node.finalbody, scope, owner)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.split(".", 1)[0]
                if alias.name.split(".", 1)[0] in FOREIGN_MODULES:
                    self.foreign.add(local)
                else:
                    self.imports.append(Import(local, alias.name if alias.asname else local, ""))
            return
        module = "." * node.level + (node.module or "")
        if not node.level and module.split(".", 1)[0] in FOREIGN_MODULES:
            self.foreign.update(alias.asname or alias.name for alias in node.names)
        else:
            self.imports.extend(Import(alias.asname or alias.name, module, alias.name) for alias in node.names)

    # definitions

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, parent: _Scope, owner: _Scope | None) -> None:
        name = f"{parent.name}.{node.name}" if parent.name else node.name
        place = len(self.functions)
        self.functions.append(None)
        scope = _Scope(place, name, False)
        self._block(node.body, scope, parent if parent.is_class else owner)
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        text = self.source.text
        self.functions[place] = Function(
            name,
            node.lineno,
            " ".join(a.arg for a in named),
            text(node.returns, 80) if node.returns is not None else "",
            tuple(text(d, 120) for d in node.decorator_list),
            first_paragraph(node.body) if scope.raises else "",
            self._single_value(node.body),
            scope.raises,
            self._parameters(arguments) if scope.raises else (),
            self._variables(node) if not named else (),
            tuple(scope.refusals),
            self._bindings(scope) if scope.raises else self._views(scope),
        )
        self._finish(scope, named)

    def _single_value(self, body: list[ast.stmt]) -> str:
        last = body[-1]
        if not isinstance(last, ast.Return) or last.value is None or len(body) > 4:
            return ""
        if any(
            not isinstance(s, ast.Import | ast.ImportFrom) and not isinstance(getattr(s, "value", None), ast.Constant)
            for s in body[:-1]
        ):
            return ""
        return self.source.text(last.value, 200)

    def _parameters(self, arguments: ast.arguments) -> tuple[Parameter, ...]:
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults += [*arguments.defaults, *arguments.kw_defaults]
        found = []
        for argument, default in zip([*positional, *arguments.kwonlyargs], defaults, strict=True):
            if argument.annotation is not None or default is not None:
                annotation = self.source.text(argument.annotation, 100) if argument.annotation is not None else ""
                found.append(
                    Parameter(argument.arg, annotation, self.source.text(default, 60) if default is not None else "")
                )
        return tuple(found)

    def _bindings(self, scope: _Scope) -> tuple[Binding, ...]:
        found = []
        for name, line, value, each in scope.bindings:
            text = self.source.text(value) if value is not None else ""
            found.append(Binding(name, line, f"<each> {text}" if each and text else text))
        return tuple(found)

    def _variables(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
        """Return the variables that a short function without parameters reads from a registry."""
        last = node.end_lineno or node.lineno
        if last - node.lineno > _SHORT:
            return ()
        found = _REGISTRY_READ.findall(b"\n".join(self.source.lines[node.lineno - 1 : last]))
        return tuple(dict.fromkeys(name.decode() for name in found))

    def _views(self, scope: _Scope) -> tuple[Binding, ...]:
        """Return the views of settings that a function binds: by them its tests are read where it calls or writes."""
        found = []
        for name, line, value, each in scope.bindings:
            if type(value) is ast.Call and not each and value.args:
                maker = dotted(value.func).rpartition(".")[2]
                if any(word in maker for word in VIEW_WORDS):
                    found.append(Binding(name, line, self.source.text(value)))
        return tuple(found)

    def _class(self, node: ast.ClassDef, parent: _Scope) -> None:
        name = f"{parent.name}.{node.name}" if parent.name else node.name
        scope = _Scope(parent.index, name, True)
        self._block(node.body, scope, None)
        text = self.source.text
        attributes = tuple((key, text(values[0], 100)) for key, values in scope.attributes.items() if len(values) == 1)
        self.classes.append(
            ClassInfo(
                name,
                node.lineno,
                tuple(text(b, 80) for b in node.bases),
                any("dataclass" in ast.dump(d) for d in node.decorator_list),
                first_paragraph(node.body),
                tuple(
                    ClassField(
                        s.target.id,
                        text(s.annotation, 200),
                        text(s.value, 160) if s.value is not None else "",
                        s.lineno,
                    )
                    for s in node.body
                    if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
                ),
                tuple(pair for pair in attributes if pair[1]),
            )
        )
        self.registry.extend(registry_entries(node, self.source))
        self._finish(scope, [])

    def _annotated(self, node: ast.AnnAssign, scope: _Scope, owner: _Scope | None) -> None:
        if scope.is_class:
            option = field_option(node, scope.name, self.source)
            if option is not None:
                self.options.append(option)
        if node.value is not None:
            self._assign(node, [node.target], node.value, scope, owner)

    # values

    def _assign(
        self, node: ast.stmt, targets: list[ast.expr], value: ast.expr, scope: _Scope, owner: _Scope | None
    ) -> None:
        self._calls_of(value, scope)
        constant = scope.index == -1
        for target in targets:
            if constant and type(target) is ast.Name:
                self._constant(target.id, value, scope)
                if not scope.is_class and type(value) is ast.Dict:
                    self.registry.extend(registry_entries(node, self.source))
            self._bind(target, value, node.lineno, scope, each=False)
            if (
                owner is not None
                and type(target) is ast.Attribute
                and type(target.value) is ast.Name
                and target.value.id == "self"
            ):
                owner.attributes.setdefault(target.attr, []).append(value)
            self._write(target, value, scope)

    def _write(self, target: ast.expr, value: ast.expr, scope: _Scope) -> None:
        """Note a write that may set an option: of an attribute, or of an entry under a constant key."""
        if scope.index < 0:
            return
        if type(target) is ast.Attribute:
            receiver = dotted(target.value)
            if receiver:
                scope.writes.append((target.attr, receiver, value, target.lineno, tuple(scope.stack)))
        elif (
            type(target) is ast.Subscript and type(target.slice) is ast.Constant and isinstance(target.slice.value, str)
        ):
            receiver = dotted(target.value)
            if receiver:
                scope.writes.append((target.slice.value, receiver + "[]", value, target.lineno, tuple(scope.stack)))

    def _bind(self, target: ast.expr, value: ast.expr | None, line: int, scope: _Scope, each: bool) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            parts = (
                value.elts
                if isinstance(value, ast.Tuple) and not each and len(value.elts) == len(target.elts)
                else None
            )
            for position, element in enumerate(target.elts):
                self._bind(element, parts[position] if parts is not None else None, line, scope, each)
            return
        name = dotted(target)
        if name:
            scope.bindings.append((name, line, value, each))

    def _constant(self, name: str, value: ast.expr, scope: _Scope) -> None:
        members, container = self._members(value)
        text = self.source.text(value, 160)
        if text or container:
            full = f"{scope.name}.{name}" if scope.name else name
            self.constants.append(Constant(full, text, members, container, value.lineno))

    def _members(self, value: ast.expr) -> tuple[tuple[str, ...], bool]:
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in _WRAPPERS
            and value.args
        ):
            value = value.args[0]
        if isinstance(value, ast.Subscript) and dotted(value.value).rpartition(".")[2] == "Literal":
            value = value.slice if isinstance(value.slice, ast.Tuple) else ast.Tuple([value.slice], ast.Load())
        if not isinstance(value, _CONTAINERS):
            return (), False
        elements = value.keys if isinstance(value, ast.Dict) else value.elts
        if len(elements) > _MEMBER_LIMIT:
            return (), True
        return tuple("**" if e is None else self.source.text(e, 80) or "…" for e in elements), True

    # calls

    def _calls_of(self, node: ast.expr, scope: _Scope) -> None:
        kind = type(node)
        if kind is ast.Call:
            self._call(node, scope)  # type: ignore[arg-type]
        elif kind is ast.Await or kind is ast.Starred or kind is ast.YieldFrom:
            self._calls_of(node.value, scope)  # type: ignore[attr-defined]
        elif kind is ast.UnaryOp:
            self._calls_of(node.operand, scope)  # type: ignore[attr-defined]
        elif kind is ast.BoolOp:
            for part in node.values:  # type: ignore[attr-defined]
                self._calls_of(part, scope)
        elif kind is ast.Compare:
            self._calls_of(node.left, scope)  # type: ignore[attr-defined]
        elif kind is ast.IfExp:
            self._calls_of(node.body, scope)  # type: ignore[attr-defined]
            self._calls_of(node.orelse, scope)  # type: ignore[attr-defined]
        elif kind is ast.ListComp or kind is ast.GeneratorExp:
            self._calls_of(node.elt, scope)  # type: ignore[attr-defined]

    def _call(self, node: ast.Call, scope: _Scope) -> None:
        function = node.func
        if type(function) is ast.Attribute:
            if function.attr == "add_argument":
                option = argument_option(node, scope.name, self.source)
                if option is not None:
                    self.options.append(option)
                return
            self._calls_of(function.value, scope)
            # On the object itself even a common name is a method of this repository.
            wanted = function.attr not in COMMON_METHODS or (
                type(function.value) is ast.Name and function.value.id in ("self", "cls")
            )
        elif type(function) is ast.Name:
            wanted = function.id not in BUILTIN_NAMES and function.id not in self.foreign
        else:
            return
        if wanted:
            callee = dotted(function)
            if callee and callee.split(".", 1)[0] not in self.foreign:
                scope.calls.append((node, callee, tuple(scope.stack), scope.caught))
        for argument in node.args:
            if type(argument) is ast.Call or type(argument) is ast.Await:
                self._calls_of(argument, scope)
        for keyword in node.keywords:
            if type(keyword.value) is ast.Call or type(keyword.value) is ast.Await:
                self._calls_of(keyword.value, scope)

    def _finish(self, scope: _Scope, parameters: list[ast.arg]) -> None:
        """Turn a scope's calls and writes into facts, once all that it binds is known."""
        bound: dict[str, int] = {}
        for name, line, _, _ in scope.bindings:
            bound[name] = max(line, bound.get(name, 0))
        settings_like = {"self", *(p.arg for p in parameters if p.arg.endswith(("args", "config", "cfg")))}
        for node, callee, stack, caught in scope.calls:
            arguments = [self._argument(a) for a in node.args[:12]]
            arguments += [f"{k.arg or '**'}={self._argument(k.value)}" for k in node.keywords[:16]]
            self.calls.append(
                Call(
                    scope.index,
                    callee,
                    node.lineno,
                    ARGUMENT_BREAK.join(arguments),
                    self._known(stack, bound),
                    caught,
                )
            )
        for name, receiver, value, line, stack in scope.writes:
            root = receiver.split(".", 1)[0].removesuffix("[]")
            if root in settings_like or root.endswith(("args", "cfg", "overrides", "updates", "declared")):
                text = self.source.text(value, 80)
                self.writes.append(Write(scope.index, name, receiver, text, line, self._known(stack, bound)))

    def _argument(self, node: ast.expr) -> str:
        return self.source.text(node, _ARGUMENT_LIMIT) or "…"

    def _known(self, stack: tuple[tuple[ast.expr, bool], ...], bound: dict[str, int]) -> tuple[int, ...]:
        known = []
        for test, holds in stack:
            text = self.texts.get(id(test))
            if text is None:
                text = self.texts[id(test)] = self.source.text(test)
            line = test.lineno
            # A name bound again after the test may differ at the call: such a test says nothing there.
            if not text or any(
                bound.get(path, 0) >= line or bound.get(path.split(".", 1)[0], 0) >= line
                for path in _PATH.findall(text)
            ):
                continue
            key = (text, holds, line)
            number = self.test_ids.get(key)
            if number is None:
                number = self.test_ids[key] = len(self.tests)
                self.tests.append(Test(text, holds, test.lineno))
            known.append(number)
        return tuple(known)
