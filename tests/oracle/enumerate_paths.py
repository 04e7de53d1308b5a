"""Every path of a small skeleton, loops bounded: the exact answer that random search is measured against."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.points import Skeleton
from tests.oracle.runtime import Reach, Run
from tests.oracle.search import Search, execute


class TooManyError(Exception):
    """There are more paths than the limit."""


def enumerate_runs(
    function: Callable[[Run], None], skeleton: Skeleton, *, rounds: int = 2, exceptions: int = 1, limit: int = 20_000
) -> list[Run]:
    """Run every sequence of choices: each loop at most `rounds` rounds, at most `exceptions` injected ones a run."""
    pending: list[list[bool]] = [[]]
    runs: list[Run] = []
    while pending:
        scripted = Scripted(skeleton, pending.pop(), rounds, exceptions)
        runs.append(execute(function, scripted.choose))
        pending.extend(scripted.others)
        if len(runs) > limit:
            raise TooManyError
    return runs


class Scripted:
    """Answers from a script, then always no; notes the scripts that answer yes instead."""

    def __init__(self, skeleton: Skeleton, script: list[bool], rounds: int, exceptions: int) -> None:
        self.skeleton = skeleton
        self.script = script
        self.rounds = rounds
        self.exceptions = exceptions
        self.taken: list[bool] = []
        self.others: list[list[bool]] = []
        self.counts: dict[int, int] = {}

    def choose(self, k: int) -> bool:
        """Decide one point."""
        role = self.skeleton.points[k].role
        seen = self.counts[k] = self.counts.get(k, 0) + 1
        if role in {"for", "while"} and seen > 2 * self.rounds:
            return False
        if role == "raises" and self.exceptions <= 0:
            return False
        place = len(self.taken)
        if seen > 6:
            return place % 2 == 0
        outcome = self.script[place] if place < len(self.script) else False
        if place >= len(self.script):
            self.others.append([*self.taken, True])
        self.taken.append(outcome)
        self.exceptions -= role == "raises" and outcome
        return outcome


def exact_search(search: Search, limit: int = 20_000) -> Search:
    """Put every path's reaches into a search, instead of those found by steering."""
    runs = enumerate_runs(search.function, search.skeleton, limit=limit)
    search.reaches = [reach for run in runs for reach in run.reached if reach.site == search.site]
    return search


__all__ = ["Reach", "TooManyError", "enumerate_runs", "exact_search"]
