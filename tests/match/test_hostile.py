"""No text may hang the matcher or break it: work is counted, not timed, and expressions are looked at themselves."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable
from functools import partial
from re import _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import extractor.match
from tests.match.kiln import names, tally, trace

PIECES = [
    "ValueError: ",
    "Traceback (most recent call last):\n",
    '  File "',
    '/opt/site-packages/kiln/oven/heat.py", line 70, in fire\n',
    "    raise ValueError(\n",
    "Firing temperature ",
    " exceeds the ",
    " ceiling of oven ",
    "Glaze pigment",
    "\x1b[31m",
    "[2026-01-02 03:04:05 TP0] ",
    "{" * 40,
    "[" * 40,
    '\\"',
    "\\n",
    '{"message": "',
    '"}',
    "...",
    "\n",
    "\n\n",
    "> ",
    "| ",
    "(Worker pid=1) ",
    "During handling of the above exception, another exception occurred:\n",
    "Value error, ",
    ".py:3 in f",
    "\u0130\u2028\ud7ff\U0001f525",
    "  ",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=60).map("".join))
@settings(max_examples=400, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    for _, sureness, _ in names(text):
        assert sureness in ("sure", "likely", "similar", "possible")


def calls(work: Callable[[], object]) -> int:
    """Function calls that `work` makes, C functions included."""
    count = 0

    def profile(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


TRACE = trace("kiln/oven/heat.py", 70, "fire", "raise ValueError(", "ValueError: Firing temperature 9 exceeds the")
_LITTLE = 60_000
"""Calls that looking up one more piece of text takes."""
REPEATED = {
    "one letter": "a",
    "one word of a record": "Firing temperature ",
    "two parts of a record": "Firing temperature 9 exceeds the 8 ceiling of oven ",
    "names of exceptions": "ValueError: ",
    "messages": "ValueError: Firing temperature 9 exceeds the\n",
    "tracebacks": f"{TRACE}\n",
    "frames": '  File "a.py", line 1, in f\n',
    "opened frames": 'File "',
    "brackets": "[",
    "brackets behind a record": "Wheel speed out of range: [",
    "commas behind a record": "Wheel speed out of range: 1, ",
    "quotes": "'",
    "escapes": '\\"',
    "escaped line breaks": "\\n",
    "opened bodies": '{"message": "',
    "colours": "\x1b[",
    "line breaks": "\n",
    "quote marks": "> ",
    "prefixes": "[2026-01-02 03:04:05 TP0] ",
    "dots": "...",
    "places": "a.py:1 in f ",
    "paths": "/a",
    "entities": "&lt;",
}


@pytest.mark.parametrize("piece", REPEATED.values(), ids=REPEATED)
def test_twice_the_text_is_at_most_twice_the_work(piece: str) -> None:
    names("warm up")
    size = 24_000 // len(piece)
    work = [calls(partial(tally, piece * times)) for times in (size, 2 * size, 4 * size)]
    assert work[1] <= 2.4 * work[0] + _LITTLE
    assert work[2] <= 2.4 * work[1] + _LITTLE


def patterns() -> list[tuple[str, re.Pattern[str]]]:
    found = []
    for info in pkgutil.iter_modules(extractor.match.__path__):
        module = importlib.import_module(f"extractor.match.{info.name}")
        for name, value in vars(module).items():
            values = value if isinstance(value, tuple) else (value,)
            flat = [item for one in values for item in (one if isinstance(one, tuple) else (one,))]
            found += [(f"{info.name}.{name}", item) for item in flat if isinstance(item, re.Pattern)]
    return found


def repeats(tree: Any, outer: int = 1) -> list[tuple[int, int]]:
    """How often each open repetition may be begun anew by the repetitions around it, with its own limit."""
    found = []
    for operator, argument in tree:
        name = str(operator)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, inner = argument
            if len(inner) > 1 or str(inner[0][0]) in ("SUBPATTERN", "BRANCH"):
                found.append((outer, int(most)))
                found += repeats(inner, outer * int(most))
            else:
                found.append((outer, int(most)))
        elif name == "SUBPATTERN":
            found += repeats(argument[3], outer)
        elif name == "BRANCH":
            for branch in argument[1]:
                found += repeats(branch, outer)
        elif name in ("ASSERT", "ASSERT_NOT"):
            found += repeats(argument[1], outer)
    return found


def test_no_expression_repeats_an_open_repetition() -> None:
    found = patterns()
    assert len(found) > 15
    for name, pattern in found:
        for outer, most in repeats(_parser.parse(pattern.pattern, pattern.flags)):
            unbounded = most > 10_000
            assert not (unbounded and outer > 1), f"{name}: {pattern.pattern}"
