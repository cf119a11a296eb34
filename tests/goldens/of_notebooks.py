"""The notebooks of docs/notebooks, executed by a kernel, with what each cell shows.

    python -m goldens.of_notebooks [--write] [NAME…]

in `tests` executes them, all by default, and shows what differs from the files, or writes them anew.
"""

import html
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
from nbclient import NotebookClient

from goldens.outputs import difference

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
FILES = re.compile(r"\]\((\.\./[^)]+\.(?:csv|toml|jsonl))\)")
"""Links to files that a notebook reads: they lie beside it when it is executed."""
_ANCHOR = re.compile(r"\btm-[0-9a-z]+-\d+")
_HIDDEN = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
_NUMBER = re.compile(r"[−-]?\d[\d.,]*")
_TAG = re.compile(r"<[^>]*>")


def names() -> list[str]:
    """All notebooks."""
    return sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def stored(name: str) -> Any:
    """A notebook as its file has it."""
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def executed(name: str) -> Any:
    """A notebook after its cells were executed in an empty folder with the files that it links to.

    Raises:
        CellExecutionError: A cell raised an error.
    """
    book = stored(name)
    with tempfile.TemporaryDirectory() as folder:
        for cell in book.cells:
            for link in FILES.findall(cell.source if cell.cell_type == "markdown" else ""):
                shutil.copy(FOLDER / link, folder)
        client = NotebookClient(
            book, timeout=300, kernel_name="python3", record_timing=False,
            resources={"metadata": {"path": folder}},
        )  # fmt: skip
        with mock.patch.dict(os.environ, {"TILTMETER_CACHE": f"{folder}/cache"}):
            client.execute()
    for number, cell in enumerate(book.cells, start=1):
        cell.metadata.clear()
        cell.id = f"cell-{number}"
    return book


def shown(book: Any) -> str:
    """What a reader sees of a notebook: its cells, printed text, and the numbers of pages and pictures.

    Numbers alone, because the words of pages have goldens of their own.
    """
    parts = []
    for cell in book.cells:
        parts.append(f"[{cell.cell_type}] {cell.source}")
        for output in cell.get("outputs", ()):
            data = output.get("data") or {output.output_type: output.get("text", "")}
            texts: Mapping[str, str] = data
            parts += [f"[{kind}] {_compared(kind, text)}" for kind, text in sorted(texts.items())]
    return "\n".join(parts)


def _compared(kind: str, text: str) -> str:
    """A text in one line; of HTML and SVG the numbers outside tags and styles."""
    if kind in {"text/html", "image/svg+xml"}:
        words = html.unescape(_TAG.sub(" ", _HIDDEN.sub(" ", _ANCHOR.sub("", text))))
        return " ".join(_NUMBER.findall(words))
    return " ".join(text.split())


def changes(name: str, book: Any = None) -> str:
    """How a notebook, executed, differs from its file."""
    now = executed(name) if book is None else book
    return difference(name, shown(stored(name)), shown(now))


def main(given: Sequence[str]) -> None:
    """As the module says."""
    for name in [word for word in given if word != "--write"] or names():
        book = executed(name)
        if text := changes(name, book):
            print(text)
        if "--write" in given:
            nbformat.write(book, FOLDER / f"{name}.ipynb")


if __name__ == "__main__":
    main(sys.argv[1:])
