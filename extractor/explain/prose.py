"""The sentences of a record, made from its conditions, its message and its place; nothing is guessed.

The one function here is the seam to the rest of `explain`: what stands in an `Explanation` is decided behind it.
"""

from __future__ import annotations

from extractor.explain.condition import statement
from extractor.explain.family import family
from extractor.explain.origin import tests_input
from extractor.explain.tags import tags
from extractor.explain.text import clean
from extractor.model.facts import Guard
from extractor.model.linked import LinkedSite
from extractor.model.record import Explanation, MessageRow

_MOST_SOLUTIONS = 3


def explain_fields(linked: LinkedSite, message: MessageRow) -> Explanation:
    """Return the prose and judgement fields of one site; its path and message are clean of lone surrogates."""
    site = linked.site
    guards = [guard for guard in site.guards if not guard.stale]
    place = _place(site.qualname, linked.path)
    validates = tests_input(guards, site.qualname, site.excerpt)
    return Explanation(
        documentation=clean(_documentation(place, site.exception_class, guards, message)),
        trigger_scenarios=clean(_triggers(site.line, guards)),
        common_situations=clean(_situations(linked.path, site.qualname, guards)),
        solutions=tuple(map(clean, _solutions(guards, place))),
        error_type="validation" if validates else "exception",
        handling_strategy="validation" if validates else None,
        tags=tags(linked.path, message.template),
        background_tag=family(message.template),
    )


def _place(qualname: str, path: str) -> str:
    return f"the module level of `{path}`" if qualname == "<module>" else f"`{qualname}` in `{path}`"


def _documentation(place: str, raised: str, guards: list[Guard], message: MessageRow) -> str:
    if not guards:
        opening = f"`{raised}` is raised by {place}; no condition inside decides whether this line is reached."
    else:
        opening = f"`{raised}` is raised by {place} when {_known(guards[-1])}."
    names = tuple(dict.fromkeys(value.expression for value in message.placeholders))
    if not names:
        return opening
    listed = ", ".join(f"`{name}`" for name in names)
    return f"{opening} The message prints the value{'s' if len(names) > 1 else ''} of {listed}."


def _known(guard: Guard) -> str:
    """Say one guard as a clause."""
    match guard.kind:
        case "for":
            return f"the loop `for {guard.test}` is running"
        case "loop-exhausted":
            return f"the loop `{guard.test}` has run out"
        case "except":
            return f"an exception of `{guard.test}` has been caught"
        case "match":
            return f"`{guard.test}` {'holds' if guard.holds else 'does not hold'}"
        case _:
            return f"`{statement(guard)}` holds"


def _triggers(line: int, guards: list[Guard]) -> str:
    if not guards:
        return f"Line {line} is reached whenever the code before it runs through."
    return f"Line {line} is reached only when {', and '.join(map(_known, guards))}."


def _situations(path: str, qualname: str, guards: list[Guard]) -> str:
    module = path.removeprefix("python/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if qualname == "<module>":
        return f"Met while `{module}` is imported or run."
    count = len(guards)
    depends = "no condition" if not count else "one condition" if count == 1 else f"{count} conditions"
    return f"Met by whatever calls `{qualname}` of `{module}`; {depends} in that function must hold for it."


def _solutions(guards: list[Guard], place: str) -> list[str]:
    """Undo the conditions, innermost first: that one is nearest to what the message is about."""
    deciding = [guard for guard in reversed(guards) if guard.kind != "for"]
    return [_undo(guard, place) for guard in deciding[:_MOST_SOLUTIONS]]


def _undo(guard: Guard, place: str) -> str:
    match guard.kind:
        case "except":
            return f"Remove the cause of the `{guard.test}` that line {guard.line} catches."
        case "loop-exhausted":
            return f"Give the loop `{guard.test}` (line {guard.line}) an item that ends it early."
        case _:
            known = f"`{guard.test}`" if guard.kind == "match" else f"`{statement(guard)}`"
            wanted = "does not hold" if guard.holds or guard.kind != "match" else "holds"
            return f"Arrange that {known} {wanted} when {place} tests it on line {guard.line}."
