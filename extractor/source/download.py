"""One wheel from the package index, through pip with the user's index settings. Nothing is ever installed."""

from __future__ import annotations

import bisect
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import VERSION_PATTERN, Version

from extractor.source.failures import DownloadFailedError, PipMissingError, ReleaseMissingError

# `-P` keeps a folder called `pip` in the current directory from being run; `-vv` names the wheels that are passed over.
_PIP = (sys.executable, "-P", "-m", "pip", "download", "-vv", "--no-input", "--disable-pip-version-check", "--no-deps")
_WHEELS_ONLY = ("--only-binary=:all:", "--ignore-requires-python")


def download_wheel(project: str, version: str, folder: Path) -> Path:
    """Download the wheel of a release into `folder`; one for another Python or system if none fits this machine.

    Raises `ReleaseMissingError` or `DownloadFailedError`.
    """
    requirement = f"{project}=={version}"
    first = _pip(requirement, folder, ())
    if first.returncode == 0:
        return _only_wheel(folder, project, version)
    if "No module named pip" in first.stderr:
        raise PipMissingError
    # The files are read, not run, so any wheel of the release will do: the tags are those pip says it passed over.
    for tags in _passed_over(first.stdout, project, version):
        if _pip(requirement, folder, tags).returncode == 0:
            return _only_wheel(folder, project, version)
    complaints = [line for line in first.stderr.splitlines() if line.startswith("ERROR:")]
    if not any("No matching distribution" in line or "Could not find a version" in line for line in complaints):
        raise DownloadFailedError(
            project, version, (complaints or first.stderr.splitlines() or ["no reason given"])[-1]
        )
    listed = re.search(r"\(from versions: (.*?)\)", first.stderr)
    # A network that is down looks like a release that is missing, but for pip's own warnings about its retries.
    if (listed is None or listed[1] == "none") and "connection broken by" in first.stdout + first.stderr:
        raise DownloadFailedError(project, version, "the package index cannot be reached")
    versions = listed[1].split(", ") if listed and listed[1] != "none" else []
    raise ReleaseMissingError(project, version, _near(version, versions))


def _pip(requirement: str, folder: Path, tags: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [*_PIP, *_WHEELS_ONLY, *tags, "--dest", str(folder), "--", requirement]
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False
    )


def _passed_over(log: str, project: str, version: str) -> Iterator[tuple[str, ...]]:
    """Give pip options under which it takes a wheel of the release that does not fit this machine."""
    seen = set()
    for name in re.findall(r"([\w.!+-]+\.whl)\b", log):
        try:
            found, number, _, tags = parse_wheel_filename(name)
        except InvalidWheelFilename:
            continue
        if found != canonicalize_name(project) or number != Version(version) or name in seen:
            continue
        seen.add(name)
        tag = min(tags, key=str)
        python = re.sub(r"\D", "", tag.interpreter)
        yield (
            f"--implementation={tag.interpreter[:2]}",
            f"--python-version={python[:1]}.{python[1:] or '0'}",
            f"--abi={tag.abi}",
            f"--platform={tag.platform}",
        )


def _near(version: str, known: Sequence[str]) -> list[str]:
    """Return the two releases before and the two after the one that is missing."""
    releases = sorted(
        Version(each) for each in known if re.fullmatch(VERSION_PATTERN, each, re.VERBOSE | re.IGNORECASE)
    )
    place = bisect.bisect(releases, Version(version))
    return [str(each) for each in releases[max(0, place - 2) : place + 2]]


def _only_wheel(folder: Path, project: str, version: str) -> Path:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise DownloadFailedError(project, version, "pip reported success but left no wheel")
    return wheels[0]
