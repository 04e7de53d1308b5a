"""What to change: for each clause, innermost first, the smallest step that makes it false."""

from __future__ import annotations

from extractor.explain.advice import message_advice, message_name
from extractor.explain.case import Case
from extractor.explain.clauses import Clause, key_of
from extractor.explain.phrases import capital, code, joined
from extractor.explain.values import holds, is_for_tests, value_of
from extractor.expression import literal, parse, source_of
from extractor.model.linked import Input, Option, Variable

_MOST = 4
_INDIRECT = (
    "Make sure ",
    "Call ",
    "Build ",
    "Send input ",
    "Check the checkpoint",
    "Choose the values",
    "Correct the ",
)
"""How advice begins that no setting can be named in."""


def solutions(case: Case) -> tuple[str, ...]:
    """Return the fixes, most likely first; never empty for a site with a condition."""
    found: dict[str, None] = {}
    advice = message_advice(case)
    if case.primary is None and case.exits:
        wishes = [case.words.wish(exit_) for exit_ in case.exits[-2:]]
        found[f"Have {case.function} leave before line {case.site.line}: it does when {joined(wishes, 'or')}."] = None
    steps = fixes(case, case.primary) if case.primary is not None else []
    named = advice or message_name(case, steps)
    if named:
        # Where the check is on a value that nobody sets as such, the message knows better what to do.
        steps = [named, *steps] if all(step.startswith(_INDIRECT) for step in steps) else [*steps, named]
    for clause in reversed(case.outer):
        for part in clause.parts if clause.kind == "and" else (clause,):
            # To add an option only so that a check is not made is no remedy, nor is leaving a default.
            if case.concerns_user(part) and part.kind not in ("none", "false") and not _default_meets(case, part):
                steps = [*steps, *fixes(case, part)]
    # Other hardware is the largest change of all, unless the check is about nothing else.
    for text in sorted(steps, key=lambda step: step.startswith("Run on ") and step != steps[0]):
        found.setdefault(text)
    if not found:
        found.setdefault(_without_condition(case))
    return tuple(found)[:_MOST]


def _default_meets(case: Case, clause: Clause) -> bool:
    known = case.reader.input(clause.subject)
    if known is None or not isinstance(known.source, Option) or clause.subject is None:
        return False
    parsed, default = value_of(known.source.default) if known.source.default else (False, None)
    return parsed and holds(clause, key_of(clause.subject), default) is True


def _without_condition(case: Case) -> str:
    if case.context.callers:
        caller = case.context.callers[0]
        if caller.guards:
            condition = case.told(caller.guards[-1:], caller.inputs)
            if condition:
                call = f"the call of {code(caller.calls)} in `{caller.qualname}` (`{caller.path}:{caller.line}`)"
                return f"Avoid {call}: it is made when {condition}."
        return f"Do not call {case.function} here; `{caller.qualname}` does so in `{caller.path}`, line {caller.line}."
    return f"Nothing inside {case.function} avoids this once it is called: override it, or call something else."


def fixes(case: Case, clause: Clause) -> list[str]:
    """Return the ways to make one clause false."""
    if clause.kind == "or":
        return [_advise(case, clause)]
    if clause.kind == "and":
        ordered = (
            sorted(clause.parts, key=lambda part: not case.concerns_user(part))
            if any(case.concerns_user(p) for p in clause.parts)
            else list(clause.parts)
        )
        # Of several conditions that must come together, the last written is what the check is about.
        ordered = [clause.parts[-1], *[part for part in ordered if part is not clause.parts[-1]]]
        ordered = [p for p in ordered if not _platform(case, p)] + [p for p in ordered if _platform(case, p)]
        if not case.concerns_user(clause.parts[-1]) and case.concerns_user(ordered[1]):
            ordered = [*ordered[1:], ordered[0]]
        return [text for part in ordered for text in fixes(case, part)][:3]
    known = case.reader.input(clause.subject)
    if clause.subject is None:
        return [_phrase(case, clause)]
    if known is None:
        return [_advise(case, clause)]
    if known.kind == "option" and isinstance(known.source, Option):
        return _option(case, clause, known.source)
    if known.kind == "environment" and isinstance(known.source, Variable):
        if is_for_tests(known.source):
            return []  # no advice to a user
        return _variable(case, clause, known, known.source)
    if known.kind == "request-field":
        return _request(case, clause, known)
    if known.kind == "platform":
        return [
            capital(case.words.demand(clause)) + "."
            if clause.kind not in ("true", "false")
            else _hardware(clause, known)
        ]
    if known.kind == "package":
        return [
            f"Install the package `{known.name}`."
            if clause.kind == "false"
            else f"Turn off what uses the package `{known.name}`."
        ]
    return [_advise(case, clause)]


