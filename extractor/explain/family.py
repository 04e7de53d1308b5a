"""The family of failure: what the conditions test decides, the message's wording where they leave it open.

Ties as the list of families says: hardware before model before combination, a missing option where adding one cures
it, an unknown
name for open registries and an invalid value for small literal sets.
"""

from __future__ import annotations

import ast
import re

from extractor.explain.case import Case, leaves
from extractor.explain.clauses import Clause, key_of
from extractor.explain.vocabulary import FAMILIES, NAME_WORDS, PAIRED, SHAPE_WORDS
from extractor.expression import literal, path_of

_RULES = tuple((name, re.compile(rule, re.DOTALL)) for name, rule in FAMILIES)
_HARDWARE = dict(FAMILIES)["unsupported-hardware"]
_LONGEST_READ = 600
"""Characters. What a message is about stands at its front; this bounds the time for hostile ones."""
_SMALL = 24
_CAUSES = frozenset({"limit-exceeded", "insufficient-resources", "topology-mismatch", "invalid-model-config"})
"""What a message may say of a bound or shape that is compared with another value, not with a number."""
_REFUSED = (
    r"not support|only supports?|unsupported|not compatible|incompatible|cannot be (?:used|combined)|"
    r"not (?:yet )?implemented|not allowed"
)


def family(case: Case) -> str | None:
    """Return the family, or null: no family is better than a guess."""
    text = case.message[:_LONGEST_READ].lower()
    primary = case.primary
    strong = _strong(case, text, primary)
    if strong:
        return strong
    spoken = next((name for name, rule in _RULES if rule.search(text)), None)
    shaped = _shaped(case, primary, text)
    if (
        spoken in ("unsupported-feature-combination", "missing-required-option", "conflicting-options")
        and primary is not None
    ):
        return _options(case, primary, spoken)
    fixed = primary is not None and all(literal(o)[0] for leaf in leaves(primary) for o in leaf.objects)
    if (
        shaped in ("value-out-of-range", "shape-mismatch")
        and spoken in _CAUSES
        and not (fixed and spoken != "invalid-model-config")
    ):
        return spoken
    if spoken == "unsupported-request-feature" and case.context.surface != "request":
        spoken = _unsupported(case, primary)
    return shaped or spoken or _last(case, primary)


def _unsupported(case: Case, primary: Clause | None) -> str | None:
    """Return what "not supported" means where there is no request."""
    if (
        primary is not None
        and leaves(primary)
        and leaves(primary)[-1].kind in ("ne", "notin", "starts-not", "ends-not")
    ):
        return "invalid-option-value"
    if case.context.surface == "model-loading":
        return "unsupported-model"
    options = [one for clause in (*case.outer, primary) for one in case.inputs_of(clause) if one.kind == "option"]
    return "unsupported-feature-combination" if options else None


def _last(case: Case, primary: Clause | None) -> str | None:
    """Return what the form of the condition suggests where neither it nor the message is telling."""
    if primary is None:
        return None
    if primary.kind == "caught":
        return "malformed-input" if re.search(r"ValueError|TypeError|Decode|Syntax|Validation", primary.text) else None
    last = leaves(primary)[-1] if leaves(primary) else primary
    subject = key_of(last.subject)
    meaning = case.reader.meanings.get(subject)
    looked_up = meaning is not None and re.search(r"\.get\(|\bfor\b.*\bif\b|next\(|find|lookup|resolve", meaning.value)
    if last.kind in ("none", "false"):
        if looked_up:
            return "unknown-name"
        if subject.startswith("self."):
            return "not-initialized"
        return "missing-required-option" if "." not in subject and "(" not in subject else None
    if last.kind == "exhausted":
        return "unknown-name"
    if last.kind == "ne" and last.objects:
        known, value = literal(last.objects[0])
        if known and isinstance(value, int | float):
            return "value-out-of-range"
        return "shape-mismatch" if re.search(r"len\(|count|num_|shape", subject + key_of(last.objects[0])) else None
    if last.kind == "eq" and literal(last.objects[0])[1] == 0:
        return "value-out-of-range"
    return None


