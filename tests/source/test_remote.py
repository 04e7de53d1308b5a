"""Remote repositories, over HTTP on this machine, from servers that can much and servers that can little."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from extractor.errors import ExtractorError
from extractor.model.source import GitSource
from extractor.source.git import open_git, resolve
from extractor.source.tree import Tree
from tests.source.conftest import Repo, Server

FILES = {"a.py": b"1", "d/b.py": b"2", "big.bin": os.urandom(200_000)}
PYTHON = {"a.py": b"1", "d/b.py": b"2"}


def contents(tree: Tree) -> dict[str, bytes]:
    data = dict(tree.read([blob.id for blob in tree.blobs]))
    return {blob.path: data[blob.id] for blob in tree.blobs}


def read(url: str, ref: str, cache: Path) -> dict[str, bytes]:
    with open_git(url, ref, cache) as tree:
        return contents(tree)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def willing(repo: Repo) -> Repo:
    repo.git("config", "uploadpack.allowFilter", "true")
    return repo


def test_commit_and_content(willing: Repo, server: Server, cache: Path) -> None:
    sha = willing.commit(FILES)
    with open_git(server.url("repo"), "main", cache) as tree:
        assert contents(tree) == PYTHON
        assert (tree.commit.sha, tree.commit.ref, tree.commit.permalink_ref) == (sha, "main", sha)
        assert tree.commit.source == GitSource(url=server.url("repo"))


def test_only_what_is_read_is_fetched_and_in_one_request(willing: Repo, server: Server, cache: Path) -> None:
    willing.commit({**FILES, **{f"m{n}.py": b"%d" % n for n in range(50)}})
    sha = willing.commit({"c.py": b"3"})
    with open_git(server.url("repo"), sha, cache) as tree:
        assert server.wants() == 1  # commit and trees
        assert len(contents(tree)) == 53
    assert server.wants() == 2  # all blobs
    assert size(cache) < 100_000  # not the big file, which nobody read


def test_a_second_run_needs_no_network(willing: Repo, server: Server, cache: Path) -> None:
    sha = willing.commit(FILES)
    read(server.url("repo"), sha, cache)
    server.requests.clear()
    assert read(server.url("repo"), sha, cache) == PYTHON
    assert server.requests == []
    assert read(server.url("repo"), "main", cache) == PYTHON
    assert server.wants() == 2  # the branch was looked up, nothing more


def test_a_new_commit_fetches_only_new_blobs(willing: Repo, server: Server, cache: Path) -> None:
    willing.commit(FILES)
    read(server.url("repo"), "main", cache)
    willing.commit({"c.py": b"3"})
    server.fetches.clear()
    assert read(server.url("repo"), "main", cache) == PYTHON | {"c.py": b"3"}
    blob = willing.git("rev-parse", "HEAD:c.py").encode()
    assert server.fetches[-1].count(b"want ") == 1 and blob in server.fetches[-1]


def test_a_force_pushed_branch(willing: Repo, server: Server, cache: Path) -> None:
    old = willing.commit(FILES)
    assert read(server.url("repo"), "main", cache) == PYTHON
    willing.git("checkout", "-q", "--orphan", "x")
    willing.git("rm", "-rqf", ".")
    willing.commit({"a.py": b"new"})
    willing.git("branch", "-f", "main", "x")
    assert read(server.url("repo"), "main", cache) == {"a.py": b"new"}
    assert read(server.url("repo"), old, cache) == PYTHON


@pytest.mark.parametrize("old_protocol", [pytest.param(False, id="v2"), pytest.param(True, id="v0")])
@pytest.mark.parametrize("filters", [pytest.param(True, id="filter"), pytest.param(False, id="no-filter")])
@pytest.mark.parametrize("any_sha", [pytest.param(True, id="any-sha"), pytest.param(False, id="no-sha")])
@pytest.mark.parametrize("age", ["tip", "older", "unreachable"])
def test_servers(
    repo: Repo, server: Server, cache: Path, filters: bool, any_sha: bool, old_protocol: bool, age: str
) -> None:
    """Whatever the server can do, the commit is read; only one that no ref reaches may be refused."""
    repo.git("config", "uploadpack.allowFilter", str(filters).lower())
    repo.git("config", "uploadpack.allowAnySHA1InWant", str(any_sha).lower())
    server.old_protocol = old_protocol
    wanted = repo.commit(FILES)
    if age != "tip":
        repo.commit({"a.py": b"later"}, "later")
        repo.commit({"d/b.py": b"later still"}, "later still")
    if age == "unreachable":
        repo.git("checkout", "-q", "--orphan", "x")
        repo.commit({"a.py": b"later"})
        repo.git("branch", "-D", "main")
    if age == "unreachable" and old_protocol and not any_sha:
        with pytest.raises(ExtractorError, match="no commit, branch or tag"):
            open_git(server.url("repo"), wanted, cache)
    else:
        assert read(server.url("repo"), wanted, cache) == PYTHON
        server.requests.clear()
        assert read(server.url("repo"), wanted, cache) == PYTHON
        assert server.requests == []
    if age == "older":  # what one run made of the cache does not spoil it for the next
        assert read(server.url("repo"), "main", cache) == {"a.py": b"later", "d/b.py": b"later still"}


def test_names_of_a_commit(willing: Repo, server: Server, cache: Path) -> None:
    url = server.url("repo")
    first = willing.commit({"a.py": b"1"})
    second = willing.commit({"a.py": b"2"})
    willing.git("tag", "light", first)
    willing.git("tag", "-a", "-m", "x", "heavy", first)
    willing.git("branch", "feat/ü#1'$(x)", first)
    willing.git("branch", first[:8], second)
    willing.git("update-ref", "refs/pull/7/head", first)
    for ref, sha in {
        "HEAD": second,
        "light": first,
        "heavy": first,
        "refs/tags/heavy": first,
        willing.git("rev-parse", "heavy"): first,
        "refs/pull/7/head": first,
        "feat/ü#1'$(x)": first,
        first[:8]: second,
        "heads/main": second,
        second[:4]: second,
        second[:12].upper(): second,
    }.items():
        with open_git(url, ref, cache) as tree:
            assert (tree.commit.sha, tree.commit.ref) == (sha, ref)
        if ref != willing.git("rev-parse", "heavy"):
            assert resolve(url, ref) == resolve(url, ref, cache) == sha


def test_abbreviation_of_an_old_commit(willing: Repo, server: Server, cache: Path) -> None:
    old = willing.commit(FILES)
    willing.commit({"a.py": b"2"})
    read(server.url("repo"), "main", cache)
    assert read(server.url("repo"), old[:7], cache) == PYTHON
    assert read(server.url("repo"), old[:5], cache) == PYTHON


@pytest.mark.parametrize("tip", [False, True], ids=["both-are-old", "one-is-a-branch"])
def test_ambiguous_abbreviation_is_found_in_the_history(willing: Repo, server: Server, cache: Path, tip: bool) -> None:
    lines = [f"commit refs/heads/main\ncommitter a <a@b> {n} +0000\ndata 0\n" for n in range(1000)]
    willing.git("fast-import", "--quiet", data="".join(lines).encode())
    sha = next(sha for sha in willing.git("log", "--format=%h", "--abbrev=4", "main").split() if len(sha) > 4)
    if tip:
        willing.git("branch", "known", sha)
    with pytest.raises(ExtractorError, match="give more digits"):
        open_git(server.url("repo"), sha[:4], cache)
    assert resolve(server.url("repo"), sha[:10], cache).startswith(sha)


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        pytest.param("nope", "is no commit, branch or tag of", id="unknown-name"),
        pytest.param("0" * 40, "does not have that commit|is no commit", id="unknown-sha"),
        pytest.param("00000000", "is no commit, branch or tag of", id="unknown-abbreviation"),
        pytest.param("TREE", "names a tree", id="tree"),
        pytest.param("BLOB", "names a blob", id="blob"),
        pytest.param("tag-of-blob", "names a blob", id="tag-of-a-blob"),
        pytest.param("--upload-pack=x", "looks like an option", id="option"),
    ],
)
def test_what_names_no_commit(willing: Repo, server: Server, cache: Path, ref: str, words: str) -> None:
    willing.commit({"d/a.py": b"1"})
    tree, blob = willing.git("rev-parse", "HEAD:d"), willing.git("rev-parse", "HEAD:d/a.py")
    willing.git("tag", "-a", "-m", "x", "tag-of-blob", blob)
    with pytest.raises(ExtractorError, match=words) as caught:
        open_git(server.url("repo"), {"TREE": tree, "BLOB": blob}.get(ref, ref), cache)
    assert "\n" not in str(caught.value)
    assert read(server.url("repo"), "main", cache) == {"d/a.py": b"1"}


def test_an_unknown_sha_is_not_searched_in_the_whole_history(willing: Repo, server: Server, cache: Path) -> None:
    willing.commit(FILES)
    with pytest.raises(ExtractorError, match="does not have that commit"):
        open_git(server.url("repo"), "0" * 40, cache)
    assert server.wants() == 1


@pytest.mark.usefixtures("repo")
def test_an_empty_repository(server: Server, cache: Path) -> None:
    for ref in ("main", "HEAD"):
        with pytest.raises(ExtractorError, match="has no commits yet"):
            open_git(server.url("repo"), ref, cache)


def test_no_repository_there(server: Server, cache: Path) -> None:
    with pytest.raises(ExtractorError, match="is no git repository; check the address"):
        open_git(server.url("nothing"), "main", cache)


def test_nobody_listens(server: Server, cache: Path) -> None:
    url = server.url("repo")
    server.server_close()
    with pytest.raises(ExtractorError, match="cannot be reached; check the address and the network"):
        open_git(url, "main", cache)


def test_credentials(willing: Repo, server: Server, cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    willing.commit(FILES)
    server.password = "s3cr:t/word"
    url = server.url("repo", "me:s3cr%3At%2Fword")
    with open_git(url, "main", cache) as tree:
        assert contents(tree) == PYTHON
        assert tree.commit.source == GitSource(url=server.url("repo"))
    assert read(server.url("repo"), tree.commit.sha, cache) == PYTHON  # one cache for all users; the SHA is known
    for wrong in ("me:wr0ngword", "wr0ngword", ""):
        with pytest.raises(ExtractorError, match="refused access; check the address, user name and password") as caught:
            open_git(server.url("repo", wrong), "main", cache)
        assert "wr0ngword" not in str(caught.value)
    stored = b"".join(path.read_bytes() + os.fsencode(path) for path in cache.rglob("*") if path.is_file())
    assert b"s3cr" not in stored and b"wr0ng" not in stored and b"bWU6" not in stored
    assert capfd.readouterr() == ("", "")


def test_credentials_in_netrc(
    willing: Repo, server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    willing.commit(FILES)
    server.password = "word"
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password word\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read(server.url("repo"), "main", cache) == PYTHON


def test_what_git_sees_on_its_command_line(
    willing: Repo, server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither credentials nor the URL, nor the name of a ref: any user of the machine can read it."""
    willing.commit(FILES)
    server.password = "word"
    (tmp_path / "bin").mkdir()
    wrapper = tmp_path / "bin/git"
    wrapper.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {tmp_path}/words\nexec {shutil.which("git")} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert read(server.url("repo", "me:word"), "main", cache) == PYTHON
    words = (tmp_path / "words").read_text().splitlines()
    assert "ls-remote" in words and "origin" in words
    assert not [word for word in words if "word" in word or "Basic" in word or "http:" in word or word == "main"]


