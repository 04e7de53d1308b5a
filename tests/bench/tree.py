"""One unpacked release as a local git repository of two commits, the second with a few files changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

NEEDLE = b"raise ValueError"
CHANGED_FILES = 10
SAMPLE_STEP = 40
"""Every fortieth file is in the sample that the LibCST script reads."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The repository that all contenders read."""

    root: Path
    first: str
    """The release as it is."""
    second: str
    """The same with `CHANGED_FILES` files changed."""
    sample: tuple[Path, ...]
    sample_bytes: int
    holding_bytes: int
    """Bytes of all files whose text holds `raise ValueError`: what a script with a filter of its own would parse."""
    all_bytes: int
    """Bytes of all Python files."""


def git(root: Path, *words: str) -> str:
    """Run git with fixed identity and dates, free of the user's settings."""
    stamp = "2020-01-01T00:00:00Z"
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(root),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_DATE": stamp,
    }
    identity = [
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@localhost",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "gc.auto=0",
    ]
    done = subprocess.run(
        ["git", "-C", str(root), *identity, *words], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def build(release: Path, root: Path) -> Tree:
    """Copy a release below `python/` and commit it twice; the work tree is left at the first commit."""
    package = root / "python" / "sglang"
    shutil.copytree(
        release / "sglang", package, ignore=lambda _, names: [n for n in names if "." in n and not n.endswith(".py")]
    )
    files = sorted(package.rglob("*.py"))
    sizes = {path: path.stat().st_size for path in files}
    holding = [path for path in files if NEEDLE in path.read_bytes()]
    sample = tuple(files[::SAMPLE_STEP])
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=release")
    first = git(root, "rev-parse", "HEAD")
    for path in holding[:: max(1, len(holding) // CHANGED_FILES)][:CHANGED_FILES]:
        with path.open("ab") as file:
            file.write(
                b"\n\ndef added_by_the_bench(value):\n    if value is None:\n        raise ValueError(f'no {value}')\n"
            )
    git(root, "commit", "--quiet", "--all", "--message=ten files changed")
    second = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "--quiet", "--detach", first)
    return Tree(
        root, first, second, sample, sum(sizes[p] for p in sample), sum(sizes[p] for p in holding), sum(sizes.values())
    )
