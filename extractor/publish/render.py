"""Templates to pages. No page is larger than the limit: what does not fit is shown shorter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from extractor.publish import links, text
from extractor.publish.common import SECURITY, Common

LARGEST = 50_000
"""Bytes of HTML of one page."""


class Renderer:
    """Renders the pages of one build."""

    def __init__(self, common: Common) -> None:
        """Load the templates."""
        self.common = common
        self._environment = Environment(
            loader=PackageLoader("extractor.publish"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals.update(site=common, csp=SECURITY, asset=common.assets.__getitem__)
        self._environment.filters.update(
            prose=text.prose,
            place=text.place,
            visible=text.visible,
            clip=text.clip,
            one_line=text.one_line,
            count=text.count,
            plural=text.plural,
            url=links.quoted,
        )

    def page(self, template: str, url: str, **context: Any) -> bytes:
        """Return the page that stands in the folder `url`."""
        context.setdefault("root", links.up(url))
        base = self.common.base_url
        absolute = base + links.quoted(url) if base else ""
        html = self._environment.get_template(template).render(url=url, absolute=absolute, **context)
        return html.encode("utf-8", "backslashreplace")

    def fitting(self, template: str, url: str, contexts: Sequence[Callable[[], Mapping[str, Any]]]) -> bytes:
        """Return the page with the first context that keeps it within the limit, else with the last one."""
        page = b""
        for context in contexts:
            page = self.page(template, url, **context())
            if len(page) <= LARGEST:
                break
        return page


def linked_data(value: object) -> Markup:
    """Return JSON for a data block: no character of it can end the block."""
    data = orjson.dumps(value).decode()
    for char in "<>&\u2028\u2029":
        data = data.replace(char, f"\\u{ord(char):04x}")
    return Markup(data)  # noqa: S704  nothing in it is markup any more
