"""The explanation fields of one site: the seam between a linked site and its record.

Each sentence follows from the source; what is unknown is left out or said to be unknown.
"""

from __future__ import annotations

import re

from extractor.explain.advice import message_remark
from extractor.explain.case import Case
from extractor.explain.checks import strategy, try_catch, type_guard, validation_code
from extractor.explain.clauses import Clause
from extractor.explain.evidence import comment, declared, first_sentence, quotable, quote
from extractor.explain.examples import example_fix
from extractor.explain.family import family
from extractor.explain.fixes import shown, solutions
from extractor.explain.gate import Gate
from extractor.explain.phrases import capital, code, joined
from extractor.explain.situations import situations, tips
from extractor.explain.tags import tags
from extractor.expression import literal, parse
from extractor.model.linked import Input, LinkedSite, Option, Variable
from extractor.model.record import Explanation, MessageRow

_MOST_CONTEXT = 3
_MOST_PASSED = 5
_OUTSIDE = frozenset({"option", "environment", "request-field", "config-field", "platform", "package"})
_PATH = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?")
_NAME = re.compile(r"[A-Za-z_]\w*")


def explain_fields(linked: LinkedSite, message: MessageRow) -> Explanation:
    """Return the prose and judgement fields of one site; its path and message are clean of lone surrogates."""
    case = Case(linked)
    validation = validation_code(case)
    guard = type_guard(case)
    catch = try_catch(case)
    fixes = solutions(case)
    text = Gate(linked.context.undeclared)
    return Explanation(
        documentation=text.prose(documentation(case)),
        trigger_scenarios=text.prose(triggers(case)),
        common_situations=text.prose(situations(case)),
        solutions=tuple(map(text.prose, fixes)),
        error_type="validation" if _validates(case) else "exception",
        example_fix=text.code(example_fix(case)),
        handling_strategy=strategy(case, validation, guard, catch),  # type: ignore[arg-type]  # one of the schema's words
        validation_code=text.code(validation),
        type_guard=text.code(guard),
        try_catch_pattern=text.code(catch),
        prevention_tips=tuple(map(text.prose, tips(case))),
        tags=tags(
            linked.path,
            message.template,
            [one.name for one in linked.context.inputs if one.kind in ("option", "environment")],
        ),
        background_tag=family(case),
    )


def _validates(case: Case) -> bool:
    """Whether a guard tests a value that the caller supplied."""
    kinds = {"option", "environment", "request-field", "config-field", "parameter"}
    tensors = {one.name.split(".", 1)[0] for one in case.context.inputs if one.kind == "tensor-property"}
    parameters = {one.name for one in case.context.inputs if one.kind == "parameter"}
    return (
        any(one.kind in kinds for one in case.context.inputs)
        or bool(tensors & parameters)
        or (case.context.surface == "request" and bool(tensors))
    )


# documentation


def documentation(case: Case) -> str:
    """Say what the check demands, what its terms are, what stands beside it in the source, and where it strikes."""
    sentences = [_rule(case)]
    terms = _terms(case)
    if terms:
        sentences.append(terms)
    near = comment(case)
    if near:
        sentences.append(f"The source comments on it: {quote(near)}{'' if near.endswith(('.', '!', '?')) else '.'}")
    remark = message_remark(case)
    if remark and len(sentences) < 3:
        sentences.append(f"The message adds: {quote(remark)}.")
    sentences.append(_place(case))
    return " ".join(sentences[:4])


def _rule(case: Case) -> str:
    primary = case.primary
    if primary is None:
        if case.exits:
            return f"{capital(case.function)} ends here when it has not left before: no other condition decides it."
        return f"Every call of {case.function} that gets this far ends here: no condition of its own decides it."
    demand = _demand(case, primary)
    context = [c for c in case.outer if c.kind not in ("caught-not", "exhausted")]
    told = (
        sorted(context, key=lambda c: not case.concerns_user(c))[:_MOST_CONTEXT]
        if len(context) > _MOST_CONTEXT
        else context
    )
    told = [c for c in context if c in told]
    states = [case.words.state(part) for c in told for part in (c.parts if c.kind == "and" else (c,))]
    states = [state for state in dict.fromkeys(states) if len(state) < 240]
    meaning = _meanings(case, primary)
    if not states:
        return f"{capital(demand)}{meaning}."
    if demand.startswith("when "):
        return f"When {joined(states, 'and')}, and {demand.removeprefix('when ')}{meaning}."
    return f"When {joined(states, 'and')}, {demand}{meaning}."


