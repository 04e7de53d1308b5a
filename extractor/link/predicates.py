"""Hardware and packages that a predicate's name speaks of."""

from __future__ import annotations

import re

from extractor.link.words import PLATFORM_WORDS

_PARTS = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")


def platform_of(name: str) -> str:
    """Return the hardware that a predicate's name speaks of: `is_cuda`, `_is_sm100_supported`."""
    bare = name.strip("_")
    if (
        not bare.startswith(
            ("is_", "supports_", "has_", "support_", "on_", "use_", "cpu_has_", "xpu_has_", "device_sm", "sm")
        )
        and bare not in PLATFORM_WORDS
    ):
        return ""
    parts = [part.lower() for part in _PARTS.findall(bare)]
    if bare.startswith("sm") and not bare.startswith("sm_"):
        return ""
    found = [PLATFORM_WORDS[part] for part in parts if part in PLATFORM_WORDS]
    extra = [
        part
        for part in parts
        if part not in PLATFORM_WORDS
        and part not in ("is", "supported", "has", "available", "support", "supports", "arch")
    ]
    return (
        found[-1]
        if found and len(extra) <= 1 and bare.startswith(("is_", "supports_", "has_", "cpu_has", "xpu_has"))
        else ""
    )


def package_of(name: str) -> str:
    """Return the package that an availability predicate speaks of: `is_flashinfer_available`, `HAS_XGRAMMAR`."""
    bare = name.strip("_").lower()
    if bare.startswith("is_") and bare.endswith("_available"):
        inner = bare[3:-10]
        return "" if inner in PLATFORM_WORDS else inner
    for start in ("has_", "have_"):
        if name.strip("_").startswith(start.upper()):
            return bare[len(start) :]
    return bare.removesuffix("_available") if bare.endswith("_available") and name.isupper() else ""
