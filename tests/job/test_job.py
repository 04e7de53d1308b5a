"""The job against real repositories of this machine: a branch that gains commits, and a bare one that keeps datasets."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from extractor.dataset.check import check
from extractor.errors import UsageError
from extractor.job.branch import target
from tests.source.conftest import Repo, Server, server

__all__ = ["server"]

ROOT = Path(__file__).parents[2]
ONE = b"def f(x):\n    if x > 3:\n        raise ValueError(f'x must be at most 3, got {x}')\n"
REWORDED = ONE.replace(b"at most 3", b"no more than 3")
MORE = b"def g(y):\n    if not y:\n        raise ValueError('y is missing')\n    if y < 0:\n        raise ValueError('y is negative')\n"


class Place(Struct, frozen=True):
    """A source repository, a data repository, and where the job keeps its own things."""

    source: Repo
    data: Repo
    folder: Path

    def command(self) -> list[str]:
        return [
            "job",
            *("--data", self.data.url, "--repo", "owner/name", "--url", self.source.url, "--ref", "main"),
            *("--output", str(self.folder / "out"), "--cache", str(self.folder / "cache"), "--jobs", "1"),
        ]

    def run(self, *more: str, program: tuple[str, ...] = ("-m", "extractor")) -> subprocess.CompletedProcess[str]:
        unwanted = ("SOURCE_DATE_EPOCH", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "EXTRACTOR_DATA_TOKEN")
        environment = {name: value for name, value in os.environ.items() if name not in unwanted}
        return subprocess.run(
            [sys.executable, *program, *self.command(), *more],
            cwd=self.folder,
            env=environment | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def ok(self, *more: str) -> str:
        done = self.run(*more)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    def kept(self) -> list[str]:
        """Commits of the source whose datasets the data branch holds, newest first."""
        listed = self.data.git("for-each-ref", "refs/heads/data", "--format=%(objectname)")
        commits = self.data.git("rev-list", "data").split() if listed else []
        return [json.loads(self.data.git("show", f"{commit}:manifest.json"))["sha"] for commit in commits]

    def settle(self) -> None:
        """Wait until no git of a killed job is at work any more: it holds the job's lock."""
        for lock in self.folder.glob("cache/job/*/lock"):
            with lock.open("rb") as held:
                fcntl.flock(held, fcntl.LOCK_EX)

    def newest(self) -> dict[str, Any]:
        """The manifest of a sound dataset, checked out of the data branch."""
        self.data.git("fsck", "--strict", "--no-dangling")
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        self.data.git("archive", "--output", str(self.folder / "archive.tar"), "data")
        with tarfile.open(self.folder / "archive.tar") as archive:
            archive.extractall(folder, filter="data")
        assert check(folder) == ()
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
        return manifest


@pytest.fixture
def place(tmp_path: Path) -> Place:
    source = Repo(tmp_path / "source")
    source.commit({"pkg/a.py": ONE})
    data = Repo(tmp_path / "data.git", "--bare")
    folder = tmp_path / "here"
    folder.mkdir()
    return Place(source, data, folder)


def test_a_branch_that_gains_commits(place: Place) -> None:
    first = place.source.git("rev-parse", "HEAD")
    assert "first dataset" in place.ok()
    assert "Nothing new" in place.ok()
    assert place.kept() == [first]

    nothing = place.source.commit({"README": b"words", "pkg/a.py": b"# a comment\n" + ONE}, "nothing relevant")
    assert "leaves every error as it is" in place.ok()
    assert place.kept() == [nothing, first]

    changed = place.source.commit({"pkg/a.py": REWORDED, "pkg/b.py": MORE}, "two more, one reworded")
    said = place.ok()
    assert "This change adds 2 errors, rewords 1." in said
    assert "<del>at most</del><ins>no more than</ins>" in said
    assert place.kept() == [changed, nothing, first]

    # Somebody pushes by force: the branch forgets the last commit and gains another.
    place.source.git("reset", "-q", "--hard", nothing)
    other = place.source.commit({"pkg/c.py": ONE.replace(b"x", b"z")}, "another third commit")
    assert "This change adds 1 error, removes 2 errors, rewords 1." in place.ok()
    assert place.kept() == [other, changed, nothing, first]
    assert place.newest()["sha"] == other
    assert place.newest()["counts"]["sites"] == 2
    assert "Nothing new" in place.ok()


