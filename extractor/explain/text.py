"""Text that can stand in a file: lone surrogates as escapes."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    r"""Return `text` with each lone surrogate written as its escape, `\ud800` (contract, section 7)."""
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
