"""The last look at every text.

No lone surrogates, and no name that looks like a flag or variable but is not declared.
"""

from __future__ import annotations

import re

from extractor.explain.text import clean

_SPAN = re.compile(r"`[^`]*`|“[^”]*”")


class Gate:
    """Lets texts of one site out."""

    def __init__(self, undeclared: frozenset[str]) -> None:
        """Take the names that must not be repeated."""
        self._undeclared = undeclared

    def prose(self, text: str) -> str:
        """Return a text with quoted source that holds such a name made unspecific."""
        if any(name in text for name in self._undeclared):
            text = _SPAN.sub(lambda span: "`…`" if any(name in span[0] for name in self._undeclared) else span[0], text)
            for name in self._undeclared:
                text = text.replace(name, "…")
        return clean(text)

    def code(self, text: str | None) -> str | None:
        """Return code, or None if it holds such a name."""
        if text is None or any(name in text for name in self._undeclared):
            return None
        return clean(text)
