"""Releases: tiny wheels made here, offered to pip through its own settings (`PIP_FIND_LINKS`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from extractor.errors import ExtractorError, UsageError
from extractor.model.source import PypiSource
from extractor.source import download, pypi
from extractor.source.pypi import open_pypi, parse_requirement
from extractor.source.tree import Tree

DATE = (2026, 3, 4, 5, 6, 8)


def contents(tree: Tree) -> dict[str, bytes]:
    data = dict(tree.read([blob.id for blob in tree.blobs]))
    return {blob.path: data[blob.id] for blob in tree.blobs}


def read(requirement: str, cache: Path) -> dict[str, bytes]:
    with open_pypi(requirement, cache, "demo") as tree:
        return contents(tree)


MakeWheel = Callable[..., Path]


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "links"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def make_wheel(links: Path) -> MakeWheel:
    def make(files: dict[str, bytes], version: str = "1.0", tag: str = "py3-none-any", python: str = ">=3.8") -> Path:
        path = links / f"demo-{version}-{tag}.whl"
        about = f"demo-{version}.dist-info"
        metadata = f"Metadata-Version: 2.1\nName: demo\nVersion: {version}\nRequires-Python: {python}\n"
        wheel = f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: {tag}\n"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, (name, data) in enumerate(files.items()):
                info = zipfile.ZipInfo(name, DATE if number == 0 else (1980, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data)
            for name, text in {"METADATA": metadata, "WHEEL": wheel, "RECORD": ""}.items():
                archive.writestr(zipfile.ZipInfo(f"{about}/{name}"), text)
        return path

    return make


@pytest.fixture
def no_pip(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def refuse(*_: object) -> None:
        raise AssertionError("pip was called")

    return lambda: monkeypatch.setattr(pypi, "download_wheel", refuse)


@pytest.fixture
def quick_pip(links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is not about pip: hand over the wheel without the half second that pip takes."""

    def hand_over(project: str, version: str, folder: Path) -> Path:
        (wheel,) = links.glob(f"{project}-{version}-*.whl")
        return Path(shutil.copy(wheel, folder))

    monkeypatch.setattr(pypi, "download_wheel", hand_over)


