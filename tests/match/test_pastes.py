"""Each kind of paste that users were seen to make, in pairs: what must be recognised, what must not be claimed."""

from __future__ import annotations

import json
from textwrap import indent

import pytest

from tests.match.kiln import ROOT, names, tally, trace

GLAZE = "ValueError: Glaze pigment cobalt needs at least 25 grams of flux."
CLAY = "ValueError: Unknown clay body: marl. Known bodies: dict_keys(['ball', 'fire', 'stoneware'])"
OVEN = "ValueError: Firing temperature 1400 exceeds the 1300 ceiling of oven Oven(id=3, zones=[1, 2])"
RAISE = "raise ValueError("
OURS = trace("kiln/glaze/mixer.py", 40, "blend", RAISE, GLAZE)
TORCH = (
    'Traceback (most recent call last):\n  File "/usr/lib/python3/dist-packages/torch/a.py", line 1, in f\n    g()\n'
)
AFTER = "\n\nDuring handling of the above exception, another exception occurred:\n\n"

FOUND = {
    "bare message": (GLAZE, "glaze", ("cobalt", "25")),
    "no class": (GLAZE.partition(": ")[2], "glaze", ("cobalt", "25")),
    "wrapped at words": (GLAZE.replace("needs ", "needs\n    "), "glaze", ("cobalt", "25")),
    "wrapped in a word by a terminal": (GLAZE.replace("least", "lea\nst"), "glaze", ("cobalt", "25")),
    "quoted": (indent(GLAZE.replace("needs ", "needs\n"), "> "), "glaze", ("cobalt", "25")),
    "behind a comment mark": (indent(GLAZE.replace("least ", "least\n"), "# "), "glaze", ("cobalt", "25")),
    "in a table": (indent(GLAZE.replace("least ", "least  |\n"), "| "), "glaze", ("cobalt", "25")),
    "in a list": (f"- {GLAZE}", "glaze", ("cobalt", "25")),
    "final stop lost": (GLAZE[:-1], "glaze", ("cobalt", "25")),
    "backticks and brackets lost": (
        "ValueError: shelf_width 30 must be divisible by tile_width 7",
        "shelf",
        ("30", "7"),
    ),
    "leading word lost": ("pigment cobalt needs at least 25 grams of flux.", "glaze", ("cobalt", "25")),
    "a blank too many": (GLAZE.replace("gram", "gr am"), "glaze", ("cobalt", "25")),
    "line break in the message turned into a blank": (
        "ValueError: Two kinds of sand were mixed. First kind: red Second kind: grey",
        "lines",
        ("red", "grey"),
    ),
    "its own line breaks": (
        "ValueError: Two kinds of sand were mixed.\nFirst kind: red\nSecond kind: grey\n",
        "lines",
        ("red", "grey"),
    ),
    "escaped in a JSON body": (
        json.dumps({"error": {"message": CLAY[12:], "code": 400}}),
        "clay",
        ("marl", "dict_keys(['ball', 'fire', 'stoneware'])"),
    ),
    "a JSON body in a JSON body": (
        json.dumps({"body": json.dumps({"message": OVEN})}),
        "oven",
        ("1400", "1300", "Oven(id=3, zones=[1, 2])"),
    ),
    "a JSON body that is cut off": (
        json.dumps({"message": CLAY, "type": "BadRequestError"})[:-3],
        "clay",
        ("marl", "dict_keys(['ball', 'fire', 'stoneware'])"),
    ),
    "colours": (f"\x1b[31mValueError\x1b[0m: \x1b[1;33m{GLAZE[12:]}\x1b[0m", "glaze", ("cobalt", "25")),
    "colours whose escape was lost": (f"[31mValueError[0m: {GLAZE[12:]}[0m", "glaze", ("cobalt", "25")),
    "timestamp and ranks": (f"[2026-01-02 03:04:05 TP0 EP1] {GLAZE}", "glaze", ("cobalt", "25")),
    "a logger's prefix on each line": (
        indent(GLAZE.replace("least ", "least\n"), "ERROR 01-02 03:04:05 [core.py:34] "),
        "glaze",
        ("cobalt", "25"),
    ),
    "a container's prefix": (f"kiln-1  | 2026-01-02T03:04:05.6Z {GLAZE}", "glaze", ("cobalt", "25")),
    "an issue's title": (f"[Bug] {GLAZE} when I fire the oven", "glaze", ("cobalt", "25")),
    "text of another language around": (
        f"启动失败请帮忙\n```\n{GLAZE}\n```\nどうすればいいですか",
        "glaze",
        ("cobalt", "25"),
    ),
    "list values": (CLAY, "clay", ("marl", "dict_keys(['ball', 'fire', 'stoneware'])")),
    "a value with commas where a comma separates": (
        "ValueError: Wheel speed out of range: (1, 2), allowed [0, 9]",
        "wheel",
        ("(1, 2)", "0", "9"),
    ),
    "an object as value, at the end": (OVEN, "oven", ("1400", "1300", "Oven(id=3, zones=[1, 2])")),
    "a path as value": (
        "ValueError: Cannot read the kiln log /var/log/k 1.txt: No such file",
        "load",
        ("/var/log/k 1.txt", "No such file"),
    ),
    "a path cut by a terminal": (
        "ValueError: Cannot read the kiln log /var/log/ki\nln.txt: No such file",
        "load",
        ("/var/log/kiln.txt", "No such file"),
    ),
    "a traceback as value": (
        f"ValueError: Cannot read the kiln log a.txt: {TORCH}OSError: no",
        "load",
        ("a.txt", f"{TORCH}OSError: no".replace("  File", "  File").replace("    g()", "  g()")),
    ),
    "a traceback": (OURS, "glaze", ("cobalt", "25")),
    "a chain with another error last": (OURS + AFTER + TORCH + "RuntimeError: died", "glaze", ("cobalt", "25")),
    "a chain with another error first": (TORCH + "KeyError: 1" + AFTER + OURS, "glaze", ("cobalt", "25")),
    "a validation error around it": (
        f"pydantic.ValidationError: 1 validation error for A\n  Value error, {GLAZE[12:]} [type=value_error, input=1]",
        "glaze",
        ("cobalt", "25"),
    ),
}


