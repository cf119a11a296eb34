"""The browser in which pages are tested."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = os.environ.get("TILTMETER_CHROMIUM") or next(
    filter(
        None,
        map(
            shutil.which,
            ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
        ),
    ),
    None,
)
"""The headless shell comes first: the same engine without a window takes a third of the time."""
LAUNCH = {"executable_path": CHROMIUM, "args": ["--no-sandbox", "--disable-gpu"]}


def playwright(name: str) -> Any:
    """This module of playwright; skips the test where it or Chromium is missing."""
    api = pytest.importorskip(f"playwright.{name}", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine; name one in TILTMETER_CHROMIUM")
    return api


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window.

    Not of a session: while it is there, nothing else in the process can run an event loop.
    """
    with playwright("sync_api").sync_playwright() as started:
        made = started.chromium.launch(**LAUNCH)
        yield made
        made.close()


def follow(tab: Any, selector: str) -> None:
    """Click what leads to another page, and wait for it: a click alone may return before.

    Unlike playwright's `expect_navigation` it goes on where the browser gives up a navigation for the next.
    """
    tab.evaluate("document.documentElement.dataset.left = ''")
    tab.click(selector)
    tab.wait_for_selector("html:not([data-left])", state="attached")
    tab.wait_for_load_state()
