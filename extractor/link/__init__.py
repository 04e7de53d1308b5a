"""All file facts to linked sites: what only the whole tree tells."""

from __future__ import annotations

from collections.abc import Sequence

from extractor.model.facts import FileFacts
from extractor.model.linked import LinkedSite


def link(files: Sequence[tuple[str, FileFacts]]) -> tuple[LinkedSite, ...]:
    """Return each site with its path; messages are still those of the file alone."""
    return tuple(LinkedSite(path, site, site.message) for path, facts in files for site in facts.sites)
