"""Where the whole-release tests get a release: an unpacked one that is at hand, or the package index."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

PROJECT = "sglang"
ENV = "SGLANG_RELEASES"
"""A folder that holds, or shall hold, one unpacked release a folder, named by version."""


class ReleaseUnavailableError(Exception):
    """A release is not at hand and could not be downloaded."""


def cache_root() -> Path:
    """Give the folder where releases are kept between runs."""
    named = os.environ.get(ENV)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "extractor-tests" / PROJECT


def obtain(version: str) -> Path:
    """Give the folder of an unpacked release, downloaded first if need be."""
    root = cache_root()
    target = root / version
    if (target / PROJECT).is_dir():
        return target
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as scratch:
        download = subprocess.run(
            [
                sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                "--platform=manylinux_2_34_x86_64", "--platform=any", "--python-version=3.11", "--implementation=cp",
                f"--dest={scratch}", f"{PROJECT}=={version}",
            ],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=900,
        )  # fmt: skip
        wheels = sorted(Path(scratch).glob("*.whl"))
        if download.returncode != 0 or not wheels:
            lines = download.stderr.strip().splitlines() or ["no message"]
            raise ReleaseUnavailableError(f"{PROJECT} {version} could not be downloaded: {lines[-1]}")
        unpacked = Path(scratch, "unpacked")
        with zipfile.ZipFile(wheels[0]) as wheel:
            wheel.extractall(
                unpacked, [name for name in wheel.namelist() if name.startswith(f"{PROJECT}/") and name.endswith(".py")]
            )
        try:
            unpacked.rename(target)
        except OSError:
            # Another worker was faster; its copy is as good.
            if not (target / PROJECT).is_dir():
                raise
    return target


def files(release: Path) -> Iterator[tuple[str, bytes]]:
    """Give each Python file of a release: path below it, and bytes."""
    for path in sorted(release.rglob("*.py")):
        yield path.relative_to(release).as_posix(), path.read_bytes()
