"""A log of any length is read in constant memory, and nothing is lost between its blocks."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator

import pytest

from extractor.match import stream
from extractor.match.tally import MOST_EVENTS, Tally
from tests.match.kiln import ROWS, matcher, trace

GLAZE = "ValueError: Glaze pigment cobalt needs at least 25 grams of flux."
TRACE = (
    "[2026-01-02 03:04:05 TP1] failed: " + trace("kiln/glaze/mixer.py", 40, "blend", "raise ValueError(", GLAZE) + "\n"
)
QUIET = b"[2026-01-02 03:04:05 TP0] Decode batch. #running-req: %d, token usage: 0.%d\n"


class Source:
    """Gives bytes piece by piece, made as they are read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = b""

    def read(self, size: int) -> bytes:
        while len(self._held) < size:
            chunk = next(self._chunks, b"")
            if not chunk:
                break
            self._held += chunk
        out, self._held = self._held[:size], self._held[size:]
        return out


def quiet(size: int) -> Iterator[bytes]:
    number = 0
    while size > 0:
        chunk = b"".join(QUIET % (number + n, n) for n in range(200))
        number += 200
        size -= len(chunk)
        yield chunk


def look(chunks: Iterator[bytes]) -> Tally:
    tally = Tally(matcher())
    tally.read(stream.pieces(Source(chunks).read, matcher().catalog))
    return tally


def first(tally: Tally) -> str:
    _, finding = tally.ranked()[0]
    return matcher().catalog.rows[finding.fit.row].template


def inserted(size: int, at: int, text: str) -> Iterator[bytes]:
    yield from quiet(at)
    yield text.encode()
    yield from quiet(size - at)


@pytest.mark.parametrize("at", [0, 120_000, 66 * 1024 - 300, 512 * 1024 - 700, 512 * 1024 - 100, 900_000])
def test_a_traceback_is_found_wherever_it_stands(at: int) -> None:
    tally = look(inserted(1_000_000, at, TRACE))
    assert first(tally) == ROWS[0][4]
    assert [told.count for told in tally.told] == [1]
    assert tally.ranked()[0][1].sureness == "sure"


def test_a_message_without_any_sign_of_an_error_is_found_by_its_words() -> None:
    text = f"[2026-01-02 03:04:05] refused: {GLAZE[12:]}\n"
    assert first(look(inserted(800_000, 400_000, text))) == ROWS[0][4]


def test_many_ranks_are_counted_once() -> None:
    text = "".join(TRACE.replace("TP1", f"TP{rank}") for rank in range(8))
    (told,) = look(inserted(600_000, 300_000, text)).told
    assert list(told.speakers) == [f"TP{rank}" for rank in range(8)]


def peak(size: int) -> int:
    def chunks() -> Iterator[bytes]:
        yield from inserted(size, size // 2, TRACE)
        yield from quiet(size // 10)

    tracemalloc.start()
    try:
        look(chunks())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_ten_times_the_log_takes_no_more_memory() -> None:
    look(quiet(300_000))
    assert peak(12_000_000) < 1.3 * peak(1_200_000) + 500_000


def test_one_endless_line_is_read_in_pieces() -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x Error: bad tile " * 1_000
        yield GLAZE.encode()

    tracemalloc.start()
    try:
        look(chunks())
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()


def test_a_log_of_nothing_but_different_errors_ends() -> None:
    chance = random.Random(3)  # noqa: S311 - made-up text

    def chunks() -> Iterator[bytes]:
        for _ in range(60):
            words = ("".join(chance.choices("abcdefghijkl", k=9)) for _ in range(300))
            yield b"".join(b"KeyError: %s\n" % word.encode() for word in words)

    tally = look(chunks())
    assert len(tally.told) >= MOST_EVENTS
    assert tally.unread > 0


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa", "a"),
        ("\ufeffé".encode("utf-16"), "é"),
        (b"a\xffb", "a\ufffdb"),
        (b"", ""),
    ],
)
def test_bytes_are_text_whatever_they_are(data: bytes, text: str) -> None:
    assert stream.decode(data).lstrip("\ufeff") == text
