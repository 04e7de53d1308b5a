"""The texts that a string expression can have, as far as the source tells."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable

from msgspec.structs import replace

from extractor.model.facts import Placeholder
from extractor.scan.access import path_of
from extractor.scan.fstring import fields
from extractor.scan.lookup import Lookup
from extractor.scan.string_formats import format_text, join_text, percent_text
from extractor.scan.text import fold
from extractor.scan.texts import Known, Part, assemble, either, fixed, mapped, plain, stripped, value

_MAX_DEPTH = 40
"""Expressions nested deeper than this are taken as runtime values."""

_MAX_REPEAT = 1000
"""`"=" * n` is worked out up to this n."""

_METHODS: dict[str, Callable[..., str]] = {
    name: getattr(str, name)
    for name in (
        "capitalize", "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rstrip", "strip", "title", "upper",
    )
}  # fmt: skip
"""Methods of `str` that can be worked out where everything is constant."""

_STRIPS = {"strip": (True, True), "lstrip": (True, False), "rstrip": (False, True)}
"""Methods that only touch the ends of a text, by whether they touch its beginning and its end."""

_FUNCTIONS: dict[tuple[str, ...], Callable[[str], str]] = {
    ("textwrap", ".dedent"): textwrap.dedent,
    ("dedent",): textwrap.dedent,
    ("inspect", ".cleandoc"): inspect.cleandoc,
    ("cleandoc",): inspect.cleandoc,
}
"""Functions of one text that can be worked out where it is constant."""


class Strings:
    """Evaluates string expressions as seen from one place in the source."""

    def __init__(self, lookup: Lookup, *, literal: bool = False, depth: int = 0) -> None:
        """Take what names mean there; with `literal`, names inside f-strings and format calls stay placeholders."""
        self.lookup = lookup
        self.literal = literal
        self._depth = depth

    def as_written(self) -> Strings:
        """Return the same evaluator in its literal form."""
        return Strings(self.lookup, literal=True)

    def source(self, node: ast.expr | ast.keyword) -> str:
        """Return the folded source of an expression."""
        try:
            return self.lookup.source.folded(node)
        except (IndexError, UnicodeDecodeError):  # inside f-strings, positions are wrong before Python 3.12
            return fold(ast.unparse(node))

    def printed(self, node: ast.expr, at: ast.AST) -> Known:
        """Return what `str()` of an expression gives."""
        return self.field(node, at, Placeholder(self.source(node)), embedded=False)

    def field(self, node: ast.expr, at: ast.AST, placeholder: Placeholder, *, embedded: bool = True) -> Known:
        """Return what an expression prints under the conversion and format of `placeholder`."""
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            return self._printed_constant(node, placeholder)
        named = self.literal and embedded and not isinstance(node, (ast.Constant, ast.JoinedStr, ast.IfExp))
        known = None if named else self.text(node, at)
        bare = known is not None and any(text.bare for text in known.texts) and not isinstance(node, ast.JoinedStr)
        if known is not None and embedded and (not known.exact or bare):
            known = None  # not all of it is known: the whole is one value
        if known is not None and (placeholder.conversion or placeholder.format_spec):
            known = mapped(known, lambda text: _shown(text, placeholder)) if _plain_spec(placeholder) else None
        if known is not None:
            return known
        ref = None if named else self.lookup.ref(node)
        return value(replace(placeholder, ref=ref) if ref is not None else placeholder)

    def text(self, node: ast.expr, at: ast.AST) -> Known | None:
        """Return the texts of a string expression, None for a runtime value."""
        if self._depth > _MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return self._text(node, at)
        finally:
            self._depth -= 1

    def _text(self, node: ast.expr, at: ast.AST) -> Known | None:
        match node:
            case ast.Constant(value=str(text)):
                return fixed(text)
            case ast.JoinedStr():
                return self._joined(node, at)
            case ast.BinOp():
                return self._binary(node, at)
            case ast.IfExp():
                return self._alternatives([node.body, node.orelse], at)
            case ast.BoolOp(op=ast.Or()):
                return self._alternatives(node.values, at)
            case ast.NamedExpr():
                return self.text(node.value, at)
            case ast.Call():
                return self._call(node, at)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self.lookup.text(node, at, self)
        return None

    def at(self, lookup: Lookup) -> Strings:
        """Return an evaluator for another scope, as deep as this one."""
        return Strings(lookup, literal=self.literal, depth=self._depth)

    @staticmethod
    def _printed_constant(node: ast.Constant, placeholder: Placeholder) -> Known:
        if placeholder.format_spec:
            return value(placeholder)
        return fixed(repr(node.value) if placeholder.conversion else str(node.value))

    def _joined(self, node: ast.JoinedStr, at: ast.AST) -> Known | None:
        written = fields(self.lookup.source.segment(node))
        values = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        if written is None or len(written) != len(values):
            written = [_unparsed(each) for each in values]
        remaining = iter(written)
        parts: list[Part] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                placeholder = next(remaining)
                parts.append((self.field(each.value, at, placeholder), placeholder))
            elif isinstance(each, ast.Constant):
                parts.append((fixed(str(each.value)), None))
        return assemble(parts)

    def _binary(self, node: ast.BinOp, at: ast.AST) -> Known | None:
        if isinstance(node.op, ast.Add):
            return self._sum(node, at)
        if isinstance(node.op, ast.Mod):
            left = self.text(node.left, at)
            return percent_text(left, node.right, at, self) if left is not None else None
        if isinstance(node.op, ast.Mult):
            return self._repeated(node.left, node.right, at) or self._repeated(node.right, node.left, at)
        return None

    def _repeated(self, text: ast.expr, count: ast.expr, at: ast.AST) -> Known | None:
        if not isinstance(count, ast.Constant) or not isinstance(count.value, int) or count.value > _MAX_REPEAT:
            return None
        times = count.value
        return mapped(self.text(text, at), lambda each: each * times)

    def _sum(self, node: ast.BinOp, at: ast.AST) -> Known | None:
        terms: list[ast.expr] = []
        rest: ast.expr = node
        while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add):
            terms.append(rest.right)
            rest = rest.left
        terms = [rest, *reversed(terms)]
        if all(self.text(term, at) is None for term in terms):
            return None
        wholes = [Placeholder(self.source(term)) for term in terms]
        return assemble([(self.field(term, at, whole), whole) for term, whole in zip(terms, wholes, strict=True)])

    def _alternatives(self, nodes: list[ast.expr], at: ast.AST) -> Known | None:
        if all(self.text(each, at) is None for each in nodes):
            return None
        return either([self.field(each, at, Placeholder(self.source(each)), embedded=False) for each in nodes])

    def _call(self, node: ast.Call, at: ast.AST) -> Known | None:
        function = path_of(node.func)
        if len(node.args) == 1 and not node.keywords and function is not None and self.lookup.is_standard(function):
            if function == ("str",):
                return self.text(node.args[0], at)
            if function in _FUNCTIONS:
                return mapped(self.text(node.args[0], at), _FUNCTIONS[function])
        if not isinstance(node.func, ast.Attribute):
            return None
        method = node.func.attr
        if method == "join" and len(node.args) == 1:
            return join_text(node.func.value, node.args[0], at, self)
        base = self.text(node.func.value, at) if method == "format" or method in _METHODS else None
        if base is None:
            return None
        if method == "format":
            return format_text(base, node, at, self)
        arguments = [plain(self.text(each, at)) for each in node.args]
        if node.keywords or any(each is None for each in arguments):
            return None
        if method in _STRIPS and not arguments:
            return stripped(base, *_STRIPS[method])
        return mapped(base, lambda text: _METHODS[method](text, *arguments))


def _plain_spec(placeholder: Placeholder) -> bool:
    return "{" not in (placeholder.format_spec or "") and "*" not in (placeholder.format_spec or "")


def _shown(text: str, placeholder: Placeholder) -> str:
    shown = {"r": repr, "a": ascii}.get(placeholder.conversion or "", str)(text)
    try:
        return format(shown, placeholder.format_spec or "")
    except ValueError:
        return shown


def _unparsed(node: ast.FormattedValue) -> Placeholder:
    conversion = chr(node.conversion) if node.conversion > 0 else None
    spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec is not None else None
    return Placeholder(fold(ast.unparse(node.value)), conversion, spec)
