"""The site's folder on disk: files are replaced one by one, only where they differ, and a stamp says what is ours.

The stamp lists every file with its hash, so that a later build knows what is there, what is no longer wanted, and, if
nothing it is made of has changed, that there is nothing to do. It is marked before anything is touched and written
last: a build that is killed leaves a folder that the next one completes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
import orjson
from msgspec import Struct

from extractor.publish.settings import PublishError

STAMP = ".extractor-site.json"
_FORMAT = 1
_KEEP = frozenset({STAMP})


class Stamp(Struct, frozen=True):
    """What a site's folder holds of ours."""

    format: int
    """Version of this file's shape."""
    key: str | None
    """Hash of all that the site was made from; None while it is being built."""
    files: dict[str, str]
    """Path → SHA-256 of every file."""


class Written(Struct, frozen=True):
    """One file of the site."""

    path: str
    """Below the site's folder."""
    sha256: str
    """Of its content."""
    size: int
    """In bytes."""
    changed: bool
    """Whether it had to be written."""


def open_folder(output: Path, dataset: Path) -> Stamp | None:
    """Return the stamp of the folder, None if it is empty or missing. Raises `PublishError` if it is another's."""
    real, data = output.resolve(), dataset.resolve()
    if real == data or data in real.parents or real in data.parents:
        raise PublishError(
            f"the site cannot stand in {str(output)!a}: it is in the dataset or around it; name another with -o"
        )
    try:
        if not real.exists():
            return None
        if not real.is_dir():
            raise PublishError(f"{str(output)!a} is not a folder: name another one with -o")
        if not any(real.iterdir()):
            return None
        return msgspec.json.decode((real / STAMP).read_bytes(), type=Stamp)
    except FileNotFoundError:
        raise PublishError(
            f"{str(output)!a} holds something other than a site: name another folder with -o, or remove it yourself"
        ) from None
    except msgspec.DecodeError:
        return Stamp(_FORMAT, None, {})
    except OSError as error:
        raise _failed(output, error) from error


def is_intact(output: Path, stamp: Stamp) -> bool:
    """Return whether every file is there as the stamp has it."""
    try:
        return all(sha256((output / path).read_bytes()).hexdigest() == digest for path, digest in stamp.files.items())
    except OSError:
        return False


def begin(output: Path, stamp: Stamp | None) -> None:
    """Mark the folder as being built. Raises `PublishError`."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        _replace(output / STAMP, _encode(Stamp(_FORMAT, None, stamp.files if stamp else {})))
    except OSError as error:
        raise _failed(output, error) from error


def put(output: Path, path: str, data: bytes) -> Written:
    """Make the file at `path` hold `data`; one that does already is not touched. Raises `PublishError`."""
    target = output / path
    digest = sha256(data).hexdigest()
    try:
        with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
            if target.stat().st_size == len(data) and target.read_bytes() == data:
                return Written(path, digest, len(data), changed=False)
        _make_folder(output, target.parent)
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        _replace(target, data)
    except OSError as error:
        raise _failed(output, error) from error
    return Written(path, digest, len(data), changed=True)


def finish(output: Path, before: Stamp | None, key: str, files: Iterable[Written]) -> int:
    """Remove what is no longer wanted, write the stamp; return how many files were removed. Raises `PublishError`."""
    wanted = {file.path: file.sha256 for file in files}
    try:
        removed = 0
        for path in sorted(_candidates(output, before, wanted)):
            removed += _remove(output, path)
        _replace(output / STAMP, _encode(Stamp(_FORMAT, key, dict(sorted(wanted.items())))))
    except OSError as error:
        raise _failed(output, error) from error
    return removed


def _candidates(output: Path, before: Stamp | None, wanted: dict[str, str]) -> set[str]:
    """Return the files that may be left from another build: those the stamp lists, or all in folders of ours."""
    if before is None:
        return set()
    found = set(before.files)
    if before.key is None:  # It was killed, so files may stand there that no stamp lists.
        tops = {path.split("/")[0] for path in (*wanted, *before.files) if "/" in path}
        for top in tops:
            for folder, _, names in os.walk(output / top):
                found |= {f"{Path(folder).relative_to(output).as_posix()}/{name}" for name in names}
    return found - set(wanted) - _KEEP


def _remove(output: Path, path: str) -> bool:
    target = output / path
    if ".." in Path(path).parts or not target.is_file():
        return False
    target.unlink()
    for parent in target.parents:
        if parent == output:
            break
        with suppress(OSError):  # It still holds something.
            parent.rmdir()
            continue
        break
    return True


def _make_folder(output: Path, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        # An older site had a file where this one has a folder.
        for parent in [folder, *folder.parents]:
            if parent == output:
                break
            if parent.is_file():
                parent.unlink()
        folder.mkdir(parents=True, exist_ok=True)


def _replace(target: Path, data: bytes) -> None:
    staged = target.with_name(f".{target.name}.new")
    staged.write_bytes(data)
    staged.replace(target)


def _encode(stamp: Stamp) -> bytes:
    return orjson.dumps({"format": stamp.format, "key": stamp.key, "files": stamp.files}, option=orjson.OPT_INDENT_2)


def _failed(output: Path, error: OSError) -> PublishError:
    reason = error.strerror or type(error).__name__
    return PublishError(
        f"cannot write the site at {str(output)!a}: {reason}; free some space, or name another folder with -o"
    )
