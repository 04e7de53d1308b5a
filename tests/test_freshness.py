"""`run --if-changed`: what is done already is not done again, anything else is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.source.conftest import Repo
from tests.test_cli import SOURCE, call, place, repo

__all__ = ["place", "repo"]

AGAIN = "nothing to do"


def stamp(place: Path) -> tuple[int, int]:
    found = (place / "out" / "manifest.json").stat()
    return found.st_ino, found.st_mtime_ns


def test_a_commit_that_is_done_is_left_alone(place: Path, repo: Repo) -> None:
    assert AGAIN not in call(place, "run", "--if-changed", "--sha", "main").stdout
    before = stamp(place)
    sha = repo.git("rev-parse", "HEAD")
    for ref in ("main", "HEAD", sha, sha[:12]):
        done = call(place, "run", "--if-changed", "--sha", ref)
        assert (done.returncode, done.stderr) == (0, "")
        assert AGAIN in done.stdout
        assert sha in done.stdout
    assert call(place, "run", "--if-changed", "--sha", "main", "-q").stdout == ""
    assert stamp(place) == before
    assert AGAIN not in call(place, "run", "--sha", "main").stdout
    assert stamp(place) != before


def commit(_place: Path, repo: Repo) -> None:
    repo.commit({"pkg/b.py": SOURCE})


def move_back(_place: Path, repo: Repo) -> None:
    repo.git("reset", "-q", "--hard", "HEAD~1")


def harm(place: Path, _repo: Repo) -> None:
    file = place / "out" / "records.jsonl"
    file.write_bytes(file.read_bytes().replace(b"negative", b"positive"))


def lose(place: Path, _repo: Repo) -> None:
    next((place / "out" / "api" / "errors").iterdir()).unlink()


@pytest.mark.parametrize(
    ("change", "arguments"),
    [
        pytest.param(commit, [], id="a new commit"),
        pytest.param(move_back, [], id="a branch that was moved back"),
        pytest.param(harm, [], id="a file that was changed"),
        pytest.param(lose, [], id="a file that is missing"),
        pytest.param(lambda *_: None, ["--exclude", "/docs/"], id="another scope"),
        pytest.param(lambda *_: None, ["--exception", "TypeError"], id="another exception"),
        pytest.param(lambda *_: None, ["--repo", "other/name"], id="another name"),
    ],
)
def test_anything_else_is_done(
    place: Path, repo: Repo, change: Callable[[Path, Repo], None], arguments: list[str]
) -> None:
    commit(place, repo)
    repo.commit({"pkg/c.py": SOURCE.replace(b"negative", b"zero")})
    call(place, "run", "--sha", "main")
    before = stamp(place)
    change(place, repo)
    done = call(place, "run", "--if-changed", "--sha", "main", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert AGAIN not in done.stdout
    assert stamp(place) != before


def test_another_epoch_is_another_dataset(place: Path) -> None:
    call(place, "run", "--sha", "main")
    assert AGAIN not in call(place, "run", "--if-changed", "--sha", "main", SOURCE_DATE_EPOCH="1700000001").stdout
    assert AGAIN in call(place, "run", "--if-changed", "--sha", "main", SOURCE_DATE_EPOCH="1700000001").stdout


def test_a_branch_that_is_not_there_is_told(place: Path) -> None:
    call(place, "run", "--sha", "main")
    done = call(place, "run", "--if-changed", "--sha", "nowhere")
    assert done.returncode == 1
    assert "'nowhere' is no commit, branch or tag" in done.stderr
