"""The branch that keeps datasets: one commit a dataset, each on top of the last.

A dataset is put there in one step, which the server takes only if the branch still stands where it was read: of two
writers one is told to look again. Until then the new commit is known to this machine alone.
"""

from __future__ import annotations

import calendar
import hashlib
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
from msgspec import Struct

from extractor.dataset import layout
from extractor.dataset.folder import DatasetError
from extractor.dataset.read import Dataset, read, read_manifest
from extractor.errors import ExtractorError, UsageError
from extractor.model.dataset import Manifest
from extractor.source.door import Answer, Door
from extractor.source.failures import SourceError, printable, without_secrets
from extractor.source.refs import parse_refs
from extractor.source.room import Room
from extractor.source.skeleton import make_empty
from extractor.source.urls import LocalRepository, RemoteRepository, parse_location, parse_ref

_REPOSITORY = "data.git"
_LAST = "refs/heads/last"
_READ = (layout.MANIFEST, layout.RECORDS, layout.SITES)
"""What comparing needs; the rest of an old dataset stays in git."""
_WHO = b"extractor <extractor@localhost>"
_PACKING = {"core.compression": "1", "pack.compression": "1"}
"""Each record names its commit, so all files of a dataset are new each time: 10 MB for 4,600 sites, of which the push
makes deltas of 0.8 MB in 1 s of processor time."""
_BEARER = "x-access-token"
"""GitHub's name for whoever shows a token; other servers take any name."""


class DataBranchError(SourceError):
    """The data branch cannot be read or written; it is as it was."""

    @classmethod
    def failed(cls, target: Target, what: str, answer: Answer) -> DataBranchError:
        """Say what git could not do, in its words."""
        said = [line for line in answer.err.splitlines() if line.startswith(("fatal:", "error:", "remote:", "ssh:"))]
        words = printable(without_secrets((said or answer.err.splitlines() or ["no reason given"])[0]))
        return cls(f"cannot {what} branch {target.branch} of {target.shown}: {words}; check address and access")

    @classmethod
    def foreign(cls, target: Target) -> DataBranchError:
        """Refuse a branch that a job must not write to."""
        return cls(
            f"branch {target.branch} of {target.shown} holds something other than a dataset; name another --data-branch"
        )

    @classmethod
    def others(cls, target: Target, repo: str) -> DataBranchError:
        """Refuse a branch that keeps the datasets of another repository: their difference would say nothing."""
        return cls(f"branch {target.branch} of {target.shown} keeps datasets of {repo}; name another --data-branch")


class Target(Struct, frozen=True):
    """Where datasets are kept."""

    repository: RemoteRepository
    """The repository, local ones too."""
    branch: str
    """Name of the branch, without `refs/heads/`."""
    shown: str
    """The repository as messages call it."""


class Kept(Struct, frozen=True):
    """The newest dataset of the branch."""

    commit: str
    """The branch's commit that holds it."""
    repo: str
    """The repository it is of, `owner/name`."""
    manifest: Manifest | None
    """What was scanned and how; None if another version wrote it in a form that this one cannot read."""


def target(location: str, branch: str, token: str) -> Target:
    """Check where datasets shall be kept; `token` opens an https:// repository. Raises `UsageError`."""
    found, name = parse_location(location), parse_ref(branch)
    if name == "HEAD" or name.startswith("refs/"):
        raise UsageError(f"--data-branch: {printable(branch)!r} is no plain name of a branch")
    if isinstance(found, LocalRepository):
        return Target(RemoteRepository(url=str(found.path), protocol="file"), name, found.shown)
    if token and found.protocol == "https":
        found = RemoteRepository(url=found.url, protocol=found.protocol, user=_BEARER, password=token)
    return Target(found, name, found.shown)


@contextmanager
def opened(where: Target, cache: Path) -> Iterator[DataBranch]:
    """Give the branch, for one job of this machine at a time."""
    key = hashlib.sha256(f"{where.repository.url}\0{where.branch}".encode()).hexdigest()[:32]
    room = Room(cache / "job" / key)
    with room.locked() as lock:
        yield DataBranch(where, room, lock)


