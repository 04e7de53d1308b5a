"""Reads syntax that is newer than the running Python, through LibCST.

LibCST's parser knows Python up to 3.14 on any Python. What the standard library's parser does not know is rewritten in
place, byte for byte at the same positions, into older syntax with the same reads and the same control flow; after
parsing, f-strings are put back. Every position in the tree is therefore one of the original text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from extractor.scan.text import nesting

MAX_CHARACTERS = 2_000_000
"""Larger files are not read this way: positions cost LibCST several seconds a megabyte."""

MAX_NESTING = 200
"""Brackets nested deeper are refused, as CPython's tokenizer does; LibCST's parser would overflow its stack."""

_STRINGS = (cst.FormattedString, cst.TemplatedString)
_FIELDS = (cst.FormattedStringExpression, cst.TemplatedStringExpression)
_TEXTS = (cst.FormattedStringText, cst.TemplatedStringText)


class NotReadableError(Exception):
    """LibCST cannot read the text either, or it holds something that has no older form."""


@dataclass(slots=True)
class _Item:
    """One part of an f-string: a text, or a field with the number of tuple elements that hold its expression."""

    text: str = ""
    elements: int = 0
    bare_tuple: bool = False
    conversion: int = -1
    spec: list[_Item] | None = None


@dataclass(slots=True)
class Lowered:
    """A text in older syntax, with what is needed to put the newer back."""

    text: str
    """What the standard library can parse."""
    source: str
    """The original text, which positions point into."""
    strings: dict[tuple[int, int], list[_Item]] = field(default_factory=dict)
    """Parts of the f-string at a line and UTF-8 column."""
    parenthesised: set[tuple[int, int]] = field(default_factory=set)
    """Where parentheses were put around exception types."""


def lower(text: str) -> Lowered:
    """Rewrite newer syntax; raises NotReadableError."""
    if len(text) > MAX_CHARACTERS:
        raise NotReadableError(f"more than {MAX_CHARACTERS} characters of syntax newer than this Python")
    if nesting(text) > MAX_NESTING:
        raise NotReadableError(f"brackets nested more than {MAX_NESTING} deep")
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        positions = wrapper.resolve(PositionProvider)
    except cst.ParserSyntaxError as error:
        raise NotReadableError(" ".join(error.message.split())) from error
    except Exception as error:  # a stack overflow deep inside LibCST comes out as whatever it broke there
        raise NotReadableError(f"LibCST cannot read it ({type(error).__name__})") from None
    editor = _Editor(text, {node: at for node, at in positions.items() if isinstance(at, CodeRange)})
    wrapper.module.visit(editor)
    return Lowered(b"\n".join(map(bytes, editor.lines)).decode(), text, editor.strings, editor.parenthesised)


class _Editor(cst.CSTVisitor):
    """Edits the lines of a text where it meets newer syntax, outer constructs before inner ones."""

    def __init__(self, text: str, positions: dict[cst.CSTNode, CodeRange]) -> None:
        super().__init__()
        self._source = text.split("\n")
        self._positions = positions
        self.lines = [bytearray(line.encode()) for line in self._source]
        self.strings: dict[tuple[int, int], list[_Item]] = {}
        self.parenthesised: set[tuple[int, int]] = set()

    def _byte(self, line: int, column: int) -> int:
        return len(self._source[line - 1][:column].encode())

    def _span(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        at = self._positions[node]
        first, last = at.start.line, at.end.line
        return first, self._byte(first, at.start.column), last, self._byte(last, at.end.column)

    def _blank(self, span: tuple[int, int, int, int]) -> None:
        first, start, last, end = span
        for number in range(first, last + 1):
            line = self.lines[number - 1]
            left, right = start if number == first else 0, end if number == last else len(line)
            line[left:right] = b" " * (right - left)

    def _put(self, line: int, column: int, character: str) -> None:
        self.lines[line - 1][column : column + 1] = character.encode()

    # Strings.

    def visit_ConcatenatedString(self, node: cst.ConcatenatedString) -> bool:  # noqa: N802 -- LibCST's naming
        parts = list(_parts(node))
        if any(isinstance(part, _STRINGS) for part in parts):
            self._lower_string(parts)
        return False

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:  # noqa: N802
        self._lower_string([node])
        return False

    def visit_TemplatedString(self, node: cst.TemplatedString) -> bool:  # noqa: N802
        self._lower_string([node])
        return False

    def _lower_string(self, parts: Sequence[cst.BaseExpression]) -> None:
        first, start, last, end = self._string_span(parts)
        kept: list[tuple[cst.BaseExpression, tuple[int, int, int, int], list[bytes]]] = []
        for expression in _expressions_in(parts):
            span = self._span(expression)
            span = self._with_parentheses(expression, span)
            kept.append((expression, span, self._copy(span)))
        self._blank((first, start, last, end))
        self._put(first, start, "(")
        self._put(last, end - 1, ")")
        for _, span, content in kept:
            self._paste(span, content)
            self._put(span[2], span[3], ",")
        items = [item for part in parts for item in self._items(part)]
        self.strings[first, start] = items
        for expression, _, _ in kept:
            if isinstance(expression, (cst.Yield, cst.NamedExpr)) and not expression.lpar:
                raise NotReadableError("a bare yield inside an f-string")
            expression.visit(self)

    def _string_span(self, parts: Sequence[cst.BaseExpression]) -> tuple[int, int, int, int]:
        first, start, _, _ = self._span(parts[0])
        _, _, last, end = self._span(parts[-1])
        return first, start, last, end

    def _with_parentheses(self, node: cst.BaseExpression, span: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """Positions leave out the parentheses around an expression; find the ends of those."""
        first, start, last, end = span
        for _ in node.lpar:
            first, start = self._find(first, start - 1, -1, b"(")
        for _ in node.rpar:
            last, end = self._find(last, end, 1, b")")
            end += 1
        return first, start, last, end

    def _find(self, line: int, column: int, step: int, wanted: bytes) -> tuple[int, int]:
        while self.lines[line - 1][column : column + 1] != wanted or column < 0:
            column += step
            if not 0 <= column < len(self.lines[line - 1]):
                line += step
                if not 1 <= line <= len(self.lines):
                    raise NotReadableError("parentheses that cannot be found again")
                column = 0 if step > 0 else len(self.lines[line - 1]) - 1
        return line, column

    def _copy(self, span: tuple[int, int, int, int]) -> list[bytes]:
        first, start, last, end = span
        return [
            bytes(self.lines[n - 1][start if n == first else 0 : end if n == last else None])
            for n in range(first, last + 1)
        ]

    def _paste(self, span: tuple[int, int, int, int], content: list[bytes]) -> None:
        first, start, _, _ = span
        for offset, piece in enumerate(content):
            left = start if offset == 0 else 0
            self.lines[first - 1 + offset][left : left + len(piece)] = piece

    def _items(self, part: cst.BaseExpression) -> Iterator[_Item]:
        if isinstance(part, cst.SimpleString):
            value = part.evaluated_value
            yield _Item(value if isinstance(value, str) else "")
        elif isinstance(part, _STRINGS):
            quote, prefix = part.quote, part.prefix.lower().replace("f", "").replace("t", "")
            for piece in part.parts:
                if isinstance(piece, _FIELDS) and piece.equal is not None:
                    yield _Item(_code(piece.expression) + _code(piece.equal))  # `{x=}` prints its own source first
                yield self._item(piece, prefix, quote)

    def _item(self, piece: cst.CSTNode, prefix: str, quote: str) -> _Item:
        if isinstance(piece, _TEXTS):
            raw = piece.value.replace("{{", "{").replace("}}", "}")
            text = ast.literal_eval(f"{prefix}{quote}{raw}{quote}")
            return _Item(str(text))
        assert isinstance(piece, _FIELDS)  # noqa: S101 -- an f-string has no other parts
        expression = piece.expression
        bare = isinstance(expression, cst.Tuple) and not expression.lpar
        count = len(expression.elements) if isinstance(expression, cst.Tuple) and bare else 1
        conversion = ord(piece.conversion) if piece.conversion else -1
        spec = [self._item(each, prefix, quote) for each in piece.format_spec] if piece.format_spec else None
        if piece.equal is not None and spec is None and conversion == -1:
            conversion = ord("r")
        return _Item(elements=count, bare_tuple=bare, conversion=conversion, spec=spec)

    # Statements.

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self._drop_type_parameters(node.type_parameters)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        self._drop_type_parameters(node.type_parameters)

    def _drop_type_parameters(self, node: cst.TypeParameters | None) -> None:
        if node is None:
            return
        span = self._span(node)
        self._blank(span)
        for number in range(span[0], span[2]):
            line = self.lines[number - 1]
            if not line:
                raise NotReadableError("an empty line among type parameters")
            line[-1:] = b"\\"

    def visit_TypeAlias(self, node: cst.TypeAlias) -> bool:  # noqa: N802
        span = self._span(node)
        self._blank(span)
        self.lines[span[0] - 1][span[1] : span[1] + 4] = b"pass"
        return False

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:  # noqa: N802
        types = node.type
        if isinstance(types, cst.Tuple) and not types.lpar:
            self._parenthesise(types, node.body)

    def visit_ExceptStarHandler(self, node: cst.ExceptStarHandler) -> None:  # noqa: N802
        if isinstance(node.type, cst.Tuple) and not node.type.lpar:
            self._parenthesise(node.type, node.body)

    def _parenthesise(self, types: cst.Tuple, body: cst.BaseSuite) -> None:
        """`except A, B:` (PEP 758): the blank before takes `(`; `)` goes in behind, where nothing else follows."""
        first, start, last, end = self._span(types)
        if isinstance(body, cst.SimpleStatementSuite):
            raise NotReadableError("unparenthesised exception types with a body on the same line")
        self.lines[last - 1][end:end] = b")"
        self._put(first, start - 1, "(")
        self.parenthesised.add((first, start - 1))


def _code(node: cst.CSTNode) -> str:
    return cst.Module(body=()).code_for_node(node)


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _expressions_in(parts: Sequence[cst.CSTNode]) -> Iterator[cst.BaseExpression]:
    for part in parts:
        if isinstance(part, _STRINGS):
            yield from _expressions_in(part.parts)
        elif isinstance(part, _FIELDS):
            yield part.expression
            yield from _expressions_in(part.format_spec or ())


def restore(tree: ast.Module, lowered: Lowered) -> ast.Module:
    """Put the f-strings back where `lower` left tuples."""
    restored: ast.Module = _Restorer(lowered).visit(tree)
    return restored


class _Restorer(ast.NodeTransformer):
    def __init__(self, lowered: Lowered) -> None:
        self._strings = lowered.strings
        self._parenthesised = lowered.parenthesised

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        self.generic_visit(node)
        at = node.lineno, node.col_offset
        items = self._strings.pop(at, None)
        if at in self._parenthesised and node.end_col_offset is not None:
            node.col_offset += 1
            node.end_col_offset -= 1
        if items is None:
            return node
        elements = iter(node.elts)
        return ast.copy_location(ast.JoinedStr([self._value(item, elements, node) for item in items]), node)

    def _value(self, item: _Item, elements: Iterator[ast.expr], whole: ast.Tuple) -> ast.expr:
        if not item.elements:
            return ast.copy_location(ast.Constant(item.text), whole)
        taken = [next(elements) for _ in range(item.elements)]
        inner = taken[0]
        if item.bare_tuple:
            inner = ast.copy_location(ast.Tuple(taken, ast.Load()), taken[0])
            inner.end_lineno, inner.end_col_offset = taken[-1].end_lineno, taken[-1].end_col_offset
        spec: ast.JoinedStr | None = None
        if item.spec is not None:
            spec = ast.JoinedStr([self._value(each, elements, whole) for each in item.spec])
            ast.copy_location(spec, whole)
        return ast.copy_location(ast.FormattedValue(inner, item.conversion, spec), inner)
