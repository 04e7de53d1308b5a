"""A site together with what the rest of the tree says about it."""

from __future__ import annotations

from msgspec import Struct

from extractor.model.facts import Message, RaiseSite


class LinkedSite(Struct, frozen=True):
    """One raise site at one path, with its message completed from other files."""

    path: str
    """Path in the repository."""
    site: RaiseSite
    """The facts of the file itself."""
    message: Message
    """The site's message with constants of other files put in."""
