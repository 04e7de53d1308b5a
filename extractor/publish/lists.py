"""Pages that lead to errors: lists of errors, lists of lists, directories, the home page. Long ones are paged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markupsafe import Markup, escape
from msgspec import Struct

from extractor.publish import links, text
from extractor.publish.changes import Change
from extractor.publish.groups import Folder, Group, Kind
from extractor.publish.reading import Row
from extractor.publish.render import Renderer, linked_data

Page = tuple[str, bytes]
"""Path below the site's folder, and content."""
_BUDGET = 36_000
"""Bytes of rows on one page; what stands around them takes up to 10 KB."""
_HOME_GROUPS = 24
_MESSAGE = 160


class ListRow(Struct, frozen=True):
    """One error in a list."""

    href: str
    """Its page's folder."""
    message: str
    """As HTML."""
    where: str
    """As HTML."""

    def markup(self, root: str) -> Markup:
        """Return the row as an item of a list."""
        return Markup(  # noqa: S704  each part is escaped where it was made
            f'<li><a href="{root}{self.href}">{self.message}</a> <span class="where">{self.where}</span></li>'
        )


class Lists:
    """Makes the list pages of one build."""

    def __init__(self, renderer: Renderer, rows: Sequence[Row]) -> None:
        """Prepare the rows."""
        self._renderer = renderer
        self._rows = [
            ListRow(
                links.error_folder(renderer.common.repo, row.head.slug),
                str(escape(text.one_line(row.head.error_message, _MESSAGE))),
                f"{text.place(row.head.file_path, 160)}:{row.head.line_number}",
            )
            for row in rows
        ]

    def everything(self) -> Iterator[Page]:
        """Yield the list of all errors."""
        common = self._renderer.common
        trail = [("Home", ""), (common.repo, common.repo_url)]
        lede = f"{text.count(common.total, 'error')}, by file and line."
        yield from self._paged(common.repo_url, "All errors", lede, trail, range(len(self._rows)))
        owner = links.folder(common.repo.partition("/")[0]) + "/"
        if owner != common.repo_url:
            yield self._groups_page(
                owner, common.repo.partition("/")[0], [Group(common.repo, common.repo_url, tuple(range(common.total)))]
            )

    def kind(self, kind: Kind) -> Iterator[Page]:
        """Yield the list of lists of one kind, and each of those lists."""
        yield from self._group_pages(kind)
        for group in kind.groups:
            trail = [("Home", ""), (kind.title, kind.url), (group.name, group.url)]
            lede = f"{text.count(len(group.rows), 'error')} for this {kind.noun}."
            yield from self._paged(group.url, group.name, lede, trail, group.rows, code=kind.code, input=group.input)

    def folders(self, tree: dict[str, Folder]) -> Iterator[Page]:
        """Yield the page of each directory and file."""
        for path, folder in tree.items():
            url = links.file_folder(path)
            parts = path.split("/") if path else []
            trail = [("Home", ""), ("Files", "files/")]
            trail += [(part, links.file_folder("/".join(parts[: i + 1]))) for i, part in enumerate(parts)]
            below = [
                (tree[name].path.rpartition("/")[2], links.file_folder(name), len(tree[name].rows))
                for name in folder.folders
            ]
            lede = f"{text.count(len(folder.rows), 'error')} in {'this file' if folder.is_file else 'this directory'}."
            rows = folder.rows if folder.is_file else []
            yield from self._paged(url, path or "Files", lede, trail, rows, code=bool(path), folders=below)

    def home(self, kinds: Sequence[Kind], tree: dict[str, Folder]) -> Page:
        """Return the home page."""
        common = self._renderer.common
        files = sum(folder.is_file for folder in tree.values())
        counts = [("errors", common.total, common.repo_url), ("files", files, "files/")]
        counts += [(text.plural(kind.noun), len(kind.groups), kind.url) for kind in kinds if kind.groups]
        shown = [
            (kind, sorted(kind.groups, key=lambda g: (-len(g.rows), g.name))[:_HOME_GROUPS])
            for kind in kinds
            if kind.groups
        ]
        heading = f"Errors of {common.repo}"
        lede = f"Every error that {common.repo} can raise: what it means, when it happens, how to fix it."
        return "index.html", self._renderer.page(
            "home.html",
            "",
            title=f"Errors of {common.repo}",
            description=lede,
            heading=heading,
            lede=lede,
            counts=counts,
            kinds=shown,
            places=_places(tree),
            linked_data=linked_data(_dataset(self._renderer)),
        )

    def changes(self, found: Sequence[Change]) -> Iterator[Page]:
        """Yield the list of what changed since an older dataset."""
        shown = [
            (
                change,
                str(escape(text.one_line(change.message, _MESSAGE))),
                str(escape(f"{change.what} · {text.one_line(change.place, 300)}")),
            )
            for change in found
        ]
        pages = _pack(shown, lambda item: 120 + len(item[0].url) + len(item[1].encode()) + len(item[2].encode())) or [
            []
        ]
        lede = f"{text.count(len(found), 'change')} since the previous dataset."
        for number, items in enumerate(pages, 1):
            url = links.page_of("changes/", number)
            root = links.up(url)
            rows = [
                ListRow(change.url, message, where).markup(root)
                if change.url
                else Markup(f'<li>{message} <span class="where">{where}</span></li>')  # noqa: S704  escaped above
                for change, message, where in items
            ]
            yield (
                f"{url}index.html",
                self._renderer.page(
                    "changes.html",
                    url,
                    title="What changed" if number == 1 else f"What changed, page {number}",
                    description=lede,
                    heading="What changed",
                    lede=lede,
                    rows=rows,
                    page=number,
                    pages=len(pages),
                    page_href=lambda n: links.page_of("changes/", n),
                ),
            )

    def _group_pages(self, kind: Kind) -> Iterator[Page]:
        pages = _pack(kind.groups, lambda group: 90 + 2 * len(group.url) + len(group.name[:100]) * 2)
        for number, groups in enumerate(pages, 1):
            url = links.page_of(kind.url, number)
            yield self._groups_page(url, kind.title, groups, kind=kind, page=number, pages=len(pages))

    def _groups_page(
        self, url: str, heading: str, groups: Sequence[Group], kind: Kind | None = None, page: int = 1, pages: int = 1
    ) -> Page:
        lede = (
            f"{text.count(len(kind.groups), kind.noun)}. {kind.about}"
            if kind
            else text.count(len(groups), "repository")
        )
        return f"{url}index.html", self._renderer.page(
            "groups.html",
            url,
            title=heading if page == 1 else f"{heading}, page {page}",
            description=lede,
            heading=heading,
            lede=lede,
            groups=groups,
            code=bool(kind and kind.code),
            page=page,
            pages=pages,
            page_href=lambda number: links.page_of(kind.url if kind else url, number),
        )

    def _paged(
        self, url: str, heading: str, lede: str, trail: Sequence[tuple[str, str]], rows: Sequence[int], **more: Any
    ) -> Iterator[Page]:
        folders = more.pop("folders", [])
        depth = len(links.up(url)) + 9
        pages = _pack(list(rows), lambda index: _cost(self._rows[index], depth)) or [[]]
        shelves = _pack(folders, lambda item: 110 + len(item[0]) * 2 + len(item[1]) + depth) or [[]]
        total = max(len(pages), len(shelves))
        for number in range(1, total + 1):
            here = links.page_of(url, number)
            root = links.up(here)
            shown = [self._rows[index].markup(root) for index in (pages[number - 1] if number <= len(pages) else ())]
            context: dict[str, Any] = {"code": False, "input": None, **more}
            name = text.one_line(heading, 100)
            yield (
                f"{here}index.html",
                self._renderer.page(
                    "list.html",
                    here,
                    title=name if number == 1 else f"{name}, page {number}",
                    description=f"{name}: {lede}",
                    heading=heading,
                    lede=lede,
                    trail=trail,
                    rows=shown,
                    folders=shelves[number - 1] if number <= len(shelves) else [],
                    page=number,
                    pages=total,
                    page_href=lambda n: links.page_of(url, n),
                    **context,
                ),
            )


