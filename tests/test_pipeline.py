from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from extractor import pipeline
from extractor.config import Settings, resolve
from extractor.dataset.check import check
from extractor.errors import ExtractorError
from extractor.report import RunReport, warnings
from tests.source.conftest import Repo

FILES = {
    "pkg/__init__.py": b"",
    "pkg/plain.py": b"def f(x):\n    if x < 0:\n        raise ValueError(f'x must not be negative, got {x}')\n",
    "pkg/same.py": b"def f(x):\n    if x < 0:\n        raise ValueError(f'x must not be negative, got {x}')\n",
    "pkg/names.py": b"LIMIT = 'too many tokens in the request'\n",
    "pkg/uses.py": b"from pkg.names import LIMIT\n\ndef g():\n    raise ValueError(LIMIT)\n",
    "pkg/broken.py": b"def f(:\n",
    "pkg/nul.py": b"x = '\0'\n",
    "pkg/deep.py": b"x = " + b"(" * 50_000 + b")" * 50_000 + b"\n",
    "pkg/long_sum.py": b"x = " + b" + ".join([b"1"] * 20_000) + b"\n",
    "test/t.py": b"raise ValueError('left out')\n",
    "README.md": b"raise ValueError('no Python')\n",
    "-odd name\n.py": b"raise ValueError('a path with a line break')\n",
}

Run = Callable[..., RunReport]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit(FILES)
    return made


@pytest.fixture
def run(repo: Repo, tmp_path: Path) -> Run:
    def do(**more: Any) -> RunReport:
        settings: dict[str, Any] = {
            "repo": "owner/name",
            "url": repo.url,
            "output": "out",
            "cache": "cache",
            "exclude": ("/test/",),
            "jobs": 2,
        }
        return pipeline.run(resolve(Settings(**(settings | more)), tmp_path, {}, tmp_path / "usual"))

    return do


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    return found


def test_a_run_from_commit_to_dataset(run: Run, tmp_path: Path) -> None:
    report = run()
    out = tmp_path / "out"
    assert check(out) == ()
    found = manifest(out)
    assert found["repo"] == "owner/name"
    assert found["scope"]["exclude"] == ["/test/"]
    skipped = {item["path"]: item["reason"] for item in found["skipped"]}
    assert skipped.pop("pkg/broken.py") == "syntax-error"
    assert skipped.pop("pkg/nul.py") in ("nul-byte", "syntax-error")
    assert skipped.pop("pkg/deep.py") in ("too-deep", "crash", "syntax-error")
    assert skipped.keys() <= {"pkg/long_sum.py"}
    files = found["counts"]["files"]
    assert files == {"seen": 11, "scanned": 7 - len(skipped), "skipped": 3 + len(skipped), "leftOut": 1}
    records = [json.loads(line) for line in (out / "records.jsonl").read_bytes().splitlines()]
    assert [(record["filePath"], record["lineNumber"], record["errorMessage"]) for record in records] == [
        ("-odd name\n.py", 1, "a path with a line break"),
        ("pkg/plain.py", 3, "x must not be negative, got {}"),
        ("pkg/same.py", 3, "x must not be negative, got {}"),
        ("pkg/uses.py", 4, "too many tokens in the request"),
    ]
    assert {record["analyzedAt"] for record in records} == {found["commitDate"]}
    assert report.sites == 4
    assert report.messages == {"literal": 3, "resolved": 1}
    assert list(report.seconds) == ["fetch", "scan", "link", "explain", "write"]
    assert report.read == len({data for path, data in FILES.items() if path.endswith(".py")}) - 1, "one content once"


def test_bytes_depend_neither_on_jobs_nor_on_the_cache(run: Run, tmp_path: Path) -> None:
    first = run(output="first", jobs=1)
    assert first.known == 0
    expected = tree(tmp_path / "first")
    others: list[dict[str, Any]] = [
        {"jobs": 2},
        {"jobs": 4, "cache": False},
        {"jobs": 2, "cache": "other"},
        {"jobs": 1, "cache": "other"},
    ]
    for number, more in enumerate(others):
        run(output=f"again{number}", **more)
        assert tree(tmp_path / f"again{number}") == expected
    run(output="first")
    assert tree(tmp_path / "first") == expected


