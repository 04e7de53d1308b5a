"""What one build of the site came to."""

from __future__ import annotations

from msgspec import Struct

from extractor.publish.settings import SiteSettings


class SiteReport(Struct, frozen=True):
    """Numbers of one build."""

    files: int
    """Files of the site."""
    written: int
    """Files that had to be written."""
    removed: int
    """Files that were no longer wanted."""
    bytes: int
    """Size of the whole site; 0 if nothing was to be done."""
    seconds: float
    """By the clock on the wall."""
    unchanged: bool
    """Whether nothing was to be done."""


def site_summary(settings: SiteSettings, report: SiteReport) -> list[str]:
    """Return what a person wants to know at the end, as lines."""
    if report.unchanged:
        lines = [f"site unchanged: {report.files} files are as they should be ({report.seconds:.1f} s)"]
    else:
        size = f"{report.bytes / 1e6:.0f} MB"
        lines = [
            f"site of {report.files} files, {size}: {report.written} written, {report.removed} removed "
            f"({report.seconds:.1f} s)"
        ]
    lines.append(f"  site     {settings.output}")
    if settings.base_url:
        lines.append(f"  address  {settings.base_url}")
    else:
        lines.append(f"  look     extractor site --serve, at {settings.absolute}")
        lines.append("  note     sitemap and feed need whole addresses and have that one; give --base-url to publish")
    return lines
