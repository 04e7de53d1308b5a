"""The JSON files of the site, and what describes them: what the dataset holds, under stable addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import orjson

from extractor.publish.common import Common
from extractor.publish.groups import Kind
from extractor.publish.reading import Row, Source
from extractor.publish.render import Renderer

_PRETTY = orjson.OPT_INDENT_2
SCHEMAS = "_schemas"


def payload(record: bytes, version: str) -> bytes:
    """Return the answer for one record, whose line stays as it is."""
    return b'{"record":' + record + b',"datasetVersion":' + orjson.dumps(version) + b"}"


def record_files(rows: Sequence[Row], version: str) -> Iterator[tuple[str, bytes]]:
    """Yield the answer for each id, and the same for each alias that is no other record's id."""
    taken = {row.head.id for row in rows}
    for row in rows:
        data = payload(row.record, version)
        yield f"api/errors/{row.head.id}.json", data
        for alias in row.facts.aliases:
            if alias not in taken:
                taken.add(alias)
                yield f"api/errors/{alias}.json", data


def shared_files(source: Source, common: Common, kinds: Sequence[Kind]) -> Iterator[tuple[str, bytes]]:
    """Yield the files that are about all records."""
    yield "api/index.json", source.index_bytes
    yield "api/manifest.json", source.manifest_bytes
    yield "api/options.json", orjson.dumps(options(source, kinds))
    schemas = {}
    for entry in sorted(files("extractor").joinpath(SCHEMAS).iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".json"):
            schemas[entry.name] = entry.read_bytes()
            yield f"schemas/{entry.name}", schemas[entry.name]
    yield "api/openapi.json", orjson.dumps(openapi(common, schemas), option=_PRETTY)


def options(source: Source, kinds: Sequence[Kind]) -> dict[str, Any]:
    """Return every option and variable with its declaration and the errors it leads to."""
    rows = source.rows
    found: dict[str, list[dict[str, Any]]] = {}
    for kind in kinds:
        if kind.key not in ("options", "env"):
            continue
        found["environment" if kind.key == "env" else "options"] = [
            {
                "name": group.name,
                "default": (group.input.default or None) if group.input else None,
                "choices": (list(group.input.choices) or None) if group.input else None,
                "type": (group.input.type or None) if group.input else None,
                "help": (group.input.help or None) if group.input else None,
                "path": (group.input.path or None) if group.input else None,
                "line": (group.input.line or None) if group.input else None,
                "url": group.url,
                "errors": [rows[index].head.id for index in group.rows],
            }
            for group in kind.groups
        ]
    return {"datasetVersion": source.manifest.dataset_version, "repo": source.manifest.repo, **found}


def openapi(common: Common, schemas: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the OpenAPI document: addresses relative to it, right wherever the site stands; schemas inside it."""

    def get(summary: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        answer = {"description": "The file.", "content": {"application/json": {"schema": schema}}}
        return {"get": {"operationId": name, "summary": summary, "responses": {"200": answer}}}

    def ref(name: str) -> dict[str, Any]:
        return (
            {"$ref": f"#/components/schemas/{name.removesuffix('.schema.json')}"}
            if name in schemas
            else {"type": "object"}
        )

    record = get("One record, by its id or an alias of it.", "getError", ref("api-error.v2.schema.json"))
    record["get"]["parameters"] = [
        {
            "name": "id",
            "in": "path",
            "required": True,
            "description": "Id or alias: 16 hexadecimal digits.",
            "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        }
    ]
    record["get"]["responses"]["404"] = {"description": "No record has this id."}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Errors of {common.repo}",
            "version": common.version,
            "description": f"{common.total} errors read from the source of {common.repo} at {common.pinned}.",
        },
        "servers": [{"url": common.base_url or "../"}],
        "paths": {
            "/api/errors/{id}.json": record,
            "/api/index.json": get("A compact row of every record.", "getIndex", ref("index.v1.schema.json")),
            "/api/manifest.json": get("What was scanned, and how.", "getManifest", ref("manifest.v2.schema.json")),
            "/api/options.json": get(
                "Every option and environment variable, with the ids of the errors it can lead to.",
                "getOptions",
                _OPTIONS,
            ),
        },
        "components": {"schemas": _components(schemas)},
    }


def _components(schemas: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the schemas with references that lead to one another inside the document: few tools look up names."""
    found = {name.removesuffix(".schema.json"): orjson.loads(data) for name, data in sorted(schemas.items())}
    places = {schema["$id"]: f"#/components/schemas/{name}" for name, schema in found.items()}

    def moved(value: Any, here: str) -> Any:
        if isinstance(value, list):
            return [moved(item, here) for item in value]
        if not isinstance(value, dict):
            return value
        kept = {key: moved(item, here) for key, item in value.items() if key not in ("$id", "$schema")}
        if isinstance(ref := kept.get("$ref"), str):
            base, _, inner = ref.partition("#")
            kept["$ref"] = places.get(base, here) + inner
        return kept

    return {name: moved(schema, places[schema["$id"]]) for name, schema in found.items()}


def _nullable(kind: str) -> dict[str, Any]:
    return {"type": [kind, "null"]}


_OPTION: dict[str, Any] = {
    "type": "object",
    "required": ["name", "url", "errors"],
    "properties": {
        "name": {"type": "string"},
        "default": _nullable("string"),
        "choices": {"type": ["array", "null"], "items": {"type": "string"}},
        "type": _nullable("string"),
        "help": _nullable("string"),
        "path": _nullable("string"),
        "line": _nullable("integer"),
        "url": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "string"}},
    },
}
_OPTIONS: dict[str, Any] = {
    "type": "object",
    "required": ["datasetVersion", "repo", "options", "environment"],
    "properties": {
        "datasetVersion": {"type": "string"},
        "repo": {"type": "string"},
        "options": {"type": "array", "items": _OPTION},
        "environment": {"type": "array", "items": _OPTION},
    },
}


def page(renderer: Renderer, source: Source, schemas: Sequence[str]) -> tuple[str, bytes]:
    """Return the page that describes the files."""
    example = f"api/errors/{source.rows[0].head.id}.json" if source.rows else ""
    listed = [
        ("api/errors/<id>.json", "One record, by its id or an alias of it: schema version 2.", example),
        ("api/index.json", "A compact row of every record: message, patterns, place, tags.", "api/index.json"),
        (
            "api/options.json",
            "Every option and environment variable, with the errors it can lead to.",
            "api/options.json",
        ),
        ("api/manifest.json", "What was scanned, how, and what each file hashes to.", "api/manifest.json"),
        ("api/openapi.json", "This interface as an OpenAPI document.", "api/openapi.json"),
        ("llms.txt", "The site in short, for language models.", "llms.txt"),
        *((f"schemas/{name}", "JSON Schema.", f"schemas/{name}") for name in schemas),
    ]
    about = "The data behind the pages as static JSON files."
    return "api/index.html", renderer.page("api.html", "api/", title="JSON API", description=about, files=listed)
