"""The one error tree. A message is one line that says what is wrong and what to do about it."""

from __future__ import annotations


class ExtractorError(Exception):
    """A failure that the user can do something about; the command line prints it in one line and exits 1."""


class UsageError(ExtractorError):
    """The call itself is wrong; exits 2."""
