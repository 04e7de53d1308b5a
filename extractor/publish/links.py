"""Where everything stands in the site: folders that are safe on disk and in URLs, whatever a path or a name holds."""

from __future__ import annotations

import re
from hashlib import sha256
from urllib.parse import quote

PAGE_PREFIX = "p~"
"""`p~2/` is the second page of a list; no name leads to it, as `~` in a name is followed by two hex digits."""
_SAFE = re.compile(rb"[A-Za-z0-9._-]")
_LONGEST = 120


def folder(name: str) -> str:
    """Return a folder name for any text: other names give other folders, none is special to a host or a shell."""
    data = name.encode("utf-8", "surrogatepass")
    safe = "".join(chr(b) if _SAFE.match(bytes((b,))) else f"~{b:02X}" for b in data)
    if safe.lower() in ("", ".", "..", "index.html") or safe.startswith("."):
        safe = "~" + (safe[:1] or "0").encode().hex().upper() + safe[1:]
    if len(safe) > _LONGEST:
        safe = f"{safe[: _LONGEST - 18]}~~{sha256(data).hexdigest()[:16]}"
    return safe


def file_folder(path: str) -> str:
    """Return the folder of a scanned file's or directory's list, with a final slash; the root for an empty path."""
    return "files/" + "".join(f"{folder(part)}/" for part in path.split("/") if part)


def error_folder(repo: str, slug: str) -> str:
    """Return the folder of an error's page."""
    return f"{repo_folder(repo)}{folder(slug)}/"


def repo_folder(repo: str) -> str:
    """Return the folder of a repository's pages."""
    return "".join(f"{folder(part)}/" for part in repo.split("/"))


def up(url: str) -> str:
    """Return the relative way from the page at `url` to the root of the site: `` or `../../`."""
    return "../" * url.count("/") or "./"


def page_of(url: str, number: int) -> str:
    """Return the folder of a list's page `number`, counted from 1."""
    return url if number == 1 else f"{url}{PAGE_PREFIX}{number}/"


def blob_base(github_url: str) -> str:
    """Return a permanent link without its lines; empty if it is none that a page may link to."""
    return github_url.partition("#")[0] if github_url.startswith(("https://", "http://")) else ""


def quoted(path: str) -> str:
    """Return a path for a URL."""
    return quote(path, safe="/-._~", errors="surrogatepass")
