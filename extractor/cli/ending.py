"""How a command ends: every way becomes an exit code and at most one line on standard error."""

from __future__ import annotations

import errno
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

import typer

from extractor import __version__
from extractor.cli import terminal
from extractor.errors import ExtractorError, UsageError

DONE, FAILED, WRONG_USAGE, OUR_BUG, INTERRUPTED = 0, 1, 2, 3, 130
TERMINATED = 128 + signal.SIGTERM
_SYSTEM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""What the system may refuse at any moment, and no fault of ours."""


def finish(work: Callable[[], object]) -> NoReturn:
    """Do `work` and end the process with the exit code that it returns, or that suits how it failed."""
    signal.signal(signal.SIGTERM, _terminate)
    code = outcome(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # What is left is cleaning up.
    code = _flush(code)
    sys.exit(code)


def outcome(work: Callable[[], object]) -> int:
    """Do `work` and return the exit code; what went wrong is said in one line."""
    try:
        code = work()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # Whoever read our output has seen enough.
        return FAILED
    except UsageError as error:
        return _fail(str(error), WRONG_USAGE)
    except ExtractorError as error:
        return _fail(str(error), FAILED)
    except typer.TyperException as error:
        return _fail(_explain(error), WRONG_USAGE)
    except MemoryError:
        return _fail("out of memory; scan less with --include, or use fewer --jobs", FAILED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _SYSTEM:
            return _fail(f"the system refuses: {error}", FAILED)
        return _fail(_confess(), OUR_BUG)
    return code if isinstance(code, int) else DONE


def _fail(text: str, code: int) -> int:
    terminal.say(f"extractor: error: {text}")
    return code


def _explain(error: typer.TyperException) -> str:
    """Return Typer's own sentence about a wrong call."""
    said = getattr(error, "format_message", lambda: str(error))()
    return f"{said.rstrip('.')}; see extractor --help"


def _confess() -> str:
    """Keep the traceback of a bug of ours in a file, and return a line that says where."""
    text = re.sub(r"(?<=://)[^/\s'\"]*@", "", traceback.format_exc())  # URLs may hold credentials.
    with tempfile.NamedTemporaryFile(
        "w", prefix="extractor-", suffix=".log", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as log:
        log.write(f"extractor {__version__}, Python {sys.version}\n{text}")
    return f"this is a bug of extractor; please report it with the traceback in {log.name}"


def _flush(code: int) -> int:
    """Write out what is buffered; a reader that went away is no news."""
    try:
        terminal.flush()
    except OSError as error:
        terminal.give_up()
        if isinstance(error, BrokenPipeError):
            return code or FAILED
        return code or _fail(f"cannot write the result: {error}", FAILED)
    return code


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    """End in order on SIGTERM, so that nothing staged is left behind."""
    sys.exit(TERMINATED)
