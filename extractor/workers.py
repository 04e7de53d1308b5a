"""Reads many blobs in worker processes; a blob that kills its worker costs one failure, nothing else.

The seam is `concurrent.futures.Executor`: batches of blobs go out, encoded outcomes come back, in any order. What
happens inside a worker is `sandbox.py`. Processes are spawned, not forked: the parent has threads (progress, the
executor's own). A fork server would save 0.2 s of CPU time a run by importing the parser once, but what its workers
spend escapes `time` and `getrusage`, and it exists on some systems only.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess

import msgspec

from extractor.errors import WorkerError
from extractor.model.facts import ScanFailure
from extractor.sandbox import Blob, Outcome, Task, read_batch

MakeExecutor = Callable[[int], Executor]
"""Gives a fresh executor with so many workers. Another engine's (Dask's `Client.get_executor()`) fits too."""

BATCH_BYTES = 400_000
"""Some 0.1 to 0.3 s of work: long against the 1 ms of handing it over, short against the run."""
BATCH_FILES = 64
"""The same bound for folders of tiny files."""
WINDOW = 2
"""Batches in flight for each worker: one at work, one waiting. More would only be more suspects after a crash."""
_TIME_IS_UP = ("SIGPROF", "SIGALRM")


def default_jobs() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_blobs(
    blobs: Iterable[Blob], task: Task, jobs: int, make_executor: MakeExecutor | None = None
) -> Generator[Outcome]:
    """Yield one outcome for each blob, in any order; at most a few batches of contents are held at a time.

    Closing the iterator, or an interrupt, kills the workers at once.
    """
    make = make_executor or process_executor
    pending = _batches(blobs)
    while True:
        with _pool(make, jobs) as pool:
            suspects = yield from _drain(pool, pending, task, jobs * WINDOW)
        if not suspects:
            return
        yield from _one_by_one(make, suspects, task)


def process_executor(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of spawned processes, which start as work comes in."""
    if os.name == "posix":
        # Else it starts with the first worker, and lets interrupts through in the middle of that.
        resource_tracker.ensure_running()
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


class _Pool:
    """One executor, and the processes it has started."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._others = set(multiprocessing.active_children())
        self._processes: set[BaseProcess] = set()

    def submit(self, task: Task, batch: list[Blob]) -> Future[list[Outcome]]:
        # A spawned process inherits the mask, so that Ctrl-C reaches the parent alone, from the first moment.
        with _interrupt_held():
            future = self._executor.submit(read_batch, task, batch)
        self._processes |= set(multiprocessing.active_children()) - self._others
        return future

    def cause_of_death(self) -> ScanFailure:
        """Say how the workers of a broken pool ended."""
        self._executor.shutdown(wait=True)
        codes = {process.exitcode for process in self._processes}
        # The pool itself ends the survivors with SIGTERM.
        names = sorted(signal.Signals(-code).name for code in codes if code and code < 0 and code != -signal.SIGTERM)
        if any(name in _TIME_IS_UP for name in names):
            return ScanFailure("timeout", "reading it takes more time than a file may take")
        how = f" ({', '.join(names)})" if names else ""
        return ScanFailure("crash", f"reading it ended the worker process{how}")

    def close(self, orderly: bool) -> None:
        if not orderly:
            for process in self._processes:
                process.kill()
        self._executor.shutdown(wait=orderly, cancel_futures=True)


@contextmanager
def _pool(make: MakeExecutor, jobs: int) -> Iterator[_Pool]:
    pool = _Pool(make(jobs))
    orderly = False
    try:
        yield pool
        orderly = True
    finally:
        pool.close(orderly)


def _drain(pool: _Pool, pending: Iterator[list[Blob]], task: Task, window: int) -> Generator[Outcome, None, list[Blob]]:
    """Read until nothing is pending, or until the pool breaks: then return the blobs that were in flight."""
    flying: dict[Future[list[Outcome]], list[Blob]] = {}
    suspects: list[Blob] = []
    while True:
        while not suspects and len(flying) < window and (batch := next(pending, None)) is not None:
            try:
                flying[pool.submit(task, batch)] = batch
            except BrokenExecutor:
                suspects += batch
        if not flying:
            return suspects
        for future in wait(flying, return_when=FIRST_COMPLETED).done:
            batch = flying.pop(future)
            try:
                outcomes = future.result()
            except BrokenExecutor:
                suspects += batch
            else:
                yield from outcomes


def _one_by_one(make: MakeExecutor, suspects: Iterable[Blob], task: Task) -> Iterator[Outcome]:
    """Read each blob in a worker of which it is sure that nothing else is to blame for its death."""
    waiting = deque(suspects)
    while waiting:
        with _pool(make, 1) as pool:
            _prove_healthy(pool, task)
            while waiting:
                blob_id, data = waiting.popleft()
                try:
                    outcomes = pool.submit(task, [(blob_id, data)]).result()
                except BrokenExecutor:
                    yield blob_id, msgspec.msgpack.encode(pool.cause_of_death())
                    break
                yield from outcomes


def _prove_healthy(pool: _Pool, task: Task) -> None:
    """Have a worker start and do nothing; else a broken installation would look like a crash in every file."""
    try:
        pool.submit(task, []).result()
    except BrokenExecutor as error:
        raise WorkerError() from error


def _batches(blobs: Iterable[Blob]) -> Iterator[list[Blob]]:
    batch: list[Blob] = []
    size = 0
    for blob in blobs:
        batch.append(blob)
        size += len(blob[1])
        if size >= BATCH_BYTES or len(batch) >= BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@contextmanager
def _interrupt_held() -> Iterator[None]:
    """Keep Ctrl-C waiting for a moment."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
