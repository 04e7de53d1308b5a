"""Local repositories: read from the object database, so nothing else of the repository may have a say in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from extractor.errors import ExtractorError
from extractor.model.source import GitSource
from extractor.source.git import open_git, resolve
from extractor.source.objects import READ_LIMIT
from extractor.source.tree import Tree
from tests.source.conftest import Repo


def contents(tree: Tree) -> dict[str, bytes]:
    data = dict(tree.read([blob.id for blob in tree.blobs]))
    return {blob.path: data[blob.id] for blob in tree.blobs}


def read(url: str, ref: str, cache: Path) -> dict[str, bytes]:
    with open_git(url, ref, cache) as tree:
        return contents(tree)


def test_commit_and_content(repo: Repo, cache: Path) -> None:
    sha = repo.commit({"a.py": b"1\r\n\xff", "d/b.py": b"", "c.txt": b"no", "e.pyi": b"no"})
    with open_git(repo.url, "main", cache) as tree:
        assert contents(tree) == {"a.py": b"1\r\n\xff", "d/b.py": b""}
        assert (tree.commit.sha, tree.commit.ref, tree.commit.permalink_ref) == (sha, "main", sha)
        assert tree.commit.date == "2023-11-14T22:13:20.000Z"
        assert tree.commit.source == GitSource(url=repo.url)
        assert tree.skipped == ()


def test_only_the_commit_is_read_not_the_work_tree_nor_the_index(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"committed"})
    repo.write("a.py", b"edited")
    repo.write("new.py", b"staged")
    repo.git("add", "-A")
    assert read(str(repo.path), "HEAD", cache) == {"a.py": b"committed"}


@pytest.mark.parametrize("packed", [pytest.param(False, id="loose"), pytest.param(True, id="packed")])
@pytest.mark.parametrize("place", ["top", "git-folder", "bare", "worktree", "shallow", "borrowing"])
def test_kinds_of_repository(repo: Repo, cache: Path, tmp_path: Path, place: str, packed: bool) -> None:
    repo.commit({"a.py": b"old"})
    repo.commit({"a.py": b"new"})
    if packed:
        repo.git("gc", "-q")
    other = str(tmp_path / "other")
    how = {
        "top": [],
        "git-folder": [],
        "bare": ["clone", "-q", "--bare", ".", other],
        "worktree": ["worktree", "add", "-q", "-b", "side", other],
        "shallow": ["clone", "-q", "--depth=1", repo.url, other],
        "borrowing": ["clone", "-q", "--shared", ".", other],
    }[place]
    if how:
        repo.git(*how)
    path = other if how else str(repo.path / ".git") if place == "git-folder" else str(repo.path)
    assert read(path, "HEAD", cache) == {"a.py": b"new"}


def test_duplicate_ids_are_given_once(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"same", "b.py": b"same", "c.py": b"other"})
    with open_git(repo.url, "main", cache) as tree:
        ids = [blob.id for blob in tree.blobs]
        assert sorted(data for _, data in tree.read(ids + ids)) == [b"other", b"same"]
        assert list(tree.read([])) == []


def test_reading_may_stop_early(repo: Repo, cache: Path) -> None:
    repo.commit({f"{n}.py": os.urandom(100_000) for n in range(20)})
    with open_git(repo.url, "main", cache) as tree:
        ids = [blob.id for blob in tree.blobs]
        assert next(iter(tree.read(ids)))[0] == ids[0]
        assert len(list(tree.read(ids))) == 20


def test_a_long_blob_is_cut(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"#" * (READ_LIMIT + 10), "b.py": b"x"})
    lengths = {path: len(data) for path, data in read(repo.url, "main", cache).items()}
    assert lengths == {"a.py": READ_LIMIT, "b.py": 1}


ZOO = [
    "a b.py",
    "-x.py",
    "--upload-pack=x.py",
    "q'\"`$(x).py",
    "l\nf.py",
    "t\tb.py",
    "ü/日本.py",
    "…/..x.py",
    "\\.py",
    "x.py/y.py",
]


@pytest.mark.parametrize("path", [pytest.param(path, id=ascii(path)) for path in ZOO])
def test_odd_paths(repo: Repo, cache: Path, path: str) -> None:
    repo.commit({path: b"1", "z.py": b"2"})
    assert read(repo.url, "main", cache) == {path: b"1", "z.py": b"2"}


def test_blobs_are_sorted_by_bytes(repo: Repo, cache: Path) -> None:
    repo.commit(
        {"a/b.py": b"", "a.py": b"", "a-b.py": b"", "Z.py": b"", "é.py": b"", "\U0001f600.py": b"", "\uffee.py": b""}
    )
    with open_git(repo.url, "main", cache) as tree:
        paths = [blob.path for blob in tree.blobs]
    assert len(paths) == 7
    assert paths == sorted(paths, key=str.encode)


def test_links_and_undecodable_names_are_listed(repo: Repo, cache: Path, make_repo: Callable[..., Repo]) -> None:
    repo.write(b"bad\xff\n.py", b"1")
    (repo.path / "link.py").symlink_to("a.py")
    repo.commit({"a.py": b"1", "run.py": b"2"})
    repo.git("update-index", "--chmod=+x", "run.py")
    inner = make_repo("inner")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{inner.commit()},sub.py")
    repo.git("commit", "-qm", "submodule")
    with open_git(repo.url, "main", cache) as tree:
        assert [blob.path for blob in tree.blobs] == ["a.py", "run.py"]
        assert [(each.path, each.reason) for each in tree.skipped] == [
            ("bad\\xff\\n.py", "not-utf-8"),
            ("link.py", "symlink"),
        ]


def test_paths_that_git_would_not_make_are_listed(repo: Repo, cache: Path) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", data=b"1")

    def tree_of(*rows: tuple[str, str, str]) -> str:
        data = b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(sha) for mode, name, sha in rows)
        return repo.git("hash-object", "-w", "-t", "tree", "--stdin", "--literally", data=data)

    below = tree_of(("100644", "x.py", blob))
    top = tree_of(
        ("40000", "..", below),
        ("40000", ".GIT", below),
        ("100644", "/abs.py", blob),
        ("100644", "a.py", blob),
        ("100644", "a.py", blob),
    )
    repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", top, "-m", "x"))
    with open_git(repo.url, "main", cache) as tree:
        assert [blob.path for blob in tree.blobs] == ["a.py"]
        assert {(each.path, each.reason) for each in tree.skipped} == {
            ("../x.py", "unsafe-path"),
            (".GIT/x.py", "unsafe-path"),
            ("/abs.py", "unsafe-path"),
            ("a.py", "duplicate-path"),
        }


def test_names_of_a_commit(repo: Repo, cache: Path) -> None:
    first = repo.commit({"a.py": b"1"})
    second = repo.commit({"a.py": b"2"})
    repo.git("tag", "light", first)
    repo.git("tag", "-a", "-m", "x", "heavy", first)
    repo.git("tag", "-a", "-m", "x", "of-a-tag", "heavy")
    repo.git("branch", "feat/ü#1'$(x)", first)
    repo.git("branch", first[:8], second)
    repo.git("tag", "main", first)
    for ref, sha in {
        "HEAD": second,
        second: second,
        first.upper(): first,
        first[:12]: first,
        "light": first,
        "heavy": first,
        "of-a-tag": first,
        "tags/heavy": first,
        "refs/tags/heavy": first,
        repo.git("rev-parse", "heavy"): first,
        "feat/ü#1'$(x)": first,
        first[:8]: second,  # a branch of that name goes before the abbreviation, as in git
        "main": first,  # so does a tag before a branch
        "heads/main": second,
    }.items():
        assert resolve(repo.url, ref) == sha, ref
        with open_git(repo.url, ref, cache) as tree:
            assert (tree.commit.sha, tree.commit.ref) == (sha, ref)


def test_a_branch_called_like_another_commit_does_not_hide_it(repo: Repo) -> None:
    first, second = repo.commit({"a.py": b"1"}), repo.commit({"a.py": b"2"})
    repo.write(f".git/refs/heads/{first}", second.encode() + b"\n")
    assert resolve(repo.url, first) == first


def test_a_moved_branch_is_looked_up_again(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"1"})
    assert read(repo.url, "main", cache) == {"a.py": b"1"}
    repo.git("checkout", "-q", "--orphan", "x")
    repo.commit({"a.py": b"2"})
    repo.git("branch", "-f", "main", "x")
    assert read(repo.url, "main", cache) == {"a.py": b"2"}


def ambiguous(repo: Repo) -> str:
    """Make commits until two begin with the same four digits."""
    seen: set[str] = set()
    lines = [f"commit refs/heads/chain\ncommitter a <a@b> {number} +0000\ndata 0\n" for number in range(1000)]
    repo.git("fast-import", "--quiet", data="".join(lines).encode())
    for sha in repo.git("rev-list", "chain").split():
        if sha[:4] in seen:
            return sha[:4]
        seen.add(sha[:4])
    raise AssertionError("no two in a thousand begin alike")


def test_ambiguous_abbreviation(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"1"})
    prefix = ambiguous(repo)
    with pytest.raises(ExtractorError, match=rf"'{prefix}' is the beginning of \d commits .*give more digits"):
        open_git(repo.url, prefix, cache)


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        pytest.param("nope", "is no commit, branch or tag of", id="unknown-name"),
        pytest.param("0" * 40, "is no commit, branch or tag of", id="unknown-sha"),
        pytest.param("00000000", "is no commit, branch or tag of", id="unknown-abbreviation"),
        pytest.param("HEAD:d", "refused as a ref", id="expression"),
        pytest.param("TREE", "names a tree", id="tree"),
        pytest.param("BLOB", "names a blob", id="blob"),
        pytest.param("TREE7", "names a tree", id="abbreviated-tree"),
        pytest.param("tag-of-blob", "names a blob", id="tag-of-a-blob"),
    ],
)
def test_what_names_no_commit(repo: Repo, cache: Path, ref: str, words: str) -> None:
    repo.commit({"d/a.py": b"1"})
    tree, blob = repo.git("rev-parse", "HEAD:d"), repo.git("rev-parse", "HEAD:d/a.py")
    repo.git("tag", "-a", "-m", "x", "tag-of-blob", blob)
    ref = {"TREE": tree, "BLOB": blob, "TREE7": tree[:7]}.get(ref, ref)
    with pytest.raises(ExtractorError, match=words) as caught:
        open_git(repo.url, ref, cache)
    assert "\n" not in str(caught.value)


def test_an_empty_repository(repo: Repo, cache: Path) -> None:
    with pytest.raises(ExtractorError, match="has no commits yet"):
        open_git(repo.url, "main", cache)


@pytest.mark.parametrize("kind", ["nothing", "folder", "file", "sub-folder", "sha256", "damaged-head"])
def test_what_is_no_repository(
    repo: Repo, cache: Path, tmp_path: Path, make_repo: Callable[..., Repo], kind: str
) -> None:
    repo.commit({"d/a.py": b"1"})
    place = tmp_path / kind
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.write_text("x")
    elif kind == "sub-folder":
        place = repo.path / "d"
    elif kind == "sha256":
        other = make_repo("other", "--object-format=sha256")
        other.git("checkout", "-q", "--detach", other.commit({"a.py": b"1"}))
        place = other.path
    elif kind == "damaged-head":
        (repo.path / ".git/HEAD").write_bytes(b"\0\0")
        place = repo.path
    with pytest.raises(ExtractorError, match="is not a git repository"):
        open_git(str(place), "main", cache)


def test_hostile_settings_have_no_say(repo: Repo, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sha = repo.commit({"a.py": b"real", ".gitattributes": b"*.py filter=evil diff=evil text eol=crlf ident\n"})
    repo.commit({"a.py": b"fake"})
    repo.git("replace", sha, "HEAD")
    blob, fake = repo.git("rev-parse", f"{sha}:a.py"), repo.git("rev-parse", "HEAD:a.py")
    repo.git("replace", "-f", blob, fake)
    mark = tmp_path / "ran"
    evil = tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    evil.chmod(0o755)
    config = f"""
