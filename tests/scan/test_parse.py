"""Files that are hard to read, or cannot be read at all."""

from __future__ import annotations

import pytest

from extractor.model.facts import FileFacts, ScanOptions
from extractor.scan import scan
from tests.scan.reading import failure_of, template

READABLE = {
    "CRLF": b"def f():\r\n    raise ValueError('x')\r\n",
    "CR": b"def f():\r    raise ValueError('x')\r",
    "byte order mark": b"\xef\xbb\xbfdef f():\n    raise ValueError('x')\n",
    "coding cookie": b"# coding: latin-1\ndef f():\n    raise ValueError('x')  # \xe9\n",
    "no final newline": b"def f():\n    raise ValueError('x')",
    "form feed": b"\x0cdef f():\n\x0c    raise ValueError('x')\n",
    "line separator in a string": "def f():\n    s = '\u2028'\n    raise ValueError('x')\n".encode(),
    "tabs": b"def f():\n\traise ValueError('x')\n",
    "backslash continuation": b"def f():\n    raise \\\n        ValueError('x')\n",
    "invalid escape in the source": b"s = '\\d'\ndef f():\n    raise ValueError('x')\n",
}

UNREADABLE = {
    "syntax error": (b"x = 1\ndef f(:\n", "syntax-error", 2),
    "syntax error far from any site": (b"raise ValueError('x')\n\n)\n", "syntax-error", 3),
    "NUL": (b"x = 1\n\0\n", "nul-byte", 2),
    "not UTF-8": (b"x = 1\ns = '\xff'\n", "encoding", 2),
    "unknown cookie": (b"# coding: klingon\n", "encoding", 1),
    "cookie against the mark": (b"\xef\xbb\xbf# coding: latin-1\n", "encoding", 1),
    "Python 2": (b"print 'x'\n", "syntax-error", 1),
}


@pytest.mark.parametrize("data", READABLE.values(), ids=READABLE)
def test_must_be_read(data: bytes) -> None:
    outcome = scan(data, ScanOptions())
    assert isinstance(outcome, FileFacts)
    (site,) = outcome.sites
    assert template(site.message.variants[0]) == "x"
    assert "\r" not in site.excerpt and "\ufeff" not in site.excerpt


@pytest.mark.parametrize(("data", "reason", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_must_be_told_as_unreadable(data: bytes, reason: str, line: int) -> None:
    failure = failure_of(data)
    assert (failure.reason, failure.line) == (reason, line)
    assert failure.detail and "\n" not in failure.detail


def test_nesting_that_no_parser_takes_is_told() -> None:
    assert failure_of(b"x = " + b"(" * 5000 + b")" * 5000).reason in ("too-deep", "syntax-error")


def test_an_empty_file_has_no_sites() -> None:
    assert scan(b"", ScanOptions()) == FileFacts((), {}, "ast")


def test_string_constants_are_told_for_other_files() -> None:
    outcome = scan(b"A = 'a'\nB: str = 'b'\nC = 'c'\nC = 'd'\nD = 1\nclass E:\n    F = 'f'\n", ScanOptions())
    assert isinstance(outcome, FileFacts)
    assert outcome.constants == {"A": "a", "B": "b", "E.F": "f"}
