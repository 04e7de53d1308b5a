"""Reading a git object database: the commit, its tree, the content of blobs. No network, no refs, no work tree.

Content is checked against its name here: facts are cached by blob id, so a database that gives other bytes than the
name promises must be noticed, whoever wrote it.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from extractor.model.source import Blob, SkippedPath, SkipReason
from extractor.source.door import Door
from extractor.source.failures import printable

READ_LIMIT = 64 << 20
"""Bytes of a blob that are handed out at most; the rest of a longer one is checked, then dropped."""

_CHUNK = 1 << 20
_HEADER = re.compile(rb"([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)\n")
_MODES = {b"100644", b"100755", b"100664"}  # the last one stands in old repositories


class DamageError(Exception):
    """The database gave something else than was asked for. Never leaves `source/`: the cache is made anew."""


class Item(Struct, frozen=True):
    """One object, or the news that it is not there."""

    id: str
    """Its name."""
    kind: str
    """`commit`, `tree`, `blob`, `tag`, or `missing`."""
    data: bytes
    """Its content, `READ_LIMIT` bytes at most."""


class CommitHead(Struct, frozen=True):
    """What the extractor needs of a commit object."""

    sha: str
    """The commit's name (an annotated tag that was asked for is followed)."""
    date: str
    """Committer date, UTC, ISO 8601 with milliseconds and `Z`."""


class Listing(Struct, frozen=True):
    """The Python files of one tree."""

    blobs: tuple[Blob, ...]
    """Regular files, sorted by path bytes."""
    skipped: tuple[SkippedPath, ...]
    """Paths ending in `.py` that are no blobs, sorted by spelling."""


def read_objects(door: Door, ids: Iterable[str]) -> Iterator[Item]:
    """Give each object in the order asked for, from one git process; raises `DamageError`."""
    names = list(ids)
    if not names:
        return
    with door.start(["cat-file", "--batch", "--buffer"], "".join(f"{name}\n" for name in names).encode()) as git:
        for name in names:
            line = git.stdout.readline()
            if line == f"{name} missing\n".encode():
                yield Item(id=name, kind="missing", data=b"")
                continue
            header = _HEADER.fullmatch(line)
            if header is None or header[1] != name.encode():
                raise DamageError(name)
            data, digest = _content(git.stdout.read, header[2], int(header[3]))
            if digest != name or git.stdout.read(1) != b"\n":
                raise DamageError(name)
            yield Item(id=name, kind=header[2].decode(), data=data)


def missing_objects(door: Door, ids: Iterable[str]) -> list[str]:
    """Return which objects are not in the database; that the others are sound is seen when they are read."""
    names = list(ids)
    answer = door.run(["cat-file", "--batch-check", "--buffer"], "".join(f"{name}\n" for name in names).encode())
    rows = answer.out.decode("utf-8", "replace").splitlines()
    if answer.code or len(rows) != len(names):
        raise DamageError(f"{len(names)} objects")
    return [name for name, row in zip(names, rows, strict=True) if row.endswith(" missing")]


def read_commit(door: Door, name: str) -> CommitHead | str:
    """Read a commit, following annotated tags; gives the kind instead (`missing`, `tree`, `blob`) if it is none."""
    for _ in range(10):  # tags of tags
        (item,) = read_objects(door, [name])
        if item.kind != "tag":
            break
        target = re.match(rb"object ([0-9a-f]{40})\n", item.data)
        if target is None:
            raise DamageError(name)
        name = target[1].decode()
    if item.kind != "commit":
        return item.kind
    committer = re.search(rb"^committer .*?(-?\d+) [+-]\d+$", item.data, re.MULTILINE)
    return CommitHead(sha=item.id, date=iso_date(int(committer[1]) if committer else 0))


def iso_date(epoch: int) -> str:
    """Write seconds since 1970 as `2026-01-31T12:00:00.000Z`; a date that no calendar has is 1970."""
    zero = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    try:
        moment = zero + datetime.timedelta(seconds=epoch)
    except OverflowError:
        moment = zero
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def list_tree(door: Door, sha: str) -> Listing:
    """List the Python files of a commit; raises `DamageError` if a tree is missing or unreadable."""
    answer = door.run(["ls-tree", "-r", "-z", "--full-tree", sha])
    if answer.code:
        raise DamageError(sha)
    blobs: dict[bytes, str] = {}
    skipped: list[SkippedPath] = []
    for row in answer.out.split(b"\0"):
        meta, _, path = row.partition(b"\t")
        if not path.endswith(b".py"):
            continue
        mode, kind, blob = meta.split(b" ")
        reason = _reason_to_skip(mode, path, path in blobs)
        if kind != b"blob":
            continue  # a submodule that is called so
        if reason is None:
            blobs[path] = blob.decode()
        else:
            skipped.append(SkippedPath(path=printable(path.decode("utf-8", "backslashreplace")), reason=reason))
    return Listing(
        blobs=tuple(Blob(path=path.decode(), id=blob) for path, blob in sorted(blobs.items())),
        skipped=tuple(sorted(skipped, key=lambda each: (each.path, each.reason))),
    )


def objects_beginning_with(door: Door, prefix: str) -> dict[str, str]:
    """Map the objects whose id begins with `prefix` to their kind; only the commits if there are any."""
    answer = door.run(["rev-parse", f"--disambiguate={prefix}"])
    if answer.code:
        raise DamageError(prefix)
    kinds: dict[str, str] = {}
    for name in sorted(set(answer.out.decode().split())):
        head = read_commit(door, name)
        kinds[head.sha if isinstance(head, CommitHead) else name] = "commit" if isinstance(head, CommitHead) else head
    commits = {name: kind for name, kind in kinds.items() if kind == "commit"}
    return commits or kinds


def _reason_to_skip(mode: bytes, path: bytes, seen: bool) -> SkipReason | None:
    if mode not in _MODES:
        return "symlink"
    try:
        path.decode()
    except UnicodeDecodeError:
        return "not-utf-8"
    # Git's own commands refuse to make such paths; a tree object made by hand can hold them.
    if any(part in (b"", b".", b"..") or part.lower() == b".git" for part in path.split(b"/")):
        return "unsafe-path"
    return "duplicate-path" if seen else None


def _content(read: Callable[[int], bytes], kind: bytes, size: int) -> tuple[bytes, str]:
    digest = hashlib.sha1(b"%s %d\0" % (kind, size), usedforsecurity=False)
    data = read(min(size, READ_LIMIT))
    digest.update(data)
    left = size - len(data)
    while left > 0 and (chunk := read(min(left, _CHUNK))):
        digest.update(chunk)
        left -= len(chunk)
    return data, digest.hexdigest()
