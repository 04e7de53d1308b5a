"""When a dataset counts as made. A run must not read the clock, or two runs would differ."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from extractor.errors import UsageError
from extractor.model.source import Commit

EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
"""https://reproducible-builds.org/specs/source-date-epoch/: seconds since 1970, UTC."""


def moment(environment: Mapping[str, str], commit: Commit) -> str:
    """Return `SOURCE_DATE_EPOCH` if set, else the commit's date: UTC, ISO 8601, milliseconds, `Z`.

    It is both `datasetVersion` and every `analyzedAt`. Raises `UsageError` on a value that is no time.
    """
    value = environment.get(EPOCH_VARIABLE, "")
    if not value:
        return commit.date
    try:
        if not (value.isascii() and value.isdigit()):
            raise ValueError(value)
        made = datetime.fromtimestamp(int(value), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{EPOCH_VARIABLE} is {value[:40]!r}, which is no time: set it to whole seconds since 1970, or unset it"
        ) from None
    return made.strftime("%Y-%m-%dT%H:%M:%S.000Z")
