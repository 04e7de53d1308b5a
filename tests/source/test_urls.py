from __future__ import annotations

from pathlib import Path

import pytest

from extractor.errors import UsageError
from extractor.source.urls import LocalRepository, RemoteRepository, parse_location, parse_ref

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "url", "protocol"),
    [
        pytest.param("https://github.com/o/r.git", "https://github.com/o/r.git", "https", id="https"),
        pytest.param("HTTPS://github.com/o/r", "https://github.com/o/r", "https", id="scheme-case"),
        pytest.param("https://h:8443/o/r?x=1", "https://h:8443/o/r?x=1", "https", id="port-and-query-stay"),
        pytest.param("https://me:pa%40ss@h/r", "https://h/r", "https", id="credentials-leave-the-url"),
        pytest.param("https://token@h/r", "https://h/r", "https", id="a-user-alone-may-be-a-token"),
        pytest.param("ssh://git@h:22/o/r", "ssh://git@h:22/o/r", "ssh", id="an-ssh-user-is-an-address"),
        pytest.param("ssh://git:secret@h/r", "ssh://git@h/r", "ssh", id="an-ssh-password-is-dropped"),
        pytest.param("git@github.com:o/r.git", "git@github.com:o/r.git", "ssh", id="scp-form"),
        pytest.param("host:~/r", "host:~/r", "ssh", id="scp-form-home"),
        pytest.param("http://127.0.0.1:80/r", "http://127.0.0.1:80/r", "http", id="http-on-this-machine"),
        pytest.param("http://[::1]:80/r", "http://[::1]:80/r", "http", id="http-on-this-machine-v6"),
    ],
)
def test_remote_locations(text: str, url: str, protocol: str) -> None:
    parsed = parse_location(text)
    assert isinstance(parsed, RemoteRepository)
    assert (parsed.url, parsed.protocol) == (url, protocol)
    assert "secret" not in repr(parsed) and "secret" not in parsed.shown


def test_credentials_are_kept_beside_the_url() -> None:
    parsed = parse_location("https://me:pa%40ss@h/r")
    assert isinstance(parsed, RemoteRepository)
    assert (parsed.user, parsed.password) == ("me", "pa@ss")
    assert "pa@ss" not in parsed.shown and "pa%40ss" not in parsed.shown


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("/a/b", "/a/b", id="absolute"),
        pytest.param("./-x", "-x", id="dash-behind-a-folder"),
        pytest.param("a b'c", "a b'c", id="blank-and-quote"),
        pytest.param("file:///a/b", "/a/b", id="file-url"),
        pytest.param("file://localhost/a/b", "/a/b", id="file-url-with-this-host"),
        pytest.param("file:///a%20b", "/a b", id="file-url-is-decoded"),
        pytest.param("file:///a?b#c", "/a?b#c", id="file-url-has-no-query"),
        pytest.param("dir/a:b", "dir/a:b", id="colon-behind-a-slash"),
    ],
)
def test_local_locations(text: str, path: str) -> None:
    assert parse_location(text) == LocalRepository(path=Path.cwd() / path, shown=text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("  ", id="blank"),
        pytest.param("--upload-pack=touch x", id="option"),
        pytest.param("-x", id="short-option"),
        pytest.param("ext::sh -c touch% x", id="command-transport"),
        pytest.param("fd::17", id="descriptor-transport"),
        pytest.param("git://h/r", id="git-protocol-is-not-authenticated"),
        pytest.param("ftp://h/r", id="unknown-scheme"),
        pytest.param("http://example.org/r", id="http-elsewhere"),
        pytest.param("https:///r", id="no-host"),
        pytest.param("https://-x/r", id="host-is-an-option"),
        pytest.param("ssh://-oProxyCommand=x/r", id="ssh-host-is-an-option"),
        pytest.param("ssh://-x@h/r", id="ssh-user-is-an-option"),
        pytest.param("ssh://h/-x", id="ssh-path-is-an-option"),
        pytest.param("-oProxyCommand=x:r", id="scp-host-is-an-option"),
        pytest.param("h:-x", id="scp-path-is-an-option"),
        pytest.param("https://h/a b", id="white-space"),
        pytest.param("https://h/r\n[core]", id="line-break"),
        pytest.param("https://h/r\0", id="nul"),
        pytest.param("/a\x1b[31m", id="escape-sequence"),
        pytest.param("https://h:99999/r", id="port-out-of-range"),
        pytest.param("https://h/r#main", id="fragment"),
        pytest.param("file://other/r", id="file-url-of-another-machine"),
        pytest.param("file:///a%00b", id="encoded-nul"),
    ],
)
def test_refused_locations(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_location(text)
    assert "\n" not in str(caught.value) and str(caught.value).isprintable()


def test_a_helper_is_refused_even_if_a_file_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fd::17").mkdir()
    with pytest.raises(UsageError, match="transport helper"):
        parse_location("fd::17")


def test_a_refused_location_does_not_print_its_password() -> None:
    with pytest.raises(UsageError) as caught:
        parse_location("ftp://me:secret@h/r")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        pytest.param("main", "main", id="branch"),
        pytest.param("v0.5.18", "v0.5.18", id="tag"),
        pytest.param("refs/heads/x/y", "refs/heads/x/y", id="full-ref"),
        pytest.param("HEAD", "HEAD", id="head"),
        pytest.param(SHA.upper(), SHA, id="sha-in-capitals"),
        pytest.param("feat/ü#1'\"$(x);{b}", "feat/ü#1'\"$(x);{b}", id="odd-but-allowed"),
        pytest.param("DEADBEEF", "DEADBEEF", id="may-be-a-branch-so-case-stays"),
    ],
)
def test_refs(text: str, ref: str) -> None:
    assert parse_ref(text) == ref


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("--upload-pack=x", id="option"),
        pytest.param("-x", id="short-option"),
        pytest.param("main~3", id="expression"),
        pytest.param("v1^{commit}", id="peeling"),
        pytest.param("@{u}", id="upstream"),
        pytest.param("@", id="at-alone"),
        pytest.param("a:b", id="refspec"),
        pytest.param("+main:x*", id="refspec-with-star"),
        pytest.param("a..b", id="range"),
        pytest.param("a b", id="blank"),
        pytest.param("a\nb", id="line-break"),
        pytest.param("a\0b", id="nul"),
        pytest.param("/a", id="leading-slash"),
        pytest.param("a/", id="trailing-slash"),
        pytest.param("a//b", id="empty-part"),
        pytest.param(".a", id="leading-dot"),
        pytest.param("a.lock", id="lock"),
        pytest.param("a.", id="trailing-dot"),
        pytest.param("\udcff", id="undecodable"),
        pytest.param("a" * 64, id="sha-256"),
    ],
)
def test_refused_refs(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_ref(text)
    assert str(caught.value).isprintable()
