"""The one door to git: every git process of the extractor is started here, with a clean environment, through GitPython.

Bytes in, bytes out. What git reads of the machine is what stands below and nothing else: neither the user's nor the
system's nor (see `local.py`) a foreign repository's settings. That loses the user's credential helpers and
`url.*.insteadOf`, on purpose: both can run commands. What still works for private repositories: ssh keys and agents,
`~/.netrc` (read by curl), user and password in the URL, and the variables in `_INHERITED`.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from msgspec import Struct

from extractor.source.failures import CacheFailedError, GitMissingError, SourceError
from extractor.source.urls import RemoteRepository

if TYPE_CHECKING:
    from git import Git

# GIT_… variables of the user that stay: where git's parts are, TLS and ssh settings. All others (GIT_DIR,
# GIT_OBJECT_DIRECTORY, GIT_CONFIG_COUNT, GIT_TRACE …) would redirect git or write where nobody looks.
_INHERITED = re.compile(
    r"GIT_(EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|HTTP_PROXY_AUTHMETHOD|(PROXY_)?SSL_\w+|PYTHON_\w+)"
)

_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",  # empty, not unset: unset falls back to SSH_ASKPASS, which opens a window
    "SSH_ASKPASS": "",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",  # git >= 2.44; for older ones no promisor is configured while reading
    "GIT_PROTOCOL_FROM_USER": "0",
}

_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.commitGraph": "false",  # a cache of git's that a damaged or hostile repository could forge
    "gc.auto": "0",
    "maintenance.auto": "false",
    "fetch.unpackLimit": "1",  # whole packs appear at once; loose objects one by one, so a kill would leave a part
    "fetch.fsckObjects": "false",
    "fastimport.unpackLimit": "0",
    "submodule.recurse": "false",
    "protocol.version": "2",
    "advice.detachedHead": "false",
    "http.lowSpeedLimit": "1",  # a server silent for a minute is given up
    "http.lowSpeedTime": "60",
}

_SSH = "ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=15 -oServerAliveCountMax=4"


class Answer(Struct, frozen=True):
    """What one git process gave."""

    code: int
    """Exit status."""
    out: bytes
    """Standard output."""
    err: str
    """Standard error, undecodable bytes replaced."""


class Door:
    """Starts git for one git directory."""

    def __init__(
        self, gitdir: Path, remote: RemoteRepository | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """Take the git directory, the remote that `origin` shall mean, and further git settings."""
        self.gitdir = gitdir.absolute()  # git itself is started elsewhere
        self._remote = remote
        self._settings = dict(settings or {})

    def run(
        self,
        arguments: Sequence[str],
        data: bytes = b"",
        settings: Mapping[str, str] | None = None,
        keep: Sequence[int] = (),
    ) -> Answer:
        """Run git to its end with `data` on standard input; `keep` are descriptors the process shall hold open."""
        with self.start(arguments, data, settings, keep) as process:
            out = process.stdout.read()
        return Answer(code=process.code, out=out, err=process.complaint)

    @contextmanager
    def start(
        self,
        arguments: Sequence[str],
        data: bytes | None = b"",
        settings: Mapping[str, str] | None = None,
        keep: Sequence[int] = (),
    ) -> Iterator[GitProcess]:
        """Run git while its output is read. `data` None opens a pipe to standard input instead.

        On leaving normally the process is waited for; on an exception it is killed.
        """
        git = _git(self.gitdir)
        environment = self._environment({**_SETTINGS, **self._settings, **(settings or {})})
        command = [git.GIT_PYTHON_GIT_EXECUTABLE or "git", *arguments]
        with _input(data) as file:
            with _without_foreign_settings():
                try:
                    handle = git.execute(
                        command,
                        istream=subprocess.PIPE if data is None else file,
                        as_process=True,
                        env=environment,
                        pass_fds=keep,
                    )
                except OSError as error:
                    raise CacheFailedError(str(self.gitdir), error.strerror or str(error)) from error
            if handle.proc is None:
                raise SourceError("git did not start; try again")
            process = GitProcess(handle.proc)
            try:
                yield process
            except BaseException:
                handle.proc.kill()
                raise
            finally:
                process.finish()

    def _environment(self, settings: Mapping[str, str]) -> dict[str, str]:
        environment = {**_ENVIRONMENT, "GIT_DIR": str(self.gitdir), "GIT_ALLOW_PROTOCOL": "none"}
        if "GIT_SSH_COMMAND" not in os.environ and "GIT_SSH" not in os.environ:
            environment["GIT_SSH_COMMAND"] = _SSH
        pairs = dict(settings)
        if self._remote is not None:
            environment["GIT_ALLOW_PROTOCOL"] = self._remote.protocol
            pairs["remote.origin.url"] = self._remote.url
            if self._remote.user or self._remote.password:
                secret = base64.b64encode(f"{self._remote.user}:{self._remote.password}".encode()).decode()
                # Bound to this URL. Settings in the environment are seen by no `ps` and stand in no file.
                pairs[f"http.{self._remote.url}.extraHeader"] = f"Authorization: Basic {secret}"
        for number, (key, value) in enumerate(pairs.items()):
            environment[f"GIT_CONFIG_KEY_{number}"] = key
            environment[f"GIT_CONFIG_VALUE_{number}"] = value
        environment["GIT_CONFIG_COUNT"] = str(len(pairs))
        return environment


class GitProcess:
    """A running git: its pipes, and after the end its exit status and what it complained about."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Begin to drain standard error, so that a long complaint never blocks git."""
        self._process = process
        self._errors: list[bytes] = []
        self._drain = threading.Thread(target=self._read_errors, daemon=True)
        self._drain.start()
        # GitPython always opens a pipe for output; one for input exists where `start` was given no data.
        self.stdout = cast(IO[bytes], process.stdout)
        self.stdin = cast(IO[bytes], process.stdin)
        self.code = -1

    @property
    def complaint(self) -> str:
        """What git wrote to standard error."""
        return b"".join(self._errors).decode("utf-8", "replace")

    def finish(self) -> None:
        """Close the pipes and wait for the end."""
        with suppress(BrokenPipeError):  # git ended first; its exit status tells
            if self._process.stdin is not None:
                self._process.stdin.close()
        self.stdout.close()
        self.code = self._process.wait()
        self._drain.join()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _read_errors(self) -> None:
        if self._process.stderr is not None:
            self._errors.append(self._process.stderr.read())


@contextmanager
def _input(data: bytes | None) -> Iterator[BinaryIO]:
    # A file, not a pipe: git may write much before it has read all, and both sides would wait for ever.
    with ExitStack() as stack:
        try:
            file = stack.enter_context(tempfile.TemporaryFile())
            file.write(data or b"")
            file.seek(0)
        except OSError as error:
            raise CacheFailedError(tempfile.gettempdir(), error.strerror or str(error)) from error
        yield file


def _git(folder: Path) -> Git:
    # Imported late: it costs 70 ms of processor time, and commands that read a finished dataset need no git.
    try:
        from git import Git
    except ImportError as error:  # GitPython looks for git when it is imported
        raise GitMissingError from error
    return Git(folder)


@contextmanager
def _without_foreign_settings() -> Iterator[None]:
    """Hide the user's other GIT_… variables while a process starts: GitPython copies `os.environ`, whole."""
    hidden = {
        name: os.environ.pop(name)
        for name in list(os.environ)
        if name.startswith("GIT_") and not _INHERITED.fullmatch(name)
    }
    try:
        yield
    finally:
        os.environ.update(hidden)
