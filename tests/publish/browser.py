"""What browser tests need from the machine, and where to look for it."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The browser's program: `EXTRACTOR_CHROMIUM`, or whichever is on PATH."""
    named = os.environ.get("EXTRACTOR_CHROMIUM")
    return named or next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


def axe() -> Path | None:
    """The script of axe-core, as axe-playwright-python brings it."""
    found = find_spec("axe_playwright_python")
    script = Path(found.origin).with_name("axe.min.js") if found and found.origin else None
    return script if script and script.is_file() else None


def vnu() -> Path | None:
    """The Nu HTML checker, `EXTRACTOR_VNU`, if there is a Java to run it."""
    named = os.environ.get("EXTRACTOR_VNU")
    return Path(named) if named and shutil.which("java") else None
