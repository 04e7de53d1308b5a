"""A released wheel as a `Tree`: its Python files stand in one commit, below `python/`; all that follows is as for git.

The commit depends on the wheel's content alone (fixed author, the date of its newest member), so it has the same SHA
on every machine. Which index is asked, and how, is pip's configuration: nothing of it is known here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from extractor.model.source import Commit, PypiSource
from extractor.source.door import Door
from extractor.source.download import download_wheel
from extractor.source.failures import BadRequirementError, ObjectsMissingError, printable
from extractor.source.objects import CommitHead, DamageError, list_tree, read_commit
from extractor.source.room import Room
from extractor.source.tree import Tree
from extractor.source.wheel import import_wheel

_IMPORTER = 1
"""Raised when `wheel.py` makes another commit of the same wheel, so that cached imports of older versions are left."""


_NOTE = "release.json"


class Release(Struct, frozen=True):
    """The cache's note about an imported release; written last, so that it vouches for the rest."""

    importer: int
    """`_IMPORTER` of the run that made it."""
    wheel: str
    """File name of the wheel, which stands beside the note."""
    sha256: str
    """Hex digest of the wheel."""
    version: str
    """Version of the wheel; the one asked for may be written otherwise (`1.0.0` for `1.0`)."""
    commit: str
    """The commit that the import made."""


def open_pypi(requirement: str, cache: Path, project: str = "sglang") -> Tree:
    """Open a release, `[NAME==]VERSION`; with the cache warm no pip and no network is used. Raises `ExtractorError`."""
    name, version = parse_requirement(requirement, project)
    room = Room(cache / "pypi" / name / version)
    opened = _open(room, name)
    if opened is None:
        _bring(room, name, version)
        opened = _open(room, name)
    if opened is None:
        raise ObjectsMissingError(f"the imported release {name}=={version}", 1, "try again, or clear the cache")
    return opened


def parse_requirement(requirement: str, project: str) -> tuple[str, str]:
    """Return project and version as the index calls them (PEP 503, PEP 440); raises `BadRequirementError`."""
    if printable(requirement) != requirement:
        raise BadRequirementError(requirement, "it holds unprintable characters")
    name, _, version = requirement.rpartition("==")
    name = name.strip() if "==" in requirement else project
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", name, re.ASCII):
        raise BadRequirementError(requirement, "that is no project name")
    try:
        return canonicalize_name(name), str(Version(version))
    except InvalidVersion as error:
        raise BadRequirementError(requirement, "that is no version") from error


def _open(room: Room, name: str) -> Tree | None:
    """Open what an earlier run imported; None if it is not there, damaged or made by another importer."""
    release = _note(room)
    if release is None or release.importer != _IMPORTER:
        return None
    door = Door(room.path / "objects.git")
    try:
        head = read_commit(door, release.commit)
        if not isinstance(head, CommitHead):
            return None
        listing = list_tree(door, head.sha)
    except DamageError:
        return None

    def supply(_: Sequence[str]) -> None:
        _bring(room, name, release.version, anew=True)

    commit = Commit(
        sha=head.sha,
        ref=f"{name}=={release.version}",
        date=head.date,
        source=PypiSource(project=name, version=release.version, sha256=release.sha256),
        permalink_ref=f"v{release.version.partition('+')[0]}",
    )
    return Tree(door, commit, listing, supply)


def _bring(room: Room, name: str, version: str, anew: bool = False) -> None:
    """Have the release in the cache: import the wheel, downloaded first if need be. `anew`: even if all is there."""
    with room.locked() as lock:
        if not anew and _open(room, name) is not None:
            return  # another run did it meanwhile
        wheel = _cached_wheel(room)
        if wheel is None:
            download = download_wheel(name, version, room.scratch())
            wheel = room.put(download, download.name)
        made = room.scratch()
        commit = import_wheel(wheel, made, f"{name} {version}", lock)
        room.put(made, "objects.git")
        number = str(parse_wheel_filename(wheel.name)[1])
        release = Release(importer=_IMPORTER, wheel=wheel.name, sha256=_sha256(wheel), version=number, commit=commit)
        scratch = room.scratch() / _NOTE
        scratch.write_bytes(msgspec.json.encode(release))
        room.put(scratch, _NOTE)


def _note(room: Room) -> Release | None:
    try:
        return msgspec.json.decode((room.path / _NOTE).read_bytes(), type=Release)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _cached_wheel(room: Room) -> Path | None:
    """Return the wheel of an earlier run if it is still the same bytes."""
    note = _note(room)
    wheel = room.path / Path(note.wheel).name if note is not None else None
    return (
        wheel if note is not None and wheel is not None and wheel.is_file() and _sha256(wheel) == note.sha256 else None
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
