"""The texts that a string expression can have, as far as the source tells."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import replace

from msgspec.structs import replace as altered

from extractor.model.facts import ConstantRef, Placeholder
from extractor.scan.access import path_of
from extractor.scan.formatting import Field, split_format, split_percent
from extractor.scan.fstring import fields
from extractor.scan.names import FileNames, import_ref
from extractor.scan.region import Binding, Region
from extractor.scan.state import RegionStates
from extractor.scan.text import Source, fold
from extractor.scan.texts import Known, concat, either, fixed, is_bare, mapped, plain, value

_MAX_DEPTH = 40
"""Expressions nested deeper than this are taken as runtime values."""

_METHODS: dict[str, Callable[..., str]] = {
    name: getattr(str, name)
    for name in (
        "capitalize", "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rstrip", "strip", "title", "upper",
    )
}  # fmt: skip
"""Methods of `str` that can be worked out where everything is constant."""

_FUNCTIONS: dict[tuple[str, ...], Callable[[str], str]] = {
    ("textwrap", ".dedent"): textwrap.dedent,
    ("dedent",): textwrap.dedent,
    ("inspect", ".cleandoc"): inspect.cleandoc,
    ("cleandoc",): inspect.cleandoc,
    ("str",): str,
}
"""Functions of one text that can be worked out where it is constant."""


class Strings:
    """Evaluates string expressions of one region."""

    def __init__(
        self, source: Source, names: FileNames, region: Region, states: RegionStates | None, literal: bool = False
    ) -> None:
        """Take the region and its solved analysis; with `literal`, embedded names stay placeholders."""
        self._source = source
        self._names = names
        self._region = region
        self._states = states
        self._active: list[Binding] = []
        self._depth = 0
        self.literal = literal

    def as_written(self) -> Strings:
        """Return the same evaluator, which leaves names inside f-strings and format calls as placeholders."""
        return Strings(self._source, self._names, self._region, self._states, literal=True)

    def source(self, node: ast.expr | ast.keyword) -> str:
        """Return the folded source of an expression."""
        try:
            return self._source.folded(node)
        except (IndexError, UnicodeDecodeError):  # inside f-strings, positions are wrong before Python 3.12
            return fold(ast.unparse(node))

    def printed(self, node: ast.expr, at: ast.AST) -> Known:
        """Return what `str()` of an expression gives."""
        return self.field(node, at, Placeholder(self.source(node)), embedded=False)

    def field(self, node: ast.expr, at: ast.AST, placeholder: Placeholder, *, embedded: bool = True) -> Known:
        """Return what an expression prints under the conversion and format of `placeholder`."""
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            node = ast.copy_location(ast.Constant(str(node.value)), node) if placeholder.conversion is None else node
        known = None
        if not (self.literal and embedded and not isinstance(node, (ast.Constant, ast.JoinedStr, ast.IfExp))):
            known = self.text(node, at)
        if known is not None and embedded and (not known.exact or any(map(is_bare, known.texts))):
            known = None  # not all of it is known: the whole is one value
        if known is not None and (placeholder.conversion or placeholder.format_spec):
            known = mapped(known, lambda text: _printed_as(text, placeholder)) if _plain_spec(placeholder) else None
        if known is not None:
            return known
        if isinstance(node, ast.Constant) and placeholder.conversion == "r":
            return fixed(repr(node.value))
        ref = self._ref(node) if not (self.literal and embedded) else None
        return value(altered(placeholder, ref=ref) if ref is not None else placeholder)

    def text(self, node: ast.expr, at: ast.AST) -> Known | None:
        """Return the texts of a string expression, None for a runtime value."""
        handler = _HANDLERS.get(type(node))
        if handler is None or self._depth > _MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return handler(self, node, at)
        finally:
            self._depth -= 1

    def _constant(self, node: ast.Constant, _at: ast.AST) -> Known | None:
        return fixed(node.value) if isinstance(node.value, str) else None

    def _joined(self, node: ast.JoinedStr, at: ast.AST) -> Known | None:
        written = fields(self._source.segment(node))
        values = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        if written is None or len(written) != len(values):
            written = [_unparsed(each) for each in values]
        remaining = iter(written)
        parts: list[tuple[Known, Placeholder | None]] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                placeholder = next(remaining)
                parts.append((self.field(each.value, at, placeholder), placeholder))
            elif isinstance(each, ast.Constant):
                parts.append((fixed(str(each.value)), None))
        joined = concat([part for part, _ in parts])
        # Too many texts in all: the fields that have alternatives become plain values.
        return joined or concat([part if len(part.texts) == 1 or p is None else value(p) for part, p in parts])

    def _binary(self, node: ast.BinOp, at: ast.AST) -> Known | None:
        if isinstance(node.op, ast.Add):
            return self._sum(node, at)
        left = self.text(node.left, at)
        if left is None:
            return None
        if isinstance(node.op, ast.Mod):
            return self._percent(left, node.right, at)
        if isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Constant) and isinstance(node.right.value, int):
            times = min(node.right.value, 1000)
            return mapped(left, lambda text: text * times)
        return None

    def _sum(self, node: ast.BinOp, at: ast.AST) -> Known | None:
        terms: list[ast.expr] = []
        rest: ast.expr = node
        while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add):
            terms.append(rest.right)
            rest = rest.left
        terms = [rest, *reversed(terms)]
        if all(self.text(term, at) is None for term in terms):
            return None
        return concat([self.field(term, at, Placeholder(self.source(term))) for term in terms])

    def _percent(self, left: Known, right: ast.expr, at: ast.AST) -> Known | None:
        def values(field: Field) -> tuple[ast.expr | None, str]:
            if isinstance(right, ast.Dict):
                pairs = zip(right.keys, right.values, strict=True)
                found = [v for k, v in pairs if isinstance(k, ast.Constant) and k.value == field.key]
                return (found[-1], "") if found else (None, f"{self.source(right)}[{field.key!r}]")
            return None, f"{self.source(right)}[{field.key!r}]"

        positional = list(right.elts) if isinstance(right, ast.Tuple) else [right]
        return self._formatted(left, split_percent, positional, values, at)

    def _format(self, node: ast.Call, base: Known, at: ast.AST) -> Known | None:
        keywords = {each.arg: each.value for each in node.keywords if each.arg}

        def values(field: Field) -> tuple[ast.expr | None, str]:
            return keywords.get(str(field.key)), str(field.key)

        if any(isinstance(each, ast.Starred) for each in node.args):
            return None
        return self._formatted(base, split_format, node.args, values, at)

    def _formatted(
        self,
        base: Known,
        split: Callable[[str], list[str | Field] | None],
        positional: list[ast.expr],
        named: Callable[[Field], tuple[ast.expr | None, str]],
        at: ast.AST,
    ) -> Known | None:
        """Fill the fields of a format text with the expressions of its values."""
        whole: list[Known] = []
        for text in base.texts:
            if text.placeholders:
                return None  # the values could hold fields themselves
            pieces = split(text.texts[0])
            if pieces is None:
                return None
            parts: list[Known] = []
            next_value = 0
            for piece in pieces:
                if isinstance(piece, str):
                    parts.append(fixed(piece))
                    continue
                next_value += piece.stars
                index = next_value if piece.key is None else piece.key
                next_value += piece.key is None
                if isinstance(index, int):
                    if index >= len(positional):
                        return None
                    parts.append(self._filled(piece, positional[index], "", at))
                else:
                    parts.append(self._filled(piece, *named(piece), at))
            joined = concat(parts)
            if joined is None:
                return None
            whole.append(joined)
        merged = either(whole)
        return replace(merged, elsewhere=merged.elsewhere or base.elsewhere) if merged is not None else None

    def _filled(self, field: Field, node: ast.expr | None, name: str, at: ast.AST) -> Known:
        expression = (self.source(node) if node is not None else name) + field.path
        placeholder = Placeholder(expression, field.conversion, field.spec)
        if node is None or field.path or field.stars:
            return value(placeholder)
        return self.field(node, at, placeholder)

    def _conditional(self, node: ast.IfExp, at: ast.AST) -> Known | None:
        branches = [node.body, node.orelse]
        if all(self.text(branch, at) is None for branch in branches):
            return None
        return either([self.field(branch, at, Placeholder(self.source(branch)), embedded=False) for branch in branches])

    def _boolean(self, node: ast.BoolOp, at: ast.AST) -> Known | None:
        if not isinstance(node.op, ast.Or) or all(self.text(each, at) is None for each in node.values):
            return None
        return either([self.field(each, at, Placeholder(self.source(each)), embedded=False) for each in node.values])

    def _walrus(self, node: ast.NamedExpr, at: ast.AST) -> Known | None:
        return self.text(node.value, at)

    def _call(self, node: ast.Call, at: ast.AST) -> Known | None:
        function = path_of(node.func)
        if function in _FUNCTIONS and len(node.args) == 1 and not node.keywords:
            if function == ("str",):
                return self.text(node.args[0], at)
            return mapped(self.text(node.args[0], at), _FUNCTIONS[function])
        if not isinstance(node.func, ast.Attribute):
            return None
        method = node.func.attr
        if method == "join" and len(node.args) == 1:
            return self._join(node.func.value, node.args[0], at)
        base = self.text(node.func.value, at) if method == "format" or method in _METHODS else None
        if base is None:
            return None
        if method == "format":
            return self._format(node, base, at)
        arguments = [plain(self.text(each, at)) for each in node.args]
        if node.keywords or any(each is None for each in arguments):
            return None
        return mapped(base, lambda text: _METHODS[method](text, *arguments))

    def _join(self, separator: ast.expr, items: ast.expr, at: ast.AST) -> Known | None:
        between = self.text(separator, at)
        elsewhere = isinstance(items, ast.Name)
        if isinstance(items, ast.Name) and not self._is_local(items.id):
            items = self._names.constant(items.id) or items
        if between is None or not isinstance(items, (ast.Tuple, ast.List)) or not items.elts:
            return None
        if elsewhere and (self.literal or isinstance(items, ast.List)):
            return None  # a list may have been changed since
        if any(isinstance(each, ast.Starred) for each in items.elts):
            return None
        parts: list[Known] = []
        for position, each in enumerate(items.elts):
            parts.extend([between] if position else [])
            parts.append(self.field(each, at, Placeholder(self.source(each))))
        joined = concat(parts)
        return replace(joined, elsewhere=joined.elsewhere or elsewhere) if joined is not None else None

    def _subscript(self, node: ast.Subscript, at: ast.AST) -> Known | None:
        table = node.value
        if isinstance(table, ast.Name) and not self._is_local(table.id):
            table = self._names.constant(table.id) or table
        key = node.slice
        if not isinstance(table, ast.Dict) or not isinstance(key, ast.Constant):
            return None
        for each, entry in zip(table.keys, table.values, strict=True):
            if isinstance(each, ast.Constant) and each.value == key.value:
                found = self._outside(entry) if table is not node.value else self.text(entry, at)
                return found
        return None

    def _attribute(self, node: ast.Attribute, _at: ast.AST) -> Known | None:
        path = path_of(node)
        if path is None or len(path) != 2:
            return None
        owner = self._region.owner if path[0] in ("self", "cls") else self._names.class_named(path[0])
        if owner is None:
            return None
        constant = self._names.class_constant(owner, node.attr)
        return self._outside(constant) if constant is not None else None

    def _name(self, node: ast.Name, at: ast.AST) -> Known | None:
        if node.id in self._region.parameters or self._region.is_local(node.id):
            return self._local(node.id, at)
        outer = self._region.outer
        while outer is not None:
            if outer.is_local(node.id):
                bindings = outer.bindings.get(node.id, [])
                single = bindings[0] if len(bindings) == 1 and node.id not in outer.parameters else None
                return self._outside(single.value, outer) if single is not None and single.value is not None else None
            outer = outer.outer
        constant = self._names.constant(node.id)
        return self._outside(constant) if constant is not None else None

    def _outside(self, node: ast.expr, region: Region | None = None) -> Known | None:
        """Evaluate an expression of another scope, whose own local names are runtime values."""
        inner = Strings(self._source, self._names, region or self._names.module, None, self.literal)
        inner._depth = self._depth
        known = inner.text(node, self._names.module.node)
        return replace(known, elsewhere=True) if known is not None else None

    def _local(self, name: str, at: ast.AST) -> Known | None:
        """Join what the assignments that reach `at` give."""
        reaching = self._states.definitions_at(at, name) if self._states is not None else None
        if not reaching:
            return None
        found: list[Known] = []
        for binding in reaching:
            if (binding is None and name not in self._region.parameters) or (binding and binding.kind == "deleted"):
                continue  # unbound there: no message is made
            known = self._bound(name, binding) if binding is not None else None
            found.append(known or value(Placeholder(name, ref=self._local_ref(name, binding))))
        if not found or all(is_bare(text) and not _has_ref(text) for each in found for text in each.texts):
            return None
        merged = either(found)
        return replace(merged, elsewhere=True) if merged is not None else None

    def _bound(self, name: str, binding: Binding) -> Known | None:
        if binding.value is None or binding in self._active:
            return None
        self._active.append(binding)
        try:
            if binding.kind == "value":
                return self.text(binding.value, binding.node)
            if binding.kind == "augment":
                return self._augmented(name, binding)
        finally:
            self._active.pop()
        return None

    def _augmented(self, name: str, binding: Binding) -> Known | None:
        """`name += more`: what was there before, and more; in a loop, nobody knows how often."""
        assert self._states is not None  # noqa: S101 -- only names that are followed come here
        assert binding.value is not None  # noqa: S101
        reaching = self._states.definitions_at(binding.node, name) or []
        first = [each for each in reaching if each not in self._active]
        before = [known for each in first if each is not None and (known := self._bound(name, each)) is not None]
        start = either(before) if before and len(before) == len([each for each in first if each is not None]) else None
        if start is None:
            return None
        if len(first) < len(reaching):
            looped = concat([start, value(Placeholder(name))])
            return replace(looped, exact=False) if looped is not None else None
        return concat([start, self.field(binding.value, binding.node, Placeholder(self.source(binding.value)))])

    def _is_local(self, name: str) -> bool:
        region: Region | None = self._region
        while region is not None and not isinstance(region.node, ast.Module):
            if region.is_local(name):
                return True
            region = region.outer
        return False

    def _ref(self, node: ast.expr) -> ConstantRef | None:
        """Return where an imported name comes from, for the link stage to look up."""
        path = path_of(node)
        if path is None or any(step.startswith("[") for step in path) or self._is_local(path[0]):
            return None
        imported = self._names.imports.get(path[0])
        if imported is None:
            return None
        name = "".join((imported.name, *path[1:])).lstrip(".")
        return ConstantRef(imported.module, name) if name else None

    @staticmethod
    def _local_ref(name: str, binding: Binding | None) -> ConstantRef | None:
        if binding is None or not isinstance(binding.node, (ast.Import, ast.ImportFrom)):
            return None
        ref = import_ref(binding.node, name)
        return ref if ref is not None and ref.name else None


_HANDLERS: dict[type[ast.expr], Callable[[Strings, ast.expr, ast.AST], Known | None]] = {
    ast.Attribute: Strings._attribute,  # type: ignore[dict-item] -- each handler takes its own node type
    ast.BinOp: Strings._binary,  # type: ignore[dict-item]
    ast.BoolOp: Strings._boolean,  # type: ignore[dict-item]
    ast.Call: Strings._call,  # type: ignore[dict-item]
    ast.Constant: Strings._constant,  # type: ignore[dict-item]
    ast.IfExp: Strings._conditional,  # type: ignore[dict-item]
    ast.JoinedStr: Strings._joined,  # type: ignore[dict-item]
    ast.Name: Strings._name,  # type: ignore[dict-item]
    ast.NamedExpr: Strings._walrus,  # type: ignore[dict-item]
    ast.Subscript: Strings._subscript,  # type: ignore[dict-item]
}


def _has_ref(text: object) -> bool:
    return any(each.ref is not None for each in getattr(text, "placeholders", ()))


def _plain_spec(placeholder: Placeholder) -> bool:
    return "{" not in (placeholder.format_spec or "") and "*" not in (placeholder.format_spec or "")


def _printed_as(text: str, placeholder: Placeholder) -> str:
    shown = {"r": repr, "a": ascii}.get(placeholder.conversion or "", str)(text)
    try:
        return format(shown, placeholder.format_spec or "")
    except ValueError:
        return shown


def _unparsed(node: ast.FormattedValue) -> Placeholder:
    conversion = chr(node.conversion) if node.conversion > 0 else None
    spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec is not None else None
    return Placeholder(fold(ast.unparse(node.value)), conversion, spec)
