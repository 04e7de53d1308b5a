"""Which files of a tree a run looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class HasPath(Protocol):
    """Something that stands at a path of the repository."""

    @property
    def path(self) -> str:
        """`/` between parts."""


Item = TypeVar("Item", bound=HasPath)


def in_scope(items: Iterable[Item], include: tuple[str, ...], exclude: tuple[str, ...]) -> tuple[Item, ...]:
    """Return what the globs let in, in the same order; `config.py` says how globs are read."""
    taken, left_out = _matcher(include), _matcher(exclude)
    return tuple(item for item in items if (not include or taken(item.path)) and not left_out(item.path))


def _matcher(globs: tuple[str, ...]) -> Callable[[str], bool]:
    if not globs:
        return lambda _path: False
    from pathspec import GitIgnoreSpec  # Costs 0.03 s, which a run without globs need not spend.

    return GitIgnoreSpec.from_lines(globs).match_file
