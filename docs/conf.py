"""Sphinx: `sphinx-build -W -b html docs docs/_build`, without network."""

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, GoogleDocstring

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from tiltmeter import __version__

project = "Tiltmeter"
author = "The Tiltmeter authors"
project_copyright = "the Tiltmeter authors; Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
default_role = "literal"  # docstrings are written with single backticks

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = f"Tiltmeter {release}"
html_show_sphinx = False
html_copy_source = False
html_search_scorer = str(Path(__file__).with_name("search_order.js"))


def google_style(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Sections of functions and classes; a colon in an attribute's docstring is only a colon."""
    if what in {"function", "method", "class", "exception"}:
        lines[:] = str(
            GoogleDocstring(list(lines), Config(), app, what, name, obj, options)
        ).splitlines()


def setup(app: Sphinx) -> None:
    """Connect it."""
    app.connect("autodoc-process-docstring", google_style)
