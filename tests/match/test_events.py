from __future__ import annotations

import pytest

from extractor.match.events import Event, find
from extractor.match.lines import read

FILE = '  File "/opt/site-packages/kiln/oven.py", line 12, in fire'


def events(text: str) -> list[Event]:
    return find(list(read(iter(text.split("\n")))))


def told(text: str) -> list[tuple[str, str]]:
    return [(event.kind, event.message.strip()) for event in events(text) if event.opened]


HEADS = {
    "alone": ("ValueError: bad clay", [("ValueError", "bad clay")]),
    "with its module": ("kiln.errors.KilnError: bad", [("KilnError", "bad")]),
    "behind a title": ("[Bug] ValueError: bad clay", [("ValueError", "bad clay")]),
    "in backticks": ("it says `ValueError: bad clay` to me", [("ValueError", "bad clay` to me")]),
    "in another message": (
        "RuntimeError: no: ValueError: bad",
        [("RuntimeError", "no: ValueError: bad"), ("ValueError", "bad")],
    ),
    "as Ray wraps it": ("ray.exceptions.RayTaskError(ValueError): f()", [("ValueError", "f()")]),
    "of pydantic": ("Value error, bad clay [type=value_error, input_value=1]", [("ValueError", "bad clay")]),
}


@pytest.mark.parametrize(("text", "found"), HEADS.values(), ids=HEADS)
def test_names_of_exceptions_open_messages(text: str, found: list[tuple[str, str]]) -> None:
    assert told(text) == found


NO_HEADS = {
    "a word of a logger": "Error: bad clay",
    "a handler": "except ValueError: pass",
    "a class": "class KilnError(Exception): pass",
    "a call": "raise ValueError('bad clay')",
}


@pytest.mark.parametrize("text", NO_HEADS.values(), ids=NO_HEADS)
def test_code_and_common_words_open_no_message(text: str) -> None:
    assert told(text) == []


def test_a_name_in_a_source_line_opens_no_message() -> None:
    text = f'Traceback (most recent call last):\n{FILE}\n    raise E("ValueError: no")\nE: yes'
    assert told(text) == [("E", "yes")]


ENDS = {
    "the next entry of a log": "ValueError: bad clay\n[2026-01-02 03:04:05] INFO: fine",
    "the next traceback": f"ValueError: bad clay\n\nTraceback (most recent call last):\n{FILE}\n",
    "a chain": "ValueError: bad clay\n\nDuring handling of the above exception, another exception occurred:\n",
    "the next name": "ValueError: bad clay\nKeyError: 1",
}


@pytest.mark.parametrize("text", ENDS.values(), ids=ENDS)
def test_a_message_ends_before(text: str) -> None:
    assert told(text)[0] == ("ValueError", "bad clay")


GOES_ON = {
    "lines of its own": ("ValueError: bad clay\nfirst: a\nsecond: b", "bad clay\nfirst: a\nsecond: b"),
    "a logger's prefix on each line": (
        "ERROR 01-02 03:04:05 [a.py:1] ValueError: bad\nERROR 01-02 03:04:05 [a.py:1] clay",
        "bad\nclay",
    ),
}


@pytest.mark.parametrize(("text", "message"), GOES_ON.values(), ids=GOES_ON)
def test_a_message_goes_on_over(text: str, message: str) -> None:
    assert told(text) == [("ValueError", message)]


FRAMES = {
    "Python": f"{FILE}\n    raise ValueError(\n",
    "Python with marks": f"{FILE}\n    raise ValueError(\n          ^^^^^^\n",
    "cut in the path": FILE.replace("oven", "ov\nen") + "\n    raise ValueError(\n",
    "cut in the number": FILE.replace("line 12", "line 1\n2") + "\n    raise ValueError(\n",
    "cut in the function": FILE.replace("fire", "fi\nre") + "\n    raise ValueError(\n",
    "wrapped behind File": FILE.replace("File ", "File\n  ") + "\n    raise ValueError(\n",
    "wrapped behind line": FILE.replace("line 12", "line\n  12") + "\n    raise ValueError(\n",
    "source cut in raise": f"{FILE}\n    ra\nise ValueError(\n",
    "all in one line": FILE.strip() + " raise ValueError( ",
    "IPython": (
        "File /opt/site-packages/kiln/oven.py:12, in Oven.fire(self)\n     11 if a:\n---> 12     raise ValueError(\n"
    ),
    "old IPython": "/opt/site-packages/kiln/oven.py in fire(self)\n     11 if a:\n---> 12     raise ValueError(\n",
    "Rich": "│ /opt/site-packages/kiln/oven.py:12 in fire │\n│ 11  if a: │\n│ ❱ 12    raise ValueError( │\n",
}


@pytest.mark.parametrize("text", FRAMES.values(), ids=FRAMES)
def test_frames_are_read(text: str) -> None:
    (event,) = events(f"Traceback (most recent call last):\n{text}ValueError: bad clay")
    (frame,) = event.frames
    assert frame.path == "/opt/site-packages/kiln/oven.py"
    assert frame.function == "fire"
    assert frame.code.startswith("raise")
    assert event.message.strip() == "bad clay"


def test_text_around_is_kept_apart() -> None:
    found = events(f"hello there\nTraceback (most recent call last):\n{FILE}\n    raise X(\nValueError: bad\n\n\nbye")
    assert next(event.message.strip() for event in found if not event.opened) == "hello there"


def test_a_traceback_without_its_end_is_an_event() -> None:
    (event,) = events(f"Traceback (most recent call last):\n{FILE}\n    raise ValueError(")
    assert (event.kind, len(event.frames), event.opened) == ("", 1, False)
