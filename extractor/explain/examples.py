"""The least command line, environment or request that meets the error, and the same with the smallest change."""

from __future__ import annotations

from extractor.explain.case import Case
from extractor.explain.clauses import Clause, key_of
from extractor.explain.fixes import _fitting
from extractor.explain.values import holds, is_for_tests, value_of
from extractor.expression import literal, source_of
from extractor.model.linked import Option, Variable

_PLAIN = frozenset({"int", "float", "str", "bool"})


class _Settings:
    """Tokens by flag or variable, in order."""

    def __init__(self) -> None:
        self.tokens: dict[str, str] = {}

    def text(self) -> str:
        """Return the settings as they would be typed."""
        variables = [t for n, t in self.tokens.items() if not n.startswith("--") and t]
        flags = [t for n, t in self.tokens.items() if n.startswith("--") and t]
        lines = [f"export {t}" for t in variables]
        if flags:
            lines.append(" ".join(flags))
        return "\n".join(lines)


def example_fix(case: Case) -> str | None:
    """Return `# before …` and `# after …`, None where no concrete values follow from the source."""
    primary = case.primary
    if primary is None:
        return None
    wrong = _Settings()
    for clause in case.outer:
        if clause.kind != "or":
            for part in clause.parts if clause.kind == "and" else (clause,):
                _set(case, part, wrong)
    parts = list(primary.parts) if primary.kind in ("and", "or") else [primary]
    if primary.kind == "or":
        parts = parts[:1]
    done = [_set(case, part, wrong) for part in parts]
    if not all(done) or not wrong.text():
        return None
    right = _Settings()
    right.tokens = dict(wrong.tokens)
    for part in reversed(parts):
        if _cure(case, part, right):
            break
    else:
        return None
    before, after = wrong.text(), right.text()
    if before == after:
        return None
    return f"# before\n{before}\n# after\n{after or '# (none of these settings)'}"


def _set(case: Case, clause: Clause, settings: _Settings) -> bool:
    """Add the tokens that make a clause true; whether that was possible."""
    known = case.reader.input(clause.subject)
    if known is None or clause.subject is None:
        return False
    name, source = known.name, known.source
    if isinstance(source, Option) and source.flag:
        token = _option_token(clause, source)
        if token is None:
            return False
        if name in settings.tokens and settings.tokens[name] != token:
            return settings.tokens[name] != "" and _keeps(clause, settings.tokens[name])
        settings.tokens[name] = token
        return True
    if isinstance(source, Variable):
        if is_for_tests(source) and clause.kind == "false":
            return True  # not set, as for every user
        value = _variable_value(clause, source)
        if value is None:
            return False
        settings.tokens[name] = f"{name}={value}" if value else ""
        return True
    return False


def _keeps(clause: Clause, token: str) -> bool:
    """Whether a value set before also makes this clause true."""
    value = token.partition(" ")[2]
    known, parsed = value_of(value)
    return holds(clause, key_of(clause.subject), parsed if known else value) is True


def _option_token(clause: Clause, option: Option) -> str | None:
    flag, kind = option.flag, clause.kind
    if kind in ("true", "false"):
        on = kind == "true"
        if not option.switch and not option.negative:
            return None if on else ""
        if option.default == "True":
            return "" if on else option.negative or None
        return flag if on else ""
    if kind == "none":
        return "" if option.default in ("None", "") else None
    if kind == "some":
        value = _sample(option)
        return f"{flag} {value}" if value else None
    if len(clause.objects) != 1 and kind not in ("in", "notin"):
        return None
    known, bound = literal(clause.objects[0])
    if kind in ("eq", "in") and known and bound is not None and not isinstance(bound, bool):
        return f"{flag} {bound}"
    if kind in ("ne", "notin"):
        taken = [literal(o)[1] for o in clause.objects]
        other = [v for v in (value_of(c)[1] for c in option.choices or ()) if v not in taken and v is not None]
        default_known, default = value_of(option.default) if option.default else (False, None)
        if default_known and default is not None and default not in taken:
            return ""
        return f"{flag} {other[0]}" if other else None
    if known and isinstance(bound, int) and not isinstance(bound, bool):
        number = {"gt": bound + 1, "ge": bound, "lt": bound - 1, "le": bound, "indivisible": bound + 1}.get(kind)
        return f"{flag} {number}" if number is not None and number >= 0 else None
    return None


def _sample(option: Option) -> str:
    if option.choices:
        known, value = value_of(option.choices[0])
        return str(value) if known and value is not None else ""
    return {"int": "1", "str": "VALUE", "float": "0.5"}.get(option.type, "")


def _variable_value(clause: Clause, variable: Variable) -> str | None:
    if clause.kind == "true" and variable.type == "bool":
        return "1"
    if clause.kind == "false" and variable.type == "bool":
        return "0"
    if clause.kind == "eq" and literal(clause.objects[0])[0]:
        return str(literal(clause.objects[0])[1])
    return "" if clause.kind == "none" else None


def _cure(case: Case, clause: Clause, settings: _Settings) -> bool:
    """Change the settings so that the clause is false."""
    known = case.reader.input(clause.subject)
    if known is None:
        return False
    source, name = known.source, known.name
    if isinstance(source, Variable) and is_for_tests(source):
        return False
    if isinstance(source, Option) and source.flag:
        token = _cured_option(case, clause, source)
        if token is None:
            return False
        settings.tokens[name] = token
        return True
    if isinstance(source, Variable) and clause.kind in ("true", "false") and source.type == "bool":
        settings.tokens[name] = f"{name}={'0' if clause.kind == 'true' else '1'}"
        return True
    return False


def _cured_option(case: Case, clause: Clause, option: Option) -> str | None:
    flag, kind = option.flag, clause.kind
    default_known, default = value_of(option.default) if option.default else (False, None)
    if kind not in ("none", "false") and default_known and holds(clause, key_of(clause.subject), default) is False:
        return ""
    if kind == "true":
        return option.negative or ("" if option.default == "False" else None)
    if kind == "false":
        return flag if option.switch and option.default != "True" else None
    if kind == "some":
        return ""
    if kind == "none":
        value = next(iter(_fitting(case, clause, option.choices or ())), "") or {"int": "1", "str": "VALUE"}.get(
            option.type, ""
        )
        return f"{flag} {value}" if value else None
    allowed = _fitting(
        case, clause, tuple(map(source_of, clause.objects)) if kind in ("notin", "ne") else option.choices or ()
    )
    if allowed:
        return f"{flag} {allowed[0]}"
    known_bound, bound = literal(clause.objects[0]) if len(clause.objects) == 1 else (False, None)
    if known_bound and isinstance(bound, int) and not isinstance(bound, bool):
        number = {"gt": bound, "ge": bound - 1, "lt": bound, "le": bound + 1, "indivisible": bound}.get(kind)
        return f"{flag} {number}" if number is not None else None
    return None
