from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from extractor.errors import WorkerError
from extractor.model.facts import FileFacts, ScanFailure, ScanOptions
from extractor.sandbox import Limits, Task
from extractor.workers import BATCH_FILES, read_blobs

LIMITS = Limits(file_bytes=1000, seconds=0.5, idle_factor=3, memory=1 << 30)
TASK = Task("tests.hostile:read", ScanOptions(("ValueError",)), LIMITS)
DECODER = msgspec.msgpack.Decoder(FileFacts | ScanFailure)


def read(contents: dict[str, bytes], jobs: int = 2, task: Task = TASK) -> dict[str, FileFacts | ScanFailure]:
    outcomes = [(name, DECODER.decode(payload)) for name, payload in read_blobs(contents.items(), task, jobs)]
    assert sorted(name for name, _ in outcomes) == sorted(contents), "each blob has one outcome"
    return dict(outcomes)


def reasons(outcomes: dict[str, FileFacts | ScanFailure]) -> dict[str, str]:
    return {name: found.reason for name, found in outcomes.items() if isinstance(found, ScanFailure)}


def shuffled(contents: dict[str, bytes]) -> dict[str, bytes]:
    """The same in an order that is wild, and the same each time."""
    return dict(sorted(contents.items(), key=lambda item: hashlib.sha256(item[0].encode()).digest()))


def harmless(count: int) -> dict[str, bytes]:
    return {f"good{number}": f"x {number}".encode() for number in range(count)}


def test_each_content_is_read_with_the_options() -> None:
    outcomes = read(harmless(300))
    assert outcomes["good7"] == FileFacts((), {"text": "x 7", "for": "ValueError"}, "ast")
    assert not reasons(outcomes)


def test_nothing_to_read_starts_no_process() -> None:
    assert list(read_blobs([], TASK, 2)) == []
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"abort", "crash", id="native code aborts"),
        pytest.param(b"exit", "crash", id="process ends without a word"),
        pytest.param(b"kill", "crash", id="killed from outside, as when memory is short"),
        pytest.param(b"spin", "timeout", id="computes for ever"),
        pytest.param(b"sleep", "timeout", id="waits for ever, which takes no CPU time"),
        pytest.param(b"eat", "too-large", id="asks for more memory than there is"),
        pytest.param(b"y" * 1001, "too-large", id="longer than the limit"),
        pytest.param(b"recurse", "too-deep", id="recurses without end"),
        pytest.param(b"raise", "crash", id="a bug of ours"),
        pytest.param(b"unprintable", "crash", id="a bug with a value that cannot be printed"),
        pytest.param(b"surrogate", "crash", id="an outcome that cannot be encoded"),
        pytest.param(b"unwind", "too-deep", id="recursion behind another error"),
        pytest.param(b"refuse", "syntax-error", id="an ordinary failure is passed on"),
    ],
)
def test_a_bad_content_costs_itself_only(content: bytes, reason: str) -> None:
    outcomes = read({**harmless(40), "bad": content, **{f"more{n}": b"z" for n in range(40)}})
    assert reasons(outcomes) == {"bad": reason}
    assert isinstance(outcomes["bad"], ScanFailure)
    assert "\n" not in outcomes["bad"].detail


def test_just_within_the_size_limit() -> None:
    assert not reasons(read({"long": b"y" * 1000}))


def test_many_bad_ones_are_all_found_and_nothing_else_is_lost() -> None:
    contents = harmless(4 * BATCH_FILES) | {"a": b"abort", "b": b"spin", "c": b"abort 2", "d": b"kill"}
    outcomes = read(shuffled(contents))
    assert reasons(outcomes) == {"a": "crash", "b": "timeout", "c": "crash", "d": "crash"}


def test_a_failure_says_how_the_process_ended() -> None:
    assert read({"bad": b"abort"})["bad"] == ScanFailure("crash", "reading it ended the worker process (SIGABRT)")


def test_a_bug_is_located() -> None:
    found = read({"bad": b"raise"})["bad"]
    assert isinstance(found, ScanFailure)
    assert re.fullmatch(r"reading it failed with KeyError in hostile\.py, line \d+", found.detail)


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_outcomes_depend_neither_on_jobs_nor_on_order(jobs: int) -> None:
    contents = harmless(150) | {"bad": b"abort", "slow": b"spin", "no": b"refuse"}
    assert read(shuffled(contents), jobs) == read(contents, 2)


def test_contents_are_drawn_as_they_are_needed() -> None:
    drawn = 0

    def endless() -> Iterator[tuple[str, bytes]]:
        nonlocal drawn
        while True:
            drawn += 1
            yield f"b{drawn}", b"x"

    reading = read_blobs(endless(), TASK, 1)
    next(reading)
    reading.close()
    assert drawn <= 4 * BATCH_FILES


def test_closing_early_ends_the_workers() -> None:
    before = set(multiprocessing.active_children())
    reading = read_blobs({**harmless(BATCH_FILES), "slow": b"sleep"}.items(), TASK, 2)
    next(reading)
    began = time.monotonic()
    reading.close()
    for process in set(multiprocessing.active_children()) - before:
        process.join(10)
        assert not process.is_alive()
    assert time.monotonic() - began < LIMITS.seconds * LIMITS.idle_factor


def test_any_executor_fits() -> None:
    def threads(jobs: int) -> Executor:
        return ThreadPoolExecutor(jobs)

    outcomes = dict(read_blobs(harmless(100).items(), TASK, 2, threads))
    assert len(outcomes) == 100


def test_workers_that_cannot_start_are_no_crash_of_a_file() -> None:
    def broken(jobs: int) -> Executor:
        return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), os._exit, (1,))

    with pytest.raises(WorkerError, match="check the installation"):
        list(read_blobs(harmless(3).items(), TASK, 2, broken))


def test_a_failing_source_ends_the_reading() -> None:
    def broken() -> Iterator[tuple[str, bytes]]:
        yield "a", b"x"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        list(read_blobs(broken(), TASK, 2))


SCRIPT = """
    import sys
    from extractor.sandbox import Limits, Task
    from extractor.workers import read_blobs
    if __name__ == "__main__":
        task = Task("tests.hostile:read", limits=Limits(seconds=20))
        for name, payload in read_blobs(((str(n), b"spin") for n in range(4)), task, 2):
            pass
"""


def descendants(pid: int) -> list[int]:
    """Processes below this one that are not zombies, from /proc."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if state != "Z":
            parents[int(name.split()[0])] = int(parent)
    found = [child for child, parent in parents.items() if parent == pid]
    return found + [below for child in found for below in descendants(child)]


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_worker_outlives_its_parent(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(textwrap.dedent(SCRIPT))
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    parent = subprocess.Popen([sys.executable, str(script)], env=environment, stderr=subprocess.PIPE)
    assert wait_for(lambda: any(b"spawn_main" in command(pid) for pid in descendants(parent.pid)))
    time.sleep(1)
    workers = descendants(parent.pid)
    parent.send_signal(number)
    _, errors = parent.communicate(timeout=15)
    assert wait_for(lambda: not any(alive(pid) for pid in workers))
    assert errors.count(b"Traceback") <= 1, "workers keep silent"


def command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
