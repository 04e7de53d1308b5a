"""The workflows and the action: what a linter knows, what it does not, and the action's own script, run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.source.conftest import Repo
from tests.test_cli import SOURCE, environment

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = [*WORKFLOWS, ROOT / "action.yml"]
NAMES = [path.name for path in FILES]


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def steps(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield from node.get("steps", ())
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from steps(inner)


def test_actionlint() -> None:
    linter = Path(sys.executable).with_name("actionlint")
    done = subprocess.run([linter, *WORKFLOWS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_actions_are_pinned_by_hash_and_say_their_version(path: Path) -> None:
    used = re.findall(r"uses: *(.*)", path.read_text())
    assert used or path.name != "extract.yml"
    for line in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+(/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_no_expression_stands_in_a_shell_line(path: Path) -> None:
    scripts = [step["run"] for step in steps(load(path)) if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


@pytest.mark.parametrize("path", WORKFLOWS, ids=[path.name for path in WORKFLOWS])
def test_permissions_are_none_but_where_a_job_asks(path: Path) -> None:
    workflow = load(path)
    assert workflow["permissions"] == {}
    assert "concurrency" in workflow
    for job in workflow["jobs"].values():
        assert set(job["permissions"]) <= {"contents", "pages", "id-token"}
        assert job["timeout-minutes"] <= 90


def test_only_one_extraction_runs_at_a_time_and_none_is_cut_off() -> None:
    assert load(ROOT / ".github/workflows/extract.yml")["concurrency"] == {
        "group": "extract",
        "cancel-in-progress": False,
    }


def test_the_workflow_calls_the_job_as_it_is() -> None:
    """Each option that a step gives is one that the program has."""
    for step in steps(load(ROOT / ".github/workflows/extract.yml")):
        called = re.match(r"extractor (\w+) (.*)", step.get("run", ""))
        if called is None or called[1] == "site":
            continue
        command = [sys.executable, "-m", "extractor", called[1], "--help"]
        said = subprocess.run(command, env=environment(COLUMNS="200"), capture_output=True, text=True, check=True)
        for option in re.findall(r"--[\w-]+", called[2]):
            assert f"{option} " in said.stdout


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with this very extractor as a program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "extractor"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m extractor "$@"\n')
    program.chmod(0o755)
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="composite actions run in bash")
@pytest.mark.parametrize("named", [False, True], ids=["first parent", "base by name"])
def test_the_action_tells_what_a_merge_brings(tmp_path: Path, tools: Path, named: bool) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"pkg/a.py": SOURCE})
    repo.git("checkout", "-q", "-b", "topic;touch${IFS}hacked")
    repo.commit({"pkg/a.py": SOURCE.replace(b"not be negative", b"be positive"), "pkg/b.py": SOURCE})
    repo.git("checkout", "-q", "main")
    base = repo.commit({"pkg/c.py": SOURCE}, "meanwhile on main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "topic;touch${IFS}hacked")
    script = next(step["run"] for step in steps(load(ROOT / "action.yml")) if step.get("id") == "diff")
    summary, outputs = tmp_path / "summary", tmp_path / "outputs"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script],
        cwd=tmp_path,
        env=environment(
            PATH=f"{tools}{os.pathsep}{os.environ['PATH']}",
            BASE=base if named else "",
            HEAD=repo.git("rev-parse", "main"),
            LIMIT="20",
            GITHUB_WORKSPACE=str(repo.path),
            GITHUB_REPOSITORY="owner/name",
            GITHUB_STEP_SUMMARY=str(summary),
            GITHUB_OUTPUT=str(outputs),
            RUNNER_TEMP=str(tmp_path),
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert summary.read_text().startswith("**This change adds 1 error, rewords 1.**\n")
    (path,) = re.findall(r"json=(.*)\n", outputs.read_text())
    assert Path(path).read_text().startswith("{")
    assert not list(repo.path.glob("*hacked*"))