def test_a_release_as_a_commit(make_wheel: MakeWheel, cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    make_wheel(
        {
            "demo/__init__.py": b"1\r\n",
            "demo/sub/x.py": b"",
            "demo/data.txt": b"no",
            "demo-1.0.dist-info/x.py": b"no",
            "demo-1.0.data/scripts/x.py": b"no",
            "top.py": b"2",
        }
    )
    with open_pypi("demo==1.0", cache) as tree:
        assert contents(tree) == {
            "python/demo/__init__.py": b"1\r\n",
            "python/demo/sub/x.py": b"",
            "python/top.py": b"2",
        }
        assert [blob.path for blob in tree.blobs] == [
            "python/demo/__init__.py",
            "python/demo/sub/x.py",
            "python/top.py",
        ]
        assert tree.skipped == ()
        assert (tree.commit.ref, tree.commit.permalink_ref) == ("demo==1.0", "v1.0")
        assert tree.commit.date == "2026-03-04T05:06:08.000Z"
        assert isinstance(tree.commit.source, PypiSource)
        assert (tree.commit.source.project, tree.commit.source.version) == ("demo", "1.0")
        assert len(tree.commit.source.sha256) == 64
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("quick_pip")
def test_the_commit_is_that_of_the_content(
    make_wheel: MakeWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Worked out by hand with other git commands: no name, date, time zone or setting of this machine is in it."""
    make_wheel({"demo/a.py": b"1"})
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    with open_pypi("demo==1.0", tmp_path / "one") as one, open_pypi("demo==1.0", tmp_path / "two") as two:
        assert one.commit == two.commit

    def git(*arguments: str, data: bytes = b"") -> str:
        folder = str(tmp_path / "check")
        return (
            subprocess.run(["git", "-C", folder, *arguments], input=data, capture_output=True, check=True)
            .stdout.decode()
            .strip()
        )

    (tmp_path / "check").mkdir()
    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", data=b"1")
    tree = git("mktree", data=f"100644 blob {blob}\ta.py\n".encode())
    tree = git("mktree", data=f"040000 tree {tree}\tdemo\n".encode())
    tree = git("mktree", data=f"040000 tree {tree}\tpython\n".encode())
    who = "extractor <extractor@localhost> 1772600768 +0000"
    text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\ndemo 1.0\n"
    assert git("hash-object", "-t", "commit", "--stdin", data=text.encode()) == one.commit.sha


def test_the_next_run_needs_no_pip(make_wheel: MakeWheel, cache: Path, no_pip: Callable[[], None]) -> None:
    make_wheel({"demo/a.py": b"1"})
    first = read("1.0", cache)
    no_pip()
    assert read("demo==1.0", cache) == first == {"python/demo/a.py": b"1"}


@pytest.mark.parametrize(
    "path", ["a b.py", "-x.py", "q'\"`.py", "l\nf.py", "ü/日本.py", "…/..x.py", "x.py/y.py"], ids=ascii
)
@pytest.mark.usefixtures("quick_pip")
def test_odd_names(make_wheel: MakeWheel, cache: Path, path: str) -> None:
    make_wheel({path: b"1"})
    assert read("1.0", cache) == {f"python/{path}": b"1"}


@pytest.mark.usefixtures("quick_pip")
def test_twice_the_same_name(make_wheel: MakeWheel, cache: Path) -> None:
    path = make_wheel({"demo/a.py": b"1"})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("demo/a.py", b"2")
    assert read("1.0", cache) == {"python/demo/a.py": b"2"}  # as whoever unpacks it sees it


@pytest.mark.usefixtures("quick_pip")
def test_a_wheel_without_python(make_wheel: MakeWheel, cache: Path) -> None:
    make_wheel({"demo/a.so": b"1"})
    assert read("1.0", cache) == {}


@pytest.mark.parametrize(
    "tag",
    [
        "cp39-cp39-win_amd64",
        "cp310-abi3-macosx_11_0_arm64",
        "py2-none-any",
        "pp310-pypy310_pp73-win32",
    ],
)
def test_wheels_for_other_machines(make_wheel: MakeWheel, cache: Path, tag: str) -> None:
    make_wheel({"demo/a.py": b"1"}, tag=tag, python="==2.6.*")
    assert read("1.0", cache) == {"python/demo/a.py": b"1"}


def test_versions_are_written_as_the_index_does(make_wheel: MakeWheel, cache: Path) -> None:
    make_wheel({"demo/a.py": b"1"}, version="1.0rc1+cu12")
    with open_pypi("Demo==1.0-RC1+cu12", cache) as tree:
        assert (tree.commit.ref, tree.commit.permalink_ref) == ("demo==1.0rc1+cu12", "v1.0rc1")


def test_a_missing_version_names_near_ones(make_wheel: MakeWheel, cache: Path) -> None:
    for version in ("0.5.9", "0.5.18", "0.5.19", "0.5.21", "2.0"):
        make_wheel({"demo/a.py": b"1"}, version=version)
    with pytest.raises(
        ExtractorError, match=r"no wheel of demo==0\.5\.20 was found; near it: 0\.5\.18, 0\.5\.19, 0\.5\.21, 2\.0$"
    ) as caught:
        read("0.5.20", cache)
    assert "\n" not in str(caught.value)


def test_a_missing_project(links: Path, cache: Path) -> None:
    assert links.is_dir()
    with pytest.raises(ExtractorError, match=r"no wheel of demo==1\.0 was found; check the name"):
        read("1.0", cache)


def test_an_index_out_of_reach(links: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert links.is_dir()
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:s3cret@127.0.0.1:1/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ExtractorError, match="cannot be reached") as caught:
        read("1.0", cache)
    assert "s3cret" not in str(caught.value)


def test_no_pip(links: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert links.is_dir()
    monkeypatch.setattr(download, "_PIP", (sys.executable, "-S", "-I", "-m", "pip", "download"))
    with pytest.raises(ExtractorError, match=r"has no pip.*ensurepip"):
        read("1.0", cache)


def test_a_folder_called_pip_is_not_run(
    make_wheel: MakeWheel, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_wheel({"demo/a.py": b"1"})
    (tmp_path / "here").mkdir()
    (tmp_path / "here/pip.py").write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path / "here")
    assert read("1.0", cache) == {"python/demo/a.py": b"1"}


@pytest.mark.parametrize(
    "name",
    [
        "../x.py",
        "/x.py",
        "demo/../../x.py",
        "demo\\..\\x.py",
        "demo/.git/x.py",
        ".GIT/hooks/x",
        "demo//x.py",
        "demo/./x.py",
    ],
)
@pytest.mark.usefixtures("quick_pip")
def test_unsafe_names(make_wheel: MakeWheel, cache: Path, tmp_path: Path, name: str) -> None:
    make_wheel({"demo/a.py": b"1", name: b"2"})
    with pytest.raises(ExtractorError, match="would be written outside"):
        read("1.0", cache)
    assert not list(tmp_path.rglob("x.py")) and not list(cache.rglob("scratch-*"))


@pytest.mark.usefixtures("quick_pip")
def test_a_zip_bomb(make_wheel: MakeWheel, cache: Path) -> None:
    make_wheel({"demo/a.py": b"0" * ((64 << 20) + 1)})
    with pytest.raises(ExtractorError, match="has 67108865 bytes"):
        read("1.0", cache)


def test_pip_refuses_a_damaged_wheel(make_wheel: MakeWheel, cache: Path) -> None:
    make_wheel({"demo/a.py": b"1"}).write_bytes(b"<html>")
    with pytest.raises(ExtractorError, match=r"pip could not download demo==1\.0: ") as caught:
        read("1.0", cache)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("quick_pip")
@pytest.mark.parametrize("how", ["no-zip", "cut", "wrong-checksum", "encrypted"])
def test_a_damaged_wheel(make_wheel: MakeWheel, cache: Path, how: str) -> None:
    path = make_wheel({"demo/a.py": b"print(1)\n" * 100})
    data = bytearray(path.read_bytes())
    middle = data.index(b"PK\x01\x02")  # the central directory's first entry: flags at 8, checksum at 16
    if how == "no-zip":
        data = bytearray(b"<html>")
    elif how == "cut":
        del data[len(data) // 2 :]
    elif how == "wrong-checksum":
        data[middle + 16] ^= 1
    else:
        data[6] |= 1
        data[middle + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(
        ExtractorError, match=r"the wheel 'demo-1\.0-py3-none-any\.whl' is refused: it cannot be read"
    ) as caught:
        read("1.0", cache)
    assert "\n" not in str(caught.value)
    make_wheel({"demo/a.py": b"1"})
    assert read("1.0", cache) == {"python/demo/a.py": b"1"}  # nothing bad was kept


@pytest.mark.parametrize("how", ["no-note", "broken-note", "no-objects", "broken-packs", "older-importer", "wheel-too"])
def test_a_damaged_cache_is_made_anew(make_wheel: MakeWheel, cache: Path, how: str, no_pip: Callable[[], None]) -> None:
    make_wheel({"demo/a.py": b"1", "demo/b.py": b"2"})
    with open_pypi("demo==1.0", cache) as tree:
        first = (tree.commit, contents(tree))
    room = cache / "pypi/demo/1.0"
    note = room / "release.json"
    if how == "no-note":
        note.unlink()
    elif how == "broken-note":
        note.write_bytes(b"\xff{")
    elif how == "older-importer":
        note.write_bytes(note.read_bytes().replace(b'"importer":1', b'"importer":0'))
    elif how == "broken-packs":
        for pack in room.rglob("*.pack"):
            pack.chmod(0o644)
            pack.write_bytes(pack.read_bytes()[:40] + b"x" * 100)
    else:
        shutil.rmtree(room / "objects.git")
    if how == "wheel-too":
        next(room.glob("*.whl")).write_bytes(b"x")
    elif "note" not in how:
        no_pip()  # the wheel is still there
    with open_pypi("demo==1.0", cache) as tree:
        assert (tree.commit, contents(tree)) == first


@pytest.mark.usefixtures("quick_pip")
def test_a_cache_damaged_between_open_and_read(make_wheel: MakeWheel, cache: Path) -> None:
    make_wheel({"demo/a.py": b"1", "demo/b.py": b"2"})
    with open_pypi("demo==1.0", cache) as tree:
        shutil.rmtree(cache / "pypi/demo/1.0/objects.git")
        assert contents(tree) == {"python/demo/a.py": b"1", "python/demo/b.py": b"2"}


def test_several_runs_at_once(make_wheel: MakeWheel, cache: Path) -> None:
    make_wheel({f"demo/{n}.py": os.urandom(1000) for n in range(100)})
    program = (
        "import sys; from pathlib import Path; from extractor.source.pypi import open_pypi\n"
        "with open_pypi('demo==1.0', Path(sys.argv[1])) as tree:\n"
        "    print(sum(len(data) for _, data in tree.read([blob.id for blob in tree.blobs])))\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program, str(cache)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    assert [run.communicate() for run in runs] == [(b"100000\n", b"")] * 3


@pytest.mark.usefixtures("quick_pip")
def test_killed_while_importing(make_wheel: MakeWheel, cache: Path) -> None:
    """What a kill leaves behind: a scratch folder, a wheel without a note."""
    path = make_wheel({"demo/a.py": b"1"})
    room = cache / "pypi/demo/1.0"
    (room / "scratch-x/objects").mkdir(parents=True)
    (room / path.name).write_bytes(b"half a wheel")
    assert read("1.0", cache) == {"python/demo/a.py": b"1"}
    assert not list(room.glob("scratch-*"))


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        pytest.param("0.5.18", ("sglang", "0.5.18"), id="version"),
        pytest.param("My_Proj==1.0", ("my-proj", "1.0"), id="normalised-name"),
        pytest.param("x == 1.0", ("x", "1.0"), id="blanks"),
        pytest.param("v1.0", ("sglang", "1.0"), id="leading-v"),
        pytest.param("x==1!2.0rc1", ("x", "1!2.0rc1"), id="epoch"),
    ],
)
def test_requirements(text: str, parsed: tuple[str, str]) -> None:
    assert parse_requirement(text, "sglang") == parsed


REFUSED = [
    *("", "x==", "==", "x", "x>=1", "x==1.*", "-r==1.0", "--index-url=http://h==1", "x[y]==1", "../x==1.0", "x==1;y"),
    *("x @ file:///y==1", "x==-1", "x\n==1", "x==1\0"),
]


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_refused_requirements(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_requirement(text, "sglang")
    assert str(caught.value).isprintable()
