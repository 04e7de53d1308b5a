"""Where a user meets a site: decided by what its guards read, then by who calls it, last by where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from extractor.link.words import (
    KERNEL_FOLDERS,
    LAUNCH_FOLDERS,
    LOADING_FOLDERS,
    LOADING_FUNCTIONS,
    MODULE_BASES,
    REQUEST_FOLDERS,
    REQUEST_WORDS,
    TEST_FOLDERS,
    TOOL_FOLDERS,
)
from extractor.model.index import ClassInfo, Function
from extractor.model.linked import Caller, Input, Option, Surface


def surface(
    path: str,
    function: Function | None,
    chain: Sequence[ClassInfo],
    settings: bool,
    request: bool,
    inputs: Sequence[Input],
    callers: Sequence[Caller],
) -> Surface:
    """Return the surface.

    `chain` is the class around the function and its bases, `settings` and `request` whether that class holds command-
    line settings, or
    carries a request.
    """
    folders = set(path.split("/")[:-1])
    kinds: set[str] = {one.kind for one in inputs}
    entries = {caller.entry.split(" ", 1)[0] for caller in callers if caller.entry}
    if folders & TEST_FOLDERS:
        return "internal"
    if folders & KERNEL_FOLDERS and not kinds & {"request-field"}:
        return "kernel"
    if request or "request-field" in kinds or "http" in entries:
        return "request"
    script = "script" in entries or (function is not None and function.qualname == "main" and not settings)
    own_script = script or any(
        one.kind == "option" and isinstance(one.source, Option) and one.source.path == path for one in inputs
    )
    if settings or folders & LAUNCH_FOLDERS:
        return "server-launch"
    if own_script:
        return "python-api"
    if folders & TOOL_FOLDERS:
        return "python-api" if own_script or kinds & {"option", "parameter"} or _public(function) else "internal"
    by_request = any({"request", "requests"} & set(c.qualname.rpartition(".")[2].lower().split("_")) for c in callers)
    words = set(function.qualname.rpartition(".")[2].lower().split("_")) if function is not None else set()
    if by_request and "__init__" not in (function.qualname if function is not None else ""):
        return "request"
    if words & REQUEST_WORDS:
        return "request" if folders & REQUEST_FOLDERS or words & {"request", "requests", "req"} else "internal"
    if "option" in kinds or "command-line" in entries:
        return "server-launch"
    return _by_place(function, chain, kinds, entries, folders)


def _by_place(
    function: Function | None, chain: Sequence[ClassInfo], kinds: set[str], entries: set[str], folders: set[str]
) -> Surface:
    name = function.qualname.rpartition(".")[2] if function is not None else ""
    builds = name in ("__init__", "__post_init__")
    layer = any(base.rpartition(".")[2].endswith(MODULE_BASES) for info in chain for base in info.bases)
    made = name.startswith("from_") and {"model", "config", "checkpoint", "index"} & set(name.split("_"))
    if (
        made
        or name in LOADING_FUNCTIONS
        or "model-loading" in entries
        or (builds and (layer or folders & LOADING_FOLDERS))
    ):
        return "model-loading"
    if "config-field" in kinds and (folders & LOADING_FOLDERS or builds):
        return "model-loading"
    loads = "load" in name.split("_") and not folders & REQUEST_FOLDERS
    if loads or (folders & {"model_loader", "loader", "quantization", "configs"} and not layer):
        return "model-loading"
    if kinds & {"environment", "package"} and not kinds & {"tensor-property"}:
        return "server-launch"
    if folders & REQUEST_FOLDERS and not layer:
        return "request"
    if _public(function) and "lang" in folders:
        return "python-api"
    return "internal"


def _public(function: Function | None) -> bool:
    return function is not None and not any(part.startswith("_") for part in function.qualname.split("."))
