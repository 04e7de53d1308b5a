from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from extractor.store import files
from extractor.store.files import OutputError, Stage, heal, replacing, settled


def anything(folder: Path) -> None:
    """Accept every folder."""


def put(target: Path, content: str, accept: Callable[[Path], None] = anything) -> None:
    with replacing(target, accept) as stage:
        stage.folder("deep")
        stage.put("a.txt", content.encode())
        with stage.stream("deep/b.txt") as stream:
            stream.write(content.encode() * 3)


def held(target: Path) -> str:
    assert (target / "deep" / "b.txt").read_text() == (target / "a.txt").read_text() * 3
    return (target / "a.txt").read_text()


@pytest.fixture(params=["exchange", "two renames"])
def target(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "two renames":
        monkeypatch.setattr(files, "_exchange", lambda *_: False)
    return tmp_path / "made" / "out"


def test_new_and_replaced(target: Path) -> None:
    put(target, "one")
    assert held(target) == "one"
    put(target, "two")
    assert held(target) == "two"
    assert [path.name for path in target.parent.iterdir()] == ["out"]


def test_an_unchanged_file_is_linked_and_a_changed_one_is_not(target: Path) -> None:
    put(target, "one")
    before = (target / "a.txt").stat().st_ino
    put(target, "one")
    assert (target / "a.txt").stat().st_ino == before
    put(target, "two")
    assert (target / "a.txt").stat().st_ino != before


@pytest.mark.parametrize("kind", ["symlink", "folder", "fifo", "longer"])
def test_only_a_plain_file_of_the_same_bytes_is_linked(target: Path, kind: str) -> None:
    put(target, "one")
    name = target / "a.txt"
    name.unlink()
    if kind == "symlink":
        name.with_name("b.txt").write_text("one")
        name.symlink_to("b.txt")
    elif kind == "folder":
        name.mkdir()
    elif kind == "fifo":
        os.mkfifo(name)
    else:
        name.write_text("one and more")
    put(target, "one")
    assert name.is_file() and not name.is_symlink() and held(target) == "one"


def test_a_failure_leaves_the_old_content_and_nothing_else(target: Path) -> None:
    put(target, "one")
    with pytest.raises(RuntimeError), replacing(target, anything) as stage:
        stage.put("a.txt", b"two")
        raise RuntimeError
    assert held(target) == "one"
    assert [path.name for path in target.parent.iterdir()] == ["out"]


def test_a_failure_of_the_second_rename_brings_the_old_content_back(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(target, "one")
    monkeypatch.setattr(files, "_exchange", lambda *_: False)
    real = Path.rename

    def broken(self: Path, other: Path) -> Path:
        if "staging" in self.name:
            raise OSError(errno.EIO, "Input/output error")
        return real(self, other)

    monkeypatch.setattr(Path, "rename", broken)
    with pytest.raises(OutputError, match="Input/output error"):
        put(target, "two")
    assert held(target) == "one"


def test_refused_by_the_caller_before_anything_is_written(target: Path) -> None:
    put(target, "one")

    def refuse(folder: Path) -> None:
        assert sorted(os.listdir(folder.parent)) == ["out"]  # noqa: PTH208 (names only)
        raise OutputError.foreign(folder, "is mine")

    with pytest.raises(OutputError, match="is mine"):
        put(target, "two", refuse)
    assert held(target) == "one"


def test_what_a_killed_run_left_is_cleared_or_brought_back(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put(out, "one")
    out.rename(tmp_path / ".out.extractor-previous")
    (tmp_path / ".out.extractor-staging").mkdir()
    assert held(settled(out)) == "one"
    heal(out)
    assert held(out) == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from extractor.store import files
    step, calls = int(sys.argv[2]), 0
    if sys.argv[3] == "two renames":
        files._exchange = lambda *_: False
    def dying(function):
        def call(*args, **kwargs):
            global calls
            calls += 1
            if calls == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **kwargs)
        return call
    for name in ("mkdir", "open", "write", "fsync", "close", "rename", "unlink", "rmdir"):
        setattr(os, name, dying(getattr(os, name)))
    with files.replacing(Path(sys.argv[1]), lambda folder: None) as stage:
        stage.folder("deep")
        stage.put("a.txt", b"two")
        with stage.stream("deep/b.txt") as stream:
            stream.write(b"two" * 3)
"""


@pytest.mark.parametrize("way", ["exchange", "two renames"])
def test_killed_at_any_system_call_a_reader_finds_one_whole_folder(tmp_path: Path, way: str) -> None:
    out, seen = tmp_path / "out", set()
    for step in range(1, 200):
        put(out, "one")
        command = [sys.executable, "-c", textwrap.dedent(KILLED), str(out), str(step), way]
        done = subprocess.run(command, check=False)
        seen.add(held(settled(out)))
        if done.returncode != -signal.SIGKILL:
            assert done.returncode == 0
            break
    else:
        pytest.fail("the run never came to its end")
    assert seen == {"one", "two"}
    put(out, "three")
    assert held(out) == "three"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_too_large_a_file_is_one_line_and_leaves_the_old_content(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put(out, "one")
    code = """
        import resource, sys
        from pathlib import Path
        from extractor.store.files import OutputError, replacing
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            with replacing(Path(sys.argv[1]), lambda folder: None) as stage:
                stage.put("a.txt", b"x" * 5000)
        except OutputError as error:
            sys.exit(str(error))
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(out)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert held(out) == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO])
def test_refusals_of_the_system_are_told_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    out = tmp_path / "out"
    put(out, "one")

    def refuse(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        with pytest.raises(OutputError) as caught:
            put(out, "two")
    assert os.strerror(code) in str(caught.value)
    assert str(out) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert held(out) == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_file_in_the_way_of_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match=r"Not a directory|File exists"):
        put(tmp_path / "file" / "out", "one")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real" / "out")
    put(tmp_path / "link", "one")
    put(tmp_path / "link", "two")
    assert (tmp_path / "link").is_symlink()
    assert held(tmp_path / "real" / "out") == "two"