def test_only_what_changed_is_read_again(run: Run, repo: Repo, tmp_path: Path) -> None:
    first = run()
    repo.commit({"pkg/plain.py": b"raise ValueError('changed for the better')\n", "pkg/moved.py": FILES["pkg/uses.py"]})
    second = run()
    unkept = sum(item.reason in ("crash", "timeout", "too-large") for item in first.skipped)
    assert second.read == 1 + unkept
    run(output="afresh", cache=False)
    assert tree(tmp_path / "out") == tree(tmp_path / "afresh")


def test_other_options_do_not_share_facts(run: Run, tmp_path: Path, repo: Repo) -> None:
    repo.commit({"more.py": b"raise TypeError('no number')\n"})
    run()
    report = run(output="both", exceptions=("TypeError",))
    assert report.known == 0
    assert report.sites == 5
    assert manifest(tmp_path / "both")["scope"]["exceptions"] == ["TypeError", "ValueError"]


def test_subclasses_of_the_repository_are_wanted_when_asked_for(run: Run, repo: Repo, tmp_path: Path) -> None:
    repo.commit(
        {
            "pkg/errors.py": b"class Bad(ValueError): ...\n\nclass Worse(Bad): ...\n\nclass Other(KeyError): ...\n",
            "pkg/raises.py": b"from pkg.errors import Other, Worse\n\ndef f(x):\n    if x:\n"
            b"        raise Worse('much worse than that')\n    raise Other('not one of them')\n",
        }
    )
    assert run().sites == 4
    assert run(subclasses=True).sites == 5
    assert manifest(tmp_path / "out")["scope"] == {
        "include": [],
        "exclude": ["/test/"],
        "exceptions": ["ValueError"],
        "subclasses": True,
    }
    assert run(subclasses=True).read == sum(item.reason == "crash" for item in run().skipped)


def test_a_file_that_kills_its_worker_is_listed(run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"bad.py": b"abort", "ugly.py": b"raise"})
    monkeypatch.setattr(pipeline, "SCAN", "tests.hostile:read")
    report = run(include=("bad.py", "ugly.py", "pkg/names.py"))
    assert {item.path: item.reason for item in report.skipped} == {"bad.py": "crash", "ugly.py": "crash"}
    assert report.files.scanned == 1
    assert run(include=("bad.py", "ugly.py", "pkg/names.py")).known == 1, "a crash is not kept"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        pytest.param({"include": ("nowhere/",)}, ["no Python file", "leaves out all 11"], id="no file in scope"),
        pytest.param({"include": ("pkg/names.py",)}, ["no site"], id="no site"),
    ],
)
def test_an_empty_dataset_is_a_dataset_with_a_warning(
    run: Run, tmp_path: Path, more: dict[str, Any], words: list[str]
) -> None:
    report = run(**more)
    assert check(tmp_path / "out") == ()
    (warning,) = warnings(report)
    assert [word for word in words if word not in warning] == []


def test_a_repository_without_python(run: Run, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit({"a.txt": b"x"})
    assert warnings(run(url=other.url)) == ["no Python file to scan, so the dataset is empty"]
    assert check(tmp_path / "out") == ()


def test_a_foreign_output_is_refused_before_anything_is_fetched(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("x")
    with pytest.raises(ExtractorError, match="holds something other"):
        run(url="file:///nowhere")
    assert tree(tmp_path / "out") == {"precious": b"x"}


def test_an_unusable_cache_changes_nothing(run: Run, tmp_path: Path) -> None:
    run(output="first")
    (tmp_path / "cache" / "facts-1.sqlite3").write_bytes(b"nonsense")
    run(output="second")
    assert tree(tmp_path / "second") == tree(tmp_path / "first")


def test_a_warm_run_loads_no_parser_and_starts_no_worker(run: Run, repo: Repo, tmp_path: Path) -> None:
    scope = ("pkg/plain.py", "pkg/uses.py", "pkg/names.py")
    run(include=scope)
    script = f"""
import sys
from pathlib import Path
import multiprocessing.process
def no(self): raise AssertionError("a process was started")
multiprocessing.process.BaseProcess.start = no
from extractor import pipeline
from extractor.cli import app
code = app.call(["run", "--repo", "owner/name", "--url", {repo.url!r}, "-o", "out", "--cache", "cache", "-q",
    *(word for path in {scope!r} for word in ("--include", path))])
loaded = {{"libcst", "hypothesis", "extractor.scan", "rich.progress", "jsonschema"}} & sys.modules.keys()
assert code == 0 and not loaded, (code, loaded)
"""
    environment = {"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
