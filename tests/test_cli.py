from __future__ import annotations

import inspect
import os
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from extractor import __version__, pipeline
from extractor.cli import app
from extractor.cli.app import COMMANDS
from tests.source.conftest import Repo
from tests.test_pipeline import tree

ROOT = Path(__file__).parents[1]
SOURCE = b"def f(x):\n    if x < 0:\n        raise ValueError(f'x must not be negative, got {x}')\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit({"pkg/a.py": SOURCE, "pkg/bad.py": b"def f(:\n"})
    return made


@pytest.fixture
def place(tmp_path: Path, repo: Repo) -> Path:
    """A folder to call the program in, whose project names the repository."""
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.extractor]\nrepo = "owner/name"\nurl = "{repo.url}"\ncache = "cache"\noutput = "out"\njobs = 1\n'
    )
    return tmp_path


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "NO_COLOR")}
    return kept | {"PYTHONPATH": str(ROOT)} | more


def call(place: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "extractor", *arguments]
    return subprocess.run(
        command, cwd=place, env=environment(**more), capture_output=True, text=True, timeout=60, check=False
    )


def test_version(place: Path) -> None:
    done = call(place, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"extractor {__version__}\n", "")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], *([name, option] for name in COMMANDS for option in ("--help", "-h"))]
)
def test_help_is_a_result(place: Path, arguments: list[str]) -> None:
    done = call(place, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage" in done.stdout
    assert "\x1b" not in done.stdout


def test_without_a_command_the_help_is_shown_as_wrong_usage(place: Path) -> None:
    done = call(place)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout == call(place, "--help").stdout


def test_the_readme_lists_the_commands_that_help_lists(place: Path) -> None:
    listed = re.findall(r"^extractor (\w+) ", (ROOT / "README.md").read_text(), re.MULTILINE)
    helped = re.findall(r"^│ (\w+) ", call(place, "--help", COLUMNS="100").stdout, re.MULTILINE)
    assert helped == list(COMMANDS)
    assert set(listed) == set(helped)


def test_every_command_has_its_own_file() -> None:
    for name in COMMANDS:
        command = getattr(import_module(f"extractor.cli.{name}"), name)
        assert inspect.isfunction(command)
        assert command.__module__ == f"extractor.cli.{name}"


def test_a_call_of_one_command_loads_no_other(place: Path) -> None:
    script = f"""if True:
        import sys
        from extractor.cli import app
        assert app.call(["check", "--help"]) == 0
        loaded = {{name for name in {COMMANDS} if f"extractor.cli.{{name}}" in sys.modules}}
        assert loaded == {{"check"}}, loaded
    """
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=place, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_loads_no_stage(place: Path) -> None:
    script = """if True:
        import sys
        from extractor.cli import app
        assert app.call(["run", "--help"]) == 0
        heavy = {"libcst", "git", "sqlite3", "extractor.pipeline", "extractor.dataset", "jsonschema_rs"}
        assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
    """
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=place, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_run_says_what_it_found_and_where(place: Path) -> None:
    done = call(place, "run")
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("owner/name at ", "1 scanned, 1 skipped", "sites    1", "1 literal", "pkg/bad.py:1", "out\n"):
        assert words in done.stdout
    assert "\x1b" not in done.stdout


def test_quiet_says_nothing(place: Path) -> None:
    done = call(place, "run", "-q", "-v")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (place / "out" / "manifest.json").exists()


def test_verbose_tells_the_stages_on_standard_error(place: Path) -> None:
    done = call(place, "run", "--verbose")
    assert re.findall(r"^extractor: (\w+) took", done.stderr, re.MULTILINE) == [
        "fetch",
        "scan",
        "link",
        "explain",
        "write",
    ]
    assert "took" not in done.stdout


def test_an_empty_dataset_is_warned_of(place: Path) -> None:
    done = call(place, "run", "-q", "--include", "nowhere/")
    assert (done.returncode, done.stdout) == (0, "")
    assert (
        done.stderr
        == "extractor: warning: no Python file to scan, so the dataset is empty; the scope leaves out all 2\n"
    )


def test_show_and_check(place: Path) -> None:
    call(place, "run")
    shown = call(place, "show", "x-must-not-be-negative-got")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "x must not be negative, got {}" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert call(place, "show", "out", "x-must-not-be-negative-got").stdout == shown.stdout
    checked = call(place, "check", "out")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "out is sound\n", "")


