from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from extractor.dataset import schema
from extractor.dataset.write import write
from extractor.model.answer import Answer, EventRow, Match, Origin, Value, Where
from extractor.model.change import Change, Diff, DiffCounts, DiffSide, GuardChange, NameChange, Site, Word
from extractor.model.record import Record
from tests.builders import SITES, build

ROOT = Path(__file__).parents[1] / "schemas"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in ROOT.iterdir())

# Contract, section 4, in its order.
KEYS = [
    "id",
    "repo",
    "slug",
    "errorCode",
    "errorMessage",
    "messagePattern",
    "errorType",
    "errorClass",
    "httpStatus",
    "severity",
    "filePath",
    "lineNumber",
    "sourceCode",
    "sourceCodeStart",
    "sourceCodeEnd",
    "githubUrl",
    "documentation",
    "triggerScenarios",
    "commonSituations",
    "solutions",
    "exampleFix",
    "handlingStrategy",
    "validationCode",
    "typeGuard",
    "tryCatchPattern",
    "preventionTips",
    "tags",
    "backgroundTag",
    "analyzedSha",
    "analyzedAt",
    "schemaVersion",
]


def load(name: str) -> Any:
    return json.loads((ROOT / f"{name}.schema.json").read_bytes())


def test_the_packaged_schemas_are_the_published_ones() -> None:
    assert sorted(schema.NAMES) == NAMES
    for name in schema.NAMES:
        assert schema.text(name) == (ROOT / f"{name}.schema.json").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_valid_schema_of_draft_2020_12(name: str) -> None:
    loaded = load(name)
    assert loaded["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert loaded["$id"]
    assert jsonschema_rs.meta.is_valid(loaded)


def fields(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every subschema that describes a value."""
    yield path, node
    for key in ("properties", "$defs"):
        for name, inner in node.get(key, {}).items():
            yield from fields(inner, f"{path}/{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield from fields(node[key], f"{path}/{key}")
    for number, inner in enumerate(node.get("oneOf", ())):
        yield from fields(inner, f"{path}/{number}")


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_described_and_every_object_closed(name: str) -> None:
    for path, node in fields(load(name)):
        assert node.get("description"), path
        if "properties" in node:
            assert node["additionalProperties"] is False, path
            assert node["required"] == list(node["properties"]), path


def test_the_31_keys_stand_in_the_order_of_the_contract() -> None:
    assert len(KEYS) == 31
    assert list(load("record.v2")["properties"]) == KEYS
    assert list(Record.__struct_encode_fields__) == KEYS


def test_choices_of_the_schema_are_those_of_the_types() -> None:
    properties = load("record.v2")["properties"]
    typed = msgspec.json.schema(Record)["$defs"]["Record"]["properties"]
    for key in ("errorType", "severity"):
        assert typed[key]["enum"] == sorted(properties[key]["enum"])


def an_answer() -> Answer:
    """An answer in which no list is empty and nothing is null."""
    place = Where("pkg/a.py", 3, "f")
    match = Match(
        id="0" * 16,
        slug="a",
        sureness="sure",
        score=9,
        reasons=("whole",),
        decides="a traceback",
        event=0,
        error_class="ValueError",
        template="a {}",
        message="a 1",
        values=(Value("x", "1"),),
        place=place,
        url="https://example.org/a",
        condition="x",
        condition_with_values="1",
        solution="do",
        documentation="It means.",
    )
    event = EventRow("ValueError", "a 1", "ours", "why", place, ("TP0",), 2)
    return Answer(1, Origin("o/n", "0" * 40, "2026-03-04T05:06:07.000Z"), (match,), (event,), 1)


def difference() -> Diff:
    """A difference in which no list is empty and nothing is null."""
    site = Site("0" * 16, "a.py", 3, "f", "ValueError", "t {}", "t {x}", "x", "https://github.com/o/n/blob/v1/a.py#L3")
    side = DiffSide("o/n", "0" * 40, "v1", "2026-03-04T05:06:07.000Z", 2)
    change = Change(
        ("reworded", "reguarded"), site, site, "likeness", 0.9, (Word("added", "t"),), GuardChange(("a",), ("b",))
    )
    names = NameChange(("--a",), ("--b",))
    return Diff(1, side, side, DiffCounts(1, 1, 1, 0, 1, 0, 1, 0, 0), (site,), (site,), (change,), names, names)


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("schemas") / "dataset"
    write(out, build(*SITES))
    record = json.loads((out / "records.jsonl").read_text().splitlines()[2])
    return {
        "record.v2": record,
        "site.v1": json.loads((out / "sites.jsonl").read_text().splitlines()[2]),
        "manifest.v2": json.loads((out / "manifest.json").read_bytes()),
        "index.v1": json.loads((out / "index.json").read_bytes()),
        "match.v1": msgspec.to_builtins(an_answer()),
        "diff.v1": json.loads(msgspec.json.encode(difference())),
        "api-error.v2": json.loads((out / "api" / "errors" / f"{record['id']}.json").read_bytes()),
    }


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("name", schema.NAMES)
def test_what_is_written_fits_and_no_part_of_it_can_be_missing_foreign_or_of_another_type(
    name: schema.Name, instances: dict[str, Any]
) -> None:
    sound = instances[name]
    assert schema.fault(name, sound) is None
    for path in places(sound):
        parent = copy.deepcopy(sound)
        node = parent
        for key in path[:-1]:
            node = node[key]
        if not path:
            continue
        wrong = copy.deepcopy(parent)
        target = wrong
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = 1.5
        assert schema.fault(name, wrong) is not None, f"{path} as 1.5"
        if isinstance(node, dict) and path[:-1] != ("words",):  # any word may be in the index
            is_open = path[:-1] == ("files",) and path[-1].startswith("api/")
            kept = node.pop(path[-1])
            assert is_open or schema.fault(name, parent) is not None, f"{path} missing"
            node[path[-1]] = kept
            node["strange"] = kept
            assert schema.fault(name, parent) is not None, f"strange beside {path}"


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        pytest.param("id", "65F6E7EA18D78A6D", id="upper-case id"),
        pytest.param("id", "65f6e7ea18d78a6d\n", id="line feed after the id"),
        pytest.param("id", "../../../../etc/x", id="id that leaves the folder"),
        pytest.param("slug", "-a", id="hyphen before"),
        pytest.param("tags", ["Upper"], id="upper-case tag"),
        pytest.param("tags", ["a", "a"], id="tag twice"),
        pytest.param("backgroundTag", "made-up", id="unknown family"),
        pytest.param("errorType", "fatal", id="unknown type"),
        pytest.param("lineNumber", 0, id="line zero"),
        pytest.param("analyzedAt", "2026-03-04T05:06:07Z", id="no milliseconds"),
        pytest.param("githubUrl", "https://github.com/o/n/blob/x/a b.py#L1", id="blank in the link"),
        pytest.param("schemaVersion", 1, id="older version"),
        pytest.param("documentation", "", id="no documentation"),
    ],
)
def test_wrong_values_are_refused(key: str, wrong: Any, instances: dict[str, Any]) -> None:
    assert schema.fault("record.v2", {**instances["record.v2"], key: wrong}) is not None
