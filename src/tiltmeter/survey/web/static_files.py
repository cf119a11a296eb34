"""The survey's style sheet, script and icon.

Their addresses change with their contents, so browsers keep them and ask for none twice.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path

from markupsafe import Markup

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
    current = (FOLDER / name).is_file() and "/" not in name and address(name) == f"{path}?{query}"
    return "public, max-age=31536000, immutable" if current else "no-cache"


@cache
def style() -> Markup:
    """The style sheet, for a page that contains it."""
    return Markup((FOLDER / "survey.css").read_text("utf-8"))  # noqa: S704 ours


@cache
def style_source() -> str:
    """That style sheet for a content security policy, which allows no other in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()}'"
