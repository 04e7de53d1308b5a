"""Reads a built site as a browser would: links, scripts, elements. Shares no code with what built it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

ATTRIBUTES = ("href", "src", "action", "data-search", "data-words", "data-worker")


class Document(HTMLParser):
    """What stands in one page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self._open.append(tag)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        self.links += [(name, str(found[name])) for name in ATTRIBUTES if found.get(name)]

    def handle_data(self, data: str) -> None:
        if self._open:
            self.data.setdefault(self._open[-1], []).append(data)


def documents(site: Path) -> dict[str, Document]:
    """Every page by its path below the site's folder."""
    return {
        p.relative_to(site).as_posix(): Document(p.read_text(encoding="utf-8"))
        for p in sorted(site.rglob("*.html"))
        if p.is_file()
    }


def broken(site: Path, pages: dict[str, Document], base: str) -> list[str]:
    """Internal links that lead nowhere; `base` is where the site stands."""
    wrong = []
    for path, page in pages.items():
        here = base + path.removesuffix("index.html")
        for _, link in page.links:
            target = urlsplit(urljoin(here, link))
            whole = f"{target.scheme}://{target.netloc}{target.path}"
            if not whole.startswith(base):
                if urlsplit(link).scheme not in ("https", "mailto") or whole.startswith(base.rpartition("/")[0][:20]):
                    wrong.append(f"{path}: {link}")
                continue
            file = unquote(whole.removeprefix(base))
            file += "index.html" if not file or file.endswith("/") else ""
            if not (site / file).is_file() or (
                target.fragment and file in pages and target.fragment not in pages[file].ids
            ):
                wrong.append(f"{path}: {link}")
    return wrong
