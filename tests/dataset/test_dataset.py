from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from extractor.dataset import folder as folders
from extractor.dataset.check import check
from extractor.dataset.folder import DatasetError
from extractor.dataset.read import find, read, read_index, read_manifest
from extractor.dataset.write import InvalidDatasetError, write
from extractor.model.dataset import DatasetBuild
from extractor.store import files
from extractor.store.files import OutputError
from tests.builders import SHA, SITES, build, linked, message, text, value


@pytest.fixture
def out(tmp_path: Path) -> Path:
    target = tmp_path / "dataset"
    write(target, build(*SITES))
    return target


def tree(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def rows(out: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (out / name).read_text().splitlines()]


def test_layout(out: Path) -> None:
    records, sites = rows(out, "records.jsonl"), rows(out, "sites.jsonl")
    assert [record["id"] for record in records] == [site["id"] for site in sites]
    assert [record["filePath"] for record in records] == ["pkg/b.py", "pkg/c.py", "pkg/mod.py", "pkg/mod.py"]
    assert tree(out).keys() == {
        "manifest.json",
        "records.jsonl",
        "sites.jsonl",
        "index.json",
        *(f"api/errors/{record['id']}.json" for record in records),
    }
    for record in records:
        payload = json.loads((out / "api" / "errors" / f"{record['id']}.json").read_bytes())
        assert payload == {"record": record, "datasetVersion": "2026-03-04T05:06:07.000Z"}


def test_manifest(out: Path) -> None:
    manifest = json.loads((out / "manifest.json").read_bytes())
    listed = manifest.pop("files")
    assert {name: (entry["bytes"], entry["sha256"]) for name, entry in listed.items()} == {
        name: (len(data), sha256(data).hexdigest()) for name, data in tree(out).items() if name != "manifest.json"
    }
    tool = manifest.pop("tool")
    assert tool["name"] == "extractor"
    assert manifest == {
        "schemaVersion": 2,
        "datasetVersion": "2026-03-04T05:06:07.000Z",
        "repo": "owner/name",
        "sha": SHA,
        "ref": "main",
        "commitDate": "2026-03-04T05:06:07.000Z",
        "source": {"kind": "git", "url": "https://example.org/owner/name"},
        "scope": {"include": ["**/*.py"], "exclude": ["docs/**"], "exceptions": ["ValueError"], "subclasses": False},
        "counts": {
            "files": {"seen": 5, "scanned": 3, "skipped": 1, "leftOut": 1},
            "sites": 4,
            "records": 4,
            "messages": {"literal": 2, "resolved": 1, "partial": 0, "unresolved": 1},
        },
        "skipped": [{"path": "pkg/broken.py", "reason": "syntax-error", "line": 3, "detail": "invalid syntax"}],
        "notes": [{"path": "pkg/new.py", "note": "read by LibCST only"}],
    }


def test_index_lists_the_patterns_of_all_variants(out: Path) -> None:
    index = read_index(out)
    assert index.errors[0].patterns == ("first text here", "second text (.+?)")
    assert [row.line for row in index.errors] == [20, 20, 20, 40]


def test_the_same_build_gives_the_same_bytes(out: Path, tmp_path: Path) -> None:
    before = tree(out)
    write(out, build(*SITES[::-1]))
    write(tmp_path / "other", build(*SITES))
    assert tree(out) == tree(tmp_path / "other") == before


def test_no_site_is_a_whole_dataset(tmp_path: Path) -> None:
    manifest = write(tmp_path / "out", build())
    assert manifest.counts.records == 0
    assert check(tmp_path / "out") == ()
    assert read(tmp_path / "out").records == ()


HOSTILE = '\0 \x1b[31m \u2028 \u202e \r\n \t " \\ </script> \U0001f600 {} %s ../../x \x7f\x85\ufeff'


def test_hostile_text_goes_through_unchanged(tmp_path: Path) -> None:
    found = message(text(HOSTILE, value("x['\u2028']")))
    write(
        tmp_path / "out",
        build(linked(found, path="a \n'\"\u00e9/-x.py", qualname="C.\u00e9", excerpt=HOSTILE + "\n" * 36)),
    )
    ((record,), (site,)) = (read(tmp_path / "out").records, read(tmp_path / "out").sites)
    assert record.error_message == HOSTILE + "{}"
    assert record.source_code.startswith(HOSTILE)
    assert site.file_path == "a \n'\"\u00e9/-x.py"
    assert len((tmp_path / "out" / "records.jsonl").read_bytes().split(b"\n")) == 2
    assert [problem for problem in check(tmp_path / "out") if "number of lines" not in problem.what] == []


def changed(built: DatasetBuild, **changes: Any) -> DatasetBuild:
    (record, row), *rest = built.rows
    return msgspec.structs.replace(built, rows=((msgspec.structs.replace(record, **changes), row), *rest))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"id": "../../outside"}, id="an id that leads outside"),
        pytest.param({"tags": ("Not Kebab",)}, id="a tag"),
        pytest.param({"background_tag": "made-up"}, id="a family"),
        pytest.param({"documentation": ""}, id="no documentation"),
        pytest.param({"line_number": "7"}, id="a number as text"),
    ],
)
def test_what_does_not_fit_its_schema_is_never_put_in_place(out: Path, changes: dict[str, Any]) -> None:
    before = tree(out)
    with pytest.raises(InvalidDatasetError, match="does not fit its schema"):
        write(out, changed(build(*SITES), **changes))
    assert tree(out) == before
    assert os.listdir(out.parent) == [out.name]  # noqa: PTH208 (names only)


