"""A repository of this machine, read in place: no copy, no git process that sees its settings or its work tree.

Git is started for an empty directory of ours whose `objects`, `refs` and `packed-refs` are links to the repository's.
So its `config`, hooks, filters, grafts and replace refs have no say, nothing is packed or copied, a linked work tree
or a shallow clone is read like any other, and a folder that somebody else owns needs no `safe.directory`.
Measured on one commit of 46 MB in 3,221 files: 0.3 s of processor time, against 0.7 s for a fetch into the cache.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from msgspec import Struct

from extractor.source.door import Door
from extractor.source.failures import (
    AmbiguousRefError,
    CacheFailedError,
    EmptyRepositoryError,
    NotACommitError,
    NotARepositoryError,
    UnknownRefError,
)
from extractor.source.objects import objects_beginning_with
from extractor.source.refs import parse_refs, pick
from extractor.source.skeleton import write_skeleton
from extractor.source.urls import LocalRepository, is_abbreviation, is_full_sha


class LocalPlace(Struct, frozen=True):
    """Where the parts of a local repository stand."""

    head: bytes
    """Content of its `HEAD` file."""
    common: Path
    """The folder with `objects` and `refs`; another than the one with `HEAD` in a linked work tree."""


class Shell:
    """Our own git directory around a local repository's objects and refs."""

    def __init__(self, repository: LocalRepository) -> None:
        """Find the repository and link to it; raises `NotARepositoryError`."""
        place = find(repository)
        self.repository = repository
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="extractor-git-")
            gitdir = Path(self._folder.name)
            write_skeleton(gitdir, place.head)
            for name in ("objects", "refs", "packed-refs"):
                if (place.common / name).exists():
                    (gitdir / name).symlink_to(place.common / name)
        except OSError as error:
            raise CacheFailedError(tempfile.gettempdir(), error.strerror or str(error)) from error
        self.door = Door(gitdir)

    def close(self) -> None:
        """Remove our directory; the links in it are not followed."""
        self._folder.cleanup()

    def resolve(self, ref: str) -> str:
        """Return the id of the object that `ref` means; it may still be no commit."""
        if is_full_sha(ref):
            return ref
        refs = parse_refs(self.door.run(["show-ref", "--head", "-d"]).out)
        found = pick(refs, ref)
        if found is not None:
            return found
        if is_abbreviation(ref):
            kinds = objects_beginning_with(self.door, ref.lower())
            if len(kinds) > 1:
                raise AmbiguousRefError(ref, list(kinds))
            for name, kind in kinds.items():
                if kind != "commit":
                    raise NotACommitError(ref, kind)
                return name
        if not refs:
            raise EmptyRepositoryError(self.repository.shown)
        raise UnknownRefError(ref, self.repository.shown)


def find(repository: LocalRepository) -> LocalPlace:
    """Find the git directory of a clone, a linked work tree or a bare repository, without asking git."""
    path, shown = repository.path, repository.shown
    try:
        if not path.exists():
            raise NotARepositoryError(shown, "it does not exist")
        gitdir = path / ".git" if (path / ".git").exists() else path
        if gitdir.is_file():
            link = gitdir.read_bytes()
            if not link.startswith(b"gitdir: "):
                raise NotARepositoryError(shown, "it is a file, or its .git file is damaged")
            gitdir = gitdir.parent / link[len(b"gitdir: ") :].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
        shared = gitdir / "commondir"
        common = (gitdir / shared.read_text("utf-8", "surrogateescape").rstrip("\r\n")) if shared.is_file() else gitdir
        if not (gitdir / "HEAD").is_file() or not (common / "objects").is_dir():
            raise NotARepositoryError(shown, "no .git stands in it")
        if (common / "reftable").is_dir():
            raise NotARepositoryError(
                shown, "it keeps its refs as reftable, which is not supported (make a plain clone of it)"
            )
        head = (gitdir / "HEAD").read_bytes()
    except OSError as error:
        raise NotARepositoryError(shown, error.strerror or "it cannot be read") from error
    if not re.fullmatch(rb"ref: refs/[^\0\n]+\n?|[0-9a-f]{40}\n?", head):
        raise NotARepositoryError(shown, "its HEAD is damaged, or it is a SHA-256 repository")
    return LocalPlace(head=head, common=common.resolve())
