"""The regular expression of a message (contract, section 6).

Only these characters are escaped, so that one text compiles alike in Python, JavaScript and RE2; `re.escape` would
escape more than JavaScript's `u` flag allows.
"""

from __future__ import annotations

from collections.abc import Sequence

VALUE = "(.+?)"
"""What stands for a runtime value: printed text, at least one character."""
FEWEST_FIXED = 6
"""With fewer fixed characters a pattern would match nearly everything."""

_ESCAPES = str.maketrans({character: f"\\{character}" for character in r".*+?^${}()|[]" + "\\"})


def escape(text: str) -> str:
    """Return a pattern that matches `text` and nothing else."""
    return text.translate(_ESCAPES)


def derive(texts: Sequence[str], template: str) -> str:
    """Return the pattern for `texts` with a value between each two, or the escaped `template` where they are short."""
    if sum(map(len, texts)) < FEWEST_FIXED:
        return escape(template)
    return VALUE.join(map(escape, texts))
