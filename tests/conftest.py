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
