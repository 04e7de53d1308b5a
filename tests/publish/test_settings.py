from __future__ import annotations

from pathlib import Path

import pytest

from extractor.errors import UsageError
from extractor.publish.settings import SiteSettings, check_jobs, check_report, check_url


@pytest.mark.parametrize(
    ("given", "address", "path"),
    [
        ("https://example.org", "https://example.org/", "/"),
        ("https://example.org/errors", "https://example.org/errors/", "/errors/"),
        ("http://127.0.0.1:8000/a/b///", "http://127.0.0.1:8000/a/b/", "/a/b/"),
        (None, None, "/"),
    ],
)
def test_an_address_ends_with_one_slash(given: str | None, address: str | None, path: str) -> None:
    assert check_url(given) == address
    assert SiteSettings(Path("a"), Path("b"), base_url=check_url(given)).base_path == path


@pytest.mark.parametrize(
    "given",
    [
        pytest.param("", id="nothing"),
        pytest.param("example.org", id="no scheme"),
        pytest.param("javascript:alert(1)", id="a script"),
        pytest.param("https://", id="no host"),
        pytest.param("https://a/?q", id="a query"),
        pytest.param("https://a/#f", id="a fragment"),
        pytest.param("https://user:secret@a/", id="credentials"),
        pytest.param('https://a/"><script>', id="what ends an attribute"),
        pytest.param("https://a/b c", id="a blank"),
        pytest.param("https://a/\nSitemap: x", id="a line"),
        pytest.param("https://a:99999/", id="no such port"),
    ],
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="--base-url"):
        check_url(given)


@pytest.mark.parametrize("given", ["https://example.org/report?x=1", "mailto:a@example.org", None])
def test_reports_go_to_an_address(given: str | None) -> None:
    assert check_report(given) == given


@pytest.mark.parametrize("given", ["javascript:alert(1)", "data:text/html,x", "", 'https://"'])
def test_reports_do_not_go_elsewhere(given: str) -> None:
    with pytest.raises(UsageError, match="--report-url"):
        check_report(given)


def test_jobs() -> None:
    assert check_jobs(3) == 3
    assert check_jobs(None) >= 1
    with pytest.raises(UsageError):
        check_jobs(0)