@pytest.mark.parametrize(("text", "name", "values"), FOUND.values(), ids=FOUND)
def test_is_recognised_with_its_values(text: str, name: str, values: tuple[str, ...]) -> None:
    best = names(text)[0]
    assert best[0] == name
    assert best[1] in ("sure", "likely")
    assert best[2] == values


CUT = {
    "end missing": "ValueError: Glaze pigment cobalt needs at least 25 gr...",
    "end missing without a sign": "ValueError: Glaze pigment cobalt needs at least 25",
    "beginning missing": "… cobalt needs at least 25 grams of flux.",
    "middle missing": "ValueError: Glaze pigment cob... grams of flux.",
    "end missing and quoted": "> ValueError: Glaze pigment\n> cobalt needs at le…",
}


@pytest.mark.parametrize("text", CUT.values(), ids=CUT)
def test_a_part_of_the_message_is_enough_to_be_first_but_not_to_be_sure(text: str) -> None:
    assert names(text)[0][0] == "glaze"
    assert names(text)[0][1] in ("likely", "possible")


TRACED = {
    "at the line": trace("kiln/oven/cool.py", 15, "cool", RAISE, OVEN),
    "a few lines off, in another release": trace("kiln/oven/cool.py", 21, "cool", RAISE, OVEN),
    "without source lines": trace("kiln/oven/cool.py", 15, "cool", None, OVEN),
    "in a checkout": trace("kiln/oven/cool.py", 15, "cool", RAISE, OVEN, root="/home/me/kiln/python/"),
    "with the path cut by a terminal": trace("kiln/oven/co\nol.py", 15, "cool", RAISE, OVEN),
    "with the function cut by a terminal": trace("kiln/oven/cool.py", 15, "co\nol", RAISE, OVEN),
    "wrapped behind File": trace("kiln/oven/cool.py", 15, "cool", RAISE, OVEN).replace('File "', 'File\n  "'),
    "escaped in JSON": json.dumps({"log": trace("kiln/oven/cool.py", 15, "cool", RAISE, OVEN)}),
    "as IPython prints it": (
        f"ValueError      Traceback (most recent call last)\nFile {ROOT}kiln/oven/cool.py:15, in cool(x)\n"
        f"     13 if x:\n---> 15     raise ValueError(\n     16         y)\n\n{OVEN}"
    ),
    "as Rich prints it": (
        "╭─ Traceback (most recent call last) ─╮\n│ /opt/site-packages/kiln/oven/cool.py:15 in cool │\n"
        f"│   14     if x:  │\n│ ❱ 15     raise ValueError(y) │\n╰──╯\n{OVEN}"
    ),
}


@pytest.mark.parametrize("text", TRACED.values(), ids=TRACED)
def test_the_traceback_decides_between_equal_texts(text: str) -> None:
    found = names(text)
    assert found[0][:2] == ("oven2", "sure")
    assert all(sureness != "sure" for _, sureness, _ in found[1:])


