"""A repository behind a network protocol, through a bare cache repository: what is asked of the server, and how little.

Usual run: one `ls-remote` (none for a full SHA), one fetch of the commit and its trees, one fetch of all blobs that
are read. A server that cannot do that (no filters, no fetch by SHA) is asked for more and more until it works. The
cache holds objects only, no refs, no URL, no secret; its config file is the same fixed text for every repository.
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
    ObjectsMissingError,
    RemoteFailedError,
    UnknownRefError,
)
from extractor.source.local import SKELETON_CONFIG, write_skeleton
from extractor.source.objects import (
    CommitHead,
    DamageError,
    Listing,
    commits_beginning_with,
    list_tree,
    read_commit,
    read_objects,
)
from extractor.source.refs import parse_refs, pick
from extractor.source.room import Room
from extractor.source.urls import RemoteRepository, is_abbreviation, is_full_sha

_OBJECTS = "objects.git"
_HISTORY = "history.git"

# Told to git for a fetch only: while reading, no promisor is known, so an old git cannot fetch blob by blob.
_PARTIAL = {"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none"}
# What we hold is never told to the server: a partial commit is no proof that we have its blobs.
_NO_HAVES = {"fetch.negotiationAlgorithm": "noop"}

_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance")
_BRANCHES_AND_TAGS = ("refs/heads/*", "refs/tags/*")
_ALL_HISTORY = "--depth=2147483647"  # git's "infinite"; also deepens what an earlier run made shallow

_CERTAIN_LENGTH = 10
"""Hex digits from which a single known match is taken as the only one: among a million objects the odds of another
are one in a million. Shorter abbreviations are compared with the whole history."""

_ADVICE = (
    # (words of git, ssh or curl; what happened; what to do). The first match counts.
    ("not our ref|couldn't find remote ref|no such remote ref", "does not have that commit", "check the SHA"),
    ("unadvertised object|not valid", "does not give out that commit by its SHA", "give a branch or tag"),
    (
        "No space left|quota exceeded|Read-only file system",
        "could not be stored",
        "free disk space or give another --cache",
    ),
    (
        "Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied"
        "|error: 40[13]",
        "refused access",
        "check the user name and password, token or ssh key",
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


class RemoteCache:
    """The cache repository of one remote."""

    def __init__(self, repository: RemoteRepository, cache: Path) -> None:
        """Take the remote and the cache's top folder. Nothing is written yet."""
        self.repository = repository
        key = hashlib.sha256(repository.url.encode()).hexdigest()[:32]
        self._room = Room(cache / "git" / key)
        self._history = Door(self._room.path / _HISTORY, repository)
        self.door = Door(self._room.path / _OBJECTS, repository)

    def close(self) -> None:
        """Nothing is held between calls."""

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
        found = self._look(sha)
        if found is not None:
            return found
        with self._room.locked() as lock:
            found = self._look(sha) or self._fetch_commit(sha, lock)
            if found is None:  # fetched, yet not readable: the cache is damaged
                self._remake()
                found = self._fetch_commit(sha, lock)
        if found is None:
            raise ObjectsMissingError(self.repository.shown, 1, "try again")
        return found

    def supply(self, sha: str, ids: Sequence[str]) -> None:
        """Have these blobs of the commit in the cache."""
        with self._room.locked() as lock:
            self._prepare(_OBJECTS)
            missing = self._missing(ids)
            if missing is not None and not missing:
                return  # another run fetched them meanwhile
            if missing is None or self._look(sha) is None:
                self._remake()
                self._fetch_commit(sha, lock)
                missing = list(ids)
            wanted = "".join(f"{name}\n" for name in missing).encode()
            answer = self.door.run(
                [*_FETCH, "--filter=blob:none", "--stdin", "origin"], wanted, {**_NO_HAVES, **_PARTIAL}, [lock]
            )
            if self._missing(ids):
                self._fetch_whole(sha, lock, answer)

    def _fetch_whole(self, sha: str, lock: int, first: Answer) -> None:
        """Fetch the commit with all its blobs, for a server that gives no single ones."""
        answer = self._fetch(["--depth=1", "origin", sha], lock)
        if answer.code:
            answer = self._fetch([_ALL_HISTORY, "origin", *_BRANCHES_AND_TAGS], lock)
        if answer.code:
            raise self._failure(first if first.code else answer)

    def _fetch_commit(self, sha: str, lock: int) -> tuple[CommitHead | str, Listing] | None:
        self._prepare(_OBJECTS)
        ways: tuple[tuple[list[str], dict[str, str]], ...] = (
            (["--depth=1", "--filter=blob:none", "origin", sha], _PARTIAL),
            (["--depth=1", "origin", sha], {}),
            ([_ALL_HISTORY, "--filter=blob:none", "origin", *_BRANCHES_AND_TAGS], _PARTIAL),
            ([_ALL_HISTORY, "origin", *_BRANCHES_AND_TAGS], {}),
        )
        answers = []
        for arguments, settings in ways:
            answer = self._fetch(arguments, lock, settings)
            found = self._look(sha)
            if found is not None:
                return found
            answers.append(answer)
            if answer.code and _problem(answer)[0] not in _WORTH_ANOTHER_WAY:
                break
        if all(answer.code == 0 for answer in answers[2:]) and len(answers) > 2:
            raise UnknownRefError(
                sha, self.repository.shown
            )  # all that the server shows is here, and the commit is not
        if answers[-1].code:
            raise self._failure(answers[-1])
        return None

    def _fetch(self, arguments: Sequence[str], lock: int, settings: Mapping[str, str] | None = None) -> Answer:
        return self.door.run([*_FETCH, *arguments], settings={**_NO_HAVES, **(settings or {})}, keep=[lock])

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

    def _missing(self, ids: Sequence[str]) -> list[str] | None:
        """Return which of the objects are not in the cache; None if one is there but damaged."""
        try:
            return [item.id for item in read_objects(self.door, ids) if item.kind == "missing"]
        except DamageError:
            return None

    def _complete(self, prefix: str) -> str:
        """Complete an abbreviated SHA: from what is known if that is certain enough, else from the whole history."""
        known = {sha for sha in self.list_refs(everything=True).values() if sha.startswith(prefix)}
        known |= {sha for sha, kind in commits_beginning_with(self.door, prefix).items() if kind == "commit"}
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
                    self._room.put(self._skeleton(), _HISTORY)
                self._prepare(_HISTORY)
                answer = self._history.run(
                    [*_FETCH, "--prune", "--force", "--update-head-ok", "--filter=tree:0", "origin", *everything],
                    settings=partial,
                    keep=[lock],
                )
            if not answer.code:
                return {sha for sha, kind in commits_beginning_with(self._history, prefix).items() if kind == "commit"}
            if _problem(answer)[0]:
                break  # the server's fault, not the cache's
        raise self._failure(answer)

    def _prepare(self, name: str) -> None:
        """Have a usable, empty-handed git directory: made if it is not there, mended where a kill left it half done."""
        gitdir = self._room.path / name
        if not (gitdir / "objects").is_dir() or not (gitdir / "refs").is_dir() or not (gitdir / "HEAD").is_file():
            self._room.put(self._skeleton(), name)
        if (gitdir / "config").read_bytes() != SKELETON_CONFIG:
            write_skeleton(gitdir)
        for left in (*gitdir.glob("*.lock"), *gitdir.glob("objects/pack/tmp_*"), *gitdir.glob("refs/**/*.lock")):
            left.unlink(missing_ok=True)  # whoever made it is dead: see Room.locked

    def _remake(self) -> None:
        self._room.put(self._skeleton(), _OBJECTS)

    def _skeleton(self) -> Path:
        gitdir = self._room.scratch()
        write_skeleton(gitdir)
        for folder in ("objects/info", "objects/pack", "refs/heads"):
            (gitdir / folder).mkdir(parents=True)
        return gitdir

    def _failure(self, answer: Answer) -> RemoteFailedError:
        problem, advice = _problem(answer)
        words = [line for line in answer.err.splitlines() if line.startswith(("fatal:", "error:", "remote:", "ssh:"))]
        said = (words or answer.err.splitlines() or [""])[0]
        for secret in (self.repository.password, self.repository.user):
            said = said.replace(secret, "…") if secret else said
        return RemoteFailedError(self.repository.shown, problem or "could not be read", advice or "try again", said)


def _problem(answer: Answer) -> tuple[str, str]:
    for words, problem, advice in _ADVICE:
        if re.search(words, answer.err):
            return problem, advice
    return "", ""


_WORTH_ANOTHER_WAY = ("", _ADVICE[1][1])
