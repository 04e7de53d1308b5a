"""Settings of a run and their checks: built-in ones of a known repository, then the project's, then the call's.

What a setting means is said in `Settings`; `resolve` turns the three layers into one `Config` in which nothing is open
any more. Globs follow the rules of `.gitignore`: `/test/` is the top-level folder, `test/` one at any depth,
`!/test/keep.py` takes back an earlier pattern; the last pattern that matches decides.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from keyword import iskeyword
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from extractor.errors import SettingError

PROJECT_FILE = "pyproject.toml"
TABLE = "tool.extractor"
MOST_JOBS = 61
"""Windows waits for no more processes at a time."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a project or a call may set; None and absent mean that the layer below decides."""

    repo: str | None = None
    """`owner/name`, under which records are published."""
    url: str | None = None
    """Where the repository is fetched from: https, ssh or file URL, or a local path."""
    sha: str | None = None
    """Commit, abbreviation, branch or tag."""
    pypi: str | None = None
    """`[NAME==]VERSION` of a released wheel, read instead of a repository."""
    output: str | None = None
    """Folder of the dataset."""
    include: tuple[str, ...] | None = None
    """Globs of the paths taken in; empty is every Python file."""
    exclude: tuple[str, ...] | None = None
    """Globs of the paths left out of those, after the built-in ones of the repository."""
    exceptions: tuple[str, ...] | None = None
    """Names of wanted exception classes besides ValueError."""
    subclasses: bool | None = None
    """Whether subclasses that the repository defines are wanted too."""
    jobs: int | None = None
    """Number of worker processes."""
    cache: str | bool | None = None
    """Folder of the cache; false for none."""


DEFAULT_OUTPUT = "output/dataset"
DEFAULT_REPO = "sgl-project/sglang"
BUILT_IN = {
    DEFAULT_REPO: Settings(
        sha="0132848349585cfe6aae51c4941cbae872505f8a",
        # Top-level folders that are not shipped. All of python/sglang is in: it reaches users with the wheel.
        exclude=("/test/", "/benchmark/", "/docs/", "/examples/", "/3rdparty/"),
    )
}
"""What is known of a repository before anybody sets anything."""


OPTIONS = {name: f"--{name}" for name in Settings.__struct_fields__} | {"exceptions": "--exception"}
"""How the command line calls each setting."""


class GitWanted(Struct, frozen=True):
    """A commit of a repository."""

    url: str
    """As in `Settings`."""
    ref: str
    """As `Settings.sha`."""


class PypiWanted(Struct, frozen=True):
    """A released wheel."""

    requirement: str
    """As `Settings.pypi`."""


class Config(Struct, frozen=True):
    """All that a run is asked for."""

    repo: str
    """`owner/name`."""
    source: GitWanted | PypiWanted
    """What is read."""
    output: Path
    """Folder of the dataset."""
    include: tuple[str, ...]
    """As in `Settings`."""
    exclude: tuple[str, ...]
    """As in `Settings`, built-in ones first."""
    exceptions: tuple[str, ...]
    """Names of the wanted exception classes, ValueError among them, sorted."""
    subclasses: bool
    """As in `Settings`."""
    jobs: int | None
    """Number of worker processes; None for one a processor."""
    cache: Path | None
    """Folder of the cache; None for none."""
    version: str | None
    """The dataset's version and the time of analysis: UTC, ISO 8601, milliseconds, `Z`; None for the commit's date."""


def resolve(call: Settings, folder: Path, environment: Mapping[str, str], cache: Path) -> Config:
    """Return what to do: `call` over the project file in `folder` over what is built in.

    `cache` is the place of the cache unless a layer names another. Raises SettingError.
    """
    project = read_project(folder / PROJECT_FILE)
    _check(call, lambda name: OPTIONS[name])
    _check(project, _in_project)
    built_in = BUILT_IN.get(call.repo or project.repo or DEFAULT_REPO, Settings())
    merged = _merge(call, project)
    repo = merged.repo or DEFAULT_REPO
    return Config(
        repo=repo,
        source=_source(merged, repo, built_in),
        output=folder / (merged.output or DEFAULT_OUTPUT),
        include=merged.include or (),
        exclude=(built_in.exclude or ()) + (merged.exclude or ()),
        exceptions=tuple(sorted({"ValueError", *(merged.exceptions or ())})),
        subclasses=bool(merged.subclasses),
        jobs=merged.jobs,
        cache=_cache(merged.cache, folder, cache),
        version=source_date(environment),
    )


def read_project(path: Path) -> Settings:
    """Return what a project's file sets; nothing if there is no file or no table. Raises SettingError."""
    try:
        project = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise SettingError(PROJECT_FILE, f"cannot be read: {error}".replace("\n", " ")) from error
    tools = project.get("tool", {})
    try:
        return msgspec.convert(tools.get("extractor", {}) if isinstance(tools, dict) else tools, Settings)
    except msgspec.ValidationError as error:
        raise SettingError(f"{PROJECT_FILE}: [{TABLE}]", _in_words(str(error))) from error


