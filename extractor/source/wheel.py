"""The Python files of one wheel as one commit in a bare repository of ours. Nothing is unpacked to disk.

Measured on 46 MB in 3,221 files: 0.9 s of processor time with compression 1 and no deltas (13 MB on disk); deltas
cost 0.6 s more and save nothing, no compression saves 0.15 s and takes 45 MB.
"""

from __future__ import annotations

import calendar
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from extractor.source.door import Door, GitProcess
from extractor.source.failures import CacheFailedError, WheelRefusedError
from extractor.source.skeleton import make_empty

_ROOT = "python/"
"""Where the package stands in the repository that it was released from."""

_MEMBER_LIMIT = 64 << 20
_TOTAL_LIMIT = 2 << 30
_COUNT_LIMIT = 200_000
"""No release comes near these; a zip bomb does."""

_PACKING = {"core.compression": "1", "pack.compression": "1", "pack.depth": "0"}
_WHO = b"extractor <extractor@localhost>"
_UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)


def import_wheel(wheel: Path, gitdir: Path, title: str, lock: int) -> str:
    """Make `gitdir` a bare repository with one commit of the wheel; returns its SHA. Raises `WheelRefusedError`."""
    door = Door(make_empty(gitdir), settings=_PACKING)
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = _python_files(wheel.name, archive.infolist())
            with door.start(
                ["fast-import", "--quiet", "--done", "--depth=0", "--date-format=raw"], None, keep=[lock]
            ) as git:
                _write(git, archive, members, title, _newest(archive.infolist()))
                sha = git.stdout.readline().decode().strip()
    except _UNREADABLE as error:
        raise WheelRefusedError(wheel.name, f"it cannot be read ({error})") from error
    except BrokenPipeError as error:
        raise CacheFailedError(str(gitdir), "git could not store the release") from error
    if git.code or len(sha) != 40:
        raise CacheFailedError(
            str(gitdir), (git.complaint.strip().splitlines() or ["git could not store the release"])[0]
        )
    return sha


def _python_files(wheel: str, members: Sequence[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Check all members; return the Python files of the package itself, sorted, the last of several of one name."""
    if len(members) > _COUNT_LIMIT:
        raise WheelRefusedError(wheel, f"it has {len(members)} members")
    files: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        parts = member.filename.removesuffix("/").split("/")
        if "\\" in member.filename or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            raise WheelRefusedError(wheel, f"its member {member.filename!r} would be written outside its folder")
        shipped = not parts[0].endswith((".dist-info", ".data"))
        if member.filename.endswith(".py") and shipped:
            files[member.filename] = member
            if member.file_size > _MEMBER_LIMIT:
                raise WheelRefusedError(wheel, f"its member {member.filename!r} has {member.file_size} bytes")
    if sum(member.file_size for member in files.values()) > _TOTAL_LIMIT:
        raise WheelRefusedError(wheel, "its Python files are larger than any package's")
    return [files[name] for name in sorted(files)]


def _write(
    git: GitProcess, archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], title: str, date: int
) -> None:
    for piece in _commands(archive, members, title.encode(), date):
        git.stdin.write(piece)
    git.stdin.flush()


def _commands(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], title: bytes, date: int) -> Iterator[bytes]:
    """Write the input of git-fast-import(1): one commit, its files inline, then the question for its name."""
    stamp = _WHO + b" %d +0000\n" % date
    yield b"commit refs/heads/release\nmark :1\nauthor " + stamp + b"committer " + stamp
    yield b"data %d\n%s\n" % (len(title) + 1, title + b"\n")
    for member in members:
        data = archive.read(member)
        yield b"M 100644 inline %s\ndata %d\n" % (_quoted(_ROOT + member.filename), len(data))
        yield data
        yield b"\n"
    yield b"get-mark :1\ndone\n"


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"' + escaped.encode("utf-8", "backslashreplace") + b'"'


def _newest(members: Sequence[zipfile.ZipInfo]) -> int:
    """Return the newest member's date as seconds since 1970, its clock taken as UTC. Zip knows none before 1980."""
    return calendar.timegm(max((member.date_time for member in members), default=(1980, 1, 1, 0, 0, 0)))
