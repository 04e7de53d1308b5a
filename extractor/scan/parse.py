"""Bytes to a syntax tree: the standard library's parser first, LibCST for syntax newer than it."""

from __future__ import annotations

import ast
import warnings

from extractor.model.facts import Reader, ScanFailure
from extractor.scan.text import Source, decode, one_line


class Parsed:
    """A file that could be read."""

    __slots__ = ("reader", "source", "tree")

    def __init__(self, tree: ast.Module, source: Source, reader: Reader) -> None:
        """Hold the tree, the text its positions point into, and who read it."""
        self.tree = tree
        self.source = source
        self.reader: Reader = reader


def parse(data: bytes, reader: Reader | None = None) -> Parsed | ScanFailure:
    """Parse a file; `reader` forces one of the two parsers, for tests that compare them."""
    text = decode(data)
    if isinstance(text, ScanFailure):
        return text
    if reader == "libcst":
        return _parse_newer(text, None)
    try:
        return Parsed(_standard(text), Source(text), "ast")
    except SyntaxError as error:
        if reader == "ast":
            return _syntax_failure(error)
        return _parse_newer(text, error)
    except (RecursionError, MemoryError, OverflowError) as error:
        return ScanFailure("too-deep", f"nested too deeply to be parsed: {one_line(error)}")
    except ValueError as error:
        return ScanFailure("syntax-error", one_line(error))


def _standard(text: str) -> ast.Module:
    with warnings.catch_warnings():
        # Invalid escapes in the scanned source warn at parse time; they are not ours to report.
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _parse_newer(text: str, first: SyntaxError | None) -> Parsed | ScanFailure:
    # Imported late: LibCST takes a third of a second to load, and most runs never need it here.
    from extractor.scan.newer_syntax import NotReadableError, lower, restore

    try:
        lowered = lower(text)
        tree = restore(_standard(lowered.text), lowered)
    except NotReadableError as error:
        return _syntax_failure(first) if first else ScanFailure("syntax-error", one_line(error))
    except SyntaxError as error:
        return _syntax_failure(first or error)
    except (RecursionError, MemoryError) as error:
        return ScanFailure("too-deep", f"nested too deeply to be parsed: {one_line(error)}")
    return Parsed(tree, Source(lowered.source), "libcst")


def _syntax_failure(error: SyntaxError) -> ScanFailure:
    return ScanFailure("syntax-error", " ".join(error.msg.split()), error.lineno)
