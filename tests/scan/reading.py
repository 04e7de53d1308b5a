"""Small helpers to scan a snippet and look at one thing of its facts."""

from __future__ import annotations

from textwrap import dedent

from extractor.model.facts import FileFacts, RaiseSite, Reader, ScanFailure, ScanOptions, Text
from extractor.scan import scan


def facts_of(source: str, *, exceptions: tuple[str, ...] = ("ValueError",), reader: Reader | None = None) -> FileFacts:
    outcome = scan(dedent(source).encode(), ScanOptions(exceptions), reader)
    assert isinstance(outcome, FileFacts), outcome
    return outcome


def failure_of(data: bytes) -> ScanFailure:
    outcome = scan(data, ScanOptions())
    assert isinstance(outcome, ScanFailure), outcome
    return outcome


def site_of(source: str) -> RaiseSite:
    """The only site of a snippet."""
    sites = facts_of(source).sites
    assert len(sites) == 1, sites
    return sites[0]


def in_function(body: str, parameters: str = "") -> str:
    """A module whose function `f` has `body`."""
    lines = dedent(body).strip("\n").splitlines()
    return f"def f({parameters}):\n" + "\n".join("    " + line if line else line for line in lines) + "\n"


def guard_rows(site: RaiseSite) -> list[str]:
    """Guards as `kind line test` with `not` for a false one and `~` for a stale one."""
    return [
        f"{'~' if guard.stale else ''}{guard.kind} {guard.line} {'' if guard.holds else 'not '}{guard.test}"
        for guard in site.guards
    ]


def template(text: Text) -> str:
    return "{}".join(text.texts)


def expressions(text: Text) -> list[str]:
    return [each.expression for each in text.placeholders]
