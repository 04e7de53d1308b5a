"""The import table: stages meet in `model/` and never import one another, and only `cli/terminal.py` prints."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "extractor"
STAGES = ("source", "scan", "link", "explain", "dataset", "match")
SHARED = {"model", "errors", "excerpt", "expression", "identity", "words"}
"""What every stage may import besides itself."""
MORE = {"dataset": {"store", ""}, "source": {"store"}}
"""What single stages may import on top: the writer of files, and the version."""
FILES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def named(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imported(path: Path) -> set[str]:
    """Rooms of this package that a file imports, anywhere in it; the empty string is the package itself."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            is_package = node.module == "extractor"
            names = [f"{node.module}.{alias.name}" for alias in node.names] if is_package else [node.module or ""]
        else:
            continue
        known = {room(file) for file in FILES}
        for parts in (name.split(".") for name in names):
            if parts[0] == "extractor":
                rooms.add(parts[1] if len(parts) > 1 and parts[1] in known else "")
    return rooms


def test_the_package_is_there() -> None:
    assert {room(path) for path in FILES} >= {*STAGES, "model", "store", "pipeline", "cli"}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_no_other(stage: str) -> None:
    allowed = {stage} | SHARED | MORE.get(stage, set())
    strangers = {path.name: imported(path) - allowed for path in FILES if room(path) == stage}
    assert {name: rooms for name, rooms in strangers.items() if rooms} == {}


@pytest.mark.parametrize(
    ("who", "allowed"),
    [
        ("model", {"model"}),
        ("errors", set()),
        ("identity", set()),
        ("words", set()),
        ("store", {"model", "errors", "store"}),
        ("sandbox", {"model"}),
        ("workers", {"model", "errors", "sandbox"}),
        ("reading", {"model", "report", "sandbox", "store", "workers"}),
        ("config", {"errors"}),
        ("publish", {"config", "dataset", "errors", "identity", "model", "publish", "workers", ""}),
        ("scope", set()),
        ("report", {"model"}),
        ("diff", {"model", "diff"}),
    ],
)
def test_what_stands_below_the_pipeline(who: str, allowed: set[str]) -> None:
    found = {path.name: imported(path) - allowed for path in FILES if room(path) == who}
    assert found
    assert {name: rooms for name, rooms in found.items() if rooms} == {}


def test_only_the_pipeline_knows_the_stages_in_their_order() -> None:
    # `publish/` and the others read datasets (`quick.py` for `match`) or use the door to git; they have no part in a run.
    knowing = {named(path): imported(path) & set(STAGES) for path in FILES if room(path) not in (*STAGES, "publish")}
    assert {name: rooms for name, rooms in knowing.items() if rooms} == {
        "pipeline.py": {"source", "link", "explain", "dataset"},
        "cli/show.py": {"dataset"},
        "cli/check.py": {"dataset"},
        "quick.py": {"dataset", "match"},
        "comparison.py": {"dataset"},
        "freshness.py": {"dataset", "source"},
        "job/branch.py": {"dataset", "source"},
        "job/run.py": {"dataset"},
    }


PRINTS = ("sys.stdout", "sys.stderr", "typer.echo", "typer.secho", "sys.__stdout__", "sys.__stderr__")


def test_only_the_command_line_prints() -> None:
    printing = {
        named(path)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in PRINTS)
    }
    assert printing == {"cli/terminal.py"}


def test_only_the_command_line_makes_consoles() -> None:
    # Rich prints, too: whoever wants colours is given the console (`quick.py`), or gives what a console can print.
    making = {
        named(path)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Console"
    }
    assert making == {"cli/terminal.py", "cli/bars.py"}


@pytest.mark.parametrize(
    ("file", "allowed"),
    [
        ("__init__.py", set()),
        ("terminal.py", {"cli", "report"}),
        ("bars.py", {"report"}),
        ("options.py", set()),
        ("settings.py", {"config", "errors"}),
        ("ending.py", {"cli", "errors", ""}),
        ("app.py", {"cli", ""}),
    ],
)
def test_what_the_commands_share_knows_no_command(file: str, allowed: set[str]) -> None:
    assert imported(PACKAGE / "cli" / file) <= allowed


def test_parsers_are_for_workers() -> None:
    loading = {
        room(path)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom) and "libcst" in ast.unparse(node)
    }
    assert loading == {"scan"}
