"""`extractor diff`: datasets and commits, forms and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extractor.dataset import schema
from tests.source.conftest import Repo
from tests.test_cli import SOURCE, call, place, repo

__all__ = ["place", "repo"]

REWORDED = SOURCE.replace(b"not be negative", b"be positive")


@pytest.fixture
def refs(place: Path, repo: Repo) -> Path:
    repo.git("tag", "v1")
    repo.commit({"pkg/a.py": REWORDED})
    repo.git("tag", "v2")
    return place


def test_two_commits(refs: Path) -> None:
    done = call(refs, "diff", "v1", "v2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 added, 0 removed, 1 changed (1 reworded), 0 unchanged" in done.stdout
    assert "x must [-not -]be [-negative-]{+positive+}, got {x}" in done.stdout
    assert "\x1b" not in done.stdout
    assert not (refs / "out").exists()


def test_a_dataset_and_a_commit(refs: Path) -> None:
    call(refs, "run", "--sha", "v1", "-o", "one")
    assert "1 reworded" in call(refs, "diff", "one", "v2").stdout
    call(refs, "run", "--sha", "v2", "-o", "two")
    assert call(refs, "diff", "one", "two").stdout == call(refs, "diff", "v1", "v2").stdout


def test_nothing_is_cut_where_nobody_looks_at_a_terminal(refs: Path, repo: Repo) -> None:
    long = "word " * 60
    repo.commit({"pkg/long.py": f"def f():\n    raise ValueError('{long}')\n".encode()})
    assert long.strip() in call(refs, "diff", "v2", "main", COLUMNS="40").stdout


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_exit_codes_are_those_of_git(refs: Path, form: str) -> None:
    assert call(refs, "diff", "v1", "v2", "-f", form).returncode == 0
    assert call(refs, "diff", "v1", "v2", "-f", form, "--exit-code").returncode == 1
    assert call(refs, "diff", "v1", "v1", "-f", form, "--exit-code").returncode == 0


def test_json_fits_its_schema(refs: Path) -> None:
    found = json.loads(call(refs, "diff", "v1", "v2", "--format", "json").stdout)
    assert schema.fault("diff.v1", found) is None
    assert (found["old"]["ref"], found["new"]["ref"]) == ("v1", "v2")
    assert [change["kinds"] for change in found["changed"]] == [["reworded"]]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(["v1", "v9"], 1, "'v9' is no commit, branch or tag", id="unknown ref"),
        pytest.param(["v1"], 2, "NEW", id="one side only"),
        pytest.param(["v1", "v2", "-f", "xml"], 2, "--format: 'xml'", id="unknown form"),
        pytest.param(["v1", "v2", "-n", "-1"], 2, "--limit", id="negative limit"),
        pytest.param(["--pypi", "not a version", "1.0"], 2, "not a version", id="no release"),
    ],
)
def test_failures_are_one_line(refs: Path, arguments: list[str], code: int, words: str) -> None:
    done = call(refs, "diff", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
