"""The command, as people and scripts call it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from extractor import quick
from extractor.dataset.write import write
from tests.builders import build, guard, linked, message, text, value

SCHEMA = Path(__file__).parents[2] / "schemas" / "match.v1.schema.json"
SAID = "Glaze pigment cobalt needs at least 25 grams of flux in the bucket."
TRACE = (
    'Traceback (most recent call last):\n  File "/opt/site-packages/kiln/mixer.py", line 40, in blend\n'
    f"    raise ValueError(\nValueError: {SAID}\n"
)
ELSEWHERE = TRACE.replace("kiln/mixer", "potter/mixer")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("match") / "dataset"
    told = text(
        "Glaze pigment ",
        value("pigment"),
        " needs at least ",
        value("self.grams", "r"),
        " grams of flux in the bucket.",
    )
    sites = [
        linked(f"Something else entirely went wrong here, number {n}", "python/kiln/a.py", n + 20, qualname=f"f{n}")
        for n in range(40)
    ]
    sites.append(
        linked(
            message(told),
            "python/kiln/mixer.py",
            40,
            qualname="Mixer.blend",
            guards=(guard("flux < self.grams", line=38),),
        )
    )
    write(out, build(*sites))
    return out


def call(place: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "extractor", "match", *arguments],
        cwd=place,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(quick.__file__).parents[1])},
    )


def answered(done: subprocess.CompletedProcess[str]) -> Any:
    found = json.loads(done.stdout)
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).validate(found)
    return found


def test_a_text_is_answered_for_a_person(folder: Path) -> None:
    done = call(folder.parent, str(folder), TRACE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("sure  glaze-pigment-needs-at-least")
    assert lines[1] == f"ValueError: {SAID}"
    assert "  pigment = cobalt" in lines
    assert "Raised when  flux < self.grams" in lines
    assert "  that is    flux < 25" in lines
    assert any(line.startswith("https://github.com/owner/name/") for line in lines)
    assert "\x1b" not in done.stdout


def test_a_terminal_gets_colours_and_whole_links(folder: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "extractor", "match", str(folder), TRACE]
    environment = {**os.environ, "PYTHONPATH": str(Path(quick.__file__).parents[1]), "TERM": "xterm", "COLUMNS": "60"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(command, stdin=theirs, stdout=theirs, check=False, env=environment)
    shown = os.read(ours, 100_000).decode()
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0
    assert "\x1b[1;32msure" in shown
    assert any(line.count("https://github.com/owner/name/") and "#L" in line for line in shown.splitlines())


def test_the_answer_as_json_fits_its_schema(folder: Path) -> None:
    found = answered(call(folder.parent, str(folder), "--json", "-n", "1", "-", given=TRACE))
    (match,) = found["matches"]
    assert match["sureness"] == "sure"
    assert match["values"] == [
        {"expression": "pigment", "value": "cobalt"},
        {"expression": "self.grams", "value": "25"},
    ]
    assert match["conditionWithValues"] == "flux < 25"
    assert match["place"] == {"path": "python/kiln/mixer.py", "line": 40, "function": "Mixer.blend"}


def test_what_was_raised_elsewhere_exits_1_and_says_where(folder: Path) -> None:
    done = call(folder.parent, str(folder), ELSEWHERE)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "No record fits."
    assert "raised outside the scanned tree: /opt/site-packages/potter/mixer.py, line 40" in done.stdout
    found = answered(call(folder.parent, str(folder), "--json", ELSEWHERE))
    assert found["matches"] == []
    assert [event["verdict"] for event in found["events"]] == ["not-ours"]


@pytest.mark.parametrize(("given", "code"), [("", 1), ("hello", 1), (TRACE, 0)])
def test_standard_input_is_read_without_a_text(folder: Path, given: str, code: int) -> None:
    assert call(folder.parent, str(folder), given=given).returncode == code
    assert call(folder.parent, str(folder), "--json", given=given).returncode == code


def test_a_file_is_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(TRACE)
    assert call(tmp_path, str(folder), "server.log").returncode == 0


def test_the_default_dataset_is_that_of_run(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "dataset").symlink_to(folder)
    assert call(tmp_path, TRACE).returncode == 0
    assert call(tmp_path, given=TRACE).returncode == 0


WRONG = {
    "no dataset": (("/nowhere/at/all", "x"), 1, "no dataset at /nowhere/at/all"),
    "three words": (("a", "b", "c"), 2, "put the text in quotes"),
    "an unknown option": (("--no-such-option", "a"), 2, "no-such-option"),
    "a number of nothing": (("-n", "0", "a"), 2, "greater than or equal to 1"),
}


@pytest.mark.parametrize(("arguments", "code", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_told_in_one_line(arguments: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    done = call(tmp_path, *arguments)
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_the_help_names_all_there_is(tmp_path: Path) -> None:
    shown = call(tmp_path, "--help").stdout
    for word in ("DATASET", "TEXT", "FILE", "--json", "--candidates", "Exits 1"):
        assert word in shown


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], quick.Call(None, "-")),
        (["ValueError: a"], quick.Call(None, "ValueError: a")),
        (["data", "-"], quick.Call("data", "-")),
        (["-n", "7", "--json", "text"], quick.Call(None, "text", 7, True)),
        (["--", "--not-an-option"], quick.Call(None, "--not-an-option")),
        (["--tile-width must be given"], quick.Call(None, "--tile-width must be given")),
        (["--help"], None),
        (["-h"], None),
        (["--unknown"], None),
        (["-n", "x", "text"], None),
        (["-n", "0", "text"], None),
        (["-n"], None),
        (["a", "b", "c"], None),
    ],
)
def test_arguments(arguments: list[str], expected: quick.Call | None) -> None:
    assert quick.parse(arguments) == expected


def test_a_value_cannot_steer_the_terminal(folder: Path) -> None:
    done = call(folder.parent, str(folder), TRACE.replace("cobalt", "co\x07\x1b(0balt"))
    assert "\x07" not in done.stdout
    assert "\x1b" not in done.stdout


def test_neither_parsers_nor_the_command_line_library_are_loaded(folder: Path) -> None:
    script = (
        "import runpy, sys\n"
        f"sys.argv = ['extractor', 'match', '--json', {str(folder)!r}, {TRACE!r}]\n"
        "try:\n    runpy.run_module('extractor', run_name='__main__')\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "slow = loaded & {'typer', 'click', 'rich', 'libcst', 'git', 'asyncio', 'jsonschema_rs'}\n"
        "sys.exit(f'loaded: {slow}' if slow else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_damaged_dataset_is_told(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "dataset"
    broken.mkdir()
    for name in ("manifest.json", "index.json", "records.jsonl"):
        (broken / name).write_bytes((folder / name).read_bytes())
    (broken / "sites.jsonl").write_bytes(b"")
    done = call(tmp_path, str(broken), TRACE)
    assert done.returncode == 1
    assert "damaged" in done.stderr
    (broken / "index.json").write_bytes(b"{}")
    assert "damaged" in call(tmp_path, str(broken), TRACE).stderr
    (broken / "index.json").unlink()
    assert "index.json is missing" in call(tmp_path, str(broken), TRACE).stderr
    (broken / "manifest.json").unlink()
    assert "is no dataset" in call(tmp_path, str(broken), TRACE).stderr