def test_check_lists_what_is_wrong_and_fails(place: Path) -> None:
    call(place, "run")
    index = place / "out" / "index.json"
    index.write_bytes(index.read_bytes().replace(b"negative", b"positive"))
    checked = call(place, "check", "out")
    assert checked.returncode == 1
    assert "index.json" in checked.stdout
    assert_one_line(checked.stderr)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["walk"], "walk", id="unknown command"),
        pytest.param(["shwo"], "'show'", id="a command misspelt"),
        pytest.param(["--colour", "run"], "--colour", id="unknown option before the command"),
        pytest.param(["run", "--colour"], "--colour", id="unknown option"),
        pytest.param(["run", "extra"], "extra", id="an argument too many"),
        pytest.param(["run", "--jobs", "two"], "--jobs", id="not a number"),
        pytest.param(["run", "--jobs", "0"], "--jobs", id="number out of range"),
        pytest.param(["run", "--cache", "x", "--no-cache"], "--no-cache", id="contradiction"),
        pytest.param(["run", "--pypi", "1", "--sha", "x"], "--sha", id="two sources"),
        pytest.param(["run", "--sha", "--upload-pack=touch x"], "", id="ref that is an option"),
        pytest.param(["run", "--url", "ext::sh -c true"], "ext::", id="URL that is a command"),
        pytest.param(["show"], "", id="nothing to show"),
        pytest.param(["show", "a", "b", "c"], "show", id="too much to show"),
        pytest.param(["check"], "DATASET", id="nothing to check"),
    ],
)
def test_wrong_usage(place: Path, arguments: list[str], words: str) -> None:
    done = call(place, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert_one_line(done.stderr)
    assert not (place / "out").exists()


def test_wrong_environment(place: Path) -> None:
    done = call(place, "run", SOURCE_DATE_EPOCH="tomorrow")
    assert (done.returncode, done.stdout) == (2, "")
    assert_one_line(done.stderr)


def test_wrong_project(place: Path) -> None:
    (place / "pyproject.toml").write_text("[tool.extractor]\nouput = 'x'\n")
    done = call(place, "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'ouput'" in done.stderr
    assert_one_line(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["run", "--sha", "no-such-branch"], "no-such-branch", id="unknown ref"),
        pytest.param(["run", "--url", "file:///no/such/place"], "/no/such/place", id="unreachable"),
        pytest.param(["run", "--output", "pyproject.toml"], "pyproject.toml", id="output is a file"),
        pytest.param(["run", "--output", "repo"], "repo", id="output holds something else"),
        pytest.param(["run", "--output", "/proc/nowhere"], "/proc", id="output cannot be made"),
        pytest.param(["show", "out", "nothing"], "out", id="no dataset"),
        pytest.param(["check", "repo"], "repo", id="not a dataset"),
    ],
)
def test_known_failures(place: Path, arguments: list[str], words: str) -> None:
    done = call(place, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
    assert_one_line(done.stderr)


def assert_one_line(text: str) -> None:
    assert re.fullmatch(r"extractor: error: [^\n]+\n", text), text


def test_a_bug_of_ours(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("https://user:secret@host/x.git\nand more")

    monkeypatch.setattr(pipeline, "run", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(place)
    assert app.call(["run"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert_one_line(err)
    (log,) = tmp_path.glob("extractor-*.log")
    assert str(log) in err
    assert "Traceback" in log.read_text()
    assert "https://host/x.git" in log.read_text()
    assert "secret" not in log.read_text()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 1),
        (OSError(28, "No space left on device"), 1),
        (PermissionError(13, "Permission denied", "x"), 1),
        (MemoryError(), 1),
        (IsADirectoryError(21, "Is a directory", "x"), 3),
    ],
)
def test_how_errors_become_codes(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(pipeline, "run", fail)
    monkeypatch.chdir(place)
    assert app.call(["run"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err


def test_what_could_steer_a_terminal_is_escaped(place: Path, repo: Repo) -> None:
    repo.commit({"pkg/\x1b[31m\u202e.py": b"def f(:\n"})
    done = call(place, "run")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_a_reader_that_goes_away_is_no_error_of_ours(place: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "extractor", "run"],
        cwd=place,
        env=environment(),
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")
    assert (place / "out" / "manifest.json").exists()


# A program whose scan of one file never ends, so that it can be met in the middle of its work.
SLOW = """
import sys
from extractor import pipeline
from extractor.__main__ import main
pipeline.SCAN = "tests.hostile:read"
if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)],
    ids=["interrupted", "terminated", "killed"],
)
def test_a_stopped_run_leaves_the_old_dataset(place: Path, repo: Repo, number: signal.Signals, code: int) -> None:
    call(place, "run")
    before = tree(place / "out")
    repo.commit({"slow.py": b"sleep"})
    script = place / "slow_extractor.py"
    script.write_text(SLOW)
    running = subprocess.Popen(
        [sys.executable, str(script), "run", "-v"], cwd=place, env=environment(), stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    assert "fetch took" in running.stderr.readline()
    time.sleep(1.0)
    began = time.monotonic()
    running.send_signal(number)
    _, errors = running.communicate(timeout=20)
    assert running.returncode == code
    assert time.monotonic() - began < 5
    if number != signal.SIGKILL:  # Then Python's own resource tracker says that it cleans up.
        assert errors == ""
    assert tree(place / "out") == before
    after = call(place, "run", "--exclude", "slow.py", "-q")
    assert (after.returncode, after.stderr) == (0, "")


@pytest.mark.parametrize(("more", "told"), [((), True), (("--repo", "a/b"), False)])
def test_another_place_under_the_default_name_is_told(
    tmp_path: Path, repo: Repo, more: tuple[str, ...], told: bool
) -> None:
    done = call(tmp_path, "run", "--url", repo.url, "--no-cache", "--quiet", *more)
    assert done.returncode == 0
    assert ("--repo OWNER/NAME" in done.stderr) == told