def _strong(case: Case, text: str, primary: Clause | None) -> str | None:
    """Recognise what conditions say beyond doubt: hardware, packages, divisibility."""
    if primary is None:
        return None
    kinds = {one.kind for one in case.inputs_of(primary)}
    if any(leaf.kind in ("indivisible", "divides") for leaf in leaves(primary)) and re.search(
        r"divisib|multiple of|divide|evenly|aligned", text
    ):
        return "divisibility-constraint"
    if "package" in kinds or (primary.kind == "caught" and re.search(r"Import|ModuleNotFound", primary.text)):
        return "missing-dependency"
    if "platform" in kinds and (re.search(_HARDWARE, text) or _about_platform(case, primary)):
        return "unsupported-hardware"
    return None


def _about_platform(case: Case, primary: Clause) -> bool:
    """Whether the platform decides, rather than limiting where another demand is made."""
    parts = leaves(primary)
    decisive = parts if primary.kind == "or" else parts[-1:]
    return any(one.kind == "platform" for leaf in decisive for one in case.inputs_of(leaf))


def _options(case: Case, primary: Clause, spoken: str) -> str:
    """Tell the three families of options apart by what cures the primary condition."""
    parts = leaves(primary)
    last = parts[-1]
    adds = last.kind in ("none", "false", "lacks", "misses")
    several = len({key_of(leaf.subject) for leaf in parts if leaf.subject is not None}) > 1 or bool(case.outer)
    if spoken == "conflicting-options":
        return spoken
    if adds and all(leaf.kind in ("none", "false", "lacks", "misses") for leaf in parts):
        return "missing-required-option"
    if adds and spoken == "missing-required-option":
        return spoken
    if last.kind == "notin" and not several:
        return "invalid-option-value"
    return spoken


def _shaped(case: Case, primary: Clause | None, text: str) -> str | None:
    """Return the family that the primary condition's form has."""
    if primary is None:
        return None
    parts = leaves(primary)
    if not parts:
        return _of_phrase(primary, text)
    properties = " ".join(key_of(leaf.subject) + " " + " ".join(map(key_of, leaf.objects)) for leaf in parts)
    if re.search(r"\.dtype\b|torch\.(?:float|int|bfloat|uint)", properties) and "dtype" in text + properties:
        return "dtype-mismatch"
    if re.search(r"\.shape\b|\.ndim\b|\.dim\(\)|\.size\(|\.numel\(\)", properties):
        return "shape-mismatch"
    if re.search(r"\.device\b|is_contiguous|\.stride\(|data_ptr|\.is_cuda\b", properties):
        return "device-or-layout-mismatch"
    return _by_kind(case, primary, parts, text)


def _of_phrase(primary: Clause, text: str) -> str | None:
    if primary.kind == "caught":
        if re.search(r"KeyError|AttributeError", primary.text):
            return "unknown-name"
        if re.search(r"FileNotFound|OSError|IOError", primary.text):
            return "file-or-path-missing"
        return "malformed-input" if re.search(r"pars|decod|json|invalid|format|convert|must be", text) else None
    if primary.kind == "exhausted":
        return "unknown-name" if re.search(NAME_WORDS, text) else None
    return None


def _by_kind(case: Case, primary: Clause, parts: list[Clause], text: str) -> str | None:
    kinds = [leaf.kind for leaf in parts]
    inputs: set[str] = {one.kind for one in case.inputs_of(primary)}
    first = parts[-1]
    if "config-field" in inputs and case.context.surface == "model-loading":
        return "invalid-model-config"
    if any(k in ("nota", "isa") for k in kinds):
        return "malformed-input"
    if any(k in ("gt", "ge", "lt", "le") for k in kinds):
        if "option" in inputs and re.search(_REFUSED, text):
            return (
                "unsupported-model"
                if case.context.surface == "model-loading" or "config-field" in inputs
                else "unsupported-feature-combination"
            )
        if first.kind == "gt" and "option" in inputs and _features(case, primary):
            return "unsupported-feature-combination"  # more than the one that every run has, beside another feature
        return _bound(parts, text)
    if case.context.surface == "model-loading" and first.kind in ("ne", "notin") and _reads_config(case):
        return "invalid-model-config"
    if any(k in ("indivisible", "divides") for k in kinds):
        return "divisibility-constraint"
    lengths = [
        leaf for leaf in parts if leaf.subject is not None and re.match(r"(?:len|set|sum)\(", key_of(leaf.subject))
    ]
    if lengths and first.kind in ("ne", "eq") and not literal(first.objects[0])[0]:
        return (
            "shape-mismatch"
            if re.search(SHAPE_WORDS, text)
            else "duplicate-entry"
            if "duplicate" in text
            else "shape-mismatch"
        )
    if first.kind == "notin":
        return _membership(first, text)
    if first.kind == "in":
        return "duplicate-entry" if re.search(r"already|duplicate|twice", text) else None
    if first.kind.startswith(("starts", "ends")) and "option" in inputs:
        return "unsupported-feature-combination" if len(parts) > 1 or case.outer else "invalid-option-value"
    if first.kind in ("none", "false") and {"option", "environment", "request-field"} & inputs:
        return "missing-required-option"
    return _combination(case, primary, parts, inputs, text)


