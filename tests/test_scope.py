from __future__ import annotations

import pytest

from extractor.config import BUILT_IN, DEFAULT_REPO
from extractor.model.source import Blob
from extractor.scope import in_scope

PATHS = (
    "-x/a.py",
    "a b/c.py",
    "benchmark/x.py",
    "python/pkg/__init__.py",
    "python/pkg/benchmark/y.py",
    "python/pkg/test/t.py",
    "setup.py",
    "test/deep/t.py",
    "test/t.py",
    "test_x.py",
    "ünï/\n.py",
)


@pytest.mark.parametrize(
    ("include", "exclude", "left"),
    [
        pytest.param((), (), PATHS, id="no pattern takes all"),
        pytest.param(("python/",), (), PATHS[3:6], id="a folder"),
        pytest.param(("/python/pkg",), ("test/",), PATHS[3:5], id="exclude beats include"),
        pytest.param((), ("/test/",), PATHS[:7] + PATHS[9:], id="a top-level folder only"),
        pytest.param((), ("/*", "!/test/", "!/setup.py"), PATHS[6:9], id="a later pattern takes back"),
        pytest.param((), ("/test/", "!/test/t.py"), PATHS[:7] + PATHS[8:], id="also one file of a folder"),
        pytest.param(("*.txt",), (), (), id="a pattern that matches nothing"),
        pytest.param(("ünï/", "a b/", "-x"), (), ("-x/a.py", "a b/c.py", "ünï/\n.py"), id="odd names"),
        pytest.param((), BUILT_IN[DEFAULT_REPO].exclude or (), PATHS[:2] + PATHS[3:7] + PATHS[9:], id="built in"),
    ],
)
def test_scope(include: tuple[str, ...], exclude: tuple[str, ...], left: tuple[str, ...]) -> None:
    blobs = [Blob(path, "0" * 40) for path in PATHS]
    assert tuple(blob.path for blob in in_scope(blobs, include, exclude)) == left
