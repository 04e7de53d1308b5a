"""Which commit a name means, given a repository's refs: git's own order, for local and remote repositories alike."""

from __future__ import annotations

from collections.abc import Mapping

# gitrevisions(7), "<refname>": the first of these that exists is meant.
_ORDER = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")


def parse_refs(text: bytes) -> dict[str, str]:
    """Read `git ls-remote` or `git show-ref --head -d` output: ref name → object id, annotated tags followed."""
    direct: dict[str, str] = {}
    peeled: dict[str, str] = {}
    for line in text.decode("utf-8", "surrogateescape").split("\n"):
        sha, _, name = line.replace("\t", " ").partition(" ")
        if name.endswith("^{}"):
            peeled[name.removesuffix("^{}")] = sha
        elif name:
            direct[name] = sha
    return direct | peeled


def pick(refs: Mapping[str, str], name: str) -> str | None:
    """Return the object that `name` means, or None. A bare name that is no ref path is only `HEAD` or below `refs/`."""
    for pattern in _ORDER:
        full = pattern.format(name)
        if full in refs and (full == "HEAD" or full.startswith("refs/")):
            return refs[full]
    return None
