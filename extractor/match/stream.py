"""A byte stream to the pieces of it worth reading: all of a paste, and of a log what stands around errors.

A log may have any length and any lines; at most a few blocks of it are held. Blocks are searched for a few literals and
for words that few records hold, both in time linear in the block. Lines that came many times are not read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator

from extractor.match.catalog import Catalog

WHOLE = 66 * 1024
"""Bytes up to which a text is read as one paste: no issue on GitHub is longer."""
_BLOCK = 512 * 1024
_SIGNS = (b"Traceback (most", b'File "', b"rror", b"xception", b"Value error, ")
_BEHIND = 2_500
"""Bytes behind a sign that still belong to it: a long message."""
_LONGEST_PIECE = 96 * 1024
_SEEN_ENOUGH = 64
"""Times that a line, digits aside, is read: as many ranks are listed."""
_MOST_LINES_KNOWN = 50_000
_KEY = 160
_WORD = re.compile(rb"[0-9A-Za-z_]{3,}")
_DIGITS = b"0123456789"
_RARE = 3
"""Records that may share a word which is looked for in lines without any sign."""
_TELLING_SHARE = 0.7
_MOST_TRIES = 8

Read = Callable[[int], bytes]
"""Returns at most so many bytes; none at the end."""


def pieces(read: Read, catalog: Catalog) -> Iterator[str]:
    """Yield the texts to look into, in order. A paste comes as one piece."""
    head = _fill(read, b"", WHOLE + 1)
    if len(head) <= WHOLE:
        yield decode(head)
        return
    sieve = _Sieve(catalog)
    last = False
    while not last:
        block = _fill(read, head, _BLOCK)
        last = len(block) < _BLOCK
        cut = len(block) if last else block.rfind(b"\n") + 1 or len(block)
        body, rest = block[:cut], block[cut:]
        kept = yield from sieve.sift(body, last=last)
        head = kept + rest


def decode(data: bytes) -> str:
    """Return text, whatever the bytes are: a byte order mark tells UTF-16, anything else is taken for UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def _fill(read: Read, head: bytes, size: int) -> bytes:
    parts = [head]
    held = len(head)
    while held < size:
        data = read(size - held)
        if not data:
            break
        parts.append(data)
        held += len(data)
    return b"".join(parts)


class _Sieve:
    """Picks the pieces out of blocks, and remembers what came often."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._seen: dict[bytes, int] = {}
        self._rare = catalog.rare(_RARE)
        self._tries: dict[int, int] = {}

    def sift(self, block: bytes, *, last: bool) -> Generator[str, None, bytes]:
        """Yield the pieces of a block of whole lines; return its end where that may go on in the next one."""
        start = end = -1
        for sign in self._signs(block):
            if start >= 0 and (sign > end or end - start > _LONGEST_PIECE):
                yield decode(block[start:end])
                start = -1
            if start < 0:
                start = block.rfind(b"\n", 0, sign) + 1
                start = max(start, end, sign - _LONGEST_PIECE // 2)
            reach = block.find(b"\n", min(sign + _BEHIND, len(block)))
            end = min(len(block) if reach < 0 else reach + 1, sign + 2 * _BEHIND)
        if start < 0:
            return b""
        if end < len(block) or last or end - start > _LONGEST_PIECE or start == 0:
            yield decode(block[start:end])
            return b""
        return block[start:]

    def _signs(self, block: bytes) -> list[int]:
        found = self._telling_words(block)
        for sign in _SIGNS:
            place = block.find(sign)
            while place >= 0:
                line = block.rfind(b"\n", max(0, place - _BEHIND), place) + 1
                end = block.find(b"\n", place, place + _BEHIND)
                end = end if end >= 0 else place + _BEHIND
                if self._is_news(block[max(line, place - _BEHIND) : end]):
                    found.append(place)
                place = block.find(sign, end)
        return sorted(found)

    def _is_news(self, line: bytes) -> bool:
        key = line.translate(None, _DIGITS)[:_KEY]
        times = self._seen.get(key, 0)
        if not times and len(self._seen) >= _MOST_LINES_KNOWN:
            self._seen.clear()
        self._seen[key] = times + 1
        return times < _SEEN_ENOUGH

    def _telling_words(self, block: bytes) -> list[int]:
        """Return where a message may stand that no exception's name opens: most of a record's words are near."""
        found = []
        words = set(_WORD.findall(block.lower()))
        rows: dict[int, bytes] = {}
        for word in words & self._rare.keys():
            for row in self._rare[word]:
                rows.setdefault(row, word)
        low = block.lower() if rows else b""
        for row, word in rows.items():
            if self._tries.get(row, 0) >= _MOST_TRIES or self._catalog.share(row, words) < _TELLING_SHARE:
                continue
            place = low.find(word)
            while place >= 0 and self._tries.get(row, 0) < _MOST_TRIES:
                self._tries[row] = self._tries.get(row, 0) + 1
                near = set(_WORD.findall(low[max(0, place - 1_000) : place + 1_000]))
                if self._catalog.share(row, near) >= _TELLING_SHARE:
                    found.append(place)
                place = low.find(word, place + 2_000)
        return found