def _platform(case: Case, clause: Clause) -> bool:
    known = case.reader.input(clause.subject)
    return known is not None and known.kind == "platform"


def _hardware(clause: Clause, known: Input) -> str:
    hardware = known.type or known.name
    return f"Run on {hardware}." if clause.kind == "false" else f"Run on something other than {hardware}."


def _advise(case: Case, clause: Clause) -> str:
    """Turn a demand on a value of the program into advice to whoever supplies it."""
    wanted = case.words.wish(clause)
    if clause.kind == "indivisible":
        wanted += _multiples(case, clause)
    inputs = case.inputs_of(clause)
    kinds = {one.kind for one in inputs}
    surface = case.context.surface
    if "config-field" in kinds:
        return f"Use a model (or change its config) so that {wanted}."
    if "request-field" in kinds and not kinds & {"option", "environment"}:
        return f"Correct the request so that {wanted}."
    if kinds & {"option", "environment", "request-field"}:
        return f"Choose the values so that {wanted}."
    if inputs and all(one.kind == "attribute" and one.expression.startswith("self.") for one in inputs):
        return f"Make sure that {wanted}."  # the object's own state: no request or argument changes it
    if surface == "request":
        return f"Send input for which {wanted}."
    if kinds & {"parameter", "tensor-property"} and case.site.qualname.rpartition(".")[2] not in (
        "__init__",
        "__post_init__",
    ):
        return f"Call {case.function} so that {wanted}."
    if kinds & {"parameter", "tensor-property"} and surface != "model-loading":
        return f"Build `{case.site.qualname.rpartition('.')[0]}` so that {wanted}."
    if surface == "model-loading":
        return f"Check the checkpoint and its config, so that {wanted}."
    return f"Make sure that {wanted}."


def _phrase(case: Case, clause: Clause) -> str:
    if clause.kind == "caught":
        what = case.words.tries.get(clause.line, "")
        if what:
            return f"Find out why {code(what)} raises {code(clause.text)}; the original exception names the cause."
        return f"Look at the original {code(clause.text)} in the traceback; it names the cause."
    if clause.kind == "exhausted":
        return f"Give the loop {code(clause.text)} an item that ends it early."
    if clause.kind == "running":
        return f"Correct the item of {code(clause.text.partition(' in ')[2])} that the message names."
    return capital(case.words.demand(clause)) + "."


# options


def _option(case: Case, clause: Clause, option: Option) -> list[str]:
    flag = option.flag
    if not flag:
        via = f" (by `{option.replacement}`)" if option.replacement else ""
        return [f"Change {case.words.thing(clause.subject)}{via}: {case.words.demand(clause)}."]
    default_known, default = value_of(option.default) if option.default else (False, None)
    default_cures = default_known and holds(clause, key_of(clause.subject), default) is False
    default_cures = default_cures and not _set_against(case, clause, option)
    leave = (
        f", or leave it out (the default is {shown(option.default)})"
        if default_cures and default is not None
        else ", or leave it out"
        if default_cures
        else ""
    )
    kind = clause.kind
    if kind in ("true", "false"):
        return [_switched(flag, option, kind == "true", default)]
    if kind == "some":
        return [f"Remove `{flag}`."] if option.default in ("None", "") else []
    if kind == "none":
        return [f"Pass `{flag}`{_choice_text(case, clause, option)}."]
    allowed = _allowed(case, clause, option)
    if allowed:
        return [f"Set `{flag}` to {joined([f'`{a}`' for a in allowed], 'or')}{leave}."]
    number = literal(clause.objects[0])[1] if len(clause.objects) == 1 else None
    if kind == "gt" and isinstance(number, int):
        return [f"Set `{flag}` to {number}{' or less' if not _floor(option, number) else ''}{leave}."]
    if kind == "lt" and isinstance(number, int | float):
        return [f"Set `{flag}` to at least {number}{leave}."]
    if kind in ("ge", "le") and isinstance(number, int | float):
        return [f"Set `{flag}` to {'less' if kind == 'ge' else 'more'} than {number}{leave}."]
    other = case.reader.input(clause.objects[0]) if clause.objects else None
    if kind == "ne" and other is not None and other.kind in ("option", "environment"):
        return [f"Give `{flag}` the same value as {case.words.thing(clause.objects[0])}{leave}."]
    if kind == "ne" and number is not None:
        return [f"Set `{flag}` to `{number}`{leave}."]
    if kind == "eq" and number is not None:
        return [f"Give `{flag}` another value than `{number}`{leave}."]
    if kind == "indivisible":
        return [
            f"Choose `{flag}` as a multiple of {case.words.value(clause.objects[0])}{_multiples(case, clause)}{leave}."
        ]
    return [f"Change `{flag}` so that it {case.words.without_subject(clause)}{leave}."]


