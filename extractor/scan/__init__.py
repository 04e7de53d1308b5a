"""One blob to its facts: pure, bytes in, facts out, no path and no logger."""

from __future__ import annotations

from extractor.model.facts import FileFacts, RaiseSite, Reader, ScanFailure, ScanOptions, ScanOutcome
from extractor.model.index import FileIndex
from extractor.scan.constants import Constants
from extractor.scan.index import index
from extractor.scan.names import FileNames
from extractor.scan.parse import Parsed, parse
from extractor.scan.region import regions
from extractor.scan.site import sites_of
from extractor.scan.text import one_line, printable

__all__ = ["scan"]


def scan(data: bytes, options: ScanOptions, reader: Reader | None = None) -> ScanOutcome:
    """Read one file; `reader` forces one of the two parsers, for tests that compare them."""
    try:
        parsed = parse(data, reader)
        return parsed if isinstance(parsed, ScanFailure) else _facts(parsed, options)
    except RecursionError as error:
        return ScanFailure("too-deep", f"nested too deeply to be read: {one_line(error)}")


def _facts(parsed: Parsed, options: ScanOptions) -> FileFacts:
    sites: list[RaiseSite] = []
    if "raise" in parsed.source.text:
        names = FileNames(parsed.tree, parsed.source, options)
        for region in regions(parsed.tree, parsed.source, names.words):
            sites.extend(sites_of(region, parsed.source, names))
    sites.sort(key=lambda site: (site.line, site.column))
    constants = {name: printable(value) for name, value in Constants(parsed.tree, parsed.source.text).texts().items()}
    return FileFacts(tuple(sites), constants, parsed.reader, _index(parsed))


def _index(parsed: Parsed) -> FileIndex:
    """Index the file for others; what is too deep for that has its sites all the same."""
    try:
        return index(parsed.tree, parsed.source.text)
    except RecursionError:
        return FileIndex()
