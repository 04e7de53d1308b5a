"""The order of the stages. Each takes values and gives values; nobody else knows who comes next."""

from __future__ import annotations

import gc
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from msgspec.structs import replace

from extractor.config import Config, GitWanted
from extractor.dataset.layout import accept
from extractor.dataset.write import write
from extractor.explain.alone import parcel
from extractor.explain.record import explain
from extractor.link import link
from extractor.link.subclasses import derived_from
from extractor.memo import Memo
from extractor.model.dataset import DatasetBuild, FileCounts, Note, Scope, Skipped
from extractor.model.facts import ClassFacts, FileFacts, Resolution, ScanFailure, ScanOptions
from extractor.model.index import FileIndex
from extractor.model.record import Explanation, Record, SiteRow
from extractor.model.source import Blob, SkippedPath
from extractor.reading import Crew, Reading, read_contents
from extractor.report import RunReport, Silent, Stopwatch, Watch
from extractor.sandbox import Task
from extractor.scope import in_scope
from extractor.source.tree import Tree
from extractor.workers import default_jobs

SCAN = "extractor.scan:scan"
FIND_CLASSES = "extractor.scan.classes:find_classes"
EXPLAIN = "extractor.explain.alone:explain_parcel"
"""What reads contents and sites, by name: workers import it; a run that finds all in the cache loads no parser."""


def run(config: Config, watch: Watch | None = None) -> RunReport:
    """Read one commit and put its dataset in place. Raises ExtractorError; the previous dataset then stands."""
    watch = watch or Silent()
    clock = Stopwatch(watch)
    if config.output.exists():
        accept(config.output)  # Also asked when it is replaced; here before minutes are spent.
    with _cache(config) as folder:
        with clock.stage("fetch"):
            tree = _open(config, folder)
        with tree:
            blobs = in_scope(tree.blobs, config.include, config.exclude)
            reading = _scan(tree, blobs, config, watch, clock)
        # What was read stays to the end, and none of it is garbage: no need to look through it again and again.
        gc.freeze()
        with clock.stage("link"):
            sites = link(list(_facts(blobs, reading)))
            _drop_indexes(reading)
        with clock.stage("explain"):
            # The commit's date, unless told otherwise: a run that reads the clock gives other bytes each time.
            version = config.version or tree.commit.date
            prose = Memo(_crew(config, watch), Task(EXPLAIN), Explanation, parcel)
            rows = explain(sites, tree.commit, config.repo, version, prose.of)
        with clock.stage("write"):
            build = _build(config, tree, blobs, reading, rows, version)
            write(config.output, build)
    return _report(build, config.output, reading, clock)


def _scan(tree: Tree, blobs: Sequence[Blob], config: Config, watch: Watch, clock: Stopwatch) -> Reading[FileFacts]:
    """Read each content once, however many paths it stands at."""
    distinct = list(dict.fromkeys(blob.id for blob in blobs))
    crew = _crew(config, watch)
    options = ScanOptions(config.exceptions)
    if config.subclasses:
        with clock.stage("classes", len(distinct)) as advance:
            found = read_contents(tree, distinct, Task(FIND_CLASSES), ClassFacts, crew, advance).outcomes.values()
        derived = derived_from(config.exceptions, [each for each in found if isinstance(each, ClassFacts)])
        options = ScanOptions(config.exceptions, derived)
    with clock.stage("scan", len(distinct)) as advance:
        return read_contents(tree, distinct, Task(SCAN, options), FileFacts, crew, advance)


def _crew(config: Config, watch: Watch) -> Crew:
    return Crew(config.jobs or default_jobs(), config.cache, watch)


def _drop_indexes(reading: Reading[FileFacts]) -> None:
    """Let go of what only `link` reads: a third of the memory of a run."""
    for blob_id, outcome in reading.outcomes.items():
        if isinstance(outcome, FileFacts):
            reading.outcomes[blob_id] = replace(outcome, index=FileIndex())


@contextmanager
def _cache(config: Config) -> Iterator[Path]:
    """Give the folder in which sources keep what they fetched; without a cache it goes away with the run."""
    if config.cache is not None:
        yield config.cache
        return
    with tempfile.TemporaryDirectory(prefix="extractor-") as folder:
        yield Path(folder)


def _open(config: Config, cache: Path) -> Tree:
    # Imported here: each costs a tenth of a second, and a run needs one of them.
    if isinstance(config.source, GitWanted):
        from extractor.source.git import open_git

        return open_git(config.source.url, config.source.ref, cache)
    from extractor.source.pypi import open_pypi

    return open_pypi(config.source.requirement, cache)


def _facts(blobs: Sequence[Blob], reading: Reading[FileFacts]) -> Iterator[tuple[str, FileFacts]]:
    for blob in blobs:
        outcome = reading.outcomes[blob.id]
        if isinstance(outcome, FileFacts):
            yield blob.path, outcome


def _skipped(unread: Sequence[SkippedPath], blobs: Sequence[Blob], reading: Reading[FileFacts]) -> tuple[Skipped, ...]:
    skipped = [Skipped(item.path, item.reason, None) for item in unread]
    for blob in blobs:
        outcome = reading.outcomes[blob.id]
        if isinstance(outcome, ScanFailure):
            skipped.append(Skipped(blob.path, outcome.reason, outcome.line, outcome.detail))
    return tuple(sorted(skipped, key=lambda item: (item.path, item.reason)))


def _build(
    config: Config,
    tree: Tree,
    blobs: Sequence[Blob],
    reading: Reading[FileFacts],
    rows: tuple[tuple[Record, SiteRow], ...],
    version: str,
) -> DatasetBuild:
    unread = in_scope(tree.skipped, config.include, config.exclude)
    skipped = _skipped(unread, blobs, reading)
    return DatasetBuild(
        repo=config.repo,
        commit=tree.commit,
        version=version,
        scope=Scope(config.include, config.exclude, config.exceptions, config.subclasses),
        files=_count(len(tree.blobs) + len(tree.skipped), len(blobs) + len(unread), len(skipped)),
        rows=rows,
        skipped=skipped,
        notes=_notes(blobs, reading),
    )


def _notes(blobs: Sequence[Blob], reading: Reading[FileFacts]) -> tuple[Note, ...]:
    return tuple(
        Note(path, "the syntax is newer than the Python that ran the scan; read by LibCST alone")
        for path, facts in _facts(blobs, reading)
        if facts.reader == "libcst"
    )


def _count(seen: int, in_scope: int, skipped: int) -> FileCounts:
    return FileCounts(seen=seen, scanned=in_scope - skipped, skipped=skipped, left_out=seen - in_scope)


def _report(build: DatasetBuild, output: Path, reading: Reading[FileFacts], clock: Stopwatch) -> RunReport:
    resolutions = Counter(row.message.resolution for _record, row in build.rows)
    return RunReport(
        repo=build.repo,
        commit=build.commit,
        output=output,
        files=build.files,
        known=reading.known,
        read=len(reading.outcomes) - reading.known,
        sites=len(build.rows),
        messages={name: resolutions[name] for name in get_args(Resolution) if resolutions[name]},
        skipped=build.skipped,
        seconds=clock.seconds,
    )
