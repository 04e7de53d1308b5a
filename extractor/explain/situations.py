"""Where people meet an error and how to keep clear of it, only as far as the facts say."""

from __future__ import annotations

from extractor.explain.case import Case, leaves
from extractor.explain.clauses import Clause, key_of
from extractor.explain.fixes import shown
from extractor.explain.phrases import capital, code, joined
from extractor.explain.values import holds, value_of
from extractor.explain.words import Wording
from extractor.expression import parse
from extractor.model.linked import Caller, Option, Setter, Variable

_MOST = 4


def situations(case: Case) -> str:
    """Return the situations that follow from defaults, from code that sets the values, from aliases and callers."""
    found = [*_defaults(case), *_set_by_program(case), *_spellings(case)]
    if not found:
        found = _callers(case)
    return " ".join(found[:_MOST])


def _clauses(case: Case) -> list[Clause]:
    return leaves(case.primary) if case.primary is not None else []


def _defaults(case: Case) -> list[str]:
    """Say whether leaving an option or variable alone is enough to meet the condition, or excludes it."""
    met: dict[str, bool] = {}
    sources: dict[str, Option | Variable] = {}
    leaves_here = _clauses(case)
    for leaf in leaves_here:
        known = case.reader.input(leaf.subject)
        if leaf.kind == "some" and any(
            o is not leaf and key_of(o.subject) == key_of(leaf.subject) for o in leaves_here
        ):
            continue  # only limits what the other test of the same value says
        source = known.source if known is not None else None
        if not isinstance(source, Option | Variable) or known is None or not source.default:
            continue
        if isinstance(source, Option) and not source.flag:
            continue
        parsed, default = value_of(source.default)
        result = holds(leaf, key_of(leaf.subject), default) if parsed else None
        if result is not None:
            met[known.name] = met.get(known.name, True) and result
            sources[known.name] = source
    found = [(_met_by_default if met[name] else _met_by_change)(name, source) for name, source in sources.items()]
    return found[:2]


def _met_by_default(name: str, source: Option | Variable) -> str:
    if source.default in ("None", "False"):
        step = "passing" if isinstance(source, Option) else "setting"
        why = "is off by default" if source.default == "False" else "has no default"
        return f"Not {step} `{name}` is enough: it {why}."
    return f"The default of `{name}`, {shown(source.default)}, already meets its part of the condition."


def _met_by_change(name: str, source: Option | Variable) -> str:
    if source.default == "False":
        return f"`{name}` is off by default, so it was turned on."
    if source.default == "True":
        return f"`{name}` is on by default, so it was turned off."
    if source.default == "None":
        return f"`{name}` has no default, so a value was given."
    return f"`{name}` was changed from its default, {shown(source.default)}."


def _set_by_program(case: Case) -> list[str]:
    """Say which code of the program sets the tested options, so that the user need not have."""
    found = []
    tested = {one.source.field for one in case.inputs_of(case.primary) if isinstance(one.source, Option)}
    for setter in case.context.setters:
        if setter.field in tested and _may_lead(case, setter):
            value = f" to {code(setter.value)}" if setter.value else ""
            told = case.told(setter.guards[-2:], setter.inputs)
            when = f" when {told}" if told else ""
            place = f"`{setter.qualname}` (`{setter.path}`, line {setter.line})"
            found.append(f"{place} sets `{setter.field}`{value}{when}, so it need not come from the command line.")
    return list(dict.fromkeys(found))[:2]


def _may_lead(case: Case, setter: Setter) -> bool:
    """Whether the value set can satisfy the condition; a literal that does not is no situation."""
    parsed, value = value_of(setter.value) if setter.value else (False, None)
    if not parsed:
        return bool(setter.value)
    for leaf in _clauses(case):
        known = case.reader.input(leaf.subject)
        same = known is not None and isinstance(known.source, Option) and known.source.field == setter.field
        if same and holds(leaf, key_of(leaf.subject), value) is False:
            return False
    return True


