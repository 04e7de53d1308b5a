"""A commit of a git repository as a `Tree`, and what a ref means right now."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from extractor.model.source import Commit, GitSource
from extractor.source.failures import NotACommitError, ObjectsMissingError, UnknownRefError
from extractor.source.local import Shell
from extractor.source.objects import CommitHead, DamageError, list_tree, read_commit
from extractor.source.remote import RemoteCache
from extractor.source.tree import Tree
from extractor.source.urls import LocalRepository, parse_location, parse_ref


def open_git(url: str, ref: str, cache: Path) -> Tree:
    """Open one commit of the repository at `url`; blobs are fetched when they are read.

    `ref` is a full or abbreviated SHA, a branch or a tag, looked up in git's order (tags before branches; a name of 40
    hex digits is always a SHA; a shorter one is a SHA only if no ref is called so). Raises `ExtractorError`.
    """
    repository, name = parse_location(url), parse_ref(ref)
    if isinstance(repository, LocalRepository):
        return _open_local(repository, ref, name)
    remote = RemoteCache(repository, cache)
    sha = remote.resolve(name)
    head, listing = remote.open(sha)
    if isinstance(head, str):
        raise NotACommitError(ref, head)
    commit = _commit(head, ref, repository.shown)
    return Tree(remote.door, commit, listing, lambda ids: remote.supply(sha, ids))


def resolve(url: str, ref: str, cache: Path | None = None) -> str:
    """Return the SHA that `ref` means now, fetching no file content. Raises `ExtractorError`.

    A full SHA is returned as it is, unseen. Give the cache where there is one: an abbreviation may need the history.
    """
    repository, name = parse_location(url), parse_ref(ref)
    if isinstance(repository, LocalRepository):
        with _open_local(repository, ref, name) as tree:
            return tree.commit.sha
    if cache is not None:
        return RemoteCache(repository, cache).resolve(name)
    with tempfile.TemporaryDirectory(prefix="extractor-git-") as folder:
        return RemoteCache(repository, Path(folder)).resolve(name)


def _open_local(repository: LocalRepository, ref: str, name: str) -> Tree:
    shell = Shell(repository)
    advice = f"repair it (git -C {repository.shown} fetch --refetch), or give the URL it was cloned from"

    def supply(ids: Sequence[str]) -> None:
        raise ObjectsMissingError(repository.shown, len(ids), advice)

    try:
        head = read_commit(shell.door, shell.resolve(name))
        if head == "missing":
            raise UnknownRefError(ref, repository.shown)
        if isinstance(head, str):
            raise NotACommitError(ref, head)
        listing = list_tree(shell.door, head.sha)
    except DamageError as error:
        shell.close()
        raise ObjectsMissingError(repository.shown, 1, advice) from error
    except BaseException:
        shell.close()
        raise
    return Tree(shell.door, _commit(head, ref, repository.shown), listing, supply, shell.close)


def _commit(head: CommitHead, ref: str, url: str) -> Commit:
    return Commit(sha=head.sha, ref=ref, date=head.date, source=GitSource(url=url), permalink_ref=head.sha)
