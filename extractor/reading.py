"""Contents to what is said in them: known ones from the cache, the others through the workers."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from extractor.model.facts import ScanFailure
from extractor.report import Advance, Watch
from extractor.sandbox import Outcome, Task, read_batch
from extractor.store.cache import Cache
from extractor.store.fingerprint import fingerprint
from extractor.workers import read_blobs

Facts = TypeVar("Facts", bound=Struct)

_OF_THE_MOMENT = ("crash", "timeout", "too-large")
"""Failures that another machine, or this one on another day, may not have: never kept."""


class Contents(Protocol):
    """Where contents come from; a source's tree is one."""

    def read(self, ids: Sequence[str], /) -> Iterator[tuple[str, bytes]]:
        """Yield the content of each blob."""


class Reading(Struct, Generic[Facts], frozen=True):
    """What many contents say."""

    outcomes: dict[str, Facts | ScanFailure]
    """Blob id to what was read there."""
    known: int
    """How many of them the cache knew."""


class Crew(Struct, frozen=True):
    """With what contents are read."""

    jobs: int
    """Number of worker processes."""
    cache: Path | None
    """Folder of the cache; None for none."""
    watch: Watch
    """Hears what is wrong with the cache."""


def read_contents(
    contents: Contents,
    blob_ids: Sequence[str],
    task: Task,
    kind: type[Facts],
    crew: Crew,
    advance: Advance,
    *,
    few: int = 0,
) -> Reading[Facts]:
    """Return what `task` says of each blob, as `kind` or as a failure. No id may stand twice in `blob_ids`.

    Up to `few` unknown ones are read in this process, which spares starting workers; only for what cannot crash.
    """
    decoder: msgspec.msgpack.Decoder[Facts | ScanFailure] = msgspec.msgpack.Decoder(kind | ScanFailure)
    with Cache(crew.cache, fingerprint(task.function, task.options)) as store:
        outcomes = _decode_all(decoder, store.get(blob_ids))
        known = len(outcomes)
        advance(known)
        unknown = [blob_id for blob_id in blob_ids if blob_id not in outcomes]
        if unknown:
            with closing(_read(contents, unknown, task, crew.jobs, few)) as fresh:
                for blob_id, payload in fresh:
                    outcome = decoder.decode(payload)
                    outcomes[blob_id] = outcome
                    if not (isinstance(outcome, ScanFailure) and outcome.reason in _OF_THE_MOMENT):
                        store.put(blob_id, payload)
                    advance(1)
    if store.warning is not None:
        crew.watch.warn(store.warning)
    return Reading(outcomes, known)


def _read(contents: Contents, unknown: Sequence[str], task: Task, jobs: int, few: int) -> Generator[Outcome]:
    if len(unknown) > few:
        yield from read_blobs(contents.read(unknown), task, jobs)
    else:
        yield from read_batch(task, list(contents.read(unknown)))


def _decode_all(
    decoder: msgspec.msgpack.Decoder[Facts | ScanFailure], payloads: dict[str, bytes]
) -> dict[str, Facts | ScanFailure]:
    outcomes = {}
    for blob_id in list(payloads):
        try:
            # Taken out: all payloads beside all outcomes would be a tenth of a run's memory.
            outcomes[blob_id] = decoder.decode(payloads.pop(blob_id))
        except msgspec.MsgspecError:  # Whole, but of another form: a miss like any other.
            continue
    return outcomes
