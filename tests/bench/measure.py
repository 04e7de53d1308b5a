"""What a command costs: CPU seconds of its whole process tree, wall time, and memory of its largest process.

The measuring process makes itself the reaper of orphans (Linux), then waits for every descendant, so that processes
which the command started and did not wait for (a fork server and its workers) are counted as well. `wait4` gives each
process together with the children that it waited for itself.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


class CommandFailedError(Exception):
    """A measured command did not succeed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command used."""

    cpu: float
    """User and system seconds of all processes."""
    wall: float
    """Seconds until the last process had ended."""
    peak: int
    """Bytes of the largest resident set of a single process."""


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends."""
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def measure(command: Sequence[str | Path], *, output: Path, environment: Mapping[str, str] | None = None) -> Cost:
    """Run a command to its end, its standard output in a file."""
    errors = output.with_suffix(".err")
    start = time.perf_counter()
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env={**os.environ, **(environment or {})},
        )
    cpu, peak = 0.0, 0
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        cpu += usage.ru_utime + usage.ru_stime
        peak = max(peak, resident(usage))
        if pid == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode != 0:
        tail = errors.read_text(errors="replace").strip().splitlines()[-5:]
        raise CommandFailedError(f"{Path(str(command[0])).name} ended with {process.returncode}: " + "\n".join(tail))
    return Cost(cpu, wall, peak)


def resident(usage: resource.struct_rusage) -> int:
    """Give the peak in bytes; Linux counts in KiB, macOS in bytes."""
    return usage.ru_maxrss if sys.platform == "darwin" else usage.ru_maxrss * 1024
