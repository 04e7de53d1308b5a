from __future__ import annotations

import multiprocessing
import sqlite3
import tempfile
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractor.store import cache as cache_module
from extractor.store.cache import NAME, Cache

MARK = b"m" * 16
OTHER_MARK = b"n" * 16
ENTRIES = {f"{number:040x}": bytes([number % 251]) * (number * 7) for number in range(200)}


def fill(folder: Path, entries: dict[str, bytes] = ENTRIES, mark: bytes = MARK) -> None:
    with Cache(folder, mark) as cache:
        for blob_id, payload in entries.items():
            cache.put(blob_id, payload)
    assert cache.warning is None


@cache
def whole() -> bytes:
    """A file with all entries."""
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder))
        return (Path(folder) / NAME).read_bytes()


def read(folder: Path | None, mark: bytes = MARK) -> tuple[dict[str, bytes], str | None]:
    with Cache(folder, mark) as cache:
        return cache.get(list(ENTRIES)), cache.warning


def test_what_is_put_in_comes_out(tmp_path: Path) -> None:
    fill(tmp_path / "new" / "folder")
    assert read(tmp_path / "new" / "folder") == (ENTRIES, None)


def test_only_what_is_asked_for_comes_out(tmp_path: Path) -> None:
    fill(tmp_path)
    with Cache(tmp_path, MARK) as cache:
        some = list(ENTRIES)[3:5]
        assert cache.get([*some, "f" * 40]) == {name: ENTRIES[name] for name in some}


def test_another_fingerprint_knows_nothing(tmp_path: Path) -> None:
    fill(tmp_path)
    assert read(tmp_path, OTHER_MARK) == ({}, None)
    fill(tmp_path, dict.fromkeys(ENTRIES, b"other"), OTHER_MARK)
    assert read(tmp_path) == (ENTRIES, None)


def test_without_a_folder_nothing_is_kept_or_said() -> None:
    with Cache(None, MARK) as cache:
        cache.put("a", b"x")
    assert read(None) == ({}, None)


def test_a_new_payload_replaces_the_old_one(tmp_path: Path) -> None:
    fill(tmp_path, dict.fromkeys(ENTRIES, b"old"))
    fill(tmp_path)
    assert read(tmp_path) == (ENTRIES, None)


