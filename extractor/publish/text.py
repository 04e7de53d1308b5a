"""Text of a dataset made fit for a page: nothing invisible, nothing endless. Escaping is the template engine's."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
    "|[\ufffe\uffff\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe-\U0003ffff\U0010fffe\U0010ffff]"
)
"""Control characters, marks that turn the direction of text, other invisible ones, and what HTML does not allow."""
_CODE = re.compile(r"`([^`\n]+)`")


def visible(text: str) -> str:
    """Return `text` with each invisible character as its escape: it then shows what it holds, in its order."""
    return _ODD.sub(_escape, text)


def clip(text: str, most: int) -> str:
    """Return at most `most` characters of `text`, telling how much was left out."""
    return text if len(text) <= most else f"{text[:most].rstrip()}… ({len(text):,} characters in all)"


def one_line(text: str, most: int) -> str:
    """Return `text` in one line of at most `most` characters."""
    folded = " ".join(visible(text[: most * 4]).split())
    return folded if len(folded) <= most and len(text) <= most * 4 else f"{folded[: most - 1].rstrip()}…"


def title(text: str) -> str:
    """Return the title of an error: the first 60 characters of its message."""
    return " ".join(visible(text[:240]).split())[:60].strip() or "Error"


def prose(text: str) -> Markup:
    """Return prose as HTML: what stands in backquotes is code."""
    parts, end = [], 0
    for found in _CODE.finditer(text):
        parts += [escape(text[end : found.start()]), Markup("<code>%s</code>") % found[1]]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


def place(path: str, most: int) -> Markup:
    """Return a path as HTML that breaks after its slashes."""
    return Markup("/<wbr>").join(escape(part) for part in one_line(path, most).split("/"))


def count(number: int, noun: str) -> str:
    """Return `1 error`, `9,196 errors`."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return `errors`, `families`."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