[core]
  fsmonitor = {evil}
  hooksPath = {tmp_path}
  sshCommand = {evil}
  pager = {evil}
  alternateRefsCommand = {evil}
  worktree = {tmp_path}
[uploadpack]
  packObjectsHook = {evil}
[filter "evil"]
  smudge = {evil}
  clean = {evil}
  process = {evil}
[diff "evil"]
  textconv = {evil}
[include]
  path = {tmp_path}/more
[extensions]
  partialClone = origin
[remote "origin"]
  url = ext::{evil}
  promisor = true
  uploadpack = {evil}
[protocol]
  allow = always
"""
    with (repo.path / ".git/config").open("a") as stream:
        stream.write(config)
    # The user's own git settings and variables that would redirect git have none either.
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.gitconfig").write_text(config)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "home/.gitconfig"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("GIT_COMMON_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.fsmonitor={evil}'")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    with open_git(repo.url, sha, cache) as tree:
        assert contents(tree)["a.py"] == b"real"
        with pytest.raises(ExtractorError, match="lacks 1 object"):
            list(tree.read(["0" * 40]))  # nothing is fetched from the promisor
    assert not mark.exists() and not (tmp_path / "trace").exists()
    assert os.environ["GIT_OBJECT_DIRECTORY"] == str(tmp_path)


def test_a_broken_config_does_not_matter(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"1"})
    (repo.path / ".git/config").write_bytes(b"[core\n\0")
    assert read(repo.url, "main", cache) == {"a.py": b"1"}


def test_the_repository_is_left_as_it_was(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"1"})

    def state() -> dict[str, tuple[int, int]]:
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in repo.path.rglob("*")}

    before = state()
    read(repo.url, "main", cache)
    assert state() == before


def test_a_partial_clone_says_what_to_do(repo: Repo, cache: Path, tmp_path: Path) -> None:
    repo.commit({"a.py": b"1"})
    repo.git("config", "uploadpack.allowFilter", "true")
    other = tmp_path / "partial"
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", repo.url, str(other))
    shutil.rmtree(repo.path)
    with open_git(str(other), "main", cache) as tree, pytest.raises(ExtractorError, match=r"lacks 1 object.*--refetch"):
        contents(tree)


@pytest.mark.parametrize("victim", ["commit", "tree", "blob"])
@pytest.mark.parametrize("how", ["garbage", "other-content"])
def test_damaged_objects_are_noticed(repo: Repo, cache: Path, victim: str, how: str) -> None:
    sha = repo.commit({"a.py": b"1"})
    name = {"commit": sha, "tree": repo.git("rev-parse", "HEAD^{tree}"), "blob": repo.git("rev-parse", "HEAD:a.py")}[
        victim
    ]
    file = repo.path / ".git/objects" / name[:2] / name[2:]
    file.chmod(0o644)
    if how == "garbage":
        file.write_bytes(b"garbage")
    else:  # a whole object, but not the one of that name: git itself does not notice it in `cat-file`
        other = repo.git("hash-object", "-w", "-t", victim, "--stdin", "--literally", data=b"something else")
        shutil.copy(repo.path / ".git/objects" / other[:2] / other[2:], file)
    with pytest.raises(ExtractorError, match=r"lacks|damaged"), open_git(repo.url, sha, cache) as tree:
        contents(tree)


def test_git_is_missing(repo: Repo, cache: Path) -> None:
    repo.commit({"a.py": b"1"})
    program = """
import sys
from pathlib import Path
from extractor.errors import ExtractorError
from extractor.source.git import open_git
try:
    open_git(sys.argv[1], "main", Path(sys.argv[2]))
except ExtractorError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, repo.url, str(cache)],
        env={**os.environ, "PATH": "/nonexistent"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "git is not installed" in done.stdout