def test_without_a_traceback_equal_texts_are_both_offered_and_none_is_sure() -> None:
    found = names(OVEN)[:2]
    assert {name for name, *_ in found} == {"oven", "oven2"}
    assert [sureness for _, sureness, _ in found] == ["likely", "likely"]


def test_a_message_that_is_a_value_is_found_by_its_place() -> None:
    assert names(trace("kiln/bare.py", 12, "give", "raise ValueError(error)", "ValueError: whatever"))[0][0] == "value"
    assert "value" not in [name for name, *_ in names("ValueError: error")]


def test_a_bare_class_is_found_by_its_place_alone() -> None:
    assert names(trace("kiln/bare.py", 40, "refuse", "raise ValueError", "ValueError"))[0][:2] == ("bare", "sure")
    assert names(trace("kiln/bare.py", 40, "refuse", "raise ValueError(x)", "ValueError: of wood and tin")) == []
    assert names("ValueError") == []


def test_another_wording_is_similar_and_never_sure() -> None:
    text = "ValueError: Glaze pigment cobalt wants at least 25 grams of flux or frit."
    assert names(text)[0][:2] == ("glaze", "similar")


FOREIGN = {
    "raised by another package": OURS.replace("kiln/glaze/mixer.py", "potter/mixer.py"),
    "the same file name in another package": OURS.replace("site-packages/kiln/glaze", "site-packages/glaze"),
    "no raise statement": OURS.replace(RAISE, "grams = int(text)"),
    "Python's own message, in our function": trace(
        "kiln/glaze/mixer.py", 38, "blend", "a, b = pair", "ValueError: too many values to unpack (expected 2)"
    ),
    "another package below ours": OURS.replace(GLAZE, "")
    + TORCH.partition("\n")[2]
    + "ValueError: Expected parameter loc of distribution Normal",
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_what_was_raised_elsewhere_is_not_claimed_and_said_so(text: str) -> None:
    assert names(text) == []
    assert [bool(told.found.foreign) for told in tally(text).told] == [True]


UNKNOWN = {
    "Python's own": "ValueError: invalid literal for int() with base 10: 'abc'",
    "a record's words in another sentence": "ValueError: at least one oven needs firing before the ceiling is built",
    "nothing at all": "",
    "only a class": "ValueError",
    "another exception": "RuntimeError: CUDA error: an illegal memory access was encountered",
    "a log without errors": "[2026-01-02 03:04:05 TP0] Decode batch. #running-req: 3, token usage: 0.12",
}


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_what_no_record_has_is_not_claimed(text: str) -> None:
    assert [found for found in names(text) if found[1] in ("sure", "likely", "similar")] == []


def test_a_text_without_traceback_or_name_of_the_program_is_not_sure() -> None:
    assert names(GLAZE)[0][1] == "likely"
    assert names(OURS)[0][1] == "sure"


def test_few_common_words_need_a_traceback() -> None:
    said = "ValueError: Unsupported mode: fast"
    assert names(said)[0][:2] == ("short", "possible")
    assert names(trace("kiln/short.py", 5, "check", RAISE, said))[0][:2] == ("short", "sure")


def test_another_class_with_the_same_text_is_not_sure() -> None:
    assert names(OURS.replace("ValueError: ", "RuntimeError: "))[0][1] == "possible"


def test_ranks_are_reported_once_and_listed() -> None:
    text = "\n\n".join(f"[2026-01-02 03:04:0{n} TP{n} EP1] Scheduler hit an exception: {OURS}" for n in range(4))
    told = tally(text).told
    assert [(list(one.speakers), one.count) for one in told if one.found.event.kind] == [
        (["TP0 EP1", "TP1 EP1", "TP2 EP1", "TP3 EP1"], 4)
    ]
    assert [name for name, *_ in names(text)][:1] == ["glaze"]


def test_lines_of_two_ranks_in_turn_are_told_apart() -> None:
    texts = [[f"(Worker pid={n}) {line}" for line in OURS.split("\n")] for n in (11, 12)]
    mixed = "\n".join(line for pair in zip(*texts, strict=True) for line in pair)
    assert names(mixed)[0][:2] == ("glaze", "sure")
    assert [list(one.speakers) for one in tally(mixed).told] == [["pid 11", "pid 12"]]


def test_the_text_around_prefers_the_place_it_speaks_of() -> None:
    assert names(f"it happens when I cool the oven\n{OVEN}")[0][0] == "oven2"
    assert names(f"the Oven cannot fire, heat is off\n{OVEN}")[0][0] == "oven"
