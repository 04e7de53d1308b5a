"""What stands near a site in the source: comments, docstrings, help texts.

Quoted only if every name in them is declared.
"""

from __future__ import annotations

import re

from extractor.explain.case import Case

_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_NOISE = re.compile(r"\b(?:TODO|FIXME|XXX|HACK|noqa|type: ignore|fmt:|pylint|pragma)\b|https?://|^\W*$|[{}=;]|\w\(")
_SECTION = re.compile(r"^[=\-#*\s]+$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_LONGEST = 260


def comment(case: Case) -> str:
    """Return the comment above the deciding test or between it and the raise; empty if none is fit to quote."""
    lines = case.site.excerpt.split("\n")
    start = case.site.excerpt_start
    places = [case.site.line]
    if case.primary is not None and start <= case.primary.line <= case.site.line:
        places.insert(0, case.primary.line)
    for place in dict.fromkeys(places):
        text = _above(lines, place - start)
        if text and quotable(text, case):
            return text
    return ""


def _above(lines: list[str], at: int) -> str:
    found: list[str] = []
    row = at - 1
    # The test may open with `if (` or `elif (` on the line before it.
    if 0 <= row < len(lines) and lines[row].strip() in ("if (", "elif ("):
        row -= 1
    while 0 <= row < len(lines) and lines[row].strip().startswith("#") and len(found) < 6:
        found.append(lines[row].strip().lstrip("#").strip())
        row -= 1
    return " ".join(part for part in reversed(found) if not _SECTION.match(part)).strip()


def quotable(text: str, case: Case) -> bool:
    """Whether a text is prose of some length that names nothing undeclared."""
    if len(text.split()) < 4 or _NOISE.search(text) or ("`" in text and text.count("`") % 2):
        return False
    return declared(text, case)


def declared(text: str, case: Case) -> bool:
    """Whether each flag and environment-like name in a text is one that the tree declares."""
    known = case.context.declared
    return all(flag in known for flag in _FLAG.findall(text)) and all(name in known for name in _VARIABLE.findall(text))


def quote(text: str) -> str:
    """Return the first sentences of a text in quotation marks."""
    shown = ""
    text = text.replace("``", "`")  # code as reStructuredText writes it
    for sentence in _SENTENCE.split(" ".join(text.split())):
        if shown and len(shown) + len(sentence) > _LONGEST:
            break
        shown = f"{shown} {sentence}".strip()
    if len(shown) > _LONGEST:
        shown = shown[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"“{shown}”"


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return _SENTENCE.split(" ".join(text.split()))[0]
