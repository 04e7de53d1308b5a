"""What search in the browser loads: every message in fixed parts and where it stands; for words, what it is about.

Columns rather than rows, and nothing that follows from something else, as it is loaded over the network. `worker.js`
is its only reader. A paste needs `search.json`:

    parts    for each error the fixed texts of its message; a runtime value stands between any two
    more     index of an error → the fixed texts of its other possible messages
    files    in record order: a folder, and the files in it that follow one another, each with its number of errors
    lines    line of the `raise`, as the difference from the error before in the same file
    slugs    what follows the first part of the message in the slug: `` for most, else the whole or `-` and digits

A search by words needs `words.json` too:

    names    qualified names in the order of first use; `name` has the index for each error, as a difference
    labels   families, tags, options and variables as words; `label` has for each the errors, as differences, and
             `lists` the folder of its list
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from extractor.identity import slug_stem
from extractor.publish.common import Common
from extractor.publish.inputs import FROM_OUTSIDE
from extractor.publish.reading import MessageFacts, Row, TextFacts

_LONGEST = 2_000
"""Characters of one fixed part; a longer one is as good as found when so much of it was."""
_FEWEST = 6
"""Fixed characters below which a message is in no text to be told from another (contract, section 6)."""


def search_data(common: Common, rows: Sequence[Row]) -> tuple[bytes, bytes]:
    """Return the two files."""
    labels: dict[str, list[int]] = {}
    names: dict[str, int] = {}
    files: list[list[Any]] = []
    path = None
    columns: dict[str, list[Any]] = {key: [] for key in ("parts", "lines", "slugs", "name")}
    more: dict[str, list[list[str]]] = {}
    for index, row in enumerate(rows):
        head, facts = row.head, row.facts
        new = path != head.file_path
        if new:
            path = head.file_path
            _add_file(files, path)
        columns["lines"].append(head.line_number if new else head.line_number - rows[index - 1].head.line_number)
        files[-1][-1] += 1
        columns["parts"].append(parts(facts.message))
        others = [parts(variant) for variant in facts.message.variants if variant.template != facts.message.template]
        if others:
            more[str(index)] = others
        columns["slugs"].append(_slug(head.slug, head.error_message))
        columns["name"].append(names.setdefault(facts.qualname, len(names)))
        for word in _labels(row):
            labels.setdefault(word, []).append(index)
    words = {
        "names": list(names),
        "name": _steps(columns.pop("name")),
        "labels": list(labels),
        "lists": [_list_of(label, common) for label in labels],
        "label": [_steps(held) for held in labels.values()],
    }
    return orjson.dumps({"repo": common.repo_url, "files": files, **columns, "more": more}), orjson.dumps(words)


def _add_file(files: list[list[Any]], path: str) -> None:
    """Add a file without errors yet: `[folder, name, number, name, number …]`."""
    folder, slash, name = path.rpartition("/")
    if not files or files[-1][0] != folder + slash:
        files.append([folder + slash])
    files[-1] += [name, 0]


def parts(message: MessageFacts | TextFacts) -> list[str]:
    """Return the fixed texts of a message; one alone is the whole message, with no runtime value in it."""
    found = message.template.split("{}")
    if len(found) - 1 != len(message.placeholders):
        found = _by_source(message) or found
    if len(found) > 1 and sum(map(len, found)) < _FEWEST:
        found = [message.template]
    return [part[:_LONGEST] for part in found]


def _by_source(message: MessageFacts | TextFacts) -> list[str]:
    """Return the fixed texts where a `{}` of the message itself stands among them: the source form tells which."""
    found, rest, template = [], message.source, message.template
    for placeholder in message.placeholders:
        before, opened, after = rest.partition("{" + placeholder.expression)
        if not opened or not template.startswith(before + "{}"):
            return []
        found.append(before)
        template = template[len(before) + 2 :]
        rest = after.partition("}")[2]
    return [*found, template]


def _slug(slug: str, message: str) -> str:
    base = slug_stem(message)
    if not message[:50].isascii():  # Two languages need not agree on what is lower case.
        return f"/{slug}"
    return slug[len(base) :] if slug == base or slug.startswith(f"{base}-") else f"/{slug}"


def _list_of(label: str, common: Common) -> str:
    found = (common.urls.get(f"{kind} {label}") for kind in ("families", "options", "env", "tags"))
    return next((url for url in found if url), "")


def _labels(row: Row) -> list[str]:
    words = [row.head.background_tag or "", *row.head.tags]
    words += [i.name for i in row.inputs if i.kind in FROM_OUTSIDE]
    return list(dict.fromkeys(word for word in words if word))


def _steps(values: Sequence[int]) -> list[int]:
    return [value - before for before, value in zip([0, *values], values, strict=False)]
