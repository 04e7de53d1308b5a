"""The two parsers that can read a file's structure must tell the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from extractor.model.facts import FileFacts, ScanOptions
from extractor.scan import scan
from tests.oracle.releases import files

pytestmark = pytest.mark.release

SAMPLE = 12
"""Every twelfth file that can hold a site: LibCST reads about half a megabyte a second."""


def test_ast_and_libcst_front_ends_agree(release: Callable[[str], Path]) -> None:
    compared = 0
    candidates = [(name, data) for name, data in files(release("0.5.18")) if b"ValueError" in data]
    for name, data in candidates[::SAMPLE]:
        left = scan(data, ScanOptions(), reader="ast")
        right = scan(data, ScanOptions(), reader="libcst")
        assert isinstance(left, FileFacts), name
        assert isinstance(right, FileFacts), name
        assert msgspec.structs.replace(left, reader="libcst") == right, name
        compared += len(left.sites)
    assert compared > 200
