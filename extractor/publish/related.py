"""Which errors belong together, and why: shared options, guards, functions, families, files."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from extractor.publish.inputs import FROM_OUTSIDE
from extractor.publish.reading import Row

MOST = 5
_MOST_INPUTS = 3
_COMMON = 400
"""A feature of more errors than this says nothing about two of them."""

Feature = tuple[str, ...]


class Related(Struct, frozen=True):
    """One error that belongs to another."""

    row: int
    """Its index."""
    why: str
    """What they share; code stands in backquotes."""


def related(rows: Sequence[Row]) -> list[tuple[Related, ...]]:
    """Return for each row the few that share most with it, most first; the same input gives the same output."""
    features = [tuple(dict.fromkeys(_features(row))) for row in rows]
    holders: dict[Feature, list[int]] = defaultdict(list)
    for index, own in enumerate(features):
        for feature in own:
            holders[feature].append(index)
    weights = {f: _WEIGHT[f[0]] * math.log(1 + len(rows) / len(have)) for f, have in holders.items()}
    return [tuple(_best(index, own, holders, weights, rows)) for index, own in enumerate(features)]


def _best(
    index: int,
    own: Sequence[Feature],
    holders: dict[Feature, list[int]],
    weights: dict[Feature, float],
    rows: Sequence[Row],
) -> Iterator[Related]:
    scores: Counter[int] = Counter()
    reasons: dict[int, list[Feature]] = defaultdict(list)
    for feature in sorted(own, key=lambda f: -weights[f]):
        have = holders[feature]
        if len(have) > _COMMON and feature[0] != "file":
            continue
        for other in have:
            scores[other] += weights[feature]  # type: ignore[assignment]  # a Counter of floats
            reasons[other].append(feature)
    del scores[index]
    here = rows[index].head.line_number
    order = sorted(
        scores, key=lambda other: (-round(scores[other], 6), abs(rows[other].head.line_number - here), other)
    )
    seen = {(rows[index].head.error_message, rows[index].head.file_path)}
    given = 0
    for other in order:
        text = (rows[other].head.error_message, rows[other].head.file_path)
        if text in seen:
            continue
        seen.add(text)
        yield Related(other, _why(reasons[other]))
        given += 1
        if given == MOST:
            return


_WEIGHT = {"input": 3.0, "guard": 2.5, "message": 3.0, "test": 1.5, "function": 1.2, "family": 1.0, "file": 0.5}


def _features(row: Row) -> Iterator[Feature]:
    head, facts = row.head, row.facts
    for item in row.inputs:
        if item.kind in FROM_OUTSIDE:
            yield "input", item.name
    for guard in facts.guards:
        yield "guard", head.file_path, facts.qualname, str(guard.line), guard.test
        if len(guard.test) >= 12:
            yield "test", guard.test
    yield "message", head.error_message
    yield "function", head.file_path, facts.qualname
    if head.background_tag:
        for tag in head.tags[:4]:
            yield "family", head.background_tag, tag
    yield "file", head.file_path


def _why(shared: Sequence[Feature]) -> str:
    """Say what two errors share, `shared` being in order of weight: settings together, else what weighs most."""
    inputs = [f"`{_short(value)}`" for kind, *_, value in shared if kind == "input"]
    if inputs:
        more = f" and {len(inputs) - _MOST_INPUTS} more" if len(inputs) > _MOST_INPUTS else ""
        return f"shares {', '.join(inputs[:_MOST_INPUTS])}{more}"
    kind, value = shared[0][0], shared[0][-1]
    return {
        "guard": f"same condition: `{_short(value)}`",
        "test": f"tests `{_short(value)}` too",
        "message": "same message elsewhere",
        "function": f"same function, `{_short(value)}`",
        "family": f"same kind of failure, about {value}",
        "file": "same file",
    }[kind]


def _short(text: str) -> str:
    folded = text.replace("`", "'")
    return folded if len(folded) <= 80 else folded[:79] + "…"
