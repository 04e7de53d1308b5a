"""What a source gives: one commit and the blobs that stand in it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class GitSource(Struct, frozen=True, tag="git", tag_field="kind"):
    """A commit read from a git repository."""

    url: str
    """Where it was fetched from, credentials removed."""


class PypiSource(Struct, frozen=True, tag="pypi", tag_field="kind"):
    """A released wheel, imported as one commit."""

    project: str
    """Name on the package index, normalised as PEP 503 says."""
    version: str
    """The released version, as PEP 440 writes it."""
    sha256: str
    """Hex digest of the wheel file."""


class Commit(Struct, frozen=True):
    """The one commit that a run reads."""

    sha: str
    """40 hex digits."""
    ref: str
    """What the user asked for: SHA, abbreviation, branch, tag, or the release."""
    date: str
    """Committer date, UTC, ISO 8601 with milliseconds and `Z`."""
    source: GitSource | PypiSource
    permalink_ref: str
    """What stands between `/blob/` and the path in a permalink: the sha, or `v1.2.3` for a release."""


class Blob(Struct, frozen=True):
    """One regular file of the commit's tree."""

    path: str
    """Path in the repository, `/` between parts."""
    id: str
    """Git object id of the content, 40 hex digits."""


SkipReason = Literal["not-utf-8", "unsafe-path", "symlink", "duplicate-path"]


class SkippedPath(Struct, frozen=True):
    """A tracked path ending in `.py` that is no blob of the tree."""

    path: str
    """Printable spelling: undecodable bytes and control characters escaped. For people, not for lookups."""
    reason: SkipReason
    """Why: the name is no UTF-8; it has `.`, `..`, `.git` or empty parts; it is a symbolic link; it comes twice."""
