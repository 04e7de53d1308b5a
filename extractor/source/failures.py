"""What can go wrong with a source, one class a cause; each writes the one sentence the user reads.

Nothing here touches git or pip. Every text that came from outside passes through `printable` or `without_secrets`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from extractor.errors import ExtractorError, UsageError


def printable(text: str) -> str:
    """Return `text` in one line that any terminal and any JSON file can hold: what is not printable is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)


def without_secrets(text: str) -> str:
    """Return `text` with the user part of every URL in it left out."""
    return re.sub(r"(?<=://)[^/\s'\"]*@", "", text)


class BadLocationError(UsageError):
    """A URL or path that is not handed to git."""

    def __init__(self, location: str, why: str) -> None:
        """Say which location was refused and why; what to do is to give one of the allowed forms."""
        super().__init__(
            f"{printable(without_secrets(location))!r} is refused as a repository: {why}; "
            "give an https:// or ssh:// URL, user@host:path, a file:// URL or a local path"
        )


class BadRefError(UsageError):
    """A ref that is not handed to git."""

    def __init__(self, ref: str, why: str) -> None:
        """Say which ref was refused and why."""
        super().__init__(f"{printable(ref)!r} is refused as a ref: {why}; give a commit SHA, a branch or a tag")


class BadRequirementError(UsageError):
    """A release that cannot be asked for."""

    def __init__(self, requirement: str, why: str) -> None:
        """Say which release was refused and why."""
        super().__init__(
            f"{printable(requirement)!r} names no release: {why}; give [NAME==]VERSION, e.g. sglang==0.5.18"
        )


class SourceError(ExtractorError):
    """A source that cannot be read."""


class UnknownRefError(SourceError):
    """No branch, tag or commit of that name."""

    def __init__(self, ref: str, url: str) -> None:
        """Name the ref and where it was looked for."""
        super().__init__(
            f"{printable(ref)!r} is no commit, branch or tag of {url}; check the spelling, or give the full SHA"
        )


class AmbiguousRefError(SourceError):
    """An abbreviated SHA that several commits share."""

    def __init__(self, ref: str, shas: Sequence[str]) -> None:
        """List some of the commits that the abbreviation may mean."""
        some = ", ".join(sorted(shas)[:4]) + (", …" if len(shas) > 4 else "")
        super().__init__(f"{ref!r} is the beginning of {len(shas)} commits ({some}); give more digits")


class NotACommitError(SourceError):
    """An object that is there, but no commit."""

    def __init__(self, ref: str, kind: str) -> None:
        """Name the object and what it is (`tree` or `blob`)."""
        super().__init__(
            f"{printable(ref)!r} names a {kind}, not a commit; give the SHA of a commit, a branch or a tag"
        )


class EmptyRepositoryError(SourceError):
    """A repository without any commit."""

    def __init__(self, url: str) -> None:
        """Name the repository."""
        super().__init__(f"{url} has no commits yet; push or commit something first, or give another repository")


class NotARepositoryError(SourceError):
    """A local path where no git repository is."""

    def __init__(self, path: str, why: str) -> None:
        """Name the path and what is missing."""
        super().__init__(
            f"{printable(path)!r} is not a git repository: {why}; give the top folder of a clone or a bare repository"
        )


class RemoteFailedError(SourceError):
    """A remote that did not answer as it should; `why` is what git said."""

    def __init__(self, url: str, problem: str, advice: str, why: str) -> None:
        """Say what happened, what to do, and git's own words."""
        said = printable(without_secrets(why)).strip()
        super().__init__(f"{url} {problem}; {advice}" + (f" (git: {said})" if said else ""))


class ObjectsMissingError(SourceError):
    """Objects of the commit that the repository does not hold."""

    def __init__(self, url: str, count: int, advice: str) -> None:
        """Say how many, and how to get them."""
        super().__init__(f"{url} lacks {count} object(s) of the commit, or they are damaged; {advice}")


class CacheFailedError(SourceError):
    """The cache folder cannot be used."""

    def __init__(self, path: str, why: str) -> None:
        """Name the folder and what the system said."""
        super().__init__(
            f"the cache folder {printable(path)!r} cannot be used: {why}; free it, or give another with --cache"
        )


class GitMissingError(SourceError):
    """No usable git."""

    def __init__(self) -> None:
        """Say what to install."""
        super().__init__("git is not installed or not on PATH; install git 2.31 or newer")


class ReleaseMissingError(SourceError):
    """The package index has no such release, or none as a wheel."""

    def __init__(self, project: str, version: str, near: Sequence[str]) -> None:
        """Name the release and the nearest ones there are."""
        hint = f"; near it: {', '.join(near)}" if near else "; check the name and that the index has wheels of it"
        super().__init__(f"no wheel of {project}=={version} was found{hint}")


class DownloadFailedError(SourceError):
    """The pip call failed for another reason than a missing release."""

    def __init__(self, project: str, version: str, why: str) -> None:
        """Give pip's own reason in one line."""
        said = printable(without_secrets(why)).strip()
        super().__init__(
            f"pip could not download {project}=={version}: {said}; check the network and pip's index settings"
        )


class PipMissingError(SourceError):
    """The running Python has no pip."""

    def __init__(self) -> None:
        """Say how to get it."""
        super().__init__("this Python has no pip, which downloads releases; run: python -m ensurepip")


class WheelRefusedError(SourceError):
    """A wheel that is damaged or that no build tool would write."""

    def __init__(self, wheel: str, why: str) -> None:
        """Name the wheel and what is wrong with it."""
        super().__init__(f"the wheel {printable(wheel)!r} is refused: {why}; try again, or take another release")
