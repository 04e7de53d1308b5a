"""What a dataset is made of besides records and sites: manifest, index, and what a run hands to the writer."""

from __future__ import annotations

from msgspec import Struct, field

from extractor.model.facts import FailureReason, Resolution
from extractor.model.record import ErrorType, Record, Severity, SiteRow
from extractor.model.source import Commit, GitSource, PypiSource


class Scope(Struct, frozen=True):
    """Which files were looked at, and for what."""

    include: tuple[str, ...]
    """Glob patterns of the paths taken in."""
    exclude: tuple[str, ...]
    """Glob patterns of the paths left out of those."""
    exceptions: tuple[str, ...]
    """Names of the wanted exception classes."""
    subclasses: bool = False
    """Whether subclasses defined by the repository are wanted too."""


class FileCounts(Struct, frozen=True, rename="camel"):
    """How many Python files a run met. `seen` = `scanned` + `skipped` + `leftOut`."""

    seen: int
    """Tracked Python files of the commit."""
    scanned: int
    """Files read to their end."""
    skipped: int
    """Files in scope that could not be read as Python; `skipped` of the manifest lists them."""
    left_out: int
    """Files that the scope leaves out."""


class Skipped(Struct, frozen=True):
    """One file that could not be read as Python."""

    path: str
    """Path in the repository; bytes that are no UTF-8 are written as escapes."""
    reason: FailureReason | str
    """Why, as one word."""
    line: int | None
    """1-based line where reading failed, if known."""
    detail: str = ""
    """The reason in words."""


class Note(Struct, frozen=True):
    """Something worth knowing about one scanned file."""

    path: str
    """Path in the repository."""
    note: str
    """What, in one line: for example that only one of the two parsers could read it."""


class Tool(Struct, frozen=True):
    """The program that wrote the dataset."""

    name: str
    """Always `extractor`."""
    version: str
    """Its version."""


class Counts(Struct, frozen=True):
    """What was found."""

    files: FileCounts
    """Python files by what became of them."""
    sites: int
    """Rows of `sites.jsonl`."""
    records: int
    """Rows of `records.jsonl`: one for each site."""
    messages: dict[Resolution, int]
    """Sites by how much of their message is known."""


class FileEntry(Struct, frozen=True):
    """One file of the dataset."""

    bytes: int
    """Its length."""
    sha256: str
    """Hex digest of its content."""


class Manifest(Struct, frozen=True, rename="camel"):
    """`manifest.json`: what was scanned, how, and what each file hashes to (contract, section 3)."""

    schema_version: int
    """Always 2."""
    dataset_version: str
    """UTC, ISO 8601, milliseconds, `Z`."""
    repo: str
    """`owner/name`."""
    sha: str
    """Commit read, 40 hex digits."""
    ref: str
    """What was asked for."""
    commit_date: str
    """Committer date, UTC."""
    source: GitSource | PypiSource
    """Where the commit came from."""
    scope: Scope
    """Which files, which exceptions."""
    tool: Tool
    """What wrote it."""
    counts: Counts
    """What was found."""
    skipped: tuple[Skipped, ...]
    """Files that could not be read, by path."""
    notes: tuple[Note, ...]
    """Remarks on scanned files, by path."""
    files: dict[str, FileEntry]
    """Every other file of the dataset: path below the dataset's folder to its length and digest."""


class IndexRow(Struct, frozen=True, rename="camel"):
    """What search and matching need of one record."""

    id: str
    """The record's id."""
    aliases: tuple[str, ...]
    """Its other ids."""
    slug: str
    """The record's slug."""
    path: str
    """Path in the repository."""
    line: int
    """1-based line of the `raise` keyword."""
    qualname: str
    """Qualified name of the function around it."""
    error_class: str = field(name="class")
    """Name of the class raised."""
    type: ErrorType
    """The record's error type."""
    severity: Severity
    """The record's severity."""
    resolution: Resolution
    """How much of the message is known."""
    template: str
    """The message with each runtime value written `{}`."""
    patterns: tuple[str, ...]
    """One pattern for each possible text, without repetition."""
    tags: tuple[str, ...]
    """The record's tags."""
    family: str | None
    """The record's background tag."""


class Index(Struct, frozen=True, rename="camel"):
    """`index.json`: one row a record, in record order."""

    schema_version: int
    """Always 2."""
    dataset_version: str
    """That of the manifest."""
    repo: str
    """`owner/name`."""
    sha: str
    """Commit read."""
    errors: tuple[IndexRow, ...]
    """The rows."""
    words: dict[str, str]
    """Each word of the fixed texts in lower case, with the places of its rows in `errors`, from 0, blanks between."""


class DatasetBuild(Struct, frozen=True):
    """All that a run found, ready to be written."""

    repo: str
    """`owner/name`."""
    commit: Commit
    """What was read."""
    version: str
    """The dataset's version: UTC, ISO 8601, milliseconds, `Z`."""
    scope: Scope
    """Which files, which exceptions."""
    files: FileCounts
    """Python files by what became of them."""
    rows: tuple[tuple[Record, SiteRow], ...]
    """Records with their facts, in record order."""
    skipped: tuple[Skipped, ...] = ()
    """Files that could not be read."""
    notes: tuple[Note, ...] = ()
    """Remarks on scanned files."""
