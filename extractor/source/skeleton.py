"""Git directories of our own, written by hand: `git init` would copy the machine's templates, hooks among them."""

from __future__ import annotations

from pathlib import Path

SKELETON_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
"""The whole config of each git directory of ours. Settings, URL and credentials come with each call."""


def write_skeleton(gitdir: Path, head: bytes = b"ref: refs/heads/none\n") -> None:
    """Write what makes a folder a bare git directory, but for `objects` and `refs`."""
    (gitdir / "HEAD").write_bytes(head)
    (gitdir / "config").write_bytes(SKELETON_CONFIG)


def make_empty(gitdir: Path) -> Path:
    """Make an empty folder an empty bare repository; returns it."""
    write_skeleton(gitdir)
    for folder in ("objects/info", "objects/pack", "refs/heads"):
        (gitdir / folder).mkdir(parents=True)
    return gitdir