def _set_against(case: Case, clause: Clause, option: Option | None) -> bool:
    """Whether the program itself may set the option to a value that meets the condition: its default cures nothing."""
    values = [value_of(s.value) for s in case.context.setters if option is not None and s.field == option.field]
    subject = key_of(clause.subject)
    return any(known and holds(clause, subject, value) is True for known, value in values)


def _floor(option: Option, number: int) -> bool:
    """Whether the bound is also the least sensible value, which sizes and counts have at 1."""
    return number <= 1 and option.default == str(number)


def shown(text: str) -> str:
    """Show a literal as a user would type it."""
    known, value = value_of(text)
    if known and isinstance(value, str):
        return f"`{value}`" if value else "an empty string"
    return f"`{text}`"


def _switched(flag: str, option: Option, on: bool, default: object) -> str:
    if on:
        if default is True:
            return (
                f"Pass `{option.negative}`: it is on by default."
                if option.negative
                else f"Turn `{flag}` off; it is on by default."
            )
        return f"Remove `{flag}`." if option.switch else f"Turn `{flag}` off, or leave it out."
    if default is True and option.negative:
        return f"Remove `{option.negative}`."
    return f"Add `{flag}`."


def _choice_text(case: Case, clause: Clause, option: Option) -> str:
    values = _fitting(case, clause, option.choices or ())
    if values:
        return " with one of " + joined([f"`{v}`" for v in values[:10]], "or") if len(values) > 1 else f" `{values[0]}`"
    return ""


def _allowed(case: Case, clause: Clause, option: Option) -> list[str]:
    """List the values that make the clause false and that nothing else in the function refuses."""
    if clause.kind == "notin":
        return _fitting(case, clause, tuple(source_of(o) for o in clause.objects))
    if clause.kind == "ne" and literal(clause.objects[0])[0]:
        return _fitting(case, clause, (source_of(clause.objects[0]),))
    if clause.kind in ("in", "eq") and option.choices:
        return _fitting(case, clause, option.choices)[:12]
    return []


def _fitting(case: Case, clause: Clause, texts: tuple[str, ...]) -> list[str]:
    subject = key_of(clause.subject)
    refusing = [sibling.condition for sibling in case.context.siblings if case.also_refused(sibling)]
    siblings = [case.reader.read(node, True) for node in map(parse, refusing) if node is not None]
    known_input = case.reader.input(clause.subject)
    known_option = known_input.source if known_input is not None and isinstance(known_input.source, Option) else None
    default = known_option.default if known_option is not None else ""
    found = []
    for text in texts:
        known, value = value_of(text)
        if not known or value is None or holds(clause, subject, value) is True:
            continue
        if any(holds(sibling, subject, value) is True for sibling in siblings):
            continue
        if text == default and _set_against(case, clause, known_option):
            continue
        found.append(str(value))
    return found


def _multiples(case: Case, clause: Clause) -> str:
    known, number = literal(case.reader.constant(clause.objects[0]))
    if known and isinstance(number, int) and number > 1:
        return f" ({number}, {2 * number}, {3 * number}, …)"
    return ""


# environment, requests


def _variable(case: Case, clause: Clause, known: Input, variable: Variable) -> list[str]:
    name = known.name
    default_known, default = value_of(variable.default) if variable.default else (False, None)
    cures = default_known and holds(clause, key_of(clause.subject), default) is False
    unset = f", or unset it (the default is `{variable.default}`)" if cures else ""
    if clause.kind in ("true", "some"):
        return [
            f"Unset `{name}`."
            if not (default_known and default)
            else f"Set `{name}=0`; its default is `{variable.default}`."
            if variable.type == "bool"
            else f"Clear `{name}`."
        ]
    if clause.kind in ("false", "none"):
        return [f"Set `{name}=1`." if variable.type == "bool" else f"Set `{name}`."]
    objects = [case.reader.constant(o) for o in clause.objects]
    if clause.kind in ("notin", "ne") and all(literal(o)[0] for o in objects):
        return [f"Set `{name}` to {joined([f'`{literal(o)[1]}`' for o in objects], 'or')}{unset}."]
    return [f"Change `{name}` so that it {case.words.without_subject(clause)}{unset}."]


def _request(case: Case, clause: Clause, known: Input) -> list[str]:
    name = known.name
    match clause.kind:
        case "some":
            return [f"Leave `{name}` out of the request."]
        case "none":
            return [f"Give `{name}` in the request."]
        case "notin" | "ne" if all(literal(o)[0] for o in clause.objects):
            return [f"Send `{name}` as {case.words.listed(clause.objects, clause.subject)}."]
        case _:
            return [f"Correct the request so that {case.words.wish(clause)}."]
