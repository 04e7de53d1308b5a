"""Text without everything that a paste may lose or gain: only letters and digits are left, in lower case.

Wraps, indentation, quotes, backticks, brackets and escapes then make no difference; a map leads back to the text.
"""

from __future__ import annotations

import re
from array import array

from extractor.words import lower

_RUN = re.compile(r"[^\W_]+")


def squash(text: str) -> str:
    """Return the letters and digits of `text` in lower case, one for each."""
    return "".join(_RUN.findall(lower(text)))


class Squashed:
    """A squashed text with the way back."""

    def __init__(self, text: str) -> None:
        """Squash `text`."""
        self.source = text
        """The text as it was."""
        parts: list[str] = []
        offsets = array("l")
        for run in _RUN.finditer(lower(text)):
            parts.append(run[0])
            offsets.extend(range(run.start(), run.end()))
        self.text = "".join(parts)
        """Letters and digits."""
        self.offsets = offsets
        """Where each of them stands in the source."""
