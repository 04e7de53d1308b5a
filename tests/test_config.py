from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from extractor.config import BUILT_IN, DEFAULT_REPO, Config, GitWanted, PypiWanted, Settings, resolve, source_date
from extractor.errors import SettingError, UsageError

USUAL_CACHE = Path("usual")
Resolve = Callable[..., Config]


@pytest.fixture
def resolved(tmp_path: Path) -> Resolve:
    def do(call: Settings | None = None, project: str = "") -> Config:
        if project:
            (tmp_path / "pyproject.toml").write_text(project)
        return resolve(call or Settings(), tmp_path, {}, USUAL_CACHE)

    return do


def test_the_built_in_settings(resolved: Resolve, tmp_path: Path) -> None:
    assert resolved() == Config(
        repo="sgl-project/sglang",
        source=GitWanted("https://github.com/sgl-project/sglang.git", "0132848349585cfe6aae51c4941cbae872505f8a"),
        output=tmp_path / "output" / "dataset",
        include=(),
        exclude=("/test/", "/benchmark/", "/docs/", "/examples/", "/3rdparty/"),
        exceptions=("ValueError",),
        subclasses=False,
        jobs=None,
        cache=USUAL_CACHE,
        version=None,
    )


def test_another_repository_has_no_built_in_settings(resolved: Resolve) -> None:
    config = resolved(Settings(repo="a/b"))
    assert config.source == GitWanted("https://github.com/a/b.git", "HEAD")
    assert config.exclude == ()


def test_another_place_means_what_stands_there(resolved: Resolve) -> None:
    assert resolved(Settings(url="/a/clone")).source == GitWanted("/a/clone", "HEAD")
    assert resolved(Settings(url="/a/clone", sha="v1")).source == GitWanted("/a/clone", "v1")


PROJECT = """
    [tool.extractor]
    repo = "owner/name"
    url = "https://host/x.git"
    sha = "main"
    output = "there"
    include = ["src/"]
    exclude = ["*_pb2.py"]
    exceptions = ["TypeError"]
    subclasses = true
    jobs = 3
    cache = "kept"
"""


def test_the_project_over_the_built_in(resolved: Resolve, tmp_path: Path) -> None:
    assert resolved(project=PROJECT) == Config(
        repo="owner/name",
        source=GitWanted("https://host/x.git", "main"),
        output=tmp_path / "there",
        include=("src/",),
        exclude=("*_pb2.py",),
        exceptions=("TypeError", "ValueError"),
        subclasses=True,
        jobs=3,
        cache=tmp_path / "kept",
        version=None,
    )


def test_the_call_over_the_project(resolved: Resolve) -> None:
    call = Settings(
        repo="other/name",
        url="/local",
        sha="v1",
        output="/here",
        include=("lib/",),
        exclude=("gen/",),
        exceptions=("KeyError",),
        subclasses=False,
        jobs=1,
        cache=False,
    )
    assert resolved(call, PROJECT) == Config(
        repo="other/name",
        source=GitWanted("/local", "v1"),
        output=Path("/here"),
        include=("lib/",),
        exclude=("gen/",),
        exceptions=("KeyError", "ValueError"),
        subclasses=False,
        jobs=1,
        cache=None,
        version=None,
    )


def test_own_patterns_come_after_the_built_in_ones(resolved: Resolve) -> None:
    exclude = resolved(Settings(exclude=("!/test/", "x/"))).exclude
    assert exclude == (*(BUILT_IN[DEFAULT_REPO].exclude or ()), "!/test/", "x/")


@pytest.mark.parametrize(
    ("call", "project", "source"),
    [
        pytest.param(Settings(pypi="1.0"), 'sha = "x"', PypiWanted("1.0"), id="a release called for"),
        pytest.param(
            Settings(sha="y"),
            'pypi = "1.0"',
            GitWanted("https://github.com/a/b.git", "y"),
            id="a commit called for",
        ),
        pytest.param(Settings(), 'pypi = "1.0"', PypiWanted("1.0"), id="a set release"),
        pytest.param(Settings(sha="y"), 'url = "/u"', GitWanted("/u", "y"), id="another commit of a set repository"),
    ],
)
def test_where_the_source_is_taken_from(
    resolved: Resolve, call: Settings, project: str, source: GitWanted | PypiWanted
) -> None:
    assert resolved(call, f'[tool.extractor]\nrepo = "a/b"\n{project}').source == source