def _features(case: Case, primary: Clause) -> bool:
    """Whether the check is made only where other options are in use.

    And its own bound is that of a feature left alone.
    """
    own = {one.name for one in case.inputs_of(primary)}
    last = leaves(primary)[-1]
    others = {
        one.name for clause in (*case.outer, *leaves(primary)) for one in case.inputs_of(clause) if one.kind == "option"
    }
    known, bound = literal(last.objects[0]) if last.objects else (False, None)
    return known and bound == 1 and bool(others - own or len(others) > 1)


def _reads_config(case: Case) -> bool:
    """Whether the function makes a configuration object from what a model declares."""
    holder, _, name = case.site.qualname.rpartition(".")
    return name == "from_config" or (
        holder.rpartition(".")[2].endswith("Config") and name in ("__init__", "__post_init__")
    )


def _combination(case: Case, primary: Clause, parts: list[Clause], inputs: set[str], text: str) -> str | None:
    last = parts[-1]
    options = [
        one
        for clause in (*case.outer, primary)
        for one in case.inputs_of(clause)
        if one.kind in ("option", "environment")
    ]
    if len({one.name for one in options}) > 1 and last.kind in ("true", "some", "eq", "ne", "in"):
        if last.kind == "ne" and re.search(PAIRED, text):
            return "missing-required-option"
        return "unsupported-feature-combination"
    if last.kind == "ne" and inputs & {"option", "environment", "request-field"}:
        return "invalid-option-value"
    if last.kind in ("some", "true") and "request-field" in inputs:
        return "unsupported-request-feature"
    if (
        last.kind == "ne"
        and last.objects
        and literal(last.objects[0])[0]
        and isinstance(literal(last.objects[0])[1], str)
    ):
        return "invalid-option-value"
    if last.kind == "ne" and re.search(SHAPE_WORDS, text):
        return "shape-mismatch"
    if (
        last.kind == "false"
        and last.subject is not None
        and re.search(r"\bis_?file|isdir|exists", key_of(last.subject))
    ):
        return "file-or-path-missing"
    return None


def _bound(parts: list[Clause], text: str) -> str:
    if re.search(
        r"context length|max(?:imum)?[ _](?:total|num|len|context|model|batch|request|token)|capacity|exceed|"
        r"too (?:long|large|many)|budget",
        text,
    ):
        fixed = all(literal(o)[0] for leaf in parts for o in leaf.objects)
        if not fixed:
            return "limit-exceeded"
    if (
        any(re.search(r"world_size|rank", key_of(leaf.subject)) for leaf in parts if leaf.subject is not None)
        and "rank" in text
    ):
        return "topology-mismatch" if "world" in text else "value-out-of-range"
    return "value-out-of-range"


def _membership(clause: Clause, text: str) -> str:
    open_set = any(isinstance(o, ast.Starred) for o in clause.objects)
    enum = any(isinstance(o, ast.Attribute) for o in clause.objects)
    if open_set or len(clause.objects) > _SMALL:
        return "unknown-name" if not re.search(r"must be one of|expected one of", text) else "invalid-option-value"
    if enum and re.search(r"\bunknown\b|\bunrecogni", text):
        return "unknown-name"
    subject = path_of(clause.subject) if clause.subject is not None else ""
    if re.search(r"\bunknown\b", text) and not subject.startswith("args."):
        return "unknown-name"
    return "invalid-option-value"
