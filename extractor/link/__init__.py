"""All files' facts together: messages completed, and what the whole tree says about each site."""

from __future__ import annotations

from collections.abc import Sequence

from extractor.link.messages import Constants, complete
from extractor.link.sites import Linker
from extractor.model.facts import FileFacts
from extractor.model.linked import LinkedSite


def link(files: Sequence[tuple[str, FileFacts]]) -> tuple[LinkedSite, ...]:
    """Return the sites of all files, given as (path, facts), ordered by (path, line, column)."""
    constants = Constants(dict(files))
    ordered = sorted(files, key=lambda entry: entry[0])
    sites = tuple(
        LinkedSite(path, site, complete(site.message, path, constants))
        for path, facts in ordered
        for site in facts.sites
    )
    return tuple(Linker({path: facts.index for path, facts in ordered}).link(sites)) if sites else ()
