"""What a message itself says beyond its complaint: its advice, the settings that it names, its reason."""

from __future__ import annotations

import re

from extractor.explain.case import Case
from extractor.explain.evidence import declared, quote
from extractor.explain.phrases import code, joined

_ADVICE = (
    "please",
    "use ",
    "set ",
    "pass ",
    "try ",
    "install",
    "consider",
    "run ",
    "remove",
    "disable",
    "enable",
    "increase",
    "raise ",
    "lower ",
    "reduce",
    "specify",
    "provide",
    "choose",
    "upgrade",
    "either ",
    "add ",
    "drop ",
    "unset",
    "make sure",
    "ensure",
    "you can",
    "you should",
    "either",
)
"""How advice begins, in lower case."""

_NAMED = re.compile(r"(?<![\w-])--[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
"""A flag or an environment variable in a text."""

_CLAUSE = re.compile(r"[.;,:(]\s+|\s-\s")


def message_advice(case: Case) -> str:
    """Return the message's own advice as a quote, if it has one apart from the complaint."""
    text = "…".join(case.variants[0].texts)
    parts = [p.strip() for chunk in text.split(". ") for p in chunk.split("; ")]
    for part in parts[1:] if len(parts) > 1 else []:
        if part.lower().startswith(_ADVICE) and len(part.split()) > 2 and declared(part, case):
            return f"The message itself advises: {quote(part.rstrip('.'))}."
    for part in map(str.strip, _CLAUSE.split(text)):
        told = part.lower().startswith(_ADVICE) and part.count("…") < 2
        if told and _NAMED.search(part) and declared(part, case):
            return f"The message itself advises: {quote(part.rstrip('.)'))}."
    return ""


def message_name(case: Case, steps: list[str]) -> str:
    """Return a pointer to the setting that the message names, if no step names one of its settings."""
    names = list(dict.fromkeys(_NAMED.findall("…".join(case.variants[0].texts))))
    if not names or any(name in step for name in names for step in steps) or not declared(" ".join(names), case):
        return ""
    it = "it" if len(names) == 1 else "them"
    return f"Look at {joined([code(name) for name in names[:3]], 'and')} first: the message names {it}."


_REASON = re.compile(r"(?:\bbecause\b|\bsince\b|\bdue to\b|;|\. ) *(.+)", re.DOTALL)


def message_remark(case: Case) -> str:
    """Return the part of the message that goes beyond the complaint: its reason, or what it adds."""
    text = "…".join(case.variants[0].texts).strip().rstrip(".")
    found = _REASON.search(text)
    if found is None:
        return ""
    part = found[1].strip().split(". ")[0]
    if len(part.split()) < 5 or part.lower().startswith(_ADVICE) or part.count("…") > 1 or not declared(part, case):
        return ""
    return part if "`" not in part else ""
