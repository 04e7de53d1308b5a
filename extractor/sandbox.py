"""What runs inside one worker process: one batch of blobs through one reading function, within limits.

Hostile source can crash, hang or bloat the parser's native code, where no exception handler helps. Here each file
gets a clock and a size, and the process a ceiling of memory; what happens when the process dies of them is the
business of `workers.py` on the other side.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing import parent_process
from pathlib import Path

import msgspec
from msgspec import Struct

from extractor.model.facts import ScanFailure, ScanOptions

Blob = tuple[str, bytes]
"""Git object id of a content, and the content."""
Outcome = tuple[str, bytes]
"""Git object id of a content, and the MessagePack form of what was read from it."""


class Limits(Struct, frozen=True):
    """What one file may cost."""

    file_bytes: int = 20_000_000
    """Larger files are not parsed; the largest Python file of a release has some 300,000."""
    seconds: float = 10
    """CPU seconds for any file; usual ones take a few hundredths."""
    seconds_per_megabyte: float = 5
    """CPU seconds on top of that; LibCST takes 2."""
    idle_factor: float = 10
    """How many times as long by the clock on the wall, for what waits instead of computing."""
    memory: int = 2 << 30
    """Bytes of address space of a worker process."""


class Task(Struct, frozen=True):
    """One way of reading blobs. Plain values, so that it can cross to another process or machine."""

    function: str
    """`module:name` of a function `(data: bytes, options: ScanOptions) -> Struct`."""
    options: ScanOptions = ScanOptions()
    """Handed to the function."""
    limits: Limits = Limits()
    """What one file may cost."""


def read_batch(task: Task, blobs: Sequence[Blob]) -> list[Outcome]:
    """Read blobs one after the other; the outcomes stand in the same order."""
    read = _prepare(task)
    outcomes = [(blob_id, _read_one(task, read, data)) for blob_id, data in blobs]
    # Trees of `ast` and LibCST free themselves; this catches what tracebacks of failed parses hold.
    gc.collect()
    return outcomes


def _read_one(task: Task, read: Callable[[bytes, ScanOptions], Struct], data: bytes) -> bytes:
    encode = msgspec.msgpack.encode
    if len(data) > task.limits.file_bytes:
        return encode(ScanFailure("too-large", f"{len(data)} bytes; files up to {task.limits.file_bytes} are read"))
    try:
        with _clock(task.limits, len(data)):
            return encode(read(data, task.options))
    except MemoryError:
        return encode(ScanFailure("too-large", "reading it takes more memory than a worker may use"))
    except Exception as error:
        if _deep_down(error):
            return encode(ScanFailure("too-deep", "nested deeper than the parser can follow"))
        # A bug of ours in one file: listed there, and the run goes on.
        return encode(ScanFailure("crash", f"reading it failed with {_without_values(error)}"))


def _deep_down(error: BaseException) -> bool:
    """Whether the recursion limit is behind an error; LibCST's own clean-up then fails in other ways."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, RecursionError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _without_values(error: Exception) -> str:
    """Say what went wrong and where, but not with which value: that may be a whole tree, or not printable at all."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return type(error).__name__ + where


@cache
def _prepare(task: Task) -> Callable[[bytes, ScanOptions], Struct]:
    """Make this process a worker, once: import what reads, set the ceiling, watch the parent."""
    module, _, name = task.function.partition(":")
    read: Callable[[bytes, ScanOptions], Struct] = getattr(importlib.import_module(module), name)
    if parent_process() is not None:
        threading.Thread(target=_die_with_parent, daemon=True).start()
        _limit_memory(task.limits.memory)
        # Syntax trees have no cycles, and looking for some costs a fifth of the run.
        gc.collect()
        gc.freeze()
        gc.disable()
    return read


def _die_with_parent() -> None:
    """End with the parent, however it ends: a worker that waits for work would else wait forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or size < hard:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (size, hard))
        except (ValueError, OSError):  # macOS knows the name but refuses to set it.
            return


@contextmanager
def _clock(limits: Limits, size: int) -> Iterator[None]:
    """Have the system end this process when the time is up: the default action of the signals works in native code.

    CPU time decides, so that the verdict does not depend on how busy the machine is; the clock on the wall is there
    for what sleeps.
    """
    if not hasattr(signal, "setitimer") or parent_process() is None:
        yield
        return
    seconds = limits.seconds + limits.seconds_per_megabyte * size / 1e6
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * limits.idle_factor)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
