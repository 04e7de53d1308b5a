"""Pasted text to plain lines: what terminals, loggers, quoting and JSON put around and into it is taken off.

What belongs here: marks and prefixes by their form, never by what a line says. Every expression is free of nested
repetition and every repetition that can fail late is bounded, so the time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import orjson
from msgspec import Struct

_ANSI = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)?|[@-Z\\^_])"
    r"|(?:\\u001b|\\x1b|\\033|\\e|\^\[|\u241b)\[[0-9;]{0,24}[A-Za-z]"
    r"|\[(?:[0-9]{1,3}(?:;[0-9]{1,3}){0,8})?m"
)
_TIME = r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[ ]?[+-][0-9]{2}:?[0-9]{2})?"
_LEVEL = r"(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL|TRACE|SEVERE|NOTICE|stderr|stdout|[EWIF](?=[0-9]{4} ))"
_MARKS = re.compile(r"[\s>|#*\u2502\u2503\u2551\u2022\u200b\ufeff]+")
_BRACKET = re.compile(r"\[([^\[\]\n]{1,120})\]:?[ \t]*")
_WHOSE = re.compile(
    r"(?:[0-9]{1,2}:[0-9]{2}:[0-9]{2})|\b(?:TP|DP|PP|EP|CP|MOE|rank|gpu|node|local_rank)[ _=:]?[0-9]+"
    rf"|^{_LEVEL}\b|\.py:[0-9]+$|^[0-9]{{1,4}},[0-9]{{1,4}}$|^pid|^[0-9.]{{8,20}}$",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"(?P<kube>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,18}Z[ ]std(?:err|out)[ ][FP][ ])"
    r"|(?P<time>(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}|[0-9]{2}-[0-9]{2}|[A-Z][a-z]{2} [ 0-9][0-9])"
    rf"[T ]{{1,4}}{_TIME})"
    rf"|(?P<level>{_LEVEL}\b[:|]*)"
    r"|(?P<who>\((?:[A-Za-z_][\w.:]{0,60}[ ])?(?:pid|ip|rank)=[^()\n]{1,100}\)|\((?:raylet|head)\)|<std(?:err|out)>:?)"
    r"|(?P<module>[-|:][ \t]+[A-Za-z_][\w.]{0,60}(?::[\w.<>]{1,60}){0,2}(?::[0-9]{1,6})?[ \t]+[-|][ \t])"
    r"|(?P<service>[A-Za-z][\w.-]{0,60}[ \t]+\|[ \t]+)"
    r"|(?P<dash>[-\u2013+|][ \t]+)"
)
_RANK = re.compile(r"\b(TP|DP|PP|EP|CP|MOE|rank)[ _=:]?([0-9]{1,5})\b", re.IGNORECASE)
_PID = re.compile(r"pid=([0-9]{1,10})(?:,? ip=([0-9.]{7,15}))?")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\'\\/ntr]))')
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|nbsp|#39|#x27|#34|#x22);")
_LETTERS = {"n": "\n", "t": "\t", "r": "\n"}
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "#34": '"', "#x22": '"', "nbsp": " "}
_BODY_WITHIN = 200
"""Characters before a JSON body on its line."""
_DEEPEST = 3
"""Bodies quoted in bodies."""
_MOST_PREFIXES = 8
"""Loggers behind loggers (Ray, Docker, Kubernetes) were seen to stack five; more is no log line."""


class Line(Struct, frozen=True):
    """One line without what was put around it."""

    text: str
    """What is left."""
    speaker: str
    """Ranks or process that the prefix names (`TP0 EP1`, `pid 12`), empty if it names none."""
    fresh: bool
    """Whether a timestamp or level opened it, so that a logger began a new entry here."""


def read(text: Iterator[str]) -> Iterator[Line]:
    """Yield the plain lines of raw lines; one that holds escaped line breaks gives several."""
    for raw in text:
        line = _ANSI.sub("", raw) if "\x1b" in raw or "[" in raw else raw
        if "&" in line:
            line = _ENTITY.sub(lambda match: _ENTITIES.get(match[1], "'"), line)
        body = _strings(line) if "{" in line[:_BODY_WITHIN] and line.rstrip()[-1:] in ("}", '"') else []
        if body:
            yield from chain.from_iterable(map(_continued, body))
        elif "\\" in line and _is_escaped(line):
            first, *rest = unescape(line).split("\n")
            yield _plain(first)
            yield from chain.from_iterable(map(_continued, rest))
        else:
            yield _plain(line)


def _strings(line: str) -> list[str]:
    """Return the lines of all strings in a JSON body, keys aside; none if the line is no JSON."""
    try:
        loaded = orjson.loads(line[line.find("{") if line.lstrip()[:1] != '"' else 0 :])
    except orjson.JSONDecodeError:
        return []
    found: list[str] = []
    waiting = [(loaded, 0)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            inner = value.strip()
            nested = _load(inner) if depth < _DEEPEST and inner[:1] == "{" and inner[-1:] == "}" else None
            if nested is not None:
                waiting.append((nested, depth + 1))
            else:
                found += value.splitlines()
        elif isinstance(value, dict):
            waiting += [(item, depth) for item in reversed(value.values())]
        elif isinstance(value, list):
            waiting += [(item, depth) for item in reversed(value)]
    return found


def _load(text: str) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _continued(line: str) -> Iterator[Line]:
    yield _plain(_ANSI.sub("", line))


def unescape(text: str) -> str:
    r"""Return `text` with the escapes of JSON undone, twice where a body was quoted in a body (`\\n`)."""
    for _ in range(2):
        text = _ESCAPE.sub(_character, text)
        if '\\"' not in text and "\\n  File" not in text:
            break
    return text


def _is_escaped(line: str) -> bool:
    r"""Whether quotes are escaped or a traceback stands in one line; a lone `\n` may belong to a value's repr."""
    return '\\"' in line or ("\\n" in line and ("Traceback (most" in line or line.lstrip()[:1] in ("{", '"')))


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return _LETTERS.get(match[2], match[2])
    code = int(match[1], 16)
    return chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"


def _plain(line: str) -> Line:
    start, speaker, fresh = 0, "", False
    for _ in range(_MOST_PREFIXES):
        marks = _MARKS.match(line, start)
        if marks is not None:
            start = marks.end()
        found = _bracket(line, start) or _PREFIX.match(line, start)
        if found is None:
            break
        speaker = _speaker(found[0]) or speaker
        fresh = fresh or found.re is _BRACKET or found.lastgroup in ("time", "level", "kube")
        start = found.end()
    indent = "  " if start and line[start - 1 : start].isspace() and not fresh else ""
    return Line(indent + line[start:].rstrip(" \t\r|\u2502\u2503\u2551"), speaker, fresh)


def _bracket(line: str, start: int) -> re.Match[str] | None:
    """`[2025-01-01 10:00:00 TP0]` is a prefix, `[1, 2]` is a value."""
    if not line.startswith("[", start):
        return None
    found = _BRACKET.match(line, start)
    return found if found is not None and _WHOSE.search(found[1]) else None


def _speaker(prefix: str) -> str:
    ranks = " ".join(f"{name if name.islower() else name.upper()}{number}" for name, number in _RANK.findall(prefix))
    if ranks:
        return ranks
    process = _PID.search(prefix)
    if process is None:
        return ""
    return f"pid {process[1]}" + (f" at {process[2]}" if process[2] else "")