def test_the_users_settings_have_no_say(
    willing: Repo, server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    willing.commit(FILES)
    mark = tmp_path / "ran"
    (tmp_path / ".gitconfig").write_text(
        f'[url "ext::touch {mark}% "]\n insteadOf = http://\n[credential]\n helper = "!touch {mark}"\n'
        f"[protocol]\n allow = always\n[http]\n proxy = http://127.0.0.1:1\n[init]\n templateDir = {tmp_path}\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_PROXY_COMMAND", f"touch {mark}")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext")
    assert read(server.url("repo"), "main", cache) == PYTHON
    server.password = "x"
    with pytest.raises(ExtractorError, match="refused access"):
        open_git(server.url("repo"), "main", cache)
    assert not mark.exists()


def flipped(data: bytes) -> bytes:
    return bytes(
        byte ^ 0x55 if 20 <= place < len(data) - 20 and place % 7 == 0 else byte for place, byte in enumerate(data)
    )


def rewrite(files: Iterable[Path], change: Callable[[bytes], bytes]) -> None:
    for file in files:
        file.chmod(0o644)
        file.write_bytes(change(file.read_bytes()))


def damage(git: Path, how: str) -> None:
    packs, indexes = list(git.glob("objects/pack/*.pack")), list(git.glob("objects/pack/*.idx"))
    match how:
        case "no-config":
            (git / "config").unlink()
        case "other-config":
            (git / "config").write_text("[core]\n\tfsmonitor = touch /nonexistent/x\n[x")
        case "no-head":
            (git / "HEAD").unlink()
        case "no-refs" | "no-objects":
            shutil.rmtree(git / how.removeprefix("no-"))
        case "empty-folder":
            shutil.rmtree(git)
            git.mkdir()
        case "a-file":
            shutil.rmtree(git)
            git.write_text("x")
        case "broken-packs":
            rewrite(packs, lambda _: b"x" * 40)
        case "cut-packs":
            rewrite(packs, lambda data: data[:60])
        case "flipped-packs":
            rewrite(packs, flipped)
        case "broken-indexes":
            rewrite(indexes, lambda _: b"x" * 40)
        case "no-indexes":
            for index in indexes:
                index.unlink()
        case "broken-shallow":
            (git / "shallow").write_text("x")
        case "left-locks":
            for name in ("shallow.lock", "config.lock", "objects/pack/tmp_x"):
                (git / name).write_text("")


DAMAGE = [
    *("no-config", "other-config", "no-head", "no-refs", "no-objects", "empty-folder", "a-file", "broken-packs"),
    *("cut-packs", "flipped-packs", "broken-indexes", "no-indexes", "broken-shallow", "left-locks"),
]


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_cache_is_made_anew(willing: Repo, server: Server, cache: Path, how: str) -> None:
    first = willing.commit(FILES)
    read(server.url("repo"), "main", cache)
    (gitdir,) = cache.rglob("objects.git")
    damage(gitdir, how)
    assert read(server.url("repo"), first, cache) == PYTHON
    willing.commit({"c.py": b"3"})
    before = set(gitdir.glob("objects/pack/*.pack"))
    damage(gitdir, how)
    assert read(server.url("repo"), "main", cache) == PYTHON | {"c.py": b"3"}
    assert read(server.url("repo"), first[:6], cache) == PYTHON
    if how in ("left-locks", "no-config"):  # these are mended, what was fetched is kept
        assert before < set(gitdir.glob("objects/pack/*.pack"))


def test_a_cache_damaged_between_open_and_read(willing: Repo, server: Server, cache: Path) -> None:
    willing.commit(FILES)
    read(server.url("repo"), "main", cache)
    (gitdir,) = cache.rglob("objects.git")
    with open_git(server.url("repo"), "main", cache) as tree:
        damage(gitdir, "flipped-packs")
        assert contents(tree) == PYTHON


def test_a_cache_that_cannot_be_written(willing: Repo, server: Server, tmp_path: Path) -> None:
    willing.commit(FILES)
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(ExtractorError, match=r"the cache folder .* cannot be used: .*--cache"):
        open_git(server.url("repo"), "main", tmp_path / "cache")


def test_a_relative_cache_folder(
    willing: Repo, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    willing.commit(FILES)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert read(server.url("repo"), "main", Path("$HOME ~/ü")) == PYTHON
    assert (tmp_path / "here/$HOME ~/ü/git").is_dir()


PROGRAM = """
import sys
from pathlib import Path
from extractor.source.git import open_git
with open_git(sys.argv[1], sys.argv[2], Path(sys.argv[3])) as tree:
    print(sum(len(data) for _, data in tree.read([blob.id for blob in tree.blobs])))
"""


def start(url: str, ref: str, cache: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, url, ref, str(cache)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_several_runs_at_once(willing: Repo, server: Server, cache: Path) -> None:
    willing.commit({f"{n}.py": os.urandom(1000) for n in range(100)})
    old = willing.git("rev-parse", "HEAD")
    willing.commit({f"{n}.py": os.urandom(1000) for n in range(50, 150)})
    runs = [start(server.url("repo"), ref, cache) for ref in ("main", old, "main", old[:5])]
    assert [run.communicate() for run in runs] == [(b"150000\n", b""), (b"100000\n", b"")] * 2


@pytest.mark.parametrize("moment", [0.2, 0.3, 0.4, 0.5])
def test_killed_at_any_moment(willing: Repo, server: Server, cache: Path, moment: float) -> None:
    willing.commit({f"{n}.py": os.urandom(5000) for n in range(200)})
    run = start(server.url("repo"), "main", cache)
    time.sleep(moment)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert sum(map(len, read(server.url("repo"), "main", cache).values())) == 1_000_000
    assert not list(cache.rglob("scratch-*"))


def test_ssh_runs_without_asking(willing: Repo, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a stand-in for ssh that runs the command here: git's side of the protocol is the real one."""
    willing.commit(FILES)
    (tmp_path / "bin").mkdir()
    ssh = tmp_path / "bin/ssh"
    ssh.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nfor last; do :; done\nexec sh -c "$last"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert read(f"me@example.org:{willing.path}", "main", cache) == PYTHON
    assert read(f"ssh://me:secret@example.org{willing.path}", "main", cache) == PYTHON
    calls = (tmp_path / "calls").read_text()
    assert "-oBatchMode=yes" in calls and "me@example.org" in calls and "secret" not in calls
    ssh.write_text("#!/bin/sh\necho 'me@example.org: Permission denied (publickey).' >&2\nexit 255\n")
    with pytest.raises(ExtractorError, match=r"refused access; check .* ssh key"):
        open_git("me@example.org:other", "main", cache)