@pytest.mark.parametrize(
    "foreign",
    [
        pytest.param({"notes.txt": "mine"}, id="another file"),
        pytest.param({"manifest.json": "{}"}, id="another manifest"),
        pytest.param({"manifest.json": '{"tool": {"name": "other"}}'}, id="another program's manifest"),
        pytest.param({"manifest.json": "not json"}, id="a broken manifest"),
        pytest.param({"manifest.json": "[1]"}, id="a manifest that is a list"),
        pytest.param({"sub/x.py": "mine"}, id="a folder"),
    ],
)
def test_a_foreign_folder_is_refused(tmp_path: Path, foreign: dict[str, str]) -> None:
    out = tmp_path / "out"
    for name, content in foreign.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(content)
    with pytest.raises(OutputError, match="not overwritten"):
        write(out, build(*SITES))
    assert {name: data.decode() for name, data in tree(out).items()} == foreign


@pytest.mark.parametrize(
    "name", ["notes.txt", "api/notes.txt", "api/errors/notes.txt", "api/errors/UPPERCASE0000000.json"]
)
def test_a_dataset_that_also_holds_something_else_is_refused(out: Path, name: str) -> None:
    (out / name).write_text("mine")
    with pytest.raises(OutputError, match=Path(name).name):
        write(out, build(*SITES))
    assert (out / name).read_text() == "mine"


def test_a_file_or_an_empty_folder_at_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="not a folder"):
        write(tmp_path / "file", build())
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty", build(*SITES))
    assert check(tmp_path / "empty") == ()


def test_a_damaged_dataset_of_ours_may_be_replaced(out: Path) -> None:
    (out / "records.jsonl").write_bytes(b"broken")
    (out / "sites.jsonl").unlink()
    write(out, build(*SITES))
    assert check(out) == ()


# Reading


def test_read_gives_back_what_was_written(out: Path) -> None:
    built = build(*SITES)
    dataset = read(out)
    assert tuple(zip(dataset.records, dataset.sites, strict=True)) == built.rows
    assert dataset.manifest == read_manifest(out)


@pytest.mark.parametrize("ending", ["", "\n"], ids=["exact", "with a line feed"])
def test_find(out: Path, ending: str) -> None:
    dataset = read(out)
    record, site = dataset.records[3], dataset.sites[3]
    assert site.aliases
    for key in (record.id, record.slug, site.aliases[0], record.id[:6], record.id.upper()):
        assert find(dataset, key + ending)[0] is record
    for key in ("", record.id[:3], "f" * 16, "no-such-slug", "\x1b[31m"):
        with pytest.raises(DatasetError) as caught:
            find(dataset, key)
        assert str(caught.value).isprintable()


def test_find_refuses_an_ambiguous_prefix(tmp_path: Path) -> None:
    sites = [linked(f"message number {number}") for number in range(2000)]
    write(tmp_path / "out", build(*sites))
    dataset = read(tmp_path / "out")
    starts = [record.id[:4] for record in dataset.records]
    twice = next(start for start in starts if starts.count(start) > 1)
    with pytest.raises(DatasetError, match="more digits"):
        find(dataset, twice)


def damage(out: Path, name: str, data: bytes | None) -> None:
    if data is None:
        (out / name).unlink()
    else:
        (out / name).write_bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        pytest.param("manifest.json", None, "holds no manifest", id="no manifest"),
        pytest.param("manifest.json", b"{", "not one of ours", id="torn manifest"),
        pytest.param("manifest.json", b"\xff", "not one of ours", id="manifest of other bytes"),
        pytest.param(
            "manifest.json", b'{"schemaVersion": 3, "tool": {"name": "extractor"}}', "version 3", id="newer version"
        ),
        pytest.param(
            "manifest.json", b'{"schemaVersion": 2, "tool": {"name": "extractor"}}', "damaged", id="manifest lacks keys"
        ),
        pytest.param("records.jsonl", None, "records.jsonl is missing", id="no records"),
        pytest.param("records.jsonl", b"{}\n", "records.jsonl is not the file", id="other records"),
        pytest.param("sites.jsonl", b"", "sites.jsonl is not the file", id="no site"),
    ],
)
def test_a_damaged_dataset_is_one_clear_line(out: Path, name: str, data: bytes | None, words: str) -> None:
    damage(out, name, data)
    with pytest.raises(DatasetError, match=words) as caught:
        read(out)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("use", [read, read_index, read_manifest, check])
