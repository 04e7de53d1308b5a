"""A folder of the cache that one process at a time changes, and that a kill at any moment leaves usable."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from extractor.source.failures import CacheFailedError

_SCRATCH = "scratch-"


class Room:
    """A cache folder with a lock file in it."""

    def __init__(self, path: Path) -> None:
        """Take the folder; it is made when it is first locked."""
        self.path = path

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Hold the room alone; gives the lock's descriptor.

        Hand the descriptor to child processes that write here: a `flock` lives as long as any process has it open, so
        the git of a run that was killed keeps the room locked until it has ended too. (`filelock` hides the
        descriptor, hence the standard library here.)
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise self.failed(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._sweep()
            yield lock
        except OSError as error:
            raise self.failed(error) from error
        finally:
            self._sweep()
            os.close(lock)

    def scratch(self) -> Path:
        """Make a new folder that becomes part of the room by being renamed; the next run sweeps what stays behind."""
        return Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=self.path))

    def put(self, made: Path, name: str) -> Path:
        """Put a finished scratch folder or file in place, whatever stands there; returns the place."""
        place = self.path / name
        if place.is_dir() or (place.exists() and made.is_dir()):
            place.rename(self.scratch() / name)  # out of the way at once, deleted by the next sweep
        made.replace(place)
        return place

    def failed(self, error: OSError) -> CacheFailedError:
        """Return the error to raise for a failure of the file system."""
        return CacheFailedError(str(self.path), error.strerror or str(error))

    def _sweep(self) -> None:
        for left in self.path.glob(f"{_SCRATCH}*"):
            shutil.rmtree(left, ignore_errors=True)
