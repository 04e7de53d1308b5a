"""A build to a folder on disk: every line checked against its schema, then all put in place at once."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
import orjson

from extractor import __version__
from extractor.dataset import layout, schema
from extractor.errors import ExtractorError
from extractor.model.dataset import Counts, DatasetBuild, FileEntry, Index, IndexRow, Manifest, Tool
from extractor.model.facts import Resolution
from extractor.model.record import Record, SiteRow
from extractor.store.files import Stage, Stream, replacing
from extractor.words import build as build_words

_RESOLUTIONS: tuple[Resolution, ...] = ("literal", "resolved", "partial", "unresolved")


class InvalidDatasetError(ExtractorError):
    """What was to be written does not fit the published schema: our mistake, found before anything is in place."""

    @classmethod
    def unfit(cls, name: str, fault: str) -> InvalidDatasetError:
        """Name the part of the dataset and what is wrong with it."""
        return cls(f"{name} does not fit its schema ({fault}); nothing was written: please report this")


def write(out: Path, build: DatasetBuild) -> Manifest:
    """Write the dataset to the folder `out`, replacing the dataset there, and return its manifest.

    The bytes depend on `build` alone. Raises `OutputError` when the folder cannot be written or holds something else,
    `InvalidDatasetError` when a part does not fit its schema; what stood at `out` is then untouched.
    """
    with replacing(out, layout.accept) as stage:
        return _fill(stage, build)


def _fill(stage: Stage, build: DatasetBuild) -> Manifest:
    stage.folder(layout.API)
    stage.folder(layout.API_ERRORS)
    files: dict[str, FileEntry] = {}
    api: dict[str, FileEntry] = {}
    with stage.stream(layout.RECORDS) as records, stage.stream(layout.SITES) as sites:
        ending = b',"datasetVersion":' + msgspec.json.encode(build.version) + b"}"
        for record, row in build.rows:
            line = _checked("record.v2", record.id, record)
            records.write(line + b"\n")
            sites.write(_checked("site.v1", row.id, row) + b"\n")
            payload = b'{"record":' + line + ending
            name = layout.api_file(record.id)
            stage.put(name, payload)
            api[name] = _entry(payload)
    files[layout.RECORDS] = _streamed(records)
    files[layout.SITES] = _streamed(sites)
    with stage.stream(layout.INDEX) as stream:
        stream.write(_index(build))
    files[layout.INDEX] = _streamed(stream)
    manifest = _manifest(build, {**files, **dict(sorted(api.items()))})
    with stage.stream(layout.MANIFEST) as stream:
        stream.write(_pretty(_checked("manifest.v2", layout.MANIFEST, manifest)))
    return manifest


def _checked(name: schema.Name, part: str, value: Record | SiteRow | Manifest) -> bytes:
    """Encode, and check the very bytes that are written."""
    line = msgspec.json.encode(value)
    fault = schema.fault(name, orjson.loads(line))
    if fault is not None:
        raise InvalidDatasetError.unfit(part, fault)
    return line


def _index(build: DatasetBuild) -> bytes:
    """One row a line, so that the file can be read and compared by eye."""
    rows = tuple(index_row(record, row) for record, row in build.rows)
    words = build_words(row.patterns for row in rows)
    index = Index(2, build.version, build.repo, build.commit.sha, rows, words)
    line = msgspec.json.encode(index)
    fault = schema.fault("index.v1", orjson.loads(line))
    if fault is not None:
        raise InvalidDatasetError.unfit(layout.INDEX, fault)
    return line + b"\n"


def index_row(record: Record, row: SiteRow) -> IndexRow:
    """Return what search and matching need of one record."""
    texts = row.message.variants or (row.message,)
    return IndexRow(
        id=record.id,
        aliases=row.aliases,
        slug=record.slug,
        path=record.file_path,
        line=record.line_number,
        qualname=row.qualname,
        error_class=record.error_class,
        type=record.error_type,
        severity=record.severity,
        resolution=row.message.resolution,
        template=record.error_message,
        patterns=tuple(dict.fromkeys(text.pattern for text in texts)),
        tags=record.tags,
        family=record.background_tag,
    )


def _manifest(build: DatasetBuild, files: dict[str, FileEntry]) -> Manifest:
    messages = dict.fromkeys(_RESOLUTIONS, 0)
    for _, row in build.rows:
        messages[row.message.resolution] += 1
    total = len(build.rows)
    return Manifest(
        schema_version=2,
        dataset_version=build.version,
        repo=build.repo,
        sha=build.commit.sha,
        ref=build.commit.ref,
        commit_date=build.commit.date,
        source=build.commit.source,
        scope=build.scope,
        tool=Tool(layout.TOOL, __version__),
        counts=Counts(build.files, total, total, messages),
        skipped=tuple(sorted(build.skipped, key=lambda skipped: skipped.path)),
        notes=tuple(sorted(build.notes, key=lambda note: (note.path, note.note))),
        files=files,
    )


def _pretty(line: bytes) -> bytes:
    return msgspec.json.format(line, indent=1) + b"\n"


def _entry(data: bytes) -> FileEntry:
    return FileEntry(len(data), sha256(data).hexdigest())


def _streamed(stream: Stream) -> FileEntry:
    return FileEntry(stream.bytes, stream.sha256())
