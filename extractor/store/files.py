"""How a folder of files is put in place: whole or not at all. Knows nothing of what the files hold.

The new folder is filled beside the target (same file system) and swapped in by one rename. Linux exchanges two folders
in one step; elsewhere there are two renames, and what a kill between them leaves is healed by `heal`, which every
writer runs first and which readers get round with `settled`. Writers wait for one another on a lock of the folder
that holds the target; the lock is the kernel's, so a killed run leaves none behind.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from extractor.errors import ExtractorError

_RENAME_EXCHANGE = 2  # linux/fs.h
_AT_FDCWD = -100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_BUFFER = 1 << 20
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class OutputError(ExtractorError):
    """An output folder cannot be written; what stood there is untouched."""

    @classmethod
    def foreign(cls, target: Path, why: str) -> OutputError:
        """Refuse a folder that a run must not replace."""
        return cls(f"{_shown(target)} {why}; it is not overwritten: name another folder, or remove it yourself")

    @classmethod
    def failed(cls, target: Path, error: OSError) -> OutputError:
        """Say what the operating system refused, and what to do."""
        advice = {
            errno.ENOSPC: "free some space, or name a folder on another disk",
            errno.EDQUOT: "free some space, or name a folder on another disk",
            errno.EFBIG: "the file size limit is too low for it: raise it (ulimit -f)",
            errno.EXDEV: "a mount point cannot be swapped: name a folder inside it",
            errno.EBUSY: "a mount point cannot be swapped: name a folder inside it",
            errno.ENAMETOOLONG: "name a folder with a shorter name",
        }.get(error.errno or 0, "name a folder in a place that you may write to")
        reason = error.strerror or type(error).__name__
        return cls(f"cannot write {_shown(target)}: {reason}; {advice}")


class Stage:
    """A folder being filled. Paths are relative to it; nothing is followed or overwritten."""

    def __init__(self, path: Path, previous: Path | None = None) -> None:
        """Open the empty folder at `path`, and what stands at the target so far, for files that have not changed."""
        self._folders = {"": os.open(path, _FOLDER)}
        self._previous = os.open(previous, _FOLDER) if previous is not None else None

    def folder(self, name: str) -> None:
        """Create a folder, its parent first."""
        parent, _, last = name.rpartition("/")
        os.mkdir(last, dir_fd=self._folders[parent])
        self._folders[name] = os.open(last, _FOLDER, dir_fd=self._folders[parent])

    def put(self, name: str, data: bytes) -> None:
        """Write one file, or link it from the previous folder if it holds the same bytes there.

        It is not forced to disk: digests in the manifest tell a torn one after a power cut. Linking spares making
        thousands of files, which costs some file systems up to half a millisecond each.
        """
        if self._linked(name, data):
            return
        descriptor = self._create(name)
        try:
            _write_all(descriptor, data)
        finally:
            os.close(descriptor)

    @contextmanager
    def stream(self, name: str) -> Iterator[Stream]:
        """Write one large file piece by piece."""
        descriptor = self._create(name)
        try:
            stream = Stream(descriptor)
            yield stream
            stream.flush()
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Force the folders to disk as far as the file system does that, and let go of them."""
        for descriptor in self._folders.values():
            with suppress(OSError):
                os.fsync(descriptor)
            os.close(descriptor)
        self._folders = {}
        if self._previous is not None:
            os.close(self._previous)
            self._previous = None

    def _linked(self, name: str, data: bytes) -> bool:
        if self._previous is None:
            return False
        parent, _, last = name.rpartition("/")
        try:
            descriptor = os.open(
                name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._previous
            )
            try:
                found = os.fstat(descriptor)
                same = (
                    stat.S_ISREG(found.st_mode)
                    and found.st_size == len(data)
                    and os.read(descriptor, len(data)) == data
                )
            finally:
                os.close(descriptor)
            if same:
                folder = self._folders[parent]
                os.link(name, last, src_dir_fd=self._previous, dst_dir_fd=folder, follow_symlinks=False)
        except OSError:  # no such file before, or a file system without links: it is written
            return False
        return same

    def _create(self, name: str) -> int:
        parent, _, last = name.rpartition("/")
        return os.open(last, _CREATE, 0o666, dir_fd=self._folders[parent])


