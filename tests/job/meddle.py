"""Runs `extractor` with a foreign writer who is faster: `meddle.py COMMAND ARGUMENTS…`.

COMMAND is run by a shell once, right before the job pushes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from extractor.cli.app import main
from extractor.source.door import Door, GitProcess

_start = Door.start
_command = sys.argv[1]


@contextmanager
def _meddled(self: Door, arguments: Sequence[str], *more: Any, **named: Any) -> Iterator[GitProcess]:
    global _command
    if arguments[0] == "push":
        command, _command = _command, "true"
        subprocess.run(["/bin/sh", "-c", command], check=True)
    with _start(self, arguments, *more, **named) as process:
        yield process


if __name__ == "__main__":  # Worker processes import this file, too.
    Door.start = _meddled  # type: ignore[method-assign]
    sys.argv = ["extractor", *sys.argv[2:]]
    main()
