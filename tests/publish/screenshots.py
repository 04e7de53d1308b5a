"""Makes the pictures of the README from a made-up project: `python -m tests.publish.screenshots docs/`.

Not a test. The project is scanned and published as any other; nothing of a real one is in the pictures.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from extractor.publish import SiteSettings, build
from tests.publish.browser import FLAGS, chromium
from tests.publish.test_browser import serving

SETTINGS = '''
"""Settings of the kiln, a made-up server that fires pots."""
import argparse
import os


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--chambers", type=int, default=1, help="Number of chambers that are fired together.")
    parser.add_argument("--peak", type=int, default=1240, help="Highest temperature of a firing, in degrees Celsius.")
    parser.add_argument("--fuel", choices=["wood", "gas", "electric"], default="gas", help="What the kiln burns.")
    parser.add_argument("--reduction", action="store_true", help="Starve the fire of air, for celadon and copper red.")
    parser.add_argument("--glaze-file", default=None, help="Recipes of the glazes in use.")


def check(args: argparse.Namespace) -> None:
    if args.chambers < 1:
        raise ValueError(f"--chambers must be at least 1, got {args.chambers}.")
    if args.reduction:
        if args.fuel == "electric":
            raise ValueError(
                f"A reduction firing needs a flame: --reduction does not go with --fuel {args.fuel}, "
                "whose elements would burn out."
            )
        if args.chambers > 1 and os.environ.get("KILN_DAMPERS", "joint") == "joint":
            raise ValueError(
                f"Reduction in {args.chambers} chambers needs KILN_DAMPERS=single: with joint dampers "
                "only the first chamber is starved."
            )
    if args.peak > 1300 and args.fuel == "wood":
        raise ValueError(f"A wood kiln reaches 1300 degrees, but --peak is {args.peak}.")
    if args.glaze_file is not None and not args.glaze_file.endswith(".toml"):
        raise ValueError(f"--glaze-file takes a TOML file, got {args.glaze_file!r}")
'''
REQUESTS = '''
"""What potters ask for."""
from kiln.shapes import volume

GLAZES = {"celadon", "tenmoku", "shino"}


def accept(pot, shelf):
    if pot.glaze not in GLAZES:
        raise ValueError(f"Unknown glaze {pot.glaze!r}; known are {sorted(GLAZES)}")
    if pot.height > shelf.room:
        raise ValueError(f"The pot is {pot.height} mm high, the shelf has room for {shelf.room} mm")
    if pot.wet:
        raise ValueError("A wet pot bursts; let it dry before it is fired")
    return volume(pot)
'''
SHAPES = """
def volume(pot):
    if len(pot.radii) != len(pot.heights):
        raise ValueError(f"Got {len(pot.radii)} radii for {len(pot.heights)} heights")
    if any(radius <= 0 for radius in pot.radii):
        raise ValueError("Every radius must be positive")
    return sum(r * r * h for r, h in zip(pot.radii, pot.heights))
"""
MAIN = """
import argparse
from kiln.settings import add_arguments, check


def main() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    check(parser.parse_args())


if __name__ == "__main__":
    main()
"""
PASTE = """Traceback (most recent call last):
  File "/srv/kiln/settings.py", line 31, in check
    raise ValueError(
ValueError: Reduction in 3 chambers needs KILN_DAMPERS=single: with joint dampers only the first chamber is starved.
"""
PICTURES: tuple[tuple[str, Literal["light", "dark"], int, int], ...] = (
    ("error-page", "light", 1440, 1500),
    ("paste-an-error", "dark", 768, 620),
    ("small-screen", "light", 390, 844),
)
"""Name, colours, width and height of each."""


def main(output: Path) -> None:
    """Write the pictures into a folder."""
    with tempfile.TemporaryDirectory() as name:
        site = publish(Path(name))
        with serving(site, "/") as address, sync_playwright() as runner:
            browser = runner.chromium.launch(executable_path=chromium(), args=FLAGS)
            for picture, scheme, width, height in PICTURES:
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                show(page, address, picture)
                save(page.screenshot(), output / f"{picture}.webp")
            browser.close()


def show(page: Page, address: str, picture: str) -> None:
    """Go where the picture is taken."""
    page.goto(f"{address}search/")
    page.fill("#paste", PASTE)
    page.locator("#results mark").first.wait_for()
    if picture == "paste-an-error":
        page.evaluate("document.activeElement.blur()")
        return
    page.locator("#results a").first.click()
    page.locator(".copy:visible").first.wait_for()


def publish(room: Path) -> Path:
    """Scan the made-up project and build its site."""
    kiln = room / "repository/kiln"
    kiln.mkdir(parents=True)
    files = {"settings": SETTINGS, "requests": REQUESTS, "shapes": SHAPES, "__main__": MAIN, "__init__": ""}
    for name, source in files.items():
        (kiln / f"{name}.py").write_text(source.lstrip())
    git = ["git", "-C", str(kiln.parent), "-c", "user.name=potter", "-c", "user.email=potter@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Fire", "--date=2026-03-04T05:06:07Z"]):
        subprocess.run([*git, *command], check=True)
    run = ["run", "--repo", "example/kiln", "--url", str(kiln.parent), "--sha", "HEAD", "--no-cache", "-q"]
    subprocess.run([sys.executable, "-m", "extractor", *run, "-o", str(room / "data")], check=True)
    build(SiteSettings(room / "data", room / "site"))
    return room / "site"


def save(png: bytes, target: Path) -> None:
    """Write a small picture."""
    target.parent.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(png)).save(target, "WEBP", quality=82, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
