"""A dataset's folder as one consistent view.

A run may swap in a new dataset while another program reads. The folder is opened once and every file is opened
relative to it, so that all files are of one dataset; where the old one is already being removed, reading starts anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from extractor.errors import ExtractorError
from extractor.store.files import settled

_T = TypeVar("_T")
_ATTEMPTS = 5
"""Each needs a run to end while we read; five in a row is not chance but a folder that lacks a file."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class DatasetError(ExtractorError):
    """A folder is no dataset, or a damaged one, or it has not got what was asked for."""

    @classmethod
    def missing(cls, path: Path) -> DatasetError:
        """Say that nothing is there."""
        return cls(f"no dataset at {_shown(path)}: make one with `extractor run -o`, or name another folder")

    @classmethod
    def foreign(cls, path: Path, why: str) -> DatasetError:
        """Say why what is there is no dataset."""
        return cls(f"{_shown(path)} is no dataset ({why}): name the folder that `extractor run` wrote")

    @classmethod
    def damaged(cls, path: Path, part: str, why: str) -> DatasetError:
        """Name the part that is broken."""
        return cls(f"the dataset at {_shown(path)} is damaged: {part} {why}; run `extractor run` again")

    @classmethod
    def unreadable(cls, path: Path, error: OSError) -> DatasetError:
        """Say what the operating system refused."""
        return cls(f"cannot read {_shown(path)}: {error.strerror or type(error).__name__}")


class ReplacedError(DatasetError):
    """What was read may be a mixture, as the folder was replaced meanwhile; `consistently` starts anew."""


class Folder:
    """One opened dataset folder."""

    def __init__(self, path: Path, descriptor: int) -> None:
        """Read below an open folder; `path` is for messages."""
        self.path = path
        """As the user named it."""
        self._descriptor = descriptor

    def read(self, name: str) -> bytes:
        """Return a file's bytes. Raises `FileNotFoundError`, or another `OSError`; links are not followed."""
        descriptor = os.open(name, _FILE, dir_fd=self._descriptor)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            return file.readall()

    def names(self, name: str) -> set[str]:
        """Return what a folder below holds, `.` for the dataset itself; empty if there is no such folder."""
        try:
            descriptor = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=self._descriptor)
        except (FileNotFoundError, NotADirectoryError):
            return set()
        try:
            with os.scandir(descriptor) as entries:
                return {entry.name for entry in entries}
        finally:
            os.close(descriptor)

    def gone(self) -> bool:
        """Return whether the folder has been replaced since it was opened."""
        try:
            there = settled(self.path).stat()
        except OSError:
            return True
        return not os.path.samestat(there, os.fstat(self._descriptor))


def consistently(path: Path, use: Callable[[Folder], _T]) -> _T:
    """Return what `use` makes of the dataset at `path`; it is called again if that is replaced under its hands.

    Raises `DatasetError` where there is no folder, or one that cannot be read.
    """
    for attempt in range(_ATTEMPTS):
        with _open(path) as folder:
            try:
                return use(folder)
            except (OSError, DatasetError) as error:
                if attempt + 1 < _ATTEMPTS and folder.gone():
                    continue
                if isinstance(error, OSError):
                    raise DatasetError.unreadable(path, error) from error
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


@contextmanager
def _open(path: Path) -> Iterator[Folder]:
    try:
        descriptor = os.open(settled(path), _FOLDER)
    except FileNotFoundError:
        raise DatasetError.missing(path) from None
    except NotADirectoryError:
        raise DatasetError.foreign(path, "not a folder") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise DatasetError.unreadable(path, error if isinstance(error, OSError) else OSError(str(error))) from error
    try:
        yield Folder(path, descriptor)
    finally:
        os.close(descriptor)


def _shown(path: Path) -> str:
    text = str(path)
    return text if text.isprintable() else ascii(text)