class DataBranch:
    """The branch of one repository, through a bare repository in the cache."""

    def __init__(self, where: Target, room: Room, lock: int) -> None:
        """Take a locked room; `lock` is held by every git process, so that a killed job's git is waited for."""
        self._where = where
        self._room = room
        self._keep = [lock]
        gitdir = room.path / _REPOSITORY
        if not (gitdir / "HEAD").is_file():
            room.put(make_empty(room.scratch()), _REPOSITORY)
        for left in (*gitdir.rglob("*.lock"), *gitdir.glob("objects/pack/tmp_*")):
            left.unlink(missing_ok=True)  # Whoever made it is dead: the room is locked.
        self._door = Door(gitdir, where.repository, _PACKING)

    def last(self) -> Kept | None:
        """Fetch the newest dataset; None if the branch is not there yet. Raises `DataBranchError`."""
        if self._head() is None:
            return None
        refspec = f"+refs/heads/{self._where.branch}:{_LAST}"
        # No tags, no maintenance, only this commit: its history is of no use here.
        answer = self._run("fetch", "--quiet", "--no-tags", "--depth=1", "--no-write-fetch-head", "origin", refspec)
        if answer.code:
            raise DataBranchError.failed(self._where, "read", answer)
        commit = self._run("rev-parse", "--verify", _LAST).out.decode().strip()
        folder = self._lay_out(commit, (layout.MANIFEST,))
        data = (folder / layout.MANIFEST).read_bytes() if folder is not None else b""
        if folder is None or not layout.is_manifest(data):
            raise DataBranchError.foreign(self._where)
        repo = str(orjson.loads(data).get("repo"))
        try:
            return Kept(commit, repo, read_manifest(folder))
        except DatasetError:
            return Kept(commit, repo, None)

    def dataset(self, kept: Kept) -> Dataset | None:
        """Return a kept dataset whole; None if this version cannot read it, or it is damaged."""
        folder = self._lay_out(kept.commit, _READ)
        try:
            return read(folder) if folder is not None else None
        except DatasetError:
            return None

    def keep(self, folder: Path, on: Kept | None, message: str, date: str) -> str | None:
        """Put the dataset at `folder` on top of `on`, and return the new commit.

        None if the branch has moved meanwhile: nothing was written then. The commit depends on its arguments alone, so
        doing it twice gives the same one. Raises `DataBranchError`.
        """
        commit = self._commit(folder, on, message, date)
        ref = f"refs/heads/{self._where.branch}"
        expected = on.commit if on is not None else ""
        answer = self._run("push", "--quiet", f"--force-with-lease={ref}:{expected}", "origin", f"{commit}:{ref}")
        if answer.code == 0:
            return commit
        head = self._head()
        if head == commit:  # The answer got lost, not the push.
            return commit
        if (head or "") != expected:
            return None
        raise DataBranchError.failed(self._where, "write", answer)

    def _head(self) -> str | None:
        ref = f"refs/heads/{self._where.branch}"
        answer = self._run("ls-remote", "origin", ref)
        if answer.code:
            raise DataBranchError.failed(self._where, "read", answer)
        return parse_refs(answer.out).get(ref)

    def _lay_out(self, commit: str, names: tuple[str, ...]) -> Path | None:
        """Write some files of a commit into a folder that goes away with the room's lock; None if one is missing."""
        folder = self._room.scratch()
        for name in names:
            answer = self._run("cat-file", "blob", f"{commit}:{name}")
            if answer.code:
                return None
            (folder / name).write_bytes(answer.out)
        return folder

    def _commit(self, folder: Path, on: Kept | None, message: str, date: str) -> str:
        arguments = ["fast-import", "--quiet", "--done", "--force", "--depth=0", "--date-format=raw"]
        with self._door.start(arguments, None, keep=self._keep) as git:
            try:
                for piece in _commands(folder, on, message, date):
                    git.stdin.write(piece)
                git.stdin.flush()
                commit = git.stdout.readline().decode().strip()
            except BrokenPipeError:
                commit = ""
        if git.code or not re.fullmatch("[0-9a-f]{40}", commit):
            raise DataBranchError.failed(self._where, "write", Answer(git.code, b"", git.complaint))
        return commit

    def _run(self, *arguments: str) -> Answer:
        return self._door.run(arguments, keep=self._keep)


def _commands(folder: Path, on: Kept | None, message: str, date: str) -> Iterator[bytes]:
    """Write the input of git-fast-import(1): one commit with the files of a dataset and no others."""
    stamp = _WHO + b" %d +0000\n" % calendar.timegm(time.strptime(date, "%Y-%m-%dT%H:%M:%S.000Z"))
    text = message.encode("utf-8", "backslashreplace")
    yield b"commit refs/heads/next\nmark :1\nauthor " + stamp + b"committer " + stamp
    yield b"data %d\n%s\n" % (len(text), text)
    if on is not None:
        yield b"from %s\n" % on.commit.encode()
    yield b"deleteall\n"
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        yield b"M 100644 inline %s\ndata %d\n" % (path.relative_to(folder).as_posix().encode(), len(data))
        yield data
        yield b"\n"
    yield b"get-mark :1\ndone\n"


class LostRaceError(ExtractorError):
    """Others wrote to the data branch again and again while this job was trying to."""

    @classmethod
    def against(cls, where: Target) -> LostRaceError:
        """Say so."""
        return cls(f"branch {where.branch} of {where.shown} kept moving; see that one job writes to it at a time")