class Stream:
    """A file being written through a buffer, hashed on the way."""

    def __init__(self, descriptor: int) -> None:
        """Write to an open file descriptor, which stays the caller's to close."""
        self._descriptor = descriptor
        self._buffer = bytearray()
        self._hash = sha256()
        self.bytes = 0
        """How much was written so far."""

    def write(self, data: bytes) -> None:
        """Append."""
        self._buffer += data
        if len(self._buffer) >= _BUFFER:
            self.flush()

    def flush(self) -> None:
        """Hand what is buffered to the operating system."""
        self._hash.update(self._buffer)
        self.bytes += len(self._buffer)
        _write_all(self._descriptor, self._buffer)
        self._buffer = bytearray()

    def sha256(self) -> str:
        """Return the hex digest of what was flushed."""
        return self._hash.hexdigest()


@contextmanager
def replacing(target: Path, accept: Callable[[Path], None]) -> Iterator[Stage]:
    """Give a stage; when the block ends without an exception, its content stands at `target`, at once.

    `accept` looks at what stands at `target` before anything is written and raises if that must not be replaced.
    A symbolic link is followed, so that it still leads to the dataset afterwards. Raises `OutputError`.
    """
    real = Path(os.path.realpath(target))
    if not real.name:
        raise OutputError.foreign(target, "is the root folder")
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        with _lock(real.parent):
            heal(real)
            if os.path.lexists(real):
                accept(real)
            yield from _fill(real)
    except OSError as error:
        raise OutputError.failed(target, error) from error


def _fill(real: Path) -> Iterator[Stage]:
    staging = _staging(real)
    staging.mkdir()
    stage = Stage(staging, real if real.is_dir() else None)
    try:
        yield stage
        stage.close()
        _swap(staging, real)
    finally:
        stage.close()
        heal(real)


def heal(real: Path) -> None:
    """Clear what a killed run left beside `real`, and bring the previous content back; the caller holds the lock."""
    previous = _previous(real)
    if previous.is_dir() and not os.path.lexists(real):
        previous.rename(real)
    for leftover in (_staging(real), previous):
        shutil.rmtree(leftover, ignore_errors=True)


def settled(target: Path) -> Path:
    """Return where a reader finds the content of `target`: beside it if a run was killed between two renames."""
    real = Path(os.path.realpath(target))
    previous = _previous(real)
    return previous if not os.path.lexists(real) and previous.is_dir() else real


def _staging(real: Path) -> Path:
    return real.with_name(f".{real.name}.extractor-staging")


def _previous(real: Path) -> Path:
    return real.with_name(f".{real.name}.extractor-previous")


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        # Some network file systems have no locks; the swap is still whole there, only the cleaning may collide.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _swap(staging: Path, real: Path) -> None:
    if not os.path.lexists(real):
        staging.rename(real)
    elif not _exchange(staging, real):
        real.rename(_previous(real))
        staging.rename(real)
    descriptor = os.open(real.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step; false where kernel or file system cannot."""
    call = _renameat2()
    if call is None:
        return False
    return call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0


@cache
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    found = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if found is None:
        return None
    found.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    found.restype = ctypes.c_int

    def call(one_folder: int, one: bytes, other_folder: int, other: bytes, flags: int) -> int:
        return int(found(one_folder, one, other_folder, other, flags))

    return call


def _write_all(descriptor: int, data: bytes | bytearray) -> None:
    """Write everything: one call may take less than it was given when the disk is nearly full."""
    written = os.write(descriptor, data)
    while written < len(data):
        rest = os.write(descriptor, memoryview(data)[written:])
        if rest == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written += rest


def _shown(path: Path) -> str:
    """Return a path in one line, whatever bytes are in it."""
    text = str(path)
    return text if text.isprintable() else ascii(text)
