"""Error pages in worker processes: a batch of jobs goes out, what was written comes back."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from extractor.publish.common import Common
from extractor.publish.error_page import ErrorJob, error_pages
from extractor.publish.folder import Written, put
from extractor.publish.render import Renderer

_BATCH = 60
"""Jobs of a batch: some 0.2 s of work."""

FileJobs = tuple[ErrorJob, ...]
"""The jobs of one file, whose excerpts are read together."""


class Pool:
    """Worker processes, or none if one job at a time is wanted."""

    def __init__(self, common: Common, output: Path, jobs: int) -> None:
        """Start as work comes in."""
        self._start = (common, output)
        self._executor = (
            ProcessPoolExecutor(
                jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=self._start
            )
            if jobs > 1
            else None
        )
        self._futures: list[Future[list[Written]]] = []

    def submit(self, files: Iterable[FileJobs]) -> None:
        """Begin on the pages."""
        batches = list(_batches(files))
        if self._executor is None:
            _begin(*self._start)
            for batch in batches:
                future: Future[list[Written]] = Future()
                future.set_result(_work(batch))
                self._futures.append(future)
            return
        self._futures = [self._executor.submit(_work, batch) for batch in batches]

    def results(self) -> Iterator[list[Written]]:
        """Yield what was written, in any order. Raises `PublishError`."""
        pending = set(self._futures)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()

    def close(self) -> None:
        """End the workers; work that has not begun is dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)


_state: list[tuple[Renderer, Path]] = []


def _begin(common: Common, output: Path) -> None:
    _state[:] = [(Renderer(common), output)]


def _work(batch: Sequence[FileJobs]) -> list[Written]:
    renderer, output = _state[0]
    return [put(output, path, page) for jobs in batch for path, page in error_pages(renderer, jobs)]


def _batches(files: Iterable[FileJobs]) -> Iterator[list[FileJobs]]:
    batch: list[FileJobs] = []
    held = 0
    for jobs in files:
        batch.append(jobs)
        held += len(jobs)
        if held >= _BATCH:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
