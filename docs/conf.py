"""Sphinx: `sphinx-build -W -b html docs docs/_build`, without network."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
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

python_maximum_signature_line_length = 100

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


class NotebookParser(MystParser):
    """Notebooks as pages: their texts, their code, and what each cell shows."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a notebook by way of Markdown."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(map(markdown_of_cell, cells)), document)


def markdown_of_cell(cell: Mapping[str, Any]) -> str:
    """A cell of a notebook, with its outputs."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([fenced("python", source), *map(markdown_of_output, cell["outputs"])])


def markdown_of_output(output: Mapping[str, Any]) -> str:
    """The richest form of an output, as a notebook shows it."""
    shown = output.get("data") or {"text/plain": output.get("text", "")}
    for kind in ("text/html", "image/svg+xml"):
        if kind in shown:
            wide = 'style="overflow-x: auto; margin-bottom: 1rem"'
            return fenced("{raw} html", f"<div {wide}>{''.join(shown[kind])}</div>")
    return fenced("text", "".join(shown["text/plain"]))


def fenced(kind: str, text: str) -> str:
    """A block that no text in it can end."""
    return f"``````{kind}\n{text}\n``````"


def setup(app: Sphinx) -> None:
    """Connect them."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("autodoc-process-docstring", google_style)
