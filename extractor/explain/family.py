"""The family of failure that a message states, where it states one clearly."""

from __future__ import annotations

import re

from extractor.explain.vocabulary import FAMILIES

_RULES = tuple((name, re.compile(rule, re.DOTALL)) for name, rule in FAMILIES)
_LONGEST_READ = 600
"""Characters. What a message is about stands at its front; this bounds the time for hostile ones."""


def family(message: str) -> str | None:
    """Return the first family whose wording occurs in the message, or null: no family is better than a guess."""
    text = message[:_LONGEST_READ].lower()
    return next((name for name, rule in _RULES if rule.search(text)), None)