def test_no_dataset_at_all(tmp_path: Path, use: Any) -> None:
    with pytest.raises(DatasetError, match="no dataset"):
        use(tmp_path / "nothing")
    with pytest.raises(DatasetError, match="no dataset"):
        use(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="not a folder"):
        use(tmp_path / "file")
    with pytest.raises(DatasetError, match="cannot read"):
        use(Path("a\0b"))


def test_a_link_in_place_of_a_file_is_not_followed(out: Path, tmp_path: Path) -> None:
    (out / "records.jsonl").rename(tmp_path / "elsewhere")
    (out / "records.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DatasetError):
        read(out)
    assert any(problem.where == "records.jsonl" for problem in check(out))


def test_a_run_killed_between_two_renames_still_leaves_a_readable_dataset(out: Path) -> None:
    out.rename(out.parent / f".{out.name}.extractor-previous")
    assert len(read(out).records) == 4
    assert check(out) == ()


def test_a_reader_never_mixes_two_datasets(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Swap the dataset after each file that is read: what comes out must be one of the two, whole."""
    few, many = build(*SITES), build(*SITES, linked("one more"), ref="other")
    real, swaps = folders.Folder.read, iter([many, few, many])

    def slow(self: folders.Folder, name: str) -> bytes:
        data = real(self, name)
        if (following := next(swaps, None)) is not None:
            write(out, following)
        return data

    monkeypatch.setattr(folders.Folder, "read", slow)
    dataset = read(out)
    assert (dataset.manifest.ref, len(dataset.records)) in {("main", 4), ("other", 5)}


def test_check_starts_anew_when_the_dataset_is_replaced(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, swaps = folders.Folder.read, iter([build(*SITES[:2])])

    def slow(self: folders.Folder, name: str) -> bytes:
        data = real(self, name)
        if (following := next(swaps, None)) is not None:
            write(out, following)
        return data

    monkeypatch.setattr(folders.Folder, "read", slow)
    assert check(out) == ()


def test_reading_while_another_thread_writes(out: Path) -> None:
    builds = [build(*SITES), build(*SITES[:2], ref="other")]
    done = threading.Event()

    def writer() -> None:
        for number in range(40):
            write(out, builds[number % 2])
        done.set()

    thread = threading.Thread(target=writer)
    thread.start()
    seen = set()
    while not done.is_set():
        dataset = read(out)
        seen.add((dataset.manifest.ref, len(dataset.records)))
    thread.join()
    assert seen <= {("main", 4), ("other", 2)}


# Check


@contextmanager
def edited(out: Path, name: str) -> Iterator[list[Any]]:
    """Change lines of a file and make the manifest agree, so that only the content is wrong."""
    lines = rows(out, name) if name.endswith("l") else [json.loads((out / name).read_bytes())]
    yield lines
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    (out / name).write_bytes(data)
    if name != "manifest.json":
        manifest = json.loads((out / "manifest.json").read_bytes())
        manifest["files"][name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
        (out / "manifest.json").write_text(json.dumps(manifest))


def test_a_sound_dataset_has_no_problem(out: Path) -> None:
    assert check(out) == ()
    with edited(out, "records.jsonl"):
        pass
    assert check(out) == ()  # the helper alone breaks nothing


@pytest.mark.parametrize(
    ("key", "wrong", "words"),
    [
        ("slug", "another-slug", "slug is"),
        ("errorMessage", "another message", "id is"),
        ("messagePattern", "plain (text here", "message and pattern"),
        ("lineNumber", 21, "lineNumber is not"),
        ("filePath", "pkg/zzz.py", "filePath is not"),
        ("errorClass", "KeyError", "errorClass is not"),
        ("repo", "other/name", "repo is not"),
        ("analyzedSha", "f" * 40, "analyzedSha is not"),
        ("analyzedAt", "2027-03-04T05:06:07.000Z", "analyzedAt is not"),
        ("sourceCode", "one line", "number of lines"),
        ("sourceCodeStart", 1, "18 lines"),
        ("githubUrl", "https://github.com/o/n/blob/x/y.py#L1", "link"),
        ("tags", ["other"], "index.json: errors/2"),
        ("severity", "fatal", "severity"),
        ("schemaVersion", None, "schemaVersion"),
    ],
)
def test_wrong_records_are_told(out: Path, key: str, wrong: Any, words: str) -> None:
    with edited(out, "records.jsonl") as lines:
        lines[2][key] = wrong
    told = [f"{problem.where}: {problem.what}" for problem in check(out)]
    assert any(words in line for line in told), told
    assert any(line.startswith(("records.jsonl:3", "index.json")) for line in told), told


@pytest.mark.parametrize(
    ("key", "wrong", "words"),
    [
        ("aliases", [], "aliases are"),
        ("aliases", ["0" * 16, "0" * 16], "aliases"),
        ("qualname", "other", "index.json"),
        ("endLineNumber", 3, "ends before"),
        ("guards", [{"kind": "if"}], "guards"),
    ],
)
def test_wrong_sites_are_told(out: Path, key: str, wrong: Any, words: str) -> None:
    with edited(out, "sites.jsonl") as lines:
        lines[3][key] = wrong
    assert any(words in f"{problem.where}: {problem.what}" for problem in check(out))


def test_wrong_patterns_are_told(out: Path) -> None:
    for name, path in (("records.jsonl", ("messagePattern",)), ("sites.jsonl", ("message", "pattern"))):
        with edited(out, name) as lines:
            target = lines[3]
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = "bad size .* given"
    assert any("pattern does not fit" in problem.what for problem in check(out))


def test_order_and_doubles_are_told(out: Path) -> None:
    for name in ("records.jsonl", "sites.jsonl"):
        with edited(out, name) as lines:
            lines.reverse()
    assert any("order of path" in problem.what for problem in check(out))


def test_wrong_counts_are_told(out: Path) -> None:
    with edited(out, "manifest.json") as (manifest,):
        manifest["counts"]["records"] = 7
        manifest["counts"]["messages"]["partial"] = 7
        manifest["counts"]["files"]["seen"] = 7
    assert len([problem for problem in check(out) if "counts/" in problem.what]) == 3


def test_files_missing_foreign_torn_or_unlisted_are_told(out: Path) -> None:
    payload = next((out / "api" / "errors").iterdir())
    payload.write_bytes(payload.read_bytes()[:-1])
    (out / "extra\n.txt").write_text("")
    (out / "api" / "extra").write_text("")
    (out / "index.json").unlink()
    told = {(problem.where, problem.what.split(" ")[0]) for problem in check(out)}
    assert (f"api/errors/{payload.name}", "has") in told
    assert (f"api/errors/{payload.name}", "cannot") in told
    assert ("extra\\n.txt", "is") in told
    assert ("api/extra", "is") in told
    assert ("index.json", "is") in told


@pytest.mark.parametrize("name", ["records.jsonl", "sites.jsonl", "index.json"])
@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[]\n", b"null\n", b"{}\n", b"\n\n", b"[" * 5000])
def test_any_bytes_are_told_and_never_end_the_check(out: Path, name: str, data: bytes) -> None:
    (out / name).write_bytes(data)
    assert check(out)


def test_a_payload_of_another_record_is_told(out: Path) -> None:
    one, two = sorted((out / "api" / "errors").iterdir())[:2]
    one.write_bytes(two.read_bytes())
    told = [problem.what for problem in check(out) if problem.where.endswith(one.name)]
    assert "is not the record of records.jsonl" in told


# Time


def test_exchange_is_used_where_the_kernel_has_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "x").write_text("")
    if files._exchange(tmp_path / "a", tmp_path / "b"):
        assert (tmp_path / "b" / "x").exists()
        assert not (tmp_path / "a" / "x").exists()
    else:
        assert (tmp_path / "a" / "x").exists()


def test_ids_of_the_text_as_written_are_sound_and_found(tmp_path: Path) -> None:
    named = text("limit ", value("LIMIT"), " reached")
    sites = [
        linked(message(text("limit 8 reached"), resolution="resolved", written=named), line=line) for line in (3, 5)
    ]
    write(tmp_path / "out", build(*sites))
    assert check(tmp_path / "out") == ()
    dataset = read(tmp_path / "out")
    published = sha256(b"owner/name\x01limit {LIMIT} reached\x01pkg/mod.py").hexdigest()[:16]
    assert find(dataset, published)[0] is dataset.records[0]


def test_an_alias_that_another_record_has_is_told(out: Path) -> None:
    with edited(out, "sites.jsonl") as lines:
        lines[0]["aliases"] = [lines[1]["id"]]
    assert any("of another record" in problem.what for problem in check(out))
