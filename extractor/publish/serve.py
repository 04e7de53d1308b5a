"""A look at the site on this machine: a small server on the loopback address, with the headers of a host."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from extractor.publish.common import SECURITY
from extractor.publish.settings import LOCAL_HOST, PublishError

_PACKED = ("text/", "application/json", "application/xml", "application/atom+xml", "image/svg+xml")
_TYPES = {
    **SimpleHTTPRequestHandler.extensions_map,
    ".js": "text/javascript; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
}


class Handler(SimpleHTTPRequestHandler):
    """Serves the files below the site's folder, under the site's path."""

    protocol_version = "HTTP/1.1"
    extensions_map = _TYPES

    def __init__(self, *arguments: object, output: Path, base_path: str, log: Callable[[str], None]) -> None:
        """Serve `output` under `base_path`."""
        self._output, self._base, self._log = output, base_path, log
        super().__init__(*arguments, directory=str(output))  # type: ignore[arg-type]  # passed on as they came

    @cached_property
    def _path(self) -> str:
        return unquote(urlsplit(self.path).path, errors="surrogatepass")

    def do_GET(self) -> None:
        """Answer with a file, packed where that helps."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers of a file."""
        self._answer(body=False)

    def _answer(self, body: bool) -> None:
        self.__dict__.pop("_path", None)
        file, status = self._file(), 200
        if isinstance(file, str):
            self.send_response(301)
            self.send_header("Location", file)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if file is None:
            file, status = self._output / "404.html", 404
        try:
            data = file.read_bytes()
        except OSError:
            data = b"not found"
        kind = self.guess_type(str(file))
        self.send_response(status)
        if kind.startswith(_PACKED) and "gzip" in self.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data, 6, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", f"{SECURITY}; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        if self._path.removeprefix(self._base).startswith(("api/", "schemas/")):
            self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _file(self) -> Path | str | None:
        """Return the file asked for, the address of a folder that lacks its slash, or None."""
        if not self._path.startswith(self._base):
            return None
        parts = self._path.removeprefix(self._base).split("/")
        if any(part in (".", "..") or "\0" in part for part in parts):
            return None
        target = self._output.joinpath(*[part for part in parts if part])
        try:
            if target.is_dir():
                if parts[-1]:
                    return "/" + urlsplit(self.path).path.lstrip("/") + "/"
                target = target / "index.html"
            return target if target.is_file() and self._output.resolve() in target.resolve().parents else None
        except OSError:
            return None

    def log_message(self, format: str, *values: object) -> None:  # noqa: A002  the name is the base class's
        """Hand a line of the log on."""
        self._log(format % values)


class Server(ThreadingHTTPServer):
    """A server to which a browser that hangs up is no news."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a lost connection; anything else is a bug of ours."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # passed on as they came


def server(output: Path, base_path: str, port: int, log: Callable[[str], None]) -> ThreadingHTTPServer:
    """Return a server for the site, bound to the loopback address; port 0 takes any free one. Raises `PublishError`."""
    handler = partial(Handler, output=output, base_path=base_path, log=log)
    try:
        return Server((LOCAL_HOST, port), handler)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PublishError(f"cannot serve on port {port}: {reason}; name another one with --port") from error