def test_the_root_folder_is_refused() -> None:
    with pytest.raises(OutputError, match="root"):
        put(Path("/"), "one")


@pytest.mark.parametrize("name", ["../outside.txt", "deep/../../outside.txt", "/tmp/outside.txt", "unknown/x.txt"])  # noqa: S108 (never written)
def test_no_name_leaves_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises((KeyError, OutputError)), replacing(tmp_path / "out", anything) as stage:
        stage.put(name, b"x")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="exists"), replacing(tmp_path / "out", anything) as stage:
        stage.put("a.txt", b"x")
        stage.put("a.txt", b"y")


def test_a_name_with_a_line_break_is_shown_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a\nb").write_text("")
    with pytest.raises(OutputError) as caught:
        put(tmp_path / "a\nb" / "out", "one")
    assert "\n" not in str(caught.value)


def test_what_a_stream_wrote_has_its_length_and_digest(tmp_path: Path) -> None:
    from hashlib import sha256

    with replacing(tmp_path / "out", anything) as stage, stage.stream("a.txt") as stream:
        for _ in range(3):
            stream.write(b"0123456789" * 99999)
    data = (tmp_path / "out" / "a.txt").read_bytes()
    assert (stream.bytes, stream.sha256()) == (len(data), sha256(data).hexdigest())
    assert len(data) == 2999970


def _many(out: Path, name: str, rounds: int) -> None:
    for number in range(rounds):
        put(out, f"{name}{number}")


def test_two_runs_at_once_end_with_one_whole_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put(out, "start")
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_many, args=(out, name, 60)) for name in "ab"]
    for run in runs:
        run.start()
    seen = set()
    while any(run.is_alive() for run in runs):
        seen.add(_whole(out))
    for run in runs:
        run.join()
        assert run.exitcode == 0
    assert held(out) in {"a59", "b59"}
    assert len(seen) > 2
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def _whole(out: Path) -> str:
    """Read both files below one opened folder, as the dataset's reader does; anew if it is being removed."""
    while True:
        try:
            folder = os.open(out, os.O_RDONLY)
        except FileNotFoundError:
            continue
        try:
            texts = []
            for name in ("a.txt", "deep/b.txt"):
                with os.fdopen(os.open(name, os.O_RDONLY, dir_fd=folder)) as file:
                    texts.append(file.read())
        except FileNotFoundError:
            continue
        finally:
            os.close(folder)
        assert texts[1] == texts[0] * 3
        return texts[0]


def test_a_stage_is_a_plain_folder_until_it_is_in_place(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    stage = Stage(tmp_path / "x")
    stage.put("a", b"b")
    stage.close()
    stage.close()
    assert (tmp_path / "x" / "a").read_bytes() == b"b"
