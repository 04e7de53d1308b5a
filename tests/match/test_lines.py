from __future__ import annotations

import json

import pytest

from extractor.match.lines import read, unescape


def texts(*raw: str) -> list[str]:
    return [line.text.strip() for line in read(iter(raw))]


TAKEN_OFF = {
    "colours": ("\x1b[1;31mBad\x1b[0m clay", "Bad clay"),
    "a link of a terminal": ("\x1b]8;;http://a\x07Bad clay\x1b]8;;\x07", "Bad clay"),
    "colours without their escape": ("[31mBad clay[0m", "Bad clay"),
    "colours written out": (r"\u001b[36mBad clay\u001b[0m", "Bad clay"),
    "quote marks": ("> > Bad clay", "Bad clay"),
    "a comment mark": ("# Bad clay", "Bad clay"),
    "cells of a table": ("| Bad clay |", "Bad clay"),
    "a box": ("│ Bad clay │", "Bad clay"),
    "an item's dash": ("- Bad clay", "Bad clay"),
    "time and rank in brackets": ("[2026-01-02 03:04:05 TP0 EP1] Bad clay", "Bad clay"),
    "time, module, level": ("2026-01-02 03:04:05,678 - kiln.oven - ERROR - Bad clay", "Bad clay"),
    "level, short time, place": ("ERROR 01-02 03:04:05 [core.py:343] Bad clay", "Bad clay"),
    "level and colon": ("ERROR:    Bad clay", "Bad clay"),
    "a process of Ray": ("(Worker pid=616, ip=192.168.1.2) Bad clay", "Bad clay"),
    "a service of Compose": ("kiln-1  | Bad clay", "Bad clay"),
    "Kubernetes": ("2026-01-02T03:04:05.678901234Z stderr F Bad clay", "Bad clay"),
    "time, level and stream between bars": ("2026-01-02 03:04:05 | ERROR | stderr | Bad clay", "Bad clay"),
    "torchrun": ("[rank0]: Bad clay", "Bad clay"),
    "mpirun": ("[1,0]<stderr>: Bad clay", "Bad clay"),
    "entities of HTML": ("Bad &lt;clay&gt; &#x27;a&#x27;", "Bad <clay> 'a'"),
}


@pytest.mark.parametrize(("raw", "plain"), TAKEN_OFF.values(), ids=TAKEN_OFF)
def test_is_taken_off(raw: str, plain: str) -> None:
    assert texts(raw) == [plain]


KEPT = {
    "a list": "[1, 2, 3] is not a size",
    "a list of names": "['TP', 'EP'] are known",
    "an option": "--shelf-width must be given",
    "a negative number": "-1 is too small",
    "a word in brackets": "[Bug] Bad clay",
    "a name with a colon": "kiln: Bad clay",
    "a backslash in a path": r"C:\new\tiles\red",
    "an escaped line break in a value": r"'a\nb' is no name",
    "a year": "2026 was bad for clay",
}


@pytest.mark.parametrize("raw", KEPT.values(), ids=KEPT)
def test_is_kept(raw: str) -> None:
    assert texts(raw) == [raw]


@pytest.mark.parametrize(
    ("raw", "speaker", "fresh"),
    [
        ("[2026-01-02 03:04:05 TP0 EP1] a", "TP0 EP1", True),
        ("[rank3]: a", "rank3", True),
        ("(Worker pid=616, ip=192.168.1.2) a", "pid 616 at 192.168.1.2", False),
        ("INFO:     a", "", True),
        ("a", "", False),
    ],
)
def test_who_speaks_and_whether_an_entry_begins(raw: str, speaker: str, fresh: bool) -> None:
    (line,) = read(iter([raw]))
    assert (line.speaker, line.fresh) == (speaker, fresh)


@pytest.mark.parametrize(
    "body",
    [
        {"message": 'Bad "clay"\nin oven', "code": 400},
        {"error": {"message": 'Bad "clay"\nin oven'}},
        {"body": json.dumps({"message": 'Bad "clay"\nin oven'})},
        {"errors": [{"detail": 'Bad "clay"\nin oven'}]},
    ],
)
def test_the_strings_of_a_body_are_read_as_lines(body: dict[str, object]) -> None:
    assert texts(json.dumps(body)) == ['Bad "clay"', "in oven"]
    assert texts(f"HTTP 400: {json.dumps(body)}") == ['Bad "clay"', "in oven"]


def test_a_body_that_is_no_json_is_unescaped() -> None:
    assert texts(json.dumps({"log": 'File "a.py"\nBad clay'})[:-4])[1:] == ["Bad cl"]


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"a\nb", "a\nb"),
        (r"a\\nb", r"a\nb"),
        (r"\u00e9\t", "é\t"),
        (r"\ud800", "\ufffd"),
        (r"say \"a\"", 'say "a"'),
        (r"a\\\"b\\\"", 'a"b"'),
        ("a\\", "a\\"),
        (r"\x", r"\x"),
    ],
)
def test_escapes(raw: str, plain: str) -> None:
    assert unescape(raw) == plain
