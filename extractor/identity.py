"""The rules for ids and slugs (contract, section 4), apart from any stage.

`explain` assigns by them, `dataset check` recomputes by them. What belongs here: formulas over values of a record,
and the order in which collisions are settled. Nothing here knows a site or a file on disk.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

SEPARATOR = "\x01"
ID_DIGITS = 16
SLUG_CHARACTERS = 50
_NOT_SLUG = re.compile("[^a-z0-9]+")


def digest(text: str) -> str:
    """Return the first 16 hex digits of SHA-256 over the UTF-8 of `text`."""
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def slug_stem(message: str) -> str:
    """Return the slug of a message before collisions are settled."""
    return _NOT_SLUG.sub("-", message[:SLUG_CHARACTERS].lower()).strip("-") or "error"


class Ids:
    """Gives out ids. Call `take` for the sites in record order, then `alias` in the same order."""

    def __init__(self, repo: str) -> None:
        """Start with nothing taken; `repo` is `owner/name`."""
        self._repo = repo
        self._taken: set[str] = set()
        # Where counting stopped for a hashed text: thousands of equal messages would take quadratic time otherwise.
        self._reached: dict[str, int] = {}

    def take(self, message: str, path: str, qualname: str) -> str:
        """Return the first free id of this site, and take it."""
        base = SEPARATOR.join((self._repo, message, path))
        for found in self._candidates(base, f"{base}{SEPARATOR}{qualname}"):
            if found not in self._taken:
                self._taken.add(found)
                return found
        raise AssertionError("unreachable: candidates never end")

    alias = take
    """An alias is one more id of the same name space, so that it never hides another record or alias."""

    def _candidates(self, base: str, named: str) -> Iterator[str]:
        if named not in self._reached:
            yield digest(base)
            yield digest(named)
        while True:
            number = self._reached.get(named, 1) + 1
            self._reached[named] = number
            yield digest(f"{named}{SEPARATOR}{number}")


class Slugs:
    """Gives out slugs in record order."""

    def __init__(self) -> None:
        """Start with nothing taken."""
        self._taken: set[str] = set()

    def take(self, message: str, record_id: str) -> str:
        """Return the first free slug of this record, and take it.

        A slug that is taken is lengthened by the first six digits of the id, again and again until it is free.
        """
        slug = slug_stem(message)
        while slug in self._taken:
            slug = f"{slug}-{record_id[:6]}"
        self._taken.add(slug)
        return slug
