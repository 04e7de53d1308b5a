"""One commit's Python files, whatever they came from. The pipeline sees a source only through this class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Self

from extractor.model.source import Blob, Commit, SkippedPath
from extractor.source.door import Door
from extractor.source.failures import ObjectsMissingError
from extractor.source.objects import DamageError, Listing, read_objects

Supply = Callable[[Sequence[str]], None]
"""Brings objects, given by id, into the database in one request, or makes the database anew if they are there but
damaged; raises `ExtractorError` if it cannot."""


class Tree:
    """The regular `*.py` files of one commit, read from an object database. Close it when done."""

    commit: Commit
    """The commit."""
    blobs: tuple[Blob, ...]
    """Regular tracked files whose path ends in `.py`, sorted by the path's bytes."""
    skipped: tuple[SkippedPath, ...]
    """Paths ending in `.py` that are not among `blobs`, with the reason."""

    def __init__(
        self, door: Door, commit: Commit, listing: Listing, supply: Supply, cleanup: Callable[[], None] | None = None
    ) -> None:
        """Take an open database, what was found in it, a way to get missing objects, and what to do at the end."""
        self.commit = commit
        self.blobs = listing.blobs
        self.skipped = listing.skipped
        self._door = door
        self._supply = supply
        self._cleanup = cleanup

    def read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Give (id, content) of each blob once, in no promised order, content cut at `READ_LIMIT` bytes.

        All objects that are not there yet are fetched in one request. Raises `ExtractorError` if one cannot be had.
        """
        wanted = dict.fromkeys(ids)
        for attempt in range(3):  # what is there; after one fetch; after the cache was made anew
            if attempt:
                self._supply(tuple(wanted))
            for blob, data in self._there(list(wanted)):
                del wanted[blob]
                yield blob, data
            if not wanted:
                return
        raise ObjectsMissingError(
            getattr(self.commit.source, "url", self.commit.ref), len(wanted), "try again, or clear the cache"
        )

    def close(self) -> None:
        """Free what the tree holds; the cache stays."""
        if self._cleanup is not None:
            self._cleanup()

    def __enter__(self) -> Self:
        """Return the tree; leaving the block closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the tree."""
        self.close()

    def _there(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        try:
            for item in read_objects(self._door, ids):
                if item.kind == "blob":
                    yield item.id, item.data
        except DamageError:
            return  # the caller sees what is still wanted
