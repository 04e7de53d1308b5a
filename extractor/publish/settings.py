"""What a build of the site may be told, and its checks."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from extractor.config import MOST_JOBS
from extractor.errors import ExtractorError, SettingError
from extractor.workers import default_jobs

DEFAULT_OUTPUT = "output/site"
DEFAULT_PORT = 8000
LOCAL_HOST = "127.0.0.1"
LOCAL_ADDRESS = f"http://{LOCAL_HOST}:{DEFAULT_PORT}/"


class PublishError(ExtractorError):
    """A site cannot be built or put in place."""


class SiteSettings(Struct, frozen=True):
    """How a site is built."""

    dataset: Path
    """Folder of the dataset."""
    output: Path
    """Folder of the site."""
    base_url: str | None = None
    """Address under which the site will stand, with a final slash; None if unknown."""
    previous: Path | None = None
    """An older dataset, for the feed of changes."""
    report_url: str | None = None
    """Where readers report mistakes; None for the issues of the scanned repository."""
    jobs: int = 1
    """Number of worker processes; 1 for none."""

    @property
    def absolute(self) -> str:
        """The address for what has to be absolute; that of `--serve` if none is known."""
        return self.base_url or LOCAL_ADDRESS

    @property
    def base_path(self) -> str:
        """The path part of the address, `/` at both ends."""
        return urlsplit(self.absolute).path or "/"


def check_url(value: str | None) -> str | None:
    """Return the address with one final slash. Raises `SettingError` if it is no http(s) address of a site."""
    if value is None:
        return None
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        good = good and not (parts.query or parts.fragment or parts.username or parts.password)
    except ValueError:
        good = False
    if not good or not _ADDRESS.fullmatch(value):
        raise SettingError(
            "--base-url", f"{value[:80]!a} is no address of a site; give one like https://example.org/errors/"
        )
    return value.rstrip("/") + "/"


def check_report(value: str | None) -> str | None:
    """Return the address as it is. Raises `SettingError` if it is none that a page may link to."""
    if value is not None and not (value.startswith(("https://", "http://", "mailto:")) and _ADDRESS.fullmatch(value)):
        raise SettingError("--report-url", f"{value[:80]!a} is no address; give an https or mailto one")
    return value


def check_jobs(value: int | None) -> int:
    """Return the number of worker processes, one a processor by default. Raises `SettingError`."""
    if value is None:
        return default_jobs()
    if not 1 <= value <= MOST_JOBS:
        raise SettingError("--jobs", f"{value} is no number of worker processes; give 1 to {MOST_JOBS}")
    return value


_ADDRESS = re.compile(r"[A-Za-z0-9._~:/?#@!$&()*+,;=%\[\]-]+")
"""Characters of an address; none of them can end an attribute or a line."""
