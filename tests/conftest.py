"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.releases import ReleaseUnavailableError, obtain


@pytest.fixture(scope="session")
def release() -> Callable[[str], Path]:
    """Give the folder of an unpacked release by its version; skips where no package index can be reached."""

    def give(version: str) -> Path:
        try:
            return obtain(version)
        except ReleaseUnavailableError as error:
            pytest.skip(str(error))

    return give


SLOW = (
    "tests/job/",
    "tests/publish/test_browser.py",
    "tests/publish/test_command.py",
    "tests/publish/test_site.py",
    "tests/source/test_local.py",
    "tests/source/test_pypi.py",
    "tests/source/test_remote.py",
    "tests/store/test_files.py",
    "tests/test_cli.py",
    "tests/test_freshness.py",
    "tests/test_pipeline.py",
    "tests/test_workers.py",
)
"""Tests that start git, pip, browsers or many processes of their own; `make quick` leaves them to `make test`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
