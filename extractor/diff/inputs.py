"""The options and environment variables that conditions test, as far as a dataset lists them (`inputs` of a site)."""

from __future__ import annotations

from collections.abc import Sequence

from extractor.model.record import SiteRow


def names_of(rows: Sequence[SiteRow], kind: str) -> set[str] | None:
    """Return the names of inputs of this kind; None if the dataset does not say what its conditions read."""
    listed = [getattr(row, "inputs", None) for row in rows]
    if rows and all(inputs is None for inputs in listed):
        return None
    return {item.name for inputs in listed for item in inputs or () if item.kind == kind}
