"""Real tiny repositories, and a real git server on this machine, `git http-backend` over HTTP."""

from __future__ import annotations

import base64
import gzip
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

_CLEAN = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0200",
    "GIT_COMMITTER_DATE": "1700000000 +0200",
}


class Repo:
    """A repository made with the git binary, for tests only."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options, ".")

    @property
    def url(self) -> str:
        return f"file://{self.path}"

    def git(self, *arguments: str, data: bytes | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**os.environ, **_CLEAN},
            input=data,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str | bytes, data: bytes) -> None:
        file = self.path / os.fsdecode(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def commit(self, files: dict[str, bytes] | None = None, message: str = "change") -> str:
        for path, data in (files or {}).items():
            self.write(path, data)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


class Server(ThreadingHTTPServer):
    """Serves the repositories below a folder over HTTP, as plainly as wanted."""

    def __init__(self, root: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.root = root
        self.password: str | None = None
        """Demanded of user `me`, if set."""
        self.old_protocol = False
        """Whether clients are answered in protocol version 0, which guards objects that no ref names."""
        self.requests: list[str] = []
        """`METHOD path` of each request, in order."""
        self.fetches: list[bytes] = []
        """Bodies of the requests to git-upload-pack."""

    def url(self, name: str, user: str = "") -> str:
        return f"http://{user}{'@' if user else ''}127.0.0.1:{self.server_address[1]}/{name}"

    def wants(self) -> int:
        return sum(b"want " in body for body in self.fetches)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    wbufsize = -1  # one packet an answer: several would wait for acknowledgements
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:  # the suite's output stays clean
        pass

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        self.server.requests.append(f"{self.command} {path}")
        if self.command == "POST":
            gzipped = self.headers.get("Content-Encoding") == "gzip"
            self.server.fetches.append(gzip.decompress(body) if gzipped else body)
        if self.server.password is not None:
            token = base64.b64encode(f"me:{self.server.password}".encode()).decode()
            if self.headers.get("Authorization") != f"Basic {token}":
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="x"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
        environment = {
            **os.environ,
            **_CLEAN,
            "GIT_PROJECT_ROOT": str(self.server.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "CONTENT_LENGTH": str(len(body)),
        }
        if not self.server.old_protocol:
            environment["GIT_PROTOCOL"] = self.headers.get("Git-Protocol", "")
        done = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        self.send_response(status)
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., Repo]:
    return lambda name="repo", *options: Repo(tmp_path / "served" / name, *options)


@pytest.fixture
def repo(make_repo: Callable[..., Repo]) -> Repo:
    return make_repo()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "served").mkdir(exist_ok=True)
    with Server(tmp_path / "served") as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield served
        served.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"