def test_what_was_put_before_an_error_is_kept(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Cache(tmp_path, MARK) as cache:
        cache.put("0" * 40, ENTRIES["0" * 40])
        raise KeyboardInterrupt
    assert read(tmp_path)[0] == {"0" * 40: ENTRIES["0" * 40]}


@given(spots=st.lists(st.tuples(st.integers(0, 999_999), st.integers(1, 255)), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_flipped_bytes_are_misses(spots: list[tuple[int, int]]) -> None:
    damaged = bytearray(whole())
    for millionth, change in spots:
        damaged[millionth * len(whole()) // 1_000_000] ^= change
    with tempfile.TemporaryDirectory() as folder:
        survives(Path(folder), bytes(damaged))


@pytest.mark.parametrize("page", range(0, 40, 3))
def test_a_page_of_zeros_is_misses(tmp_path: Path, page: int) -> None:
    survives(tmp_path, whole()[: page * 4096] + bytes(4096) + whole()[(page + 1) * 4096 :])


@pytest.mark.parametrize("share", [0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_misses(tmp_path: Path, share: float) -> None:
    survives(tmp_path, whole()[: int(len(whole()) * share)])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"not a database at all, but long enough to have a header " * 100, id="text"),
        pytest.param(b"\x80\x04\x95cos\nsystem\n(S'true'\ntR.", id="a pickle"),
        pytest.param(b"SQLite format 3\0" + bytes(84), id="a bare header"),
    ],
)
def test_a_foreign_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    survives(tmp_path, content)


def survives(folder: Path, content: bytes) -> None:
    """Runs get nothing wrong out of a bad file, and soon the cache is of use again."""
    (folder / NAME).write_bytes(content)
    for _run in range(4):
        with Cache(folder, MARK) as cache:
            found = cache.get(list(ENTRIES))
            assert is_right(found)
            for blob_id in ENTRIES.keys() - found.keys():
                cache.put(blob_id, ENTRIES[blob_id])
    found, warning = read(folder)
    assert is_right(found)
    assert warning is None
    # SQLite notices a bad index page only as it splits it; until then a few keys are put in and never found.
    assert len(found) > 0.8 * len(ENTRIES)


def is_right(found: dict[str, bytes]) -> bool:
    return all(ENTRIES[blob_id] == payload for blob_id, payload in found.items())


def test_a_damaged_file_is_told_and_made_anew(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"nonsense" * 1000)
    with Cache(tmp_path, MARK) as cache:
        assert cache.get(list(ENTRIES)) == {}
        assert cache.warning is not None
        assert "damaged" in cache.warning
        cache.put("0" * 40, ENTRIES["0" * 40])
    assert read(tmp_path) == ({"0" * 40: ENTRIES["0" * 40]}, None)


def test_an_old_journal_is_not_played_back_into_a_new_file(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"nonsense" * 1000)
    (tmp_path / f"{NAME}-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(2000))
    fill_anyway(tmp_path)
    assert read(tmp_path) == (ENTRIES, None)


def fill_anyway(folder: Path) -> str | None:
    with Cache(folder, MARK) as cache:
        for blob_id, payload in ENTRIES.items():
            cache.put(blob_id, payload)
    return cache.warning


def test_an_entry_moved_to_another_key_is_a_miss(tmp_path: Path) -> None:
    fill(tmp_path)
    one, two = list(ENTRIES)[10:12]
    with Cache(tmp_path, MARK) as cache, sqlite3.connect(tmp_path / NAME) as database:
        (payload,) = database.execute("SELECT payload FROM facts WHERE key = ?", (cache._key(one),)).fetchone()
        database.execute("UPDATE facts SET payload = ? WHERE key = ?", (payload, cache._key(two)))
        database.commit()
    database.close()
    found, _ = read(tmp_path)
    assert found == {name: payload for name, payload in ENTRIES.items() if name != two}


@pytest.mark.parametrize("value", ["text", 12, b"", b"0"], ids=["text", "number", "empty", "too short"])
def test_a_payload_of_another_type_is_a_miss(tmp_path: Path, value: object) -> None:
    fill(tmp_path)
    change(tmp_path, "UPDATE facts SET payload = ?", value)
    assert read(tmp_path) == ({}, None)


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("CREATE TABLE facts (a, b)", id="other columns"),
        pytest.param("CREATE VIEW facts AS SELECT 1 AS key, 2 AS payload, 3 AS used", id="a view"),
    ],
)
def test_a_database_of_another_form_is_moved_aside(tmp_path: Path, statement: str) -> None:
    change(tmp_path, statement)
    before = (tmp_path / NAME).read_bytes()
    warning = fill_anyway(tmp_path)
    assert warning is not None
    assert "starts anew" in warning
    assert (tmp_path / f"{NAME}.bad").read_bytes() == before
    fill(tmp_path)
    assert read(tmp_path) == (ENTRIES, None)


def change(folder: Path, statement: str, *values: object) -> None:
    database = sqlite3.connect(folder / NAME)
    with database:
        database.execute(statement, values)
    database.close()


def test_a_folder_in_its_place_is_told_once(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    found, warning = read(tmp_path)
    assert found == {}
    assert warning is not None
    assert str(tmp_path / NAME) in warning
    assert (tmp_path / NAME).is_dir()


def test_a_place_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    found, warning = read(tmp_path / "file" / "cache")
    assert found == {}
    assert warning is not None


def test_a_file_that_cannot_be_written_is_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write to anything, so the connection is made read-only instead of the file.
    fill(tmp_path)
    connect = sqlite3.connect

    def readonly(path: Path, **_options: object) -> sqlite3.Connection:
        return connect(f"file:{path}?mode=ro", uri=True, timeout=1, isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", readonly)
    with Cache(tmp_path, MARK) as cache:
        assert cache.get(list(ENTRIES)) == ENTRIES
        cache.put("f" * 40, b"new")
    assert cache.warning is not None
    assert "readonly" in cache.warning


def test_a_locked_file_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(cache_module, "_PATIENCE", 0.05)
    database = sqlite3.connect(tmp_path / NAME, isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    found, warning = read(tmp_path)
    database.close()
    assert found == {}
    assert warning is not None
    assert "locked" in warning
    assert read(tmp_path) == (ENTRIES, None)


def write_some(folder: Path, first: int) -> None:
    for number in range(first, 200, 4):
        name = f"{number:040x}"
        fill(folder, {name: ENTRIES[name]})


def test_runs_at_once_keep_what_each_wrote(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_some, args=(tmp_path, first)) for first in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0] * 4
    assert read(tmp_path) == (ENTRIES, None)


def test_entries_out_of_use_go_when_something_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    used, unused = list(ENTRIES)[:2]
    day = cache_module._DAY
    start = time.time()
    for days in (30, 59, 61):
        monkeypatch.setattr(time, "time", lambda days=days: start + days * day)
        with Cache(tmp_path, MARK) as cache:
            assert used in cache.get([used])
            cache.put("f" * 40, b"new")
    with Cache(tmp_path, MARK) as cache:
        assert set(cache.get([used, unused])) == {used}


def test_a_cache_beyond_its_size_loses_its_older_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_KEEP_BYTES", 50_000)
    fill(tmp_path)
    found, _ = read(tmp_path)
    assert sorted(found) == sorted(ENTRIES)[100:]
