"""Whether a guard tests a value that the caller supplied: what makes an error a `validation`.

Read from the site alone: parameters of the function if its `def` stands in the excerpt, and names under which code
keeps arguments, options, requests and environment. Values that travel through further names are not followed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from extractor.explain.vocabulary import INPUT_CALLS, INPUT_ROOTS
from extractor.model.facts import Guard

_DECIDING = frozenset({"if", "else", "early-exit", "assert", "while", "match"})
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NAME = re.compile(r"(?<![\w.])(?:self\.)?([A-Za-z_]\w*)")
_ENVIRONMENT = re.compile("|".join(rf"\b{name}\b" for name in INPUT_CALLS))
_PARAMETER = re.compile(r"(?:^|,)\s*\*{0,2}([A-Za-z_]\w*)")
_BRACKETED = re.compile(r"\[[^\[\]()]*\]|\([^\[\]()]*\)")
_NO_INPUT = frozenset({"self", "cls"})


def tests_input(guards: Iterable[Guard], qualname: str, excerpt: str) -> bool:
    """Return whether some deciding guard reads a value that the caller supplied."""
    parameters = _parameters(qualname.rpartition(".")[2], excerpt)
    return any(
        not names.isdisjoint(INPUT_ROOTS) or not names.isdisjoint(parameters) or environment
        for names, environment in (_reads(guard.test) for guard in guards if guard.kind in _DECIDING)
    )


@lru_cache(maxsize=4096)
def _reads(test: str) -> tuple[frozenset[str], bool]:
    text = _STRING.sub("''", test)
    return frozenset(_NAME.findall(text)), _ENVIRONMENT.search(text) is not None


def _parameters(function: str, excerpt: str) -> frozenset[str]:
    """Return the parameter names of the last `def` of that name in the excerpt, empty if its list is not all there."""
    start = excerpt.rfind(f"def {function}(")
    if start < 0:
        return frozenset()
    text, depth = excerpt[start + len(function) + 5 :], 1
    for end, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return _names(text[:end])
    return frozenset()


def _names(parameters: str) -> frozenset[str]:
    bare, before = _STRING.sub("", parameters), ""
    while bare != before:  # innermost brackets first, until no comma of an annotation or default is left
        before, bare = bare, _BRACKETED.sub("", bare)
    return frozenset(_PARAMETER.findall(bare)) - _NO_INPUT
