"""A pure function of many values through the cache and the workers, as if each value were the content of a blob."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Generic, TypeVar

from msgspec import Struct

from extractor.model.facts import ScanFailure
from extractor.reading import Crew, read_contents
from extractor.sandbox import Task

Value = TypeVar("Value")
Result = TypeVar("Result", bound=Struct)

_FEW = 400
"""So many values are worked out sooner than two workers have started."""


class Memo(Generic[Value, Result]):
    """Results of `task`, which takes the bytes that `parcel` makes of a value and gives a `kind`."""

    def __init__(self, crew: Crew, task: Task, kind: type[Result], parcel: Callable[[Value], bytes]) -> None:
        """Take the workers and the cache, and the function."""
        self._crew = crew
        self._task = task
        self._kind = kind
        self._parcel = parcel
        self._values: dict[str, Value] = {}

    def of(self, values: Sequence[Value]) -> Iterator[Result]:
        """Yield one result for each value, in their order. Raises RuntimeError where the function failed: a bug."""
        keys = [blake2b(self._parcel(value), digest_size=20).hexdigest() for value in values]
        # Not the parcels: beside the values they are a fifth of a run's memory, and most are never read.
        self._values = dict(zip(keys, values, strict=True))
        known = read_contents(
            self, list(self._values), self._task, self._kind, self._crew, lambda _done: None, few=_FEW
        ).outcomes
        for key in keys:
            outcome = known[key]
            if isinstance(outcome, ScanFailure):
                raise RuntimeError(f"{self._task.function}: {outcome.detail}")
            yield outcome

    def read(self, ids: Sequence[str], /) -> Iterator[tuple[str, bytes]]:
        """Yield the parcels of keys, as a source yields the contents of blobs."""
        return ((key, self._parcel(self._values[key])) for key in ids)
