"""Which repository locations and refs are handed to git, and in what form. Text in, text out: no git, no network.

A location may be `https://`, `ssh://`, `user@host:path`, `file://` or a local path. Plain `http://` is for this
machine only: elsewhere anyone on the way could change what is read. Whatever could be an option, a command or a
transport helper (`--upload-pack=…`, `ext::…`) is refused here.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from extractor.source.failures import BadLocationError, BadRefError, printable

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_SCP = re.compile(
    r"(?:(?P<user>[\w.+-]+)@)?(?P<host>[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:.]+\]):(?P<path>[^/:-].*|/.*)", re.ASCII
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
_HEX = re.compile(r"[0-9a-fA-F]{4,}")

SHA_LENGTH = 40
"""Hex digits of a SHA-1 object name."""


class LocalRepository(Struct, frozen=True):
    """A repository in the file system of this machine."""

    path: Path
    """Its top folder, its `.git` folder or a bare repository."""
    shown: str
    """As the user wrote it."""


class RemoteRepository(Struct, frozen=True):
    """A repository behind a network protocol."""

    url: str
    """What git fetches from; holds no secret."""
    protocol: str
    """The one transport git may use: `https`, `ssh` or (this machine only) `http`."""
    user: str = ""
    """Name for HTTP basic authentication, if one was in the URL."""
    password: str = ""
    """Its password. Reaches git through the environment only, never argv, disk or a message."""

    @property
    def shown(self) -> str:
        """What messages and the manifest call it."""
        return self.url


Repository = LocalRepository | RemoteRepository


def parse_location(text: str) -> Repository:
    """Read what the user gave as repository; raises `BadLocationError` for what git must not see."""
    if not text.strip():
        raise BadLocationError(text, "it is empty")
    if printable(text) != text:
        raise BadLocationError(text, "it holds control or other unprintable characters")
    if text.startswith("-"):
        raise BadLocationError(text, "it looks like an option")
    if _HELPER.match(text):
        raise BadLocationError(text, "it names a transport helper")
    scheme = _SCHEME.match(text)
    if scheme:
        return _from_url(text, scheme[1].lower())
    if ":" not in text.split("/", 1)[0] or Path(text).exists():
        return LocalRepository(path=Path(text).absolute(), shown=text)
    scp = _SCP.fullmatch(text)
    if scp is None:
        raise BadLocationError(text, "it is neither a URL nor host:path")
    _check_network_text(text, text)
    return RemoteRepository(url=text, protocol="ssh")


def parse_ref(text: str) -> str:
    """Return the ref as it is looked up: a SHA in lower case, or a name that git's own rules allow.

    The rules are those of git-check-ref-format(1); what goes beyond a name (`HEAD~3`, `v1^{}`, `@{u}`) is refused.
    """
    if not text:
        raise BadRefError(text, "it is empty")
    if text.startswith("-"):
        raise BadRefError(text, "it looks like an option")
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise BadRefError(text, "SHA-256 repositories are not supported")
    if re.search(r"[\x00-\x20\x7f~^:?*\[\\\ud800-\udfff]|\.\.|@\{|//", text):
        raise BadRefError(text, "it holds characters that no branch or tag name may hold")
    parts = text.split("/")
    if text == "@" or text.endswith(".") or any(not p or p.startswith(".") or p.endswith(".lock") for p in parts):
        raise BadRefError(text, "no branch or tag may be called so")
    return text.lower() if is_full_sha(text) else text


def is_full_sha(ref: str) -> bool:
    """Whether `ref` is a whole SHA-1 name."""
    return len(ref) == SHA_LENGTH and _HEX.fullmatch(ref) is not None


def is_abbreviation(ref: str) -> bool:
    """Whether `ref` may be the beginning of a SHA: at least four hex digits, as git demands."""
    return len(ref) < SHA_LENGTH and _HEX.fullmatch(ref) is not None


def _from_url(text: str, scheme: str) -> Repository:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise BadLocationError(text, "it is no valid URL") from error
    if scheme == "file":
        if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
            raise BadLocationError(text, "a file:// URL names a path on this machine, file:///path")
        # Git decodes %XX in file:// URLs too, so `#` and `?` are part of the path here.
        path = unquote(text[len("file://") + len(parts.netloc) :])
        if "\0" in path:
            raise BadLocationError(text, "it holds a NUL character")
        return LocalRepository(path=Path(path), shown=text)
    if scheme not in ("https", "ssh", "http"):
        raise BadLocationError(text, f"the scheme {scheme}:// is not supported")
    host = parts.hostname or ""
    if not host or host.startswith("-") or (scheme == "http" and host not in _LOOPBACK):
        raise BadLocationError(
            text, "plain http:// can be changed on the way" if host and scheme == "http" else "it names no host"
        )
    return _network(text, scheme, parts, port)


def _network(text: str, scheme: str, parts: SplitResult, port: int | None) -> RemoteRepository:
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    place = host + (f":{port}" if port is not None else "")
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    user = parts.username or ""
    if parts.fragment:
        raise BadLocationError(text, "a repository URL has no # part")
    if scheme == "ssh":
        if user.startswith("-") or path.startswith("/-"):
            raise BadLocationError(text, "a part of it looks like an option")
        # ssh takes no password from a URL; the user name is an address, not a secret.
        url = f"ssh://{user}@{place}{path}" if user else f"ssh://{place}{path}"
        _check_network_text(text, url)
        return RemoteRepository(url=url, protocol="ssh")
    url = f"{scheme}://{place}{path}"
    _check_network_text(text, url)
    return RemoteRepository(url=url, protocol=scheme, user=unquote(user), password=unquote(parts.password or ""))


def _check_network_text(text: str, url: str) -> None:
    if re.search(r"\s", url):
        raise BadLocationError(text, "it holds white space")
