"""A repository behind a network protocol, through a bare cache repository: what is asked of the server, and how little.

Usual run: one `ls-remote` (none for a full SHA), one fetch of the commit and its trees, one fetch of all blobs that
are read. A server that cannot do that (no filters, no fetch by SHA) is asked for more and more until it works. The
cache holds objects, no URL and no secret; its config file is the same fixed text for every repository.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from extractor.source.door import Answer, Door
from extractor.source.failures import (
    AmbiguousRefError,
    EmptyRepositoryError,
    RemoteFailedError,
    UnknownRefError,
)
from extractor.source.objects import (
    CommitHead,
    DamageError,
    Listing,
    list_tree,
    missing_objects,
    objects_beginning_with,
    read_commit,
    read_objects,
)
from extractor.source.refs import parse_refs, pick
from extractor.source.room import Room
from extractor.source.skeleton import SKELETON_CONFIG, make_empty, write_skeleton
from extractor.source.urls import RemoteRepository, is_abbreviation, is_full_sha

_OBJECTS = "objects.git"
_HISTORY = "history.git"

# Told to git for a fetch only: while reading, no promisor is known, so an old git cannot fetch blob by blob.
_PARTIAL = {"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none"}
# What we hold is never told to the server: a partial commit is no proof that we have its blobs.
_NO_HAVES = {"fetch.negotiationAlgorithm": "noop"}

_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance")
_ALL_HISTORY = "--depth=2147483647"  # git's "infinite"; also deepens what an earlier run made shallow
# Patterns need a place to go to; nothing reads the refs that they leave.
_EVERYTHING = ("--prune", "--force", "origin", "+refs/heads/*:refs/seen/heads/*", "+refs/tags/*:refs/seen/tags/*")
_BLOBLESS = "--filter=blob:none"
_NARROW = (("--depth=1", _BLOBLESS), ("--depth=1",))
_WIDE = ((_ALL_HISTORY, _BLOBLESS), (_ALL_HISTORY,))

_CERTAIN_LENGTH = 10
"""Hex digits from which a single known match is taken as the only one: among a million objects the odds of another
are one in a million. Shorter abbreviations are compared with the whole history."""

_ADVICE = (
    # (words of git, ssh or curl; what happened; what to do). The first match counts.
    ("not our ref|couldn't find remote ref|no such remote ref", "does not have that commit", "check the SHA"),
    (
        "unadvertised object|want [0-9a-f]+ not valid",
        "does not give out that commit by its SHA",
        "give a branch or tag",
    ),
    (
        "No space left|quota exceeded|Read-only file system",
        "could not be stored",
        "free disk space or give another --cache",
    ),
    (
        "Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied"
        "|error: 40[13]",
        "refused access",
        "check the address, user name and password, token or ssh key",
    ),
    ("Host key verification failed", "has an unknown ssh host key", "connect once with ssh, or add it to known_hosts"),
    (
        "Could not resolve|Connection refused|Failed to connect|Couldn't connect|timed out|unreachable|Connection reset"
        "|Operation too slow|SSL|certificate|unable to access|hung up|early EOF|disconnect",
        "cannot be reached",
        "check the address and the network",
    ),
    ("not found|does not appear to be a git repository|does not exist", "is no git repository", "check the address"),
)

_BY_SHA_REFUSED = _ADVICE[1][1:]
_DAMAGED = Answer(code=1, out=b"", err="the cache is damaged")


class RemoteCache:
    """The cache repository of one remote."""

    def __init__(self, repository: RemoteRepository, cache: Path) -> None:
        """Take the remote and the cache's top folder. Nothing is written yet."""
        self.repository = repository
        key = hashlib.sha256(repository.url.encode()).hexdigest()[:32]
        self._room = Room(cache / "git" / key)
        self._history = Door(self._room.path / _HISTORY, repository)
        self.door = Door(self._room.path / _OBJECTS, repository)

    def resolve(self, ref: str) -> str:
        """Return the id that `ref` means on the server now; raises `ExtractorError`."""
        if is_full_sha(ref):
            return ref
        refs = self.list_refs(everything=ref == "HEAD" or ref.startswith("refs/"))
        found = pick(refs, ref)
        if found is None and is_abbreviation(ref):
            return self._complete(ref.lower())
        if found is None:
            if not refs and not self.list_refs(everything=True):
                raise EmptyRepositoryError(self.repository.shown)
            raise UnknownRefError(ref, self.repository.shown)
        return found

    def list_refs(self, everything: bool) -> dict[str, str]:
        """Ask the server for its branches and tags, or for all refs. The name that is looked for is never sent."""
        with self._room.locked() as lock:
            self._prepare(_OBJECTS)
            answer = self.door.run(["ls-remote", *(() if everything else ("--heads", "--tags")), "origin"], keep=[lock])
        if answer.code:
            raise self._failure(answer)
        return parse_refs(answer.out)

    def open(self, sha: str) -> tuple[CommitHead | str, Listing]:
        """Have the commit and its trees in the cache, from the network only if they are not there yet."""
        try:
            found = self._look(sha)
        except OSError as error:
            raise self._room.failed(error) from error
        if found is not None:
            return found
        with self._room.locked() as lock:
            return self._look(sha) or self._fetch_commit(sha, lock)

    def supply(self, sha: str, ids: Sequence[str]) -> None:
        """Have these blobs of the commit in the cache, sound."""
        with self._room.locked() as lock:
            answer = self._fetch_blobs(sha, ids, lock)
            if answer is not None and not _problem(answer)[0]:
                self._remake()
                answer = self._fetch_blobs(sha, ids, lock)
            if answer is not None:
                raise self._failure(answer)

    def _fetch_blobs(self, sha: str, ids: Sequence[str], lock: int) -> Answer | None:
        """Fetch those of the blobs that are not there; None if that worked, else what git said."""
        if self._look(sha) is None:
            self._fetch_commit(sha, lock)
        try:
            missing = missing_objects(self.door, ids)
            if not missing:  # another run was quicker, or what is there is damaged
                return None if self._sound(ids) else _DAMAGED
            wanted = "".join(f"{name}\n" for name in missing).encode()
            answer = self._fetch([_BLOBLESS, "--stdin", "origin"], lock, _PARTIAL, wanted)
            for arguments in (["--depth=1", "origin", sha], [_ALL_HISTORY, *_EVERYTHING]):  # no single blobs there
                if not missing_objects(self.door, ids):
                    return None
                answer = self._fetch(arguments, lock)
            return answer if missing_objects(self.door, ids) else None
        except DamageError:
            return _DAMAGED

    def _fetch_commit(self, sha: str, lock: int) -> tuple[CommitHead | str, Listing]:
        """Fetch the commit and its trees: narrowly, then into a new cache, then all that the server shows."""
        answer = _DAMAGED
        for way in (*_NARROW, None, *_NARROW, *_WIDE):
            if way is None:
                self._remake()  # nothing explains the failure: most likely the cache itself is damaged
                continue
            by_sha_refused = _problem(answer) == _BY_SHA_REFUSED
            if by_sha_refused and way in _NARROW:
                continue
            self._prepare(_OBJECTS)
            narrow = way in _NARROW
            answer = self._fetch([*way, "origin", sha] if narrow else [*way, *_EVERYTHING], lock, _settings(way))
            found = self._look(sha)
            if found is not None:
                return found
            if not narrow and not answer.code:
                raise UnknownRefError(sha, self.repository.shown)  # all that the server shows is here now
            if _problem(answer)[0] and _problem(answer) != _BY_SHA_REFUSED:
                break
        raise self._failure(answer)

    def _fetch(
        self, arguments: Sequence[str], lock: int, settings: Mapping[str, str] | None = None, data: bytes = b""
    ) -> Answer:
        return self.door.run([*_FETCH, *arguments], data, {**_NO_HAVES, **(settings or {})}, [lock])

    def _look(self, sha: str) -> tuple[CommitHead | str, Listing] | None:
        """Read commit and trees from the cache; None if they are not all there, sound."""
        try:
            if not (self.door.gitdir / "config").is_file():
                return None
            head = read_commit(self.door, sha)
            if head == "missing":
                return None
            return head, list_tree(self.door, head.sha) if isinstance(head, CommitHead) else Listing((), ())
        except DamageError:
            return None

    def _sound(self, ids: Sequence[str]) -> bool:
        try:
            return all(item.kind != "missing" for item in read_objects(self.door, ids))
        except DamageError:
            return False

    def _complete(self, prefix: str) -> str:
        """Complete an abbreviated SHA: from what is known if that is certain enough, else from the whole history."""
        known = {sha for sha in self.list_refs(everything=True).values() if sha.startswith(prefix)}
        known |= _commits(self.door, prefix) or set()
        if not known or len(prefix) < _CERTAIN_LENGTH:
            known |= self._from_history(prefix)
        if len(known) > 1:
            raise AmbiguousRefError(prefix, sorted(known))
        if not known:
            raise UnknownRefError(prefix, self.repository.shown)
        return known.pop()

    def _from_history(self, prefix: str) -> set[str]:
        """Fetch all commits, without trees, into a repository of their own (the other is shallow), and look there."""
        everything = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        partial = {**_PARTIAL, "remote.origin.partialclonefilter": "tree:0"}
        for attempt in range(2):
            with self._room.locked() as lock:
                if attempt:
                    self._room.put(make_empty(self._room.scratch()), _HISTORY)
                self._prepare(_HISTORY)
                answer = self._history.run(
                    [*_FETCH, "--prune", "--force", "--update-head-ok", "--filter=tree:0", "origin", *everything],
                    settings=partial,
                    keep=[lock],
                )
            known = None if answer.code else _commits(self._history, prefix)
            if known is not None:
                return known
            if _problem(answer)[0]:
                break  # the server's fault, not the cache's
        raise self._failure(answer)

    def _prepare(self, name: str) -> None:
        """Have a usable, empty-handed git directory: made if it is not there, mended where a kill left it half done."""
        gitdir = self._room.path / name
        if not (gitdir / "objects").is_dir() or not (gitdir / "refs").is_dir() or not (gitdir / "HEAD").is_file():
            self._room.put(make_empty(self._room.scratch()), name)
        if not (gitdir / "config").is_file() or (gitdir / "config").read_bytes() != SKELETON_CONFIG:
            write_skeleton(gitdir)
        for left in (*gitdir.glob("*.lock"), *gitdir.glob("objects/pack/tmp_*"), *gitdir.glob("refs/**/*.lock")):
            left.unlink(missing_ok=True)  # whoever made it is dead: see Room.locked

    def _remake(self) -> None:
        self._room.put(make_empty(self._room.scratch()), _OBJECTS)

    def _failure(self, answer: Answer) -> RemoteFailedError:
        problem, advice = _problem(answer)
        words = [line for line in answer.err.splitlines() if line.startswith(("fatal:", "error:", "remote:", "ssh:"))]
        said = (words or answer.err.splitlines() or [""])[0]
        for secret in (self.repository.password, self.repository.user):
            said = said.replace(secret, "…") if secret else said
        return RemoteFailedError(self.repository.shown, problem or "could not be read", advice or "try again", said)


def _commits(door: Door, prefix: str) -> set[str] | None:
    """Return the commits whose name begins so; None if the database is damaged."""
    try:
        return {sha for sha, kind in objects_beginning_with(door, prefix).items() if kind == "commit"}
    except DamageError:
        return None


def _problem(answer: Answer) -> tuple[str, str]:
    for words, problem, advice in _ADVICE:
        if re.search(words, answer.err):
            return problem, advice
    return "", ""


def _settings(way: Sequence[str]) -> Mapping[str, str]:
    return _PARTIAL if _BLOBLESS in way else {}
