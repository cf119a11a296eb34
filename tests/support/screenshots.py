"""The README's pictures of a run's page and of an audit's, from real runs.

    python -m support.screenshots [FOLDER]

in `tests` runs both commands in FOLDER (default: one that is deleted again) and writes page.png and audit.png
into docs/images. A run that is there already is used. Needs the extra [gguf], Chromium, and minutes.
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from support.browsers import LAUNCH

IMAGES = Path(__file__).parents[2] / "docs" / "images"
WIDTH, HEIGHT, COLOURS = 1280, 1400, 48
COMMANDS = {
    "page": ("run", "starter_pairs", "demo", "--out", "page"),
    "audit": ("audit", "demo", "--profile", "quick", "--out", "audit"),
}
PAGES = {"page": "page/*/report.html", "audit": "audit/report.html"}
"""Each picture's page, below the folder."""


def main(folder: Path) -> None:
    """As the module says."""
    for name, words in COMMANDS.items():
        if not [*folder.glob(PAGES[name])]:
            subprocess.run([sys.executable, "-m", "tiltmeter", *words], cwd=folder, check=True)
    with sync_playwright() as started:
        browser = started.chromium.launch(**LAUNCH)
        for name, pattern in PAGES.items():
            (page,) = folder.glob(pattern)
            _shoot(browser, page, IMAGES / f"{name}.png")
        browser.close()


def _shoot(browser: Browser, page: Path, file: Path) -> None:
    """The top of a page in light colours, in few of them, so that the file stays small."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    tab.goto(page.resolve().as_uri())
    picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    tab.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
