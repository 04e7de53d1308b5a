"""The published JSON Schemas as validators. One copy: `schemas/` of the repository, linked into the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Literal

import jsonschema_rs
import orjson

Name = Literal["record.v2", "site.v1", "manifest.v2", "index.v1", "api-error.v2", "diff.v1", "match.v1"]
NAMES: tuple[Name, ...] = ("record.v2", "site.v1", "manifest.v2", "index.v1", "api-error.v2", "diff.v1", "match.v1")


def text(name: Name) -> bytes:
    """Return a schema as published."""
    return (files("extractor") / "_schemas" / f"{name}.schema.json").read_bytes()


@cache
def validator(name: Name) -> jsonschema_rs.Draft202012Validator:
    """Return the validator of one schema, references to the others resolved."""
    record = orjson.loads(text("record.v2"))  # the only one that another refers to
    registry = jsonschema_rs.Registry([(record["$id"], record)])
    # Linear-time expressions: the data is made of text that anyone may have written.
    return jsonschema_rs.Draft202012Validator(
        orjson.loads(text(name)), registry=registry, pattern_options=jsonschema_rs.RegexOptions(), offline=True
    )


def fault(name: Name, instance: Any) -> str | None:
    """Return what is wrong with a decoded JSON value in one line, or null."""
    checker = validator(name)
    if checker.is_valid(instance):
        return None
    error = next(iter(checker.iter_errors(instance)))
    where = "/".join(map(str, error.instance_path)) or "the whole"
    return f"{where}: {error.message[:200]}"
