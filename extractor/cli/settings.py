"""What the options of a call say, to the settings of a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from extractor.errors import UsageError

if TYPE_CHECKING:
    from extractor.config import Config, Settings


def given(values: list[str] | None) -> tuple[str, ...] | None:
    """Return the values of an option that may be repeated; none if it was not given."""
    return tuple(values) if values else None


def cache_setting(cache: str | None, no_cache: bool) -> str | bool | None:
    """Return the setting that `--cache` and `--no-cache` make. Raises `UsageError` if both were given."""
    if cache is not None and no_cache:
        raise UsageError("--cache and --no-cache contradict each other; leave one out")
    return False if no_cache else cache


def resolved(call: Settings) -> Config:
    """Return a run's config: the call on top of the environment and the project. Raises `UsageError`."""
    from platformdirs import user_cache_path

    from extractor.config import resolve

    return resolve(call, Path(), os.environ, user_cache_path("extractor", appauthor=False))


def configure(base: Settings) -> Callable[[Settings], Config]:
    """Return what makes a run of a few more settings on top of `base`."""
    from msgspec import structs

    def merged(more: Settings) -> Config:
        set_ = {name: value for name, value in structs.asdict(more).items() if value is not None}
        return resolved(structs.replace(base, **set_))

    return merged


def default_dataset() -> Path:
    """Return the folder of the dataset that a call means which names none. Raises `UsageError`."""
    from extractor.config import DEFAULT_OUTPUT, PROJECT_FILE, read_project

    return Path(read_project(Path(PROJECT_FILE)).output or DEFAULT_OUTPUT)