def _spellings(case: Case) -> list[str]:
    """Name other and deprecated spellings of the flags tested."""
    found = []
    for one in case.inputs_of(case.primary):
        source = one.source
        if isinstance(source, Option) and source.flag:
            if source.aliases:
                found.append(f"`{source.flag}` may also be written {joined([f'`{a}`' for a in source.aliases], 'or')}.")
            if source.deprecated:
                instead = (
                    f"; `{source.replacement}` takes its place"
                    if source.replacement and source.replacement in case.context.declared
                    else ""
                )
                found.append(f"`{source.flag}` is deprecated{instead}.")
    return found[:2]


def _callers(case: Case) -> list[str]:
    callers = case.context.callers
    if not callers:
        if case.site.qualname == "<module>":
            return [f"Met when `{case.context.module}` is imported or run."]
        return [_uncalled(case)]
    chain: list[Caller] = []
    for caller in callers:
        if caller.hop == len(chain) + 1:
            chain.append(caller)
    route = " ← ".join(dict.fromkeys(f"`{c.qualname}`" for c in chain))
    found = [f"Reached through {route}{_entry(chain[-1].entry)}."]
    told = case.told(chain[0].guards[-2:], chain[0].inputs)
    if told and case.context.caller_count > 1:
        found.append(f"`{chain[0].qualname}` gets there when {told}.")
    return found


def _uncalled(case: Case) -> str:
    """Say how a function is reached that nothing calls by name."""
    telling = [
        d
        for d in case.context.decorators
        if not d.split("(", 1)[0].endswith(
            ("classmethod", "staticmethod", "property", "torch.no_grad", "cache", "wraps", "inference_mode")
        )
    ]
    if telling:
        return f"Reached through the decorator {code('@' + telling[0])}, not by a call of its name."
    holder, _, name = case.site.qualname.rpartition(".")
    if name in ("__init__", "__post_init__", "__new__") and holder:
        return f"No call builds `{holder}` by that name in the scanned tree; a subclass, a table or other code does."
    if name.startswith("__"):
        return f"Reached through Python itself, as `{name}` of `{holder}`."
    if name == "forward":
        return f"Reached by calling an instance of `{holder}`."
    return (
        f"No call of {case.function} was found by name in the scanned tree; "
        "a table, a base class or code outside of it leads here."
    )


def _entry(entry: str) -> str:
    if entry.startswith("http"):
        return f", the route `{entry.removeprefix('http ')}`"
    return {"command-line": ", on the command line", "model-loading": ", while a model is loaded"}.get(entry, "")


def tips(case: Case) -> tuple[str, ...]:
    """Return rules to keep in mind: the demand under its conditions, and what else the same function refuses."""
    found = []
    user = [c for c in case.outer if case.concerns_user(c)]
    if case.primary is not None and case.concerns_user(case.primary) and user:
        states = [case.words.state(c) for c in user[-2:]]
        demand = case.words.demand(case.primary)
        start = f"whenever {joined(states, 'and')}"
        rest = demand.removeprefix("when ")
        rule = f"{start}, {rest}" if rest == demand else f"{start} and {rest}"
        found.append(f"Keep in mind: {rule}.")
    related = _related(case)
    if related:
        found.append(related)
    return tuple(found)


def _related(case: Case) -> str:
    """Name other conditions on the same inputs that the same function refuses."""
    own = {one.expression for one in case.inputs_of(case.primary)}
    if not own or case.primary is None or not case.concerns_user(case.primary):
        return ""
    found = []
    for sibling in case.context.siblings:
        node = parse(sibling.condition)
        if node is None or not any(expression in sibling.condition for expression in own):
            continue
        reader = case.reader.elsewhere(sibling.inputs)
        words = Wording(reader)
        given = [] if case.also_refused(sibling) else [words.state(c) for c in reader.clauses(sibling.guards)]
        state = words.state(reader.read(node, True))
        text = f"{state}{' while ' + joined(given, 'and') if given else ''} (line {sibling.line})"
        if len(text) < 220:
            found.append(text)
    return f"{capital(case.function)} also refuses the case that {joined(found[:3], 'or that')}." if found else ""