def _demand(case: Case, primary: Clause) -> str:
    if primary.kind == "caught":
        what = case.words.tries.get(primary.line, "")
        step = code(what) if what else "what is tried here"
        return f"{step} must succeed: {code(primary.text)} from it is turned into this error"
    if primary.kind == "running":
        return f"no item of {code(primary.text.partition(' in ')[2])} may reach this line"
    return case.words.demand(primary)


def _meanings(case: Case, primary: Clause) -> str:
    """Say what local names of the primary condition stand for."""
    shown = set(_PATH.findall(case.words.state(primary)))
    found = []
    for name, meaning in case.reader.meanings.items():
        known = case.reader.inputs.get(name)
        plain = known is None or known.kind in ("local", "attribute")
        plain = plain and not literal(parse(meaning.value))[0]  # a constant's value is shown beside its name already
        if (
            plain
            and name in shown
            and (meaning.line or "." in name)
            and name != meaning.value
            and len(meaning.value) <= 90
        ):
            found.append(f"`{name}` is {code(meaning.value)}")
    return f", where {joined(found[:3], 'and')}" if found else ""


def _terms(case: Case) -> str:
    """Say in the declared help what the options and variables of the primary condition are."""
    told = []
    for one in case.inputs_of(case.primary):
        source = one.source
        if isinstance(source, Option) and source.flag:
            text = first_sentence(source.help).rstrip(".")
            if 8 < len(text) < 240 and "`" not in text and declared(text, case):
                told.append(f"`{source.flag}` is described as “{text}”{_default(source)}")
            elif source.default and source.default != "None":
                told.append(f"`{source.flag}` is {_default(source).strip(' ()')}")
        elif isinstance(source, Variable):
            default = f" defaults to `{source.default}`" if source.default else ""
            note = source.comment
            if note and quotable(note, case):
                start = f"`{source.name}`{default + ';' if default else ''}"
                told.append(f"{start} the comment at its declaration says {quote(note)}")
            elif default:
                told.append(f"`{source.name}`{default}")
    return capital("; ".join(told[:2])) + "." if told else ""


def _default(option: Option) -> str:
    if not option.default or option.default == "None" or len(option.default) > 40:
        return ""
    if option.default in ("True", "False"):
        return f" ({'on' if option.default == 'True' else 'off'} by default)"
    return f" ({shown(option.default)} by default)"


def _documented(case: Case) -> str:
    """Quote the docstring of the function, of its class where it builds one."""
    doc = first_sentence(case.context.doc)
    if not doc and case.site.qualname.rpartition(".")[2] in ("__init__", "__post_init__"):
        doc = first_sentence(case.context.class_doc)
    return f", documented as {quote(doc.rstrip('.'))}," if doc and quotable(doc, case) and len(doc) < 240 else ""


def _place(case: Case) -> str:
    """Say where the check is made, and what becomes of the exception."""
    effect = _effect(case)
    if case.site.qualname == "<module>":
        return f"It stands at module level, so that importing `{case.context.module}` fails{effect}."
    holder, _, name = case.site.qualname.rpartition(".")
    checks = (
        f"{capital(case.function)} (`{case.linked.path.rpartition('/')[2]}`, line {case.site.line}){_documented(case)}"
    )
    when = (
        f"`{holder}` is built" if name in ("__init__", "__post_init__") and holder and not case.context.settings else ""
    )
    match case.context.surface:
        case "server-launch":
            when = when or ("the server arguments are resolved" if case.context.settings else "the server is set up")
            return f"{checks} checks this at start-up, while {when}{effect}."
        case "request":
            return f"{checks} checks this for each request{effect}."
        case "model-loading":
            return f"{checks} checks this while {when or 'a model is loaded or configured'}{effect}."
        case "python-api":
            return f"{checks} checks what the script or caller hands it{effect}."
        case "kernel":
            return (
                f"{checks} is kernel code that the program hands its values: "
                "this points to a shape, dtype or setting that the kernel does not take, or to a bug."
            )
        case _:
            user = any(one.kind in _OUTSIDE for one in case.context.inputs)
            if user:
                return f"{checks} checks this inside the program{effect}."
            return (
                f"{checks} is internal: no option, variable or request field was found that feeds the condition, "
                f"so it guards an invariant or a caller's mistake{effect}."
            )


