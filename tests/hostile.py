"""A reading function that does to its process whatever its input says. Workers import it by name."""

from __future__ import annotations

import os
import signal
import time

from extractor.model.facts import FileFacts, ScanFailure, ScanOptions


class Unprintable:
    def __repr__(self) -> str:
        raise RecursionError


def read(data: bytes, options: ScanOptions) -> FileFacts | ScanFailure:
    match data.split(b" ")[0]:
        case b"abort":
            os.abort()
        case b"exit":
            os._exit(7)
        case b"kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"sleep":
            time.sleep(60)
        case b"spin":
            while True:
                pass
        case b"eat":
            return FileFacts((), {"eaten": str(len(bytearray(1 << 40)))}, "ast")
        case b"recurse":
            return read(data, options)
        case b"raise":
            raise KeyError("a bug\nin two lines")
        case b"unprintable":
            raise KeyError(Unprintable())
        case b"unwind":
            try:
                return read(b"recurse", options)
            except RecursionError:
                raise KeyError(Unprintable())  # noqa: B904 - as LibCST does
        case b"surrogate":
            return FileFacts((), {"text": "\ud800"}, "ast")
        case b"refuse":
            return ScanFailure("syntax-error", "refused", 3)
    return FileFacts((), {"text": data.decode(), "for": " ".join(options.exceptions)}, "ast")
