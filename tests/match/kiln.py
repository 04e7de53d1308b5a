"""The rows of a made-up project, with as many others around them as it takes for words to weigh what they weigh."""

from __future__ import annotations

import random
from functools import cache

from extractor.explain.pattern import derive
from extractor.identity import digest, slug_stem
from extractor.match.catalog import Catalog, Row, _Index
from extractor.match.matcher import Matcher
from extractor.match.tally import Tally

ROOT = "/opt/venv/lib/python3.12/site-packages/"
VERSION = "2026-03-04T05:06:07.000Z"

# Name of the row, path, line, function, message.
ROWS = (
    ("glaze", "python/kiln/glaze/mixer.py", 40, "Mixer.blend", "Glaze pigment {} needs at least {} grams of flux."),
    ("oven", "python/kiln/oven/heat.py", 70, "Oven.fire", "Firing temperature {} exceeds the {} ceiling of oven {}"),
    ("oven2", "python/kiln/oven/cool.py", 15, "cool", "Firing temperature {} exceeds the {} ceiling of oven {}"),
    ("shelf", "python/kiln/shelf.py", 9, "stack", "`shelf_width` ({}) must be divisible by `tile_width` ({})."),
    ("clay", "python/kiln/clay.py", 120, "Clay.knead", "Unknown clay body: {}. Known bodies: {}"),
    ("wheel", "python/kiln/wheel.py", 33, "spin", "Wheel speed out of range: {}, allowed [{}, {}]"),
    ("short", "python/kiln/short.py", 5, "check", "Unsupported mode: {}"),
    ("load", "python/kiln/load.py", 61, "load", "Cannot read the kiln log {}: {}"),
    ("lines", "python/kiln/lines.py", 8, "f", "Two kinds of sand were mixed.\nFirst kind: {}\nSecond kind: {}"),
    ("value", "python/kiln/bare.py", 12, "give", "{error}"),
    ("bare", "python/kiln/bare.py", 40, "refuse", "ValueError"),
    ("near1", "python/kiln/near.py", 20, "weigh", "Raku bucket weight must not be negative"),
    ("near2", "python/kiln/near.py", 30, "weigh", "Raku bucket weight must not be missing"),
)
_SAID = [
    "must",
    "be",
    "greater",
    "than",
    "the",
    "number",
    "of",
    "allowed",
    "values",
    "for",
    "this",
    "layer",
    "and",
    "its",
    "size",
]
_THINGS = [
    a + b
    for a in ("ash", "brick", "cone", "damper", "ember", "flue", "grog", "hearth")
    for b in ("", "s", "_id", "_size")
]


def row(name: str, path: str, line: int, qualname: str, message: str) -> Row:
    if message.startswith("{") and message.endswith("}"):
        patterns, resolution = (message.replace("{", "\\{").replace("}", "\\}"),), "unresolved"
    else:
        patterns, resolution = (derive(message.split("{}"), message),), "literal"
    return Row(digest(name), slug_stem(message), path, line, qualname, "ValueError", resolution, message, patterns)


def _others() -> list[Row]:
    chance = random.Random(7)  # noqa: S311 - made-up text
    rows = []
    for number in range(1_500):
        text = " ".join([*chance.sample(_THINGS, 2), *chance.sample(_SAID, 6), f"variant{number}", "{}"])
        rows.append(row(f"other{number}", f"python/kiln/more/m{number % 40}.py", number + 1, f"f{number}", text))
    return rows


@cache
def matcher() -> Matcher:
    rows = [row(*known) for known in ROWS] + _others()
    return Matcher(Catalog(_Index("owner/kiln", "0" * 40, VERSION, tuple(rows))))


def tally(text: str) -> Tally:
    found = Tally(matcher())
    found.read([text])
    return found


def names(text: str) -> list[tuple[str, str, tuple[str | None, ...]]]:
    """Name, sureness and values of what was found, best first."""
    known = {digest(name): name for name, *_ in ROWS}
    rows = matcher().catalog.rows
    found: list[tuple[str, str, tuple[str | None, ...]]] = []
    for _, finding in tally(text).ranked():
        record = rows[finding.fit.row].id
        found.append((known.get(record, record), finding.sureness, finding.fit.values))
    return found


def trace(path: str, line: int, function: str, code: str | None, message: str, root: str = ROOT) -> str:
    lines = [
        "Traceback (most recent call last):",
        f'  File "{root}kiln/main.py", line 3, in main',
        "    studio.run()",
        f'  File "{root}{path}", line {line}, in {function}',
        *([f"    {code}"] if code is not None else []),
        message,
    ]
    return "\n".join(lines)