def _effect(case: Case) -> str:
    """Say what becomes of the exception, as far as the callers tell."""
    for caller in case.context.callers:
        if caller.caught == "handled":
            return f"; `{caller.qualname}` catches it"
        if caller.caught == "raised":
            return f"; `{caller.qualname}` catches it and raises again"
        if caller.entry.startswith("http"):
            return f"; it is reached through the route `{caller.entry.removeprefix('http ')}`"
    return ""


# triggers


def triggers(case: Case) -> str:
    """Say the full condition in words, then how control gets there and where the values come from."""
    clauses = [c for c in case.outer if c is not case.primary]
    sentences = []
    if case.primary is None:
        sentences.append(f"Raised whenever line {case.site.line} of `{case.linked.path}` is reached.")
    else:
        states = [
            case.words.state(part) for c in (*clauses, case.primary) for part in (c.parts if c.kind == "and" else (c,))
        ]
        each = f" for an item of {joined([code(c.text) for c in case.loops], 'and')}" if case.loops else ""
        sentences.append(f"Raised{each} when {joined(list(dict.fromkeys(states)), 'and')}.")
        if case.primary.kind == "or" and case.printed:
            values = [
                code(p) for p in list(dict.fromkeys(p.expression for v in case.variants for p in v.placeholders))[:4]
            ]
            sentences.append(f"The message prints {joined(values, 'and')}, which tells the parts apart.")
    passed = [c for c in case.passed if c.kind not in ("caught-not",)]
    if passed:
        shown = [case.words.state(c) for c in _nearest(case, passed)]
        more = len(passed) - len(shown)
        rest = f", and {more} more" if more else ""
        sentences.append(f"Earlier checks have made sure that {joined(shown, 'and')}{rest}.")
    if any(guard.stale for guard in case.site.guards):
        sentences.append(
            "Further tests on the way read values that may have changed by then, so they are not counted here."
        )
    sentences += _sources(case)
    reached = _reached(case)
    if reached:
        sentences.append(reached)
    return " ".join(sentences)


def _nearest(case: Case, passed: list[Clause]) -> list[Clause]:
    """Choose which of the earlier checks to tell: those on the same inputs first, then the nearest."""
    own = {one.name for one in case.inputs_of(case.primary)}
    ranked = sorted(
        passed, key=lambda c: (not own & {one.name for one in case.inputs_of(c)}, not case.concerns_user(c), -c.line)
    )[:_MOST_PASSED]
    return [c for c in passed if c in ranked]


def _sources(case: Case) -> list[str]:
    """Say where the tested values come from: defaults, program code that sets them, arguments of callers."""
    found = []
    for one in case.context.inputs:
        if one.kind == "parameter":
            given = _given(case, one)
            if given:
                found.append(given)
    return found[:2]


def _given(case: Case, one: Input) -> str:
    values = {dict(c.arguments).get(one.name, "") for c in case.context.callers if c.hop == 1}
    values.discard("")
    if len(values) == 1 and case.context.caller_count <= 3:
        value = values.pop()
        if value != one.name and _NAME.search(value):
            names = dict.fromkeys(f"`{c.qualname}`" for c in case.context.callers if c.hop == 1)
            return f"`{one.name}` is passed as {code(value)} by {joined(list(names), 'and')}."
    return ""


def _reached(case: Case) -> str:
    direct = [c for c in case.context.callers if c.hop == 1]
    if not direct or not (case.context.caller_count == 1 or any(c.guards for c in direct)):
        return ""
    if case.context.caller_count == 1:
        caller = direct[0]
        told = case.told(caller.guards[-3:], caller.inputs)
        when = f", made when {told}" if told else ""
        return f"The one call found is in `{caller.qualname}` (line {caller.line} of `{caller.path}`){when}."
    names = list(dict.fromkeys(f"`{c.qualname}`" for c in direct))
    total = case.context.caller_count
    return (
        f"Called from {joined(names, 'and')}{f' and elsewhere, {total} calls in all' if total > len(direct) else ''}."
    )
