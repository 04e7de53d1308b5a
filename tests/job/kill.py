"""Runs `extractor` so that it is killed at one of its git commands: `kill.py NUMBER WHEN ARGUMENTS…`.

WHEN is `before` the command of that number starts, or `during`: right after it started, while it goes on alone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from extractor.cli.app import main
from extractor.source.door import Door, GitProcess

_start = Door.start
_seen = 0


@contextmanager
def _deadly(self: Door, arguments: Sequence[str], *more: Any, **named: Any) -> Iterator[GitProcess]:
    global _seen
    _seen += 1
    number, when = int(os.environ["KILL_AT"]), os.environ["KILL_WHEN"]
    if _seen == number and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    with _start(self, arguments, *more, **named) as process:
        if _seen == number:
            os.kill(os.getpid(), signal.SIGKILL)
        yield process


if __name__ == "__main__":  # Worker processes import this file, too.
    Door.start = _deadly  # type: ignore[method-assign]
    os.environ["KILL_AT"], os.environ["KILL_WHEN"] = sys.argv[1:3]
    sys.argv = ["extractor", *sys.argv[3:]]
    main()
