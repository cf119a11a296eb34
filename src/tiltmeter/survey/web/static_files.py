"""The survey's style sheet, script and icon.

Their addresses change with their contents, so browsers keep them and ask for none twice.
"""

import base64
import hashlib
import os
from functools import cache
from pathlib import Path

from markupsafe import Markup
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "static"
STATIC = "/static/"


@cache
def address(name: str) -> str:
    """Where a page gets a file."""
    digest = hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()
    return f"{STATIC}{name}?v={digest[:16]}"


def cache_control(path: str, query: str) -> str:
    """How long a browser may keep what is at an address: a year if it is what the address names."""
    name = path.removeprefix(STATIC)
    if name == path:
        return "no-store"
    current = name in _names() and address(name) == f"{path}?{query}"
    return "public, max-age=31536000, immutable" if current else "no-cache"


@cache
def _names() -> frozenset[str]:
    return frozenset(file.name for file in FOLDER.iterdir() if file.is_file())


def static_files() -> StaticFiles:
    """The files, for their addresses; other addresses have nothing, whatever is written there."""
    return _StaticFiles(directory=FOLDER)


class _StaticFiles(StaticFiles):
    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Only of our files: the system refuses names that are too long or hold a NUL with an error."""
        return super().lookup_path(path) if path in _names() else ("", None)


@cache
def style() -> Markup:
    """The style sheet, for a page that contains it."""
    return Markup((FOLDER / "survey.css").read_text("utf-8"))  # noqa: S704 ours


@cache
def style_source() -> str:
    """That style sheet for a content security policy, which allows no other in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()}'"