@pytest.mark.parametrize("when", ["before", "during"])
def test_a_job_that_is_killed_has_done_nothing_or_all(place: Place, when: str) -> None:
    """At each git command in turn, until the job needs no more of them."""
    place.ok()
    before = place.kept()
    after = place.source.commit({"pkg/a.py": REWORDED, "pkg/b.py": MORE})
    killed = 0
    for number in range(1, 60):
        done = place.run(program=(str(ROOT / "tests/job/kill.py"), str(number), when))
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        killed += 1
        place.settle()
        assert place.newest()["sha"] in (*before, after)
        assert place.kept() in (before, [after, *before])
        if place.kept() != before:  # Its git went on alone and pushed: start again from the state before.
            place.data.git("update-ref", "refs/heads/data", "refs/heads/data~1")
    assert done.returncode == 0
    assert killed > 8
    assert place.kept() == [after, *before]
    assert place.newest()["sha"] == after


def test_two_jobs_at_once_keep_one_dataset(place: Place) -> None:
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: place.run(), range(2)))
    assert [one.returncode for one in done] == [0, 0]
    assert sorted("Nothing new" in one.stdout for one in done) == [False, True]
    assert len(place.kept()) == 1


@pytest.mark.parametrize("way", ["moves on", "is rewound", "is gone"])
def test_a_writer_elsewhere_is_not_overwritten(place: Place, way: str) -> None:
    """The data branch changes between our look at it and our push: we look again, whatever it became."""
    place.ok()
    first = place.data.git("rev-parse", "data")
    place.source.commit({"README": b"words"})
    place.ok()
    last = place.source.commit({"pkg/b.py": MORE})
    theirs = place.data.git("commit-tree", "-p", "data", "-m", "somebody else's", "data^{tree}")
    does = {
        "moves on": f"update-ref refs/heads/data {theirs}",
        "is rewound": f"update-ref refs/heads/data {first}",
        "is gone": "update-ref -d refs/heads/data",
    }
    meddle = (str(ROOT / "tests/job/meddle.py"), f"git -C {place.data.path} {does[way]}")
    done = place.run(program=meddle)
    assert (done.returncode, done.stderr) == (0, "")
    held = place.data.git("rev-list", "data").split()[1:]
    before = {"moves on": theirs, "is rewound": first, "is gone": None}[way]
    assert held[:1] == ([before] if before else [])
    assert place.kept()[0] == last
    assert place.newest()["sha"] == last


def test_other_options_are_another_dataset(place: Place) -> None:
    place.ok()
    assert "Nothing new" in place.ok()
    place.ok("--exclude", "/docs/")
    assert len(place.kept()) == 2


def test_a_branch_of_something_else_is_refused(place: Place) -> None:
    place.data.git(
        "update-ref", "refs/heads/data", place.data.git("commit-tree", "-m", "x", place.data.git("mktree", data=b""))
    )
    head = place.data.git("rev-parse", "data")
    done = place.run()
    assert done.returncode == 1
    assert "holds something other than a dataset" in done.stderr
    assert place.data.git("rev-parse", "data") == head


@pytest.mark.parametrize("name", ["manifest.json", "sites.jsonl"])
def test_a_dataset_of_another_version_is_no_hindrance(place: Place, name: str) -> None:
    """As it is after an update that adds fields which must be there."""
    place.ok()
    old = place.data.git("show", f"data:{name}").replace('"sites"', '"places"').replace('"qualname"', '"function"')
    blob = place.data.git("hash-object", "-w", "--stdin", data=old.encode())
    rows = [row for row in place.data.git("ls-tree", "data").split("\n") if not row.endswith(f"\t{name}")]
    tree = place.data.git("mktree", data="\n".join([*rows, f"100644 blob {blob}\t{name}\n"]).encode())
    place.data.git("update-ref", "refs/heads/data", place.data.git("commit-tree", "-m", "old", tree))
    sha = place.source.commit({"pkg/b.py": MORE})
    assert "cannot be read by this version" in place.ok()
    assert place.kept()[0] == sha
    assert "Nothing new" in place.ok()


