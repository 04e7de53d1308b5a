"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.releases import obtain


@pytest.fixture(scope="session")
def release() -> Callable[[str], Path]:
    """Give the folder of an unpacked release by its version; skips where no package index can be reached."""
    return obtain
