"""The lists that lead to an error: which there are, what each is called, and which rows stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from extractor.publish import links
from extractor.publish.inputs import ENVIRONMENT, OPTION, Input
from extractor.publish.reading import Row


class Group(Struct, frozen=True):
    """One list of errors."""

    name: str
    """As in the dataset: a tag, a flag, a family."""
    url: str
    """Its folder, with a final slash."""
    rows: tuple[int, ...]
    """Indexes in record order."""
    input: Input | None = None
    """The declaration, for options and variables."""


class Kind(Struct, frozen=True):
    """All lists of one kind."""

    key: str
    """Name of its folder."""
    title: str
    """For headings."""
    noun: str
    """One of them, in a sentence."""
    about: str
    """What belongs here, in a sentence."""
    code: bool
    """Whether the names are code."""
    groups: tuple[Group, ...]
    """By name."""

    @property
    def url(self) -> str:
        """Folder of the list of lists."""
        return f"{self.key}/"


def kinds(rows: Sequence[Row]) -> tuple[Kind, ...]:
    """Return the lists by family, tag, option, environment variable and surface; what a dataset lacks is empty."""
    return (
        _kind(
            rows,
            Kind("families", "Families", "family", "The kind of failure, across libraries.", False, ()),
            lambda row: [row.head.background_tag] if row.head.background_tag else [],
        ),
        _kind(
            rows,
            Kind("options", "Options", "option", "Every error that a command-line option can lead to.", True, ()),
            lambda row: [i.name for i in row.inputs if i.kind == OPTION],
        ),
        _kind(
            rows,
            Kind("env", "Environment", "environment variable", "Every error that a variable can lead to.", True, ()),
            lambda row: [i.name for i in row.inputs if i.kind == ENVIRONMENT],
        ),
        _kind(
            rows,
            Kind("surfaces", "Surfaces", "surface", "Where a user meets the error.", False, ()),
            lambda row: [row.facts.surface] if row.facts.surface else [],
        ),
        _kind(
            rows,
            Kind("tags", "Tags", "tag", "Feature and subsystem of the code that raises.", False, ()),
            lambda row: row.head.tags,
        ),
    )


def folder_of(kind: str, name: str) -> str:
    """Return the folder of one list: `options/attn-cp-size/` for `--attn-cp-size`."""
    bare = name.lstrip("-") if kind == "options" else name
    return f"{kind}/{links.folder(bare or name)}/"


def _kind(rows: Sequence[Row], kind: Kind, names: Callable[[Row], Iterable[str]]) -> Kind:
    found: dict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        for name in dict.fromkeys(names(row)):
            found[name].append(index)
    declared = _declared(rows) if kind.code else {}
    groups = {}
    for name in sorted(found):
        url = folder_of(kind.key, name)
        while url in groups:  # `-x` and `--x`
            url = f"{url[:-1]}~~/"
        groups[url] = Group(name, url, tuple(found[name]), declared.get(name))
    return Kind(kind.key, kind.title, kind.noun, kind.about, kind.code, tuple(groups.values()))


def _declared(rows: Sequence[Row]) -> dict[str, Input]:
    """Return for each option and variable the input that tells most about it."""
    best: dict[str, Input] = {}
    for row in rows:
        for item in row.inputs:
            held = best.get(item.name)
            if held is None or len(item.help) + len(item.path) > len(held.help) + len(held.path):
                best[item.name] = item
    return best


class Folder(Struct):
    """A directory or a file of the scanned tree."""

    path: str
    """In the repository; empty for the root."""
    folders: list[str]
    """Directories and files right below, by path; empty for a file."""
    rows: list[int]
    """Rows in it and below."""
    is_file: bool
    """Whether it is a file."""


def tree(rows: Sequence[Row]) -> dict[str, Folder]:
    """Return every directory and file that holds errors, by path; chains of single directories stay as they are."""
    found = {"": Folder("", [], [], is_file=False)}
    for index, row in enumerate(rows):
        path = row.head.file_path
        found[""].rows.append(index)
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            here = "/".join(parts[:depth])
            if here not in found:
                found[here] = Folder(here, [], [], is_file=depth == len(parts))
                found["/".join(parts[: depth - 1])].folders.append(here)
            found[here].rows.append(index)
    return found