def _pack(items: Sequence[Any], cost: Callable[[Any], int]) -> list[list[Any]]:
    """Return the items in pages that keep the budget."""
    pages: list[list[Any]] = []
    room = 0
    for item in items:
        need = cost(item)
        if not pages or need > room:
            pages.append([])
            room = _BUDGET
        pages[-1].append(item)
        room -= need
    return pages


def _cost(row: ListRow, depth: int) -> int:
    return 60 + depth + len(row.href) + len(row.message.encode()) + len(row.where.encode())


def _places(tree: dict[str, Folder]) -> list[tuple[str, str, int]]:
    """Return the largest directories, going down where one holds nearly all."""
    here = tree[""]
    while _heavy(here, tree):
        here = tree[_heaviest(here, tree)]
    found = sorted(here.folders, key=lambda name: (-len(tree[name].rows), name))[:_HOME_GROUPS]
    return [(name.removeprefix(f"{here.path}/"), links.file_folder(name), len(tree[name].rows)) for name in found]


def _heavy(folder: Folder, tree: dict[str, Folder]) -> bool:
    if folder.is_file or not folder.folders:
        return False
    most = tree[_heaviest(folder, tree)]
    return not most.is_file and len(most.rows) > 0.9 * len(folder.rows)


def _heaviest(folder: Folder, tree: dict[str, Folder]) -> str:
    return max(folder.folders, key=lambda name: (len(tree[name].rows), name))


def _dataset(renderer: Renderer) -> dict[str, Any]:
    common = renderer.common
    root = common.base_url or "./"
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Errors of {common.repo}",
        "description": f"{text.count(common.total, 'error')} read from the source of {common.repo} at {common.pinned}.",
        "url": root,
        "version": common.version,
        "dateModified": common.version,
        "isAccessibleForFree": True,
        "creator": {"@type": "SoftwareApplication", "name": common.tool},
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": f"{root}api/index.json"}
        ],
    }
