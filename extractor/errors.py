"""The one error tree. A message is one line that says what is wrong and what to do about it."""

from __future__ import annotations


class ExtractorError(Exception):
    """A failure that the user can do something about; the command line prints it in one line and exits 1."""


class UsageError(ExtractorError):
    """The call itself is wrong; exits 2."""


class WorkerError(ExtractorError):
    """No worker process can start."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("worker processes end as they start; check the installation and the limits on memory")


class SettingError(UsageError):
    """An option, a setting of the project or an environment variable has a value that cannot be used."""

    def __init__(self, where: str, problem: str) -> None:
        """`where` names the setting as the user wrote it, `problem` says what is wrong and what would be right."""
        super().__init__(f"{where}: {problem}")
