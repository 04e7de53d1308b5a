"""The command as a user calls it."""

from __future__ import annotations

import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.publish.datasets import ORDINARY, dataset


def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "extractor", "site", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset(tmp_path_factory.mktemp("command") / "data", *ORDINARY)


def test_it_says_where_the_site_is_and_how_to_look_at_it(small: Path, tmp_path: Path) -> None:
    done = call(small, "-o", tmp_path / "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert str(tmp_path / "a") in done.stdout
    assert "http://127.0.0.1:8000/" in done.stdout
    again = call(small, "-o", tmp_path / "a")
    assert again.stdout.startswith("site unchanged")


def test_with_an_address_it_says_that(small: Path, tmp_path: Path) -> None:
    done = call(small, "-o", tmp_path / "a", "--base-url", "https://example.org/errors")
    assert "https://example.org/errors/" in done.stdout
    assert "127.0.0.1" not in done.stdout
    assert "https://example.org/errors/owner/name/" in (tmp_path / "a/sitemap.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["--base-url", "ftp://x"], 2, "--base-url", id="no web address"),
        pytest.param(["--jobs", "0"], 2, "--jobs", id="no workers"),
        pytest.param(["--previous", "/nowhere"], 1, "extractor run", id="no older dataset"),
        pytest.param(["-o", "/proc/nowhere"], 1, "-o", id="nothing can be written there"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    small: Path, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    done = call(small, "-o", tmp_path / "a", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    assert said in done.stderr


def test_what_is_no_dataset_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    done = call(tmp_path / "data", "-o", tmp_path / "a")
    assert done.returncode == 1
    assert "is no dataset" in done.stderr


def test_serving_ends_with_ctrl_c(small: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "extractor", "site", str(small), "-o", str(tmp_path / "a"), "-q"]
    with subprocess.Popen([*command, "--serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
        connection.request("GET", "/api/manifest.json")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
        connection.close()
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=20) == 130