def source_date(environment: Mapping[str, str]) -> str | None:
    """Return SOURCE_DATE_EPOCH as UTC in ISO 8601 with milliseconds and `Z`; None if it is unset or empty.

    https://reproducible-builds.org/specs/source-date-epoch/ has the rules. Raises SettingError.
    """
    epoch = environment.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    try:
        if not re.fullmatch("[0-9]+", epoch):
            raise ValueError
        moment = datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError) as error:
        problem = f"{epoch[:40]!r} is no time; give whole seconds since 1970 in digits, up to the year 9999"
        raise SettingError("SOURCE_DATE_EPOCH", problem) from error
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _merge(call: Settings, project: Settings) -> Settings:
    """Return the call's settings, the project's where the call has none."""
    fields = {name: getattr(project, name) for name in Settings.__struct_fields__}
    if call.pypi is not None:
        fields |= {"url": None, "sha": None}
    elif call.url is not None or call.sha is not None:
        fields["pypi"] = None
    fields |= {name: value for name in fields if (value := getattr(call, name)) is not None}
    return Settings(**fields)


def _source(merged: Settings, repo: str, built_in: Settings) -> GitWanted | PypiWanted:
    if merged.pypi is not None:
        return PypiWanted(merged.pypi)
    # A built-in commit is one of the repository's usual place; whoever names another place means what stands there.
    pinned = built_in.sha if merged.url is None else None
    return GitWanted(merged.url or f"https://github.com/{repo}.git", merged.sha or pinned or "HEAD")


def _cache(wanted: str | bool | None, folder: Path, usual: Path) -> Path | None:
    if wanted is False:
        return None
    return folder / wanted if isinstance(wanted, str) else usual


def _in_project(name: str) -> str:
    return f"{PROJECT_FILE}: {TABLE}.{name}"


def _in_words(problem: str) -> str:
    """Turn msgspec's sentence about a value into one about a setting."""
    unknown = re.match("Object contains unknown field `(.*)`", problem, re.DOTALL)
    if unknown:
        return f"unknown setting {unknown[1]!r}; known are {', '.join(Settings.__struct_fields__)}"
    return re.sub(r" - at `\$\.?(\w*).*`$", r" for \1", problem).removesuffix(" for ")


def _check(settings: Settings, called: Callable[[str], str]) -> None:
    """Raise SettingError if a value cannot be meant; refs, URLs and requirements are checked where they are used."""
    if settings.pypi is not None and (settings.url is not None or settings.sha is not None):
        other = "url" if settings.url is not None else "sha"
        raise SettingError(called("pypi"), f"names a released wheel; leave out {called(other)} or this")
    for name, right in _RIGHT.items():
        values = getattr(settings, name)
        for value in values if isinstance(values, tuple) else () if values is None else (values,):
            if problem := right(value):
                raise SettingError(called(name), problem)


def _repo(value: str) -> str:
    good = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*/(?!\.{1,2}$)[A-Za-z0-9._-]+", value)
    return "" if good else f"{value!r} is no repository name; give OWNER/NAME"


def _path(value: str | bool) -> str:
    if isinstance(value, bool):
        return "" if value is False else "true says nothing; give a folder, or false for no cache"
    return "" if value.strip() and "\0" not in value else "give a folder"


def _glob(value: str) -> str:
    from pathspec import GitIgnoreSpec  # Costs 0.03 s, which a run without globs need not spend.

    try:
        patterns = GitIgnoreSpec.from_lines([value]).patterns
    except ValueError:
        patterns = []
    if [pattern for pattern in patterns if pattern.include is not None]:
        return ""
    return f"{value!r} is no glob; patterns are written as in .gitignore, like '/docs/' or '*_pb2.py'"


def _exception(value: str) -> str:
    good = all(part.isidentifier() and not iskeyword(part) for part in value.split("."))
    return "" if good else f"{value!r} is no name of a class; give one like ValueError or package.module.Error"


def _jobs(value: int) -> str:
    return "" if 1 <= value <= MOST_JOBS else f"{value} is no number of worker processes; give 1 to {MOST_JOBS}"


def _given(value: str) -> str:
    return "" if value.strip() else "empty; name something, or leave it out"


_RIGHT: dict[str, Callable[[Any], str]] = {
    "repo": _repo,
    "url": _given,
    "sha": _given,
    "pypi": _given,
    "output": _path,
    "include": _glob,
    "exclude": _glob,
    "exceptions": _exception,
    "jobs": _jobs,
    "cache": _path,
}
"""For each setting what is wrong with a value, in words; nothing if it is right."""