def test_a_branch_of_another_repository_is_refused(place: Place) -> None:
    place.ok()
    done = place.run("--repo", "other/name")
    assert done.returncode == 1
    assert "keeps datasets of owner/name" in done.stderr
    assert len(place.kept()) == 1


def test_what_follows_learns_what_happened(place: Place) -> None:
    summary, outputs = place.folder / "summary.md", place.folder / "outputs"
    told = ("--summary", str(summary), "--outputs", str(outputs))
    summary.write_text("before\n")
    assert place.ok(*told) == ""
    sha = place.source.git("rev-parse", "HEAD")
    assert summary.read_text().startswith("before\n## <code>owner/name</code> at ")
    assert outputs.read_text() == f"changed=true\nsha={sha}\ndata-commit={place.data.git('rev-parse', 'data')}\n"
    place.ok(*told)
    assert outputs.read_text().count("changed=false\n") == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(
            lambda place: place.source.git("branch", "-m", "main", "trunk"), "'main' is no", id="no such branch"
        ),
        pytest.param(
            lambda place: (place.data.path / "HEAD").unlink(), "cannot read branch data", id="no data repository"
        ),
    ],
)
def test_failures_are_one_line(place: Place, change: Any, words: str) -> None:
    change(place)
    done = place.run()
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


def test_datasets_are_kept_over_a_network_and_no_secret_stays_behind(place: Place, server: Server) -> None:
    kept = Repo(server.root / "kept.git", "--bare")
    kept.git("config", "http.receivepack", "true")
    server.password = "s3cr3t"
    done = place.run("--data", server.url("kept.git", "me"))
    assert done.returncode == 1
    assert "cannot read branch data" in done.stderr
    for _ in range(2):
        done = place.run("--data", server.url("kept.git", f"me:{server.password}"))
        assert (done.returncode, done.stderr) == (0, "")
        assert server.password not in done.stdout
    assert kept.git("rev-list", "--count", "data") == "1"
    held = [
        path for path in place.folder.rglob("*") if path.is_file() and server.password.encode() in path.read_bytes()
    ]
    assert held == []


@pytest.mark.parametrize("branch", ["", "-x", "HEAD", "refs/heads/data", "a..b", "a b"])
def test_names_that_are_no_branch_of_ours(branch: str) -> None:
    with pytest.raises(UsageError):
        target("https://example.org/data.git", branch, "")


def test_a_token_is_for_https_alone_and_never_shown() -> None:
    secret = "to" + "ken"
    opened = target("https://example.org/data.git", "data", secret)
    assert opened.repository.password == secret
    assert secret not in opened.shown + opened.repository.url
    for other in ("git@example.org:data.git", "/tmp/data.git"):  # noqa: S108 (a path that is never touched)
        assert target(other, "data", secret).repository.password == ""


def test_the_site_follows_the_dataset(place: Place) -> None:
    site = place.folder / "site"
    before, after = "x-must-be-fewer-than-3-got/index.html", "x-must-be-no-more-than-3-got/index.html"
    place.source.commit({"z.py": ONE.replace(b"at most 3", b"fewer than 3")})
    place.ok("--site", str(site))
    assert list(site.rglob(before)) and not list(site.rglob(after))
    place.source.commit({"z.py": REWORDED})
    place.ok("--site", str(site))
    assert list(site.rglob(after)) and not list(site.rglob(before))


def test_a_site_that_a_killed_job_left_undone_is_made_by_the_next(place: Place) -> None:
    site = place.folder / "site"
    place.source.commit({"a.py": ONE})
    place.ok()
    place.ok("--site", str(site))
    assert (site / "index.html").is_file()


def test_without_a_dataset_at_hand_the_site_stays_as_it_is(place: Place) -> None:
    place.source.commit({"a.py": ONE})
    place.ok()
    shutil.rmtree(place.folder / "out")
    done = place.run("--site", str(place.folder / "site"))
    assert done.returncode == 0 and "no dataset at" in done.stderr
    assert not (place.folder / "site").exists()
