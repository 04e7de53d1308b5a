"""All file facts to linked sites: what only the whole tree tells."""

from __future__ import annotations

from collections.abc import Sequence

from extractor.link.messages import Constants, complete
from extractor.model.facts import FileFacts
from extractor.model.linked import LinkedSite


def link(files: Sequence[tuple[str, FileFacts]]) -> tuple[LinkedSite, ...]:
    """Return each site with its path, and its message with the constants of other files put in."""
    constants = Constants(dict(files))
    return tuple(
        LinkedSite(path, site, complete(site.message, path, constants)) for path, facts in files for site in facts.sites
    )
