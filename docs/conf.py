"""Sphinx: `sphinx-build -W -b html docs docs/_build`, without network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from tiltmeter import __version__

project = "Tiltmeter"
author = "The Tiltmeter authors"
project_copyright = "the Tiltmeter authors; Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
nitpicky = False
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
default_role = "literal"  # docstrings are written with single backticks

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_use_type_comments = False
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = f"Tiltmeter {release}"
html_copy_source = False
html_show_sphinx = False
