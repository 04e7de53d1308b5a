from __future__ import annotations

import gzip
import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from extractor.publish import PublishError
from extractor.publish.serve import server


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    room = tmp_path_factory.mktemp("served")
    (room / "secret.txt").write_text("secret")
    site = room / "site"
    (site / "api").mkdir(parents=True)
    for name, text in (
        ("index.html", "home"),
        ("404.html", "missing"),
        ("api/a.json", "{}"),
        ("api/index.html", "api"),
    ):
        (site / name).write_text(text)
    (site / "way-out").symlink_to(room / "secret.txt")
    with server(site, "/sub/", 0, lambda _line: None) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.server_port
        running.shutdown()


def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def test_pages_stand_under_the_path_of_the_site(port: int) -> None:
    status, body, headers = get(port, "/sub/")
    assert (status, body) == (200, b"home")
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["content-type"] == "text/html; charset=utf-8"


def test_the_api_is_open(port: int) -> None:
    assert get(port, "/sub/api/a.json")[2]["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in get(port, "/sub/")[2]


def test_a_folder_has_a_slash(port: int) -> None:
    status, _, headers = get(port, "/sub/api")
    assert (status, headers["location"]) == (301, "/sub/api/")


def test_what_is_packed_is_the_same(port: int) -> None:
    _, body, headers = get(port, "/sub/", **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == b"home"


def test_only_the_header_is_sent_for_head(port: int) -> None:
    status, body, headers = get(port, "/sub/", "HEAD")
    assert (status, body, headers["content-length"]) == (200, b"", "4")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sub/nowhere",
        "/sub/../secret.txt",
        "/sub/%2e%2e/secret.txt",
        "/sub/way-out",
        "/sub/a%00b",
        "/sub//etc/passwd",
    ],
)
def test_nothing_else_is_served(port: int, path: str) -> None:
    status, body, _ = get(port, path)
    assert (status, body) == (404, b"missing")


def test_a_port_in_use_is_told(port: int, tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="--port"):
        server(tmp_path, "/", port, lambda _line: None)
