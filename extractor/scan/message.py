"""What `str(exception)` prints, read from the expressions that make it (contract, section 5, "Messages")."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from extractor.model.facts import Message, Placeholder, Resolution, Text
from extractor.scan.raises import Construction
from extractor.scan.strings import Strings
from extractor.scan.text import printable
from extractor.scan.texts import Known, Part, assemble, either, fixed, value


def read_message(made: Sequence[Construction], strings: Strings, own_printing: Callable[[str], bool]) -> Message:
    """Return the message of a site that constructs one of `made`.

    `own_printing` tells whether a class may print something else than its arguments.
    """
    parts = [_of_construction(each, strings) for each in made]
    if any(own_printing(each.exception_class) for each in made):
        parts = [replace(part, exact=False) for part in parts]
    merged = either(parts)
    if merged is None:
        merged = Known(parts[0].texts[:1], True, False)
    stored = any(each.stored for each in made)
    written = None
    if merged.elsewhere and not strings.literal:
        plain = either([_of_construction(each, strings.as_written()) for each in made])
        written = _clean(plain.texts[0]) if plain is not None else None
    texts = tuple(dict.fromkeys(_clean(text) for text in merged.texts))
    if not all(text.bare for text in texts):
        # What is known comes first only if the source says it first, but a bare placeholder is no main text.
        texts = tuple(sorted(texts, key=lambda text: text.bare))
    return Message(
        resolution=resolution(texts, elsewhere=merged.elsewhere or stored, exact=merged.exact),
        variants=texts,
        written=None if written is None or written == texts[0] or written.bare else written,
    )


def resolution(texts: Sequence[Text], *, elsewhere: bool, exact: bool) -> Resolution:
    """Tell how much of a message is known (contract, sections 5 and 7)."""
    bare = [text.bare for text in texts]
    if all(bare):
        return "unresolved"
    if any(bare) or not exact:
        return "partial"
    return "resolved" if elsewhere else "literal"


def _of_construction(made: Construction, strings: Strings) -> Known:
    call = made.call
    if call is None or not (call.args or call.keywords):
        return fixed(made.exception_class)
    if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred):
        if made.exception_class == "KeyError":  # `KeyError.__str__` prints a single argument's repr
            argument = call.args[0]
            return strings.field(argument, made.at, Placeholder(strings.source(argument), "r"))
        return strings.printed(call.args[0], made.at)
    return _tuple(call, made.at, strings)


def _tuple(call: ast.Call, at: ast.AST, strings: Strings) -> Known:
    """Several arguments print as the repr of their tuple (`BaseException.__str__`)."""
    if any(isinstance(each, ast.Starred) for each in call.args) or not call.args:
        arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        inner = ", ".join(map(strings.source, arguments))
        return value(Placeholder(inner or strings.source(call)))
    parts: list[Part] = [(fixed("("), None)]
    for position, argument in enumerate(call.args):
        whole = Placeholder(strings.source(argument), "r")
        parts.append((fixed(", " if position else ""), None))
        parts.append((strings.field(argument, at, whole), whole))
    return assemble([*parts, (fixed(")"), None)]) or value(Placeholder(strings.source(call)))


def _clean(text: Text) -> Text:
    return Text(
        tuple(printable(each) for each in text.texts),
        tuple(
            Placeholder(printable(each.expression), each.conversion, each.format_spec, each.ref)
            for each in text.placeholders
        ),
    )
