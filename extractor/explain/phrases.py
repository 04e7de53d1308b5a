"""How texts are put together: source in backticks, lists, beginnings of sentences."""

from __future__ import annotations

_LONGEST = 110
"""Characters of source shown; longer source is cut at a blank."""


def code(text: str) -> str:
    """Put source in backticks, long text cut at a blank."""
    folded = " ".join(text.split())
    if len(folded) > _LONGEST:
        folded = folded[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"`{folded}`" if "`" not in folded else folded


def joined(texts: list[str], word: str, either: bool = False) -> str:
    """Join with commas and a last word."""
    if len(texts) == 1:
        return texts[0]
    start = "either " if either and len(texts) == 2 and not any(text.startswith("either") for text in texts) else ""
    return start + ", ".join(texts[:-1]) + f" {word} {texts[-1]}"


def capital(text: str) -> str:
    """Start a sentence, source in backticks left alone."""
    return text[:1].upper() + text[1:]
