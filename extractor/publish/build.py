"""A dataset to a site: the order of its parts, and what a build is a function of."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from pathlib import Path

from extractor import __version__
from extractor.model.change import Diff
from extractor.model.source import PypiSource
from extractor.publish import api, feeds, folder, groups, links, text
from extractor.publish.changes import Change, changes
from extractor.publish.common import Common
from extractor.publish.error_page import ErrorJob, RelatedLink
from extractor.publish.folder import Written, put
from extractor.publish.lists import Lists, Page
from extractor.publish.reading import Source, digest, read
from extractor.publish.related import related
from extractor.publish.render import LARGEST, Renderer
from extractor.publish.report import SiteReport
from extractor.publish.search_data import search_data
from extractor.publish.settings import PublishError, SiteSettings
from extractor.publish.work import FileJobs, Pool

_LIBRARIES = ("jinja2", "markupsafe", "pygments", "msgspec", "orjson")
_SCRIPTS = ("theme.js", "page.js", "search.js", "style.css", "icon.svg", "match.js", "vendor/minisearch.js")


Compare = Callable[[Path, Path], Diff]
"""Gives what changed from one dataset's folder to another's."""


def build(settings: SiteSettings, compare: Compare | None = None) -> SiteReport:
    """Build the site, or leave it as it is where nothing changed; with an older dataset, `compare` tells what changed.

    Raises `PublishError` or `DatasetError`.
    """
    began = time.monotonic()
    stamp = folder.open_folder(settings.output, settings.dataset)
    key = _key(settings)
    if stamp is not None and stamp.key == key and folder.is_intact(settings.output, stamp):
        return SiteReport(len(stamp.files), 0, 0, 0, time.monotonic() - began, unchanged=True)
    changed = compare(settings.previous, settings.dataset) if settings.previous and compare else None
    source = read(settings.dataset)
    folder.begin(settings.output, stamp)
    written: dict[str, Written] = {}
    for file in _files(settings, source, _changes(source, changed)):
        if file.path in written:
            raise PublishError(
                f"two things want to stand at {file.path!a} of the site; leave one of them out of the dataset"
            )
        written[file.path] = file
    removed = folder.finish(settings.output, stamp, key, written.values())
    return SiteReport(
        files=len(written),
        written=sum(file.changed for file in written.values()),
        removed=removed,
        bytes=sum(file.size for file in written.values()),
        seconds=time.monotonic() - began,
        unchanged=False,
    )


def _changes(source: Source, diff: Diff | None) -> tuple[Change, ...] | None:
    if diff is None:
        return None
    repo = source.manifest.repo
    return changes(diff, {row.head.id: links.error_folder(repo, row.head.slug) for row in source.rows})


def _files(settings: SiteSettings, source: Source, changed: tuple[Change, ...] | None) -> Iterator[Written]:
    """Yield every file of the site as it is written."""
    rows, output = source.rows, settings.output
    kinds = groups.kinds(rows)
    assets = _assets()
    common = _common(settings, source, kinds, {}, feed=changed is not None)
    for name, data in zip(("search.json", "words.json"), search_data(common, rows), strict=True):
        assets[name] = _named(name, data)
    assets["worker.js"] = _worker(assets)
    common = _common(
        settings, source, kinds, {name: path for name, (path, _) in assets.items()}, feed=changed is not None
    )
    pool = Pool(common, output, settings.jobs)
    try:
        pool.submit(_jobs(source))
        pages = []
        for path, data in _others(settings, source, common, kinds, changed):
            if path.endswith(".html"):
                pages.append(path)
                if len(data) > LARGEST:
                    raise PublishError(f"a bug: the page {path!a} has {len(data)} bytes")
            yield put(output, path, data)
        for path, data in assets.values():
            yield put(output, path, data)
        for batch in pool.results():
            for file in batch:
                pages.append(file.path)
                yield file
        for path, data in feeds.sitemaps(settings.absolute, (p for p in pages if p != "404.html"), common.commit_date):
            yield put(output, path, data)
    finally:
        pool.close()


def _others(
    settings: SiteSettings,
    source: Source,
    common: Common,
    kinds: tuple[groups.Kind, ...],
    changed: tuple[Change, ...] | None,
) -> Iterator[Page]:
    """Yield all but the error pages, the assets and the sitemap."""
    renderer = Renderer(common)
    lists = Lists(renderer, source.rows)
    tree = groups.tree(source.rows)
    yield lists.home(kinds, tree)
    yield from lists.everything()
    yield from lists.folders(tree)
    for kind in kinds:
        yield from lists.kind(kind)
    schemas = []
    for path, data in api.shared_files(source, common, kinds):
        if path.startswith("schemas/"):
            schemas.append(path.removeprefix("schemas/"))
        yield path, data
    yield api.page(renderer, source, schemas)
    yield from api.record_files(source.rows, source.manifest.dataset_version)
    about = f"Search the errors of {common.repo} by words, or paste an error message or traceback."
    yield "search/index.html", renderer.page("search.html", "search/", title="Search", description=about)
    yield (
        "404.html",
        renderer.page("404.html", "", title="Not found", description="There is no such page.", root=common.base_path),
    )
    if changed is not None:
        yield from lists.changes(changed)
        yield "feed.xml", feeds.atom(common, settings.absolute, changed)
    yield "llms.txt", feeds.llms(common, kinds)
    yield "robots.txt", feeds.robots(settings.absolute)
    yield "_headers", feeds.headers(common)
    yield "_redirects", feeds.redirects(common)
    yield ".nojekyll", b""


def _jobs(source: Source) -> Iterator[FileJobs]:
    repo = source.manifest.repo
    found = related(source.rows)
    shown = [(links.error_folder(repo, row.head.slug), text.title(row.head.error_message)) for row in source.rows]
    indexed = enumerate(source.rows)
    for _, rows in groupby(indexed, key=lambda item: item[1].head.file_path):
        yield tuple(
            ErrorJob(row.record, row.site, tuple(RelatedLink(*shown[r.row], r.why) for r in found[index]))
            for index, row in rows
        )


def _common(
    settings: SiteSettings, source: Source, kinds: Sequence[groups.Kind], assets: dict[str, str], feed: bool
) -> Common:
    manifest = source.manifest
    release = manifest.source.version if isinstance(manifest.source, PypiSource) else ""
    return Common(
        repo=manifest.repo,
        repo_url=links.repo_folder(manifest.repo),
        sha=manifest.sha,
        ref=f"v{release}" if release else manifest.ref,
        pinned=f"v{release}" if release else manifest.sha,
        commit_date=manifest.commit_date[:10],
        version=manifest.dataset_version,
        tool=f"{manifest.tool.name} {manifest.tool.version}",
        total=len(source.rows),
        base_url=settings.base_url or "",
        base_path=settings.base_path,
        report_url=settings.report_url or f"https://github.com/{manifest.repo}/issues",
        assets=assets,
        nav=(("Files", "files/"), *((kind.title, kind.url) for kind in kinds if kind.groups)),
        urls={f"{kind.key} {group.name}": group.url for kind in kinds for group in kind.groups},
        feed=feed,
    )


def _assets() -> dict[str, tuple[str, bytes]]:
    room = files("extractor.publish").joinpath("assets")
    return {name: _named(name, room.joinpath(*name.split("/")).read_bytes()) for name in _SCRIPTS}


def _named(name: str, data: bytes) -> tuple[str, bytes]:
    """Return an asset with a part of its hash in its name, so that it may be kept for ever."""
    stem, _, ending = name.rpartition("/")[2].rpartition(".")
    return f"assets/{stem}.{sha256(data).hexdigest()[:10]}.{ending}", data


def _worker(assets: dict[str, tuple[str, bytes]]) -> tuple[str, bytes]:
    """Return the worker's script, its imports by the names that they have in the site."""
    text_ = files("extractor.publish").joinpath("assets", "worker.js").read_text(encoding="utf-8")
    for name in ("match.js", "vendor/minisearch.js"):
        text_ = text_.replace(f"./{name}", f"./{assets[name][0].removeprefix('assets/')}")
    return _named("worker.js", text_.encode())


def _key(settings: SiteSettings) -> str:
    """Return a hash of all that a build depends on: datasets, settings, our own files, the libraries."""
    parts = [digest(settings.dataset), digest(settings.previous) if settings.previous else ""]
    parts += [repr((settings.base_url, settings.report_url)), __version__, platform.python_version()]
    parts += [version(library) for library in _LIBRARIES]
    for room in ("extractor.publish", "extractor.model", "extractor.dataset"):
        parts += [sha256(data).hexdigest() for data in _contents(files(room))]
    parts += [sha256(data).hexdigest() for data in _contents(files("extractor").joinpath(api.SCHEMAS))]
    return sha256("\n".join(parts).encode()).hexdigest()


def _contents(room: Traversable) -> Iterable[bytes]:
    for entry in sorted(room.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _contents(entry)
        elif not entry.name.startswith("."):
            yield entry.name.encode() + b"\0" + entry.read_bytes()
