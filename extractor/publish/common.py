"""What every page of one build has in common; goes to the workers once."""

from __future__ import annotations

from msgspec import Struct

SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
"""The content security policy of every page: its own files, nothing else, nothing inline."""


class Common(Struct, frozen=True):
    """Facts of one build."""

    repo: str
    """`owner/name`."""
    repo_url: str
    """Folder of the repository's list."""
    sha: str
    """Commit read."""
    ref: str
    """What was asked for."""
    pinned: str
    """What the links to the source are pinned to: the commit, or the tag of a release, whose own commit is not read."""
    commit_date: str
    """`YYYY-MM-DD`."""
    version: str
    """The dataset's version."""
    tool: str
    """Name and version of the program."""
    total: int
    """Number of errors."""
    base_url: str
    """Address of the site with a final slash; empty if unknown."""
    base_path: str
    """Its path."""
    report_url: str
    """Where readers report mistakes."""
    assets: dict[str, str]
    """Name of an asset → its path in the site, which holds a part of its hash."""
    nav: tuple[tuple[str, str], ...]
    """Title and folder of the lists that are not empty."""
    urls: dict[str, str]
    """`kind name` → folder of that list."""
    feed: bool
    """Whether there is a feed of changes."""
