"""Command-line options as they are declared: `parser.add_argument(…)`, and fields annotated with their help."""

from __future__ import annotations

import ast

from extractor.model.index import OptionDecl
from extractor.scan.index_text import Source, constant_text, dotted

_ANNOTATED = frozenset({"A", "Annotated"})
"""Names under which `typing.Annotated` stands for a field with metadata."""
_SETTING_LIMIT = 1500
_METADATA = frozenset(
    {"help", "choices", "aliases", "cli_name", "no_cli", "nargs", "action", "action_kwargs", "type_parser"}
)
"""Keywords by which a call in the annotation is known to describe an option, not to validate or convert."""


def argument_option(node: ast.Call, owner: str, source: Source) -> OptionDecl | None:
    """Read an `add_argument` call with constant spellings; positional arguments and dynamic names give None."""
    names = tuple(a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))
    if not names or not all(name.startswith("-") for name in names):
        return None
    help_text, field = "", ""
    settings = []
    for keyword in node.keywords:
        if keyword.arg == "help":
            help_text = constant_text(keyword.value)
        elif keyword.arg == "dest":
            field = constant_text(keyword.value)
        elif keyword.arg is not None:
            settings.append((keyword.arg, source.text(keyword.value, _SETTING_LIMIT)))
    return OptionDecl(
        "argument", names, field, owner, _fold(help_text), tuple(settings), node.lineno, node.end_lineno or node.lineno
    )


def field_option(node: ast.AnnAssign, owner: str, source: Source) -> OptionDecl | None:
    """Read `x: A[T, "help" | Arg(…), NS("…")] = default`; other annotated fields give None."""
    annotation = node.annotation
    if not (
        isinstance(annotation, ast.Subscript)
        and isinstance(annotation.slice, ast.Tuple)
        and isinstance(node.target, ast.Name)
    ):
        return None
    if dotted(annotation.value).rpartition(".")[2] not in _ANNOTATED:
        return None
    kind, *metadata = annotation.slice.elts
    settings = [("type", source.text(kind, _SETTING_LIMIT))]
    help_text, names = "", ()
    told = False
    for extra in metadata:
        if isinstance(extra, ast.Call) and len(extra.args) == 1 and not extra.keywords:
            settings.append(("namespace", constant_text(extra.args[0])))
        elif isinstance(extra, ast.Call):
            told = told or any(keyword.arg in _METADATA for keyword in extra.keywords)
            for keyword in extra.keywords:
                if keyword.arg == "help":
                    help_text = constant_text(keyword.value)
                elif keyword.arg is not None:
                    settings.append((keyword.arg, source.text(keyword.value, _SETTING_LIMIT)))
        else:
            text = constant_text(extra)
            told = told or bool(text)
            help_text = help_text or text
    if not told:
        return None
    if node.value is not None:
        settings.append(("default", source.text(node.value, _SETTING_LIMIT)))
    return OptionDecl(
        "field",
        names,
        node.target.id,
        owner,
        _fold(help_text),
        tuple(settings),
        node.lineno,
        node.end_lineno or node.lineno,
    )


def _fold(text: str) -> str:
    return " ".join(text.split())
