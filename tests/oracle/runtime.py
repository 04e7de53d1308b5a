"""What a running skeleton calls: choices, injected exceptions, and the record of what happened before a site."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any


class Abort(BaseException):
    """Ends a run that took too many steps or left the process."""


class Unknown(BaseException):
    """An exception of a class that the source does not tell."""


class Reach:
    """What was true when control reached a site in one run."""

    __slots__ = ("last", "log", "site", "text", "when")

    def __init__(self, site: int, last: dict[int, bool], when: dict[int, int], log: list[int], text: Any) -> None:
        self.site = site
        self.last = last
        self.when = when
        self.log = log
        self.text = text


Chooser = Callable[[int], bool]


class Run:
    """One execution of a skeleton. Every choice point has a number; the chooser answers."""

    MAX_STEPS = 400

    def __init__(self, choose: Chooser, evaluate: Callable[[int, dict[str, Any]], Any] | None = None) -> None:
        self.choose = choose
        self.evaluate = evaluate
        self.last: dict[int, bool] = {}
        self.when: dict[int, int] = {}
        self.log: list[int] = []
        self.reached: list[Reach] = []
        self.steps = 0
        self.aborted = False

    def step(self) -> None:
        """Count one step of a loop; too many end the run."""
        self.steps += 1
        if self.aborted or self.steps > self.MAX_STEPS:
            self.aborted = True
            raise Abort

    def test(self, k: int) -> bool:
        """Decide and record test `k`."""
        self.step()
        outcome = self.choose(k)
        self.last[k] = outcome
        self.when[k] = len(self.log)
        self.log.append(-1 - k)
        return outcome

    def risky(self, k: int, point: int) -> bool:
        """Decide test `k`, whose evaluation may raise at `point`."""
        self.last.pop(k, None)
        self.maybe(point)
        return self.test(k)

    def pick(self, k: int) -> bool:
        """Decide something that is no test."""
        return self.choose(k)

    def maybe(self, point: int) -> None:
        """Raise an unknown exception if the chooser says so."""
        if self.aborted:
            raise Abort
        if self.choose(point):
            raise Unknown

    def loop(self, k: int, point: int, binding: int) -> Iterator[None]:
        """Enter the body of `for` number `k` as often as the chooser says."""
        while True:
            self.last.pop(k, None)
            if point >= 0:
                self.maybe(point)
            self.step()
            entered = self.choose(k)
            if entered and binding >= 0:
                self.log.append(binding)
            self.last[k] = entered
            self.when[k] = len(self.log)
            self.log.append(-1 - k)
            if not entered:
                return
            yield

    def bind(self, n: int) -> None:
        """Note that binding group `n` happened."""
        self.log.append(n)

    def handler(self, k: int, types: tuple[type[BaseException], ...] | None, *, all_known: bool) -> Any:
        """Give what an `except` clause matches: everything if it is to take the current exception, else nothing."""
        exc = sys.exc_info()[1]
        if self.aborted or isinstance(exc, Abort):
            return ()
        if types is None or BaseException in types:
            return BaseException
        if not isinstance(exc, Unknown):
            if isinstance(exc, types):
                return BaseException
            if all_known:
                return ()
        return BaseException if self.choose(k) else ()

    def caught(self, k: int) -> None:
        """Record that handler `k` was entered."""
        self.last[k] = True
        self.when[k] = len(self.log)
        self.log.append(-1 - k)

    def site(self, n: int, names: dict[str, Any] | None = None) -> None:
        """Record that control reached site `n`."""
        if self.aborted:
            raise Abort
        text = self.evaluate(n, names) if self.evaluate is not None and names is not None else None
        self.reached.append(Reach(n, dict(self.last), dict(self.when), list(self.log), text))

    def leave(self) -> None:
        """End the process at once."""
        self.aborted = True
        raise Abort

    def swallow(self, k: int) -> Swallow:
        """Give a context manager that may swallow exceptions."""
        return Swallow(self, k)


class Swallow:
    """Stands for `contextlib.suppress` and its like."""

    def __init__(self, run: Run, k: int) -> None:
        self.run = run
        self.k = k

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> bool:
        """Swallow if the chooser says so."""
        return exc is not None and not isinstance(exc, Abort) and not self.run.aborted and self.run.choose(self.k)
