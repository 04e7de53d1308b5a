"""From an expression in a guard to the input that it reads: an option, a variable, a field, a platform."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from extractor.expression import fresh, nodes_of, parse, path_of, source_of
from extractor.link.constants import single_value
from extractor.link.environment import Environment
from extractor.link.expressions import Substitute, entry_key, reads_of
from extractor.link.options import Options
from extractor.link.predicates import package_of, platform_of
from extractor.link.requests import Requests
from extractor.link.scope import Scope
from extractor.link.settings import Settings, callee
from extractor.link.tree import Tree
from extractor.link.words import CAPABILITY_CALLS, CONFIG_RECEIVERS, CONTAINERS, SETTINGS_RECEIVERS, TENSOR_PROPERTIES
from extractor.model.index import ClassInfo
from extractor.model.linked import Input, Meaning

_DEPTH = 4
_CONVERSIONS = frozenset({"int", "float", "str"})
_TEXT_METHODS = (".lower()", ".upper()", ".strip()", ".casefold()")
"""Methods whose result is still the value read, as far as a user is concerned."""
_MAJORS = re.compile(r"majors?=[\[(]?([\d, ]+)")
_VERSION = re.compile(r"version=\((\d+), *(\d+)")


class Reads:
    """Finds inputs. Holds the tables of the whole tree."""

    def __init__(self, tree: Tree, options: Options, environment: Environment, requests: Requests) -> None:
        """Take the tables."""
        self.tree = tree
        self.options = options
        self.environment = environment
        self.requests = requests
        self.settings = Settings(tree, options)

    def inputs(self, node: ast.expr, scope: Scope, meanings: dict[str, Meaning], depth: int = 0) -> Iterator[Input]:
        """Yield what `node` reads, each maximal path once; note in `meanings` what names and helpers stand for."""
        for part in nodes_of(node) if isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp) else ():
            if (
                isinstance(part, ast.Compare)
                and isinstance(part.left, ast.Constant)
                and path_of(part.comparators[0]).endswith("environ")
            ):
                variable = self.environment.by_name.get(str(part.left.value))
                if variable is not None:
                    yield Input(
                        "environment",
                        variable.name,
                        f"{path_of(part.comparators[0])}.get({part.left.value!r})",
                        variable,
                    )
        for part in reads_of(node):
            if isinstance(part, ast.Call) and (part.args or part.keywords):
                yield from self._call(part, scope, meanings, depth)
            elif isinstance(part, ast.Attribute) and not path_of(part):
                yield from self._of_call(part, scope, meanings, depth)
            else:
                yield from self._path(path_of(part), scope, meanings, depth)

    # calls

    def _call(self, node: ast.Call, scope: Scope, meanings: dict[str, Meaning], depth: int) -> Iterator[Input]:
        name = path_of(node.func)
        text = source_of(node)
        first = node.args[0] if node.args else None
        if name == "getattr" and len(node.args) >= 2 and isinstance(node.args[1], ast.Constant):
            inner = path_of(node.args[0])
            if inner:
                for one in self._path(f"{inner}.{node.args[1].value!s}", scope, meanings, depth):
                    yield Input(one.kind, one.name, text, one.source, one.type, one.default)
            return
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and ("env" in name.lower()):
            variable = self.environment.by_name.get(first.value)
            if variable is not None:
                yield Input("environment", variable.name, text, variable)
                return
        if isinstance(first, ast.Name | ast.Attribute) and "env" in name.lower():
            value = single_value(self.tree, scope.path, path_of(first))
            named = self.environment.by_name.get(str(ast.literal_eval(value))) if value else None
            if named is not None:
                yield Input("environment", named.name, text, named)
                return
        last = name.rpartition(".")[2]
        if last == "find_spec" and isinstance(first, ast.Constant):
            yield Input("package", str(first.value), text)
            return
        if last in CAPABILITY_CALLS:
            yield Input("platform", "GPU compute capability", text)
            return
        helper = self._helper(name, node, scope)
        if helper and depth < _DEPTH:
            value, _ = helper
            meanings[text] = Meaning(text, value, 0)
            inner_node = parse(value)
            if inner_node is not None:
                found = list(self.inputs(inner_node, scope, meanings, depth + 1))
                if any(one.kind in ("option", "environment", "platform") for one in found):
                    yield from found
                    return
        platform = platform_of(last)
        if platform:
            yield Input("platform", platform, text)
            return
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            yield from self.inputs(argument, scope, meanings, depth)
        if isinstance(node.func, ast.Attribute):
            yield from self.inputs(node.func.value, scope, meanings, depth)

    def _of_call(self, node: ast.Attribute, scope: Scope, meanings: dict[str, Meaning], depth: int) -> Iterator[Input]:
        """`view(settings).x`: an attribute of what a call with arguments gives."""
        if node.attr in self.options.by_field and self.settings.made_of(source_of(node.value)):
            option = self.options.find(node.attr, scope.path)
            if option is not None:
                yield Input("option", option.flag or option.field, source_of(node), option)
                return
        yield from self.inputs(node.value, scope, meanings, depth)

    def _helper(self, name: str, node: ast.Call, scope: Scope) -> tuple[str, str] | None:
        """Return a helper's one expression with the arguments put in, and its file."""
        at, function = callee(self.tree, name, scope)
        if function is None or not function.value or at is None:
            return None
        body = parse(function.value)
        if body is None:
            return None
        parameters = function.parameters.split()
        if parameters and parameters[0] in ("self", "cls"):
            parameters = parameters[1:]
        given: dict[str, ast.expr] = dict(zip(parameters, node.args, strict=False))
        given.update({k.arg: k.value for k in node.keywords if k.arg})
        if any(isinstance(a, ast.Starred) for a in node.args):
            return None
        body = fresh(function.value)
        return (ast.unparse(Substitute(given).visit(body)), at) if body is not None else None

    # paths

    def _path(self, path: str, scope: Scope, meanings: dict[str, Meaning], depth: int) -> Iterator[Input]:
        if not path or path in ("self", "cls", "None", "True", "False", "torch", "np", "math"):
            return
        found = self._known(path, scope)
        if found is not None:
            yield found
            return
        for method in _TEXT_METHODS:
            if path.endswith(method):
                yield from self._path(path.removesuffix(method), scope, meanings, depth)
                return
        if depth < _DEPTH:
            followed = self._followed(path, scope, meanings, depth)
            if followed is not None:
                yield from followed
                return
        yield self._plain(path, scope)

    def _known(self, path: str, scope: Scope) -> Input | None:
        """Recognise a path by the tables: environment, option, request field, platform, package."""
        for part in path.removesuffix(".get()").split("."):
            if part in self.environment.by_name and part.isupper() and "." in path:
                return Input("environment", part, path, self.environment.by_name[part])
        receiver, _, field = path.rpartition(".")
        validated = self._validated(path, scope)
        if validated is not None:
            return validated
        if receiver:
            option = self.settings.option(receiver, field, scope)
            if option is not None:
                return Input("option", option.flag or option.field, path, option)
            model = self._model_field(receiver, field, scope)
            if model is not None:
                return model
        last = path.removesuffix("()").rpartition(".")[2]
        if last in CAPABILITY_CALLS:
            return Input("platform", "GPU compute capability", path)
        package = package_of(last)
        if package and package in self.tree.packages:
            return Input("package", package, path)
        if (
            receiver
            and not path.endswith("()")
            and receiver.split(".", 1)[0] in (scope.parameters | scope.bindings.keys())
        ):
            return None  # `x.is_cuda` asks where a tensor is, not what the machine is
        platform = platform_of(last)
        return Input("platform", platform, path, type=self._hardware(path, scope)) if platform else None

    def _hardware(self, path: str, scope: Scope) -> str:
        """Say in compute capabilities what a predicate made by a partial call tests.

        `partial(check, majors=[10], version=(12, 8))`.
        """
        at = self.tree.resolve(scope.path, path.removesuffix("()"))
        constant = self.tree.constants(at[0]).get(at[1]) if at is not None else None
        found = _MAJORS.search(constant.text) if constant is not None else None
        if found is None:
            return ""
        majors = " or ".join(f"{n.strip()}.x" for n in found[1].split(",") if n.strip())
        version = _VERSION.search(constant.text) if constant is not None else None
        toolkit = f" with CUDA {version[1]}.{version[2]} or later" if version is not None else ""
        return f"a GPU of compute capability {majors}{toolkit}"

    def _validated(self, path: str, scope: Scope) -> Input | None:
        """Return the field whose value a validator of its model checks: `@field_validator("x") def f(cls, v)`."""
        function, holder = scope.function, scope.holder
        if function is None or holder is None or path not in function.parameters.split()[:2] or path in ("self", "cls"):
            return None
        for decorator in function.decorators:
            if "validator" in decorator.split("(", 1)[0]:
                names = re.findall(r"[\"'](\w+)[\"']", decorator)
                model = (
                    self.requests.field(*holder, names[0])
                    if len(names) >= 1 and names[0] not in ("before", "after")
                    else None
                )
                if model is not None and self.requests.is_model(*holder):
                    return Input("request-field", names[0], path, model, model.type, model.default)
        return None

    def _model_field(self, receiver: str, field: str, scope: Scope) -> Input | None:
        holder: tuple[str, ClassInfo] | None = None
        if receiver == "self":
            holder = scope.holder
        elif "." not in receiver:
            annotation = scope.annotation(receiver)
            for name in re.findall(r"[A-Za-z_][\w.]*", annotation or ""):
                if name in ("Union", "Optional", "List", "Any", "None", "Dict", "str", "int"):
                    continue
                holder = self.tree.find_class(scope.path, name)
                if holder is not None and self.requests.field(*holder, field) is not None:
                    break
        if holder is None:
            holder = self.requests.named(scope.path, receiver)
        if holder is None or not self.requests.is_model(*holder):
            return None
        model = self.requests.field(*holder, field)
        return (
            Input("request-field", field, f"{receiver}.{field}", model, model.type, model.default)
            if model is not None
            else None
        )

    def _followed(self, path: str, scope: Scope, meanings: dict[str, Meaning], depth: int) -> list[Input] | None:
        """Follow a name to the one value that it is bound to, a helper without arguments to its expression."""
        text, line = "", 0
        if path.endswith("()"):
            _, function = callee(self.tree, path[:-2], scope)
            text = function.value if function is not None else ""
            if function is not None and not text and len(function.variables) == 1:
                variable = self.environment.by_name.get(function.variables[0])
                if variable is not None:
                    return [Input("environment", variable.name, path, variable)]
        elif "." not in path:
            bound = scope.bound(path)
            if bound is not None and bound.text and not bound.text.startswith("<each>"):
                text, line = bound.text, bound.line
            elif path not in scope.parameters and path not in scope.bindings:
                at = self.tree.resolve(scope.path, path)
                constant = self.tree.constants(at[0]).get(at[1]) if at is not None else None
                text, line = (
                    (constant.text, constant.line) if constant is not None and not constant.container else ("", 0)
                )
        elif path.startswith("self.") and path.count(".") == 1 and scope.holder is not None:
            text = next(
                (
                    dict(info.attributes)[path[5:]]
                    for _, info in self.tree.ancestors(*scope.holder)
                    if path[5:] in dict(info.attributes)
                ),
                "",
            )
        node = parse(text) if text else None
        if isinstance(node, ast.Constant) and path.rpartition(".")[2].isupper():
            meanings[path] = Meaning(path, text, line)
            return []
        if node is None or isinstance(node, ast.Constant) or text == path or _is_filled_later(node):
            return None
        inner = scope if not line else Scope(scope.path, scope.function, scope.holder, line)
        if path.startswith("self."):
            # The value stands in another method, whose parameters are not this function's.
            inner = Scope(scope.path, None, scope.holder, scope.line)
        elif path.endswith("()"):
            inner = Scope(scope.path, None, None, scope.line)
        key = entry_key(node)
        if key:
            holder = list(self.inputs(key[0], inner, {}, depth + 1))
            if len(holder) == 1 and holder[0].kind == "config-field":
                meanings[path] = Meaning(path, text, line)
                return [Input("config-field", key[1], path)]
        found = list(self.inputs(node, inner, meanings, depth + 1))
        told = any(
            one.kind in ("option", "environment", "platform", "package", "request-field", "config-field")
            for one in found
        )
        if line or told or path.endswith("()"):
            meanings[path] = Meaning(path, text, line)
        if not told:
            return None
        # Only a value that is nothing but the input itself stands for it; of a computed one it is a part.
        if isinstance(node, ast.Call) and path_of(node.func) in _CONVERSIONS and len(node.args) == 1:
            node = node.args[0]  # the same value in another type
        whole = bool(path_of(node)) or (len(found) == 1 and found[0].expression == source_of(node))
        return [
            Input(one.kind, one.name, path if whole else one.expression, one.source, one.type, one.default)
            for one in found
        ]

    def _plain(self, path: str, scope: Scope) -> Input:
        """Name what no table knows: a config field, a tensor's property, a parameter, an attribute, a local."""
        receiver, _, field = path.rpartition(".")
        if receiver:
            doubtful = receiver.rpartition(".")[2] in SETTINGS_RECEIVERS and field in self.options.by_field
            if receiver.rpartition(".")[2] in CONFIG_RECEIVERS and not doubtful:
                return Input("config-field", field, path)
            if field in TENSOR_PROPERTIES or field.removesuffix("()") in TENSOR_PROPERTIES:
                return Input("tensor-property", receiver, path, type=TENSOR_PROPERTIES.get(field, field))
        if not receiver and path in scope.parameters and scope.function is not None:
            known = next((p for p in scope.function.annotated if p.name == path), None)
            return Input(
                "parameter", path, path, type=known.annotation if known else "", default=known.default if known else ""
            )
        return Input("attribute" if receiver else "local", path, path)


def _is_filled_later(node: ast.expr) -> bool:
    """Tell an empty container, which a name is given to be filled: its first value says nothing of its later ones."""
    if isinstance(node, ast.List | ast.Set | ast.Dict):
        return not (node.keys if isinstance(node, ast.Dict) else node.elts)
    return isinstance(node, ast.Call) and path_of(node.func).rpartition(".")[2] in CONTAINERS and not node.args