@pytest.mark.parametrize(
    ("call", "words"),
    [
        pytest.param(Settings(repo="sglang"), ["--repo", "OWNER/NAME"], id="repo without owner"),
        pytest.param(Settings(repo="a/../b"), ["--repo"], id="repo that is a path"),
        pytest.param(Settings(repo="a/.."), ["--repo"], id="repo with a dotted name only"),
        pytest.param(Settings(repo="-a/b"), ["--repo"], id="repo that is an option"),
        pytest.param(Settings(repo="a/b\n"), ["--repo"], id="repo with a line break"),
        pytest.param(Settings(jobs=0), ["--jobs", "1 to"], id="no job"),
        pytest.param(Settings(jobs=1000), ["--jobs"], id="too many jobs"),
        pytest.param(Settings(output=""), ["--output", "folder"], id="no output"),
        pytest.param(Settings(output="a\0b"), ["--output"], id="output with NUL"),
        pytest.param(Settings(cache=" "), ["--cache"], id="blank cache"),
        pytest.param(Settings(include=("",)), ["--include", ".gitignore"], id="empty glob"),
        pytest.param(Settings(exclude=("ok", "!")), ["--exclude", "'!'"], id="bare negation"),
        pytest.param(Settings(exclude=("# x",)), ["--exclude"], id="a comment, which would match nothing"),
        pytest.param(Settings(exceptions=("Value Error",)), ["--exception", "package.module.Error"], id="two words"),
        pytest.param(Settings(exceptions=("a.class",)), ["--exception"], id="a keyword"),
        pytest.param(Settings(exceptions=("",)), ["--exception"], id="no name"),
        pytest.param(Settings(pypi="1", sha="x"), ["--pypi", "--sha"], id="release and commit"),
        pytest.param(Settings(pypi="1", url="x"), ["--pypi", "--url"], id="release and URL"),
    ],
)
def test_what_a_call_cannot_mean(resolved: Resolve, call: Settings, words: list[str]) -> None:
    with pytest.raises(SettingError) as caught:
        resolved(call)
    assert [word for word in words if word not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(Settings(repo="a-b/c.d_e-f"), id="repo"),
        pytest.param(Settings(jobs=1), id="one job"),
        pytest.param(Settings(exceptions=("my.errors.BadThing", "Ünïcode")), id="exceptions"),
        pytest.param(Settings(include=("**/x", "!y", r"\#z", "[ab].py")), id="globs"),
    ],
)
def test_what_a_call_may_mean(resolved: Resolve, call: Settings) -> None:
    resolved(call)


@pytest.mark.parametrize(
    ("project", "words"),
    [
        pytest.param("[tool.extractor]\nxyz = 1", ["setting 'xyz'", "known are repo,"], id="unknown setting"),
        pytest.param('[tool.extractor]\njobs = "two"', ["int", "jobs"], id="wrong type"),
        pytest.param("[tool.extractor]\ninclude = [1]", ["str", "include"], id="wrong type in a list"),
        pytest.param('[tool.extractor]\ninclude = "x"', ["array", "include"], id="no list"),
        pytest.param("[tool]\nextractor = 3", ["object"], id="no table"),
        pytest.param("[tool.extractor]\njobs = 0", ["tool.extractor.jobs"], id="value that cannot be meant"),
        pytest.param("[tool.extractor]\ncache = true", ["tool.extractor.cache", "false"], id="cache that says nothing"),
        pytest.param("[tool.extractor", ["cannot be read", "']'"], id="no TOML"),
        pytest.param('[tool.extractor]\npypi = "1"\nsha = "x"', ["tool.extractor.sha"], id="contradiction"),
        pytest.param("tool = 1", ["object"], id="tool is no table"),
    ],
)
def test_what_a_project_cannot_mean(resolved: Resolve, project: str, words: list[str]) -> None:
    with pytest.raises(SettingError) as caught:
        resolved(project=project)
    assert str(caught.value).startswith("pyproject.toml")
    assert [word for word in words if word not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


def test_a_project_without_a_table_sets_nothing(resolved: Resolve) -> None:
    assert resolved(project="[project]\nname = 'x'\n[tool.other]\nx = 1") == resolved()


def test_a_project_file_that_is_no_utf8(resolved: Resolve, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff")
    with pytest.raises(SettingError, match="cannot be read"):
        resolved()


def test_false_in_a_project_is_no_cache(resolved: Resolve) -> None:
    assert resolved(project="[tool.extractor]\ncache = false").cache is None


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("0", "1970-01-01T00:00:00.000Z"),
        ("1700000000", "2023-11-14T22:13:20.000Z"),
        ("253402300799", "9999-12-31T23:59:59.000Z"),
    ],
)
def test_a_source_date(value: str, time: str) -> None:
    assert source_date({"SOURCE_DATE_EPOCH": value}) == time


@pytest.mark.parametrize("environment", [{}, {"SOURCE_DATE_EPOCH": ""}], ids=["unset", "empty"])
def test_no_source_date(environment: dict[str, str]) -> None:
    assert source_date(environment) is None


@pytest.mark.parametrize("value", ["yesterday", "-1", "1.5", " 1", "1\n", "253402300800", "9" * 400, "\u0661"])
def test_a_bad_source_date(value: str) -> None:
    with pytest.raises(UsageError, match=r"^SOURCE_DATE_EPOCH: ") as caught:
        source_date({"SOURCE_DATE_EPOCH": value})
    assert len(str(caught.value)) < 200
