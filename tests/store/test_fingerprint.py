from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from extractor.model.facts import ScanOptions
from extractor.store import fingerprint as module
from extractor.store.fingerprint import fingerprint

PACKAGE = Path(__file__).parents[2] / "extractor"
ONE = fingerprint("a:b", ScanOptions())


def test_the_same_gives_the_same() -> None:
    assert fingerprint("a:b", ScanOptions()) == ONE


@pytest.mark.parametrize(
    ("function", "options"),
    [
        pytest.param("a:c", ScanOptions(), id="another function"),
        pytest.param("a:b", ScanOptions(("ValueError", "KeyError")), id="other options"),
        pytest.param("a:", ScanOptions(("b",)), id="no text slides from one part to the next"),
    ],
)
def test_what_makes_a_difference(function: str, options: ScanOptions) -> None:
    assert fingerprint(function, options) != ONE


@pytest.mark.parametrize(
    ("stage", "path", "matters"),
    [
        ("scan", "scan/__init__.py", True),
        ("scan", "scan/region.py", True),
        ("scan", "model/facts.py", True),
        ("scan", "sandbox.py", True),
        ("scan", "explain/prose.py", False),
        ("explain", "explain/prose.py", True),
        ("explain", "expression.py", True),
        ("explain", "model/linked.py", True),
        ("explain", "scan/region.py", False),
        ("", "cli/app.py", True),
    ],
)
def test_a_change_of_reading_code_makes_a_difference(
    stage: str, path: str, matters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(PACKAGE, tmp_path / "extractor", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(module, "_PACKAGE", tmp_path / "extractor")
    assert module._code.__wrapped__(stage) == module._code(stage)
    with (tmp_path / "extractor" / path).open("a") as file:
        file.write("# changed\n")
    assert (module._code.__wrapped__(stage) != module._code(stage)) == matters


@pytest.mark.parametrize("stage", ["scan", "explain"])
def test_all_that_reading_code_imports_is_taken_in(stage: str) -> None:
    taken = set(module._sources(stage))
    assert len(taken) > 10
    for path in sorted(taken):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("extractor."):
                base = PACKAGE.parent / node.module.replace(".", "/")
                assert base.with_suffix(".py") in taken or base / "__init__.py" in taken, (path, node.module)


@pytest.mark.parametrize(
    ("function", "stage"),
    [("extractor.scan:scan", "scan"), ("extractor.explain.alone:f", "explain"), ("other.scan:f", ""), ("a:b", "")],
)
def test_a_function_belongs_to_its_stage(function: str, stage: str) -> None:
    assert module._stage(function) == stage


def test_the_version_of_the_parser_is_taken_in() -> None:
    assert [path.name for path in module._libcst_version()] == ["_version.py"]
