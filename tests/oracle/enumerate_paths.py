"""Every path of a small skeleton, loops bounded: the exact answer that random search is measured against."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.runtime import Reach, Run
from tests.oracle.search import Search, execute
from tests.oracle.skeleton import Skeleton


class TooMany(Exception):
    """There are more paths than the limit."""


def enumerate_runs(
    function: Callable[[Run], None], skeleton: Skeleton, *, rounds: int = 2, exceptions: int = 1, limit: int = 20_000
) -> list[Run]:
    """Run every sequence of choices: each loop at most `rounds` rounds, at most `exceptions` injected ones a run."""
    pending: list[list[bool]] = [[]]
    runs: list[Run] = []
    while pending:
        script = pending.pop()
        taken: list[bool] = []
        counts: dict[int, int] = {}
        injected = 0

        def choose(k: int) -> bool:
            nonlocal injected
            role = skeleton.points[k].role
            seen = counts[k] = counts.get(k, 0) + 1
            if role in {"for", "while"} and seen > 2 * rounds:
                return False
            if role == "raises" and injected >= exceptions:
                return False
            if seen > 6:
                return len(taken) % 2 == 0
            place = len(taken)
            outcome = script[place] if place < len(script) else False
            if place >= len(script):
                pending.append([*taken, True])
            taken.append(outcome)
            if role == "raises" and outcome:
                injected += 1
            return outcome

        runs.append(execute(function, choose))
        if len(runs) > limit:
            raise TooMany
    return runs


def exact_search(search: Search, limit: int = 20_000) -> Search:
    """Put every path's reaches into a search, instead of those found by steering."""
    runs = enumerate_runs(search.function, search.skeleton, limit=limit)
    search.reaches = [reach for run in runs for reach in run.reached if reach.site == search.site]
    return search


__all__ = ["Reach", "TooMany", "enumerate_runs", "exact_search"]
