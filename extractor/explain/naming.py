"""Names for what a condition tests: flags, variables and fields as users know them, else source."""

from __future__ import annotations

import ast

from extractor.explain.clauses import Reader
from extractor.explain.dialect import PROPERTIES
from extractor.explain.phrases import code, joined
from extractor.expression import literal, nodes_of, path_of, source_of
from extractor.model.linked import Input, Option

_MOST_VALUES = 14
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}


class Naming:
    """Names expressions of one site."""

    def __init__(self, reader: Reader) -> None:
        """Take what is known about names."""
        self.reader = reader

    def thing(self, node: ast.expr | None) -> str:
        """Name an expression: a flag, a variable, a field, or its source."""
        if node is None:
            return "it"
        known = self.reader.input(node)
        if known is not None and not isinstance(node, ast.Call):
            named = self.input(known)
            if named:
                return named
        if known is not None and known.kind in ("environment", "option", "config-field", "request-field"):
            return self.input(known)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            known_rest, rest = literal(node.values[1])
            if known_rest and not rest:
                return self.thing(node.values[0])  # `x or ""`
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS and self._speaks(node):
            return f"{self.operand(node.left)} {_OPERATORS[type(node.op)]} {self.operand(node.right)}"
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            path = path_of(node.value)
            if path.endswith(".shape") and literal(node.slice)[0]:
                return f"dimension {source_of(node.slice)} of {self.thing(node.value.value)}"  # type: ignore[attr-defined]
        return code(source_of(node))

    def operand(self, node: ast.expr) -> str:
        """Name an operand, arithmetic of its own in parentheses."""
        text = self.thing(node)
        return f"({text})" if isinstance(node, ast.BinOp) and not text.startswith("`") else text

    def _speaks(self, node: ast.expr) -> bool:
        """Whether some part of an expression has a better name than its source."""
        return any(
            (known := self.reader.input(part)) is not None
            and known.kind in ("option", "environment", "request-field", "config-field")
            for part in nodes_of(node)
            if isinstance(part, ast.Name | ast.Attribute | ast.Call)
        )

    def _called(self, node: ast.Call) -> str:
        name = path_of(node.func)
        if name == "len" and len(node.args) == 1:
            return f"the length of {self.thing(node.args[0])}"
        if name == "set" and len(node.args) == 1:
            return f"the distinct values of {self.thing(node.args[0])}"
        if name in ("int", "float", "str") and len(node.args) == 1:
            return self.thing(node.args[0])
        if name in ("tuple", "list") and len(node.args) == 1 and path_of(node.args[0]).endswith(".shape"):
            return self.thing(node.args[0])
        if name == "type" and len(node.args) == 1:
            return f"the type of {self.thing(node.args[0])}"
        path = path_of(node)
        if path:
            for ending, phrase in PROPERTIES.items():
                if ending.endswith("()") and path.endswith("." + ending) and isinstance(node.func, ast.Attribute):
                    return phrase.format(self.thing(node.func.value))
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr == "size"
            and len(node.args) == 1
            and literal(node.args[0])[0]
        ):
            return f"dimension {source_of(node.args[0])} of {self.thing(node.func.value)}"
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("lower", "strip", "upper") and not node.args:
            return self.thing(node.func.value)
        return code(source_of(node))

    def _attribute(self, node: ast.Attribute) -> str:
        if node.attr in PROPERTIES and not literal(node.value)[0]:
            root = path_of(node.value)
            if root:
                return PROPERTIES[node.attr].format(self.thing(node.value))
        if node.attr == "value":
            return self.thing(node.value)
        return code(source_of(node))

    def input(self, known: Input) -> str:
        """Name an input; empty where its source text is the best name."""
        match known.kind:
            case "option":
                flag = isinstance(known.source, Option) and known.source.flag
                return f"`{known.name}`" if flag else f"the setting `{known.name}`"
            case "environment":
                return f"`{known.name}`"
            case "request-field":
                return f"request field `{known.name}`"
            case "config-field":
                return f"`{known.name}` of the model config"
            case _:
                return ""

    def value(self, node: ast.expr, subject: ast.expr | None = None) -> str:
        """Say what something is compared with: option values bare, others as source."""
        known, value = literal(node)
        if known and isinstance(value, str):
            named = self.reader.input(subject)
            bare = named is not None and named.kind in ("option", "environment", "request-field", "config-field")
            if value == "":
                return "an empty string"
            return f"`{value}`" if bare and "`" not in value else code(repr(value))
        if known:
            return f"{value}" if isinstance(value, int | float) and not isinstance(value, bool) else f"`{value}`"
        if isinstance(node, ast.Starred):
            return f"the values of {code(source_of(node.value))}"
        constant = self.reader.constant(node)
        if constant is not node:
            named = self.reader.input(subject)
            text = isinstance(literal(constant)[1], str)
            if text and named is not None and named.kind in ("environment", "option", "request-field"):
                return self.value(constant, subject)
            return f"{code(path_of(node))} ({source_of(constant)})"
        return self.thing(node)

    def listed(self, nodes: tuple[ast.expr, ...], subject: ast.expr | None, word: str = "or") -> str:
        """List values, the first ones of many."""
        texts = [self.value(node, subject) for node in nodes]
        if len(texts) > _MOST_VALUES:
            return ", ".join(texts[:_MOST_VALUES]) + f" and {len(texts) - _MOST_VALUES} more"
        return joined(texts, word)
