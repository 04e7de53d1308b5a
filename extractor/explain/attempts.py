"""What a `try` block attempts, read from the excerpt."""

from __future__ import annotations

from extractor.model.facts import RaiseSite


def attempt(site: RaiseSite, line: int) -> str:
    """Return what the `try` block before the handler on `line` does, if the excerpt shows it whole and it is short."""
    lines = site.excerpt.split("\n")
    at = line - site.excerpt_start
    if not 0 <= at < len(lines):
        return ""
    indent = len(lines[at]) - len(lines[at].lstrip())
    body: list[str] = []
    for row in range(at - 1, -1, -1):
        text = lines[row]
        depth = len(text) - len(text.lstrip())
        if text.strip() == "try:" and depth == indent:
            statements = [b.strip() for b in reversed(body) if b.strip() and not b.strip().startswith("#")]
            return " ".join(statements) if 0 < len(statements) <= 4 else ""
        if text.strip() and depth < indent:
            return ""
        if depth == indent and text.strip() and not text.strip().startswith(("except", ")")):
            return ""
        if text.strip().startswith("except") and depth == indent:
            body = []
            continue
        body.append(text)
    return ""
