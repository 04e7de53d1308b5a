"""Files for machines that crawl, subscribe or serve: sitemap, robots, feed, llms.txt, headers, redirects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from extractor.publish import links
from extractor.publish.changes import Change
from extractor.publish.common import SECURITY, Common
from extractor.publish.groups import Kind
from extractor.publish.text import count, one_line

_MOST_URLS = 50_000
"""A sitemap file holds no more (sitemaps.org)."""
_MOST_ENTRIES = 500
_DAY, _YEAR = 86_400, 31_536_000


def headers(common: Common) -> bytes:
    """Return `_headers`, which Netlify, Cloudflare Pages and others read."""
    base = common.base_path

    def rule(path: str, *lines: str) -> str:
        return "".join([f"{base}{path}\n", *(f"  {line}\n" for line in lines)])

    cors = "Access-Control-Allow-Origin: *"
    secure = (
        f"Content-Security-Policy: {SECURITY}; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Permissions-Policy: interest-cohort=()",
    )
    return "\n".join(
        [
            rule("*", *secure, "Cache-Control: public, max-age=3600"),
            rule("api/*", cors, "! Cache-Control", f"Cache-Control: public, max-age={_DAY}"),
            rule("schemas/*", cors, "! Cache-Control", f"Cache-Control: public, max-age={_DAY}"),
            rule("assets/*", "! Cache-Control", f"Cache-Control: public, max-age={_YEAR}, immutable"),
        ]
    ).encode()


def redirects(common: Common) -> bytes:
    """Return `_redirects`: a record's answer without `.json`, as other publishers of such records write it."""
    base = common.base_path
    return f"{base}api/errors/:id {base}api/errors/:id.json 200\n".encode()


def robots(absolute: str) -> bytes:
    """Return `robots.txt`."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {absolute}sitemap.xml\n".encode()


def sitemaps(absolute: str, pages: Iterable[str], date: str) -> Iterator[tuple[str, bytes]]:
    """Yield `sitemap.xml`, in several files if one cannot hold all."""
    folders = sorted(
        path.removesuffix("index.html") for path in pages if path.endswith("/index.html") or path == "index.html"
    )
    chunks = [folders[i : i + _MOST_URLS] for i in range(0, len(folders), _MOST_URLS)]
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    start = '<?xml version="1.0" encoding="UTF-8"?>\n'
    for number, chunk in enumerate(chunks):
        urls = "".join(
            f"<url><loc>{escape(absolute + links.quoted(f))}</loc><lastmod>{date}</lastmod></url>\n" for f in chunk
        )
        name = "sitemap.xml" if len(chunks) == 1 else f"sitemap-{number + 1}.xml"
        yield name, f"{start}<urlset {space}>\n{urls}</urlset>\n".encode()
    if len(chunks) > 1:
        maps = "".join(f"<sitemap><loc>{absolute}sitemap-{n + 1}.xml</loc></sitemap>\n" for n in range(len(chunks)))
        yield "sitemap.xml", f"{start}<sitemapindex {space}>\n{maps}</sitemapindex>\n".encode()


def atom(common: Common, absolute: str, changes: Sequence[Change]) -> bytes:
    """Return the feed of changes, at most 500 entries."""
    tag = f"tag:{common.repo.replace('/', '.')},{common.commit_date}:"
    entries = "".join(_entry(common, absolute, tag, change) for change in changes[:_MOST_ENTRIES])
    left = len(changes) - _MOST_ENTRIES
    note = f" The first {_MOST_ENTRIES}; {left} more are on the page." if left > 0 else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{escape(tag)}feed</id>\n<title>{escape(common.repo)}: errors that changed</title>\n"
        f"<subtitle>{count(len(changes), 'change')}.{note}</subtitle>\n<updated>{common.version}</updated>\n"
        f"<author><name>{escape(common.tool)}</name></author>\n"
        f'<link rel="self" href={quoteattr(absolute + "feed.xml")}/>\n'
        f"<link href={quoteattr(absolute)}/>\n{entries}</feed>\n"
    ).encode("utf-8", "backslashreplace")


def _entry(common: Common, absolute: str, tag: str, change: Change) -> str:
    title = f"{change.what.capitalize()}: {one_line(change.message, 120)}"
    what = change.what.replace(", ", "+").replace(" ", "-")
    href = absolute + links.quoted(change.url) if change.url else f"{absolute}changes/"
    return (
        f"<entry><id>{escape(tag)}{change.id}:{what}</id><title>{escape(title)}</title>"
        f"<updated>{common.version}</updated><link href={quoteattr(href)}/>"
        f"<summary>{escape(one_line(change.place, 300))}</summary></entry>\n"
    )


def llms(common: Common, kinds: Sequence[Kind]) -> bytes:
    """Return `llms.txt`: what is here and where, in Markdown, for language models (llmstxt.org)."""
    root = common.base_url
    lists = "".join(
        f"- [{k.title}]({root}{k.url}): {count(len(k.groups), k.noun)}. {k.about}\n" for k in kinds if k.groups
    )
    return (
        f"# Errors of {common.repo}\n\n"
        f"> {count(common.total, 'error')} that the source of {common.repo} can raise at {common.pinned} "
        f"({common.commit_date}): message, conditions, source, fixes. Read from the source, never run.\n\n"
        "Every page has the same data as JSON; its address stands in the page as `link rel=alternate`.\n\n"
        "## Data\n\n"
        f"- [Index]({root}api/index.json): a row of every error: id, slug, message, patterns, file, line, tags\n"
        f"- [Options]({root}api/options.json): options and environment variables, with the ids of their errors\n"
        f"- [Manifest]({root}api/manifest.json): what was scanned\n"
        f"- [OpenAPI]({root}api/openapi.json): the interface; one record is at `api/errors/<id>.json`\n\n"
        "## Lists\n\n"
        f"- [All errors]({root}{common.repo_url}): by file and line; one error is at `{common.repo_url}<slug>/`\n"
        f"- [Files]({root}files/): by directory and file\n{lists}"
    ).encode()
