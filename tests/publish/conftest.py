"""One built site for the tests that only look."""

from __future__ import annotations

from pathlib import Path

import pytest

from extractor.dataset.read import read
from extractor.diff.compare import compare
from extractor.publish import SiteSettings, build
from tests.publish.crawl import Document, documents
from tests.publish.datasets import HOSTILE, MANY, ORDINARY, dataset


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset(tmp_path_factory.mktemp("site") / "data", *ORDINARY, *HOSTILE, *MANY, inputs=True)


@pytest.fixture(scope="session")
def old_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset(tmp_path_factory.mktemp("site") / "old", *ORDINARY[1:], *MANY[:210], sha="f" * 40)


@pytest.fixture(scope="session")
def site(data: Path, old_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("site") / "out"
    settings = SiteSettings(data, output, base_url="http://example.test/sub/path/", previous=old_data)
    build(settings, lambda old, new: compare(read(old), read(new)))
    return output


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Document]:
    return documents(site)
