"""Where the command line speaks: results on standard output, everything else on standard error.

All that is printed here goes through `core.text`: no name, path or message that others wrote is
taken for markup, and none acts on the terminal.
"""

import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

import typer
from rich.console import Console, ConsoleOptions, JustifyMethod, OverflowMethod, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from tiltmeter.core.text import json_text, visible, visible_lines


class VisibleConsole(Console):
    """A console that takes text as it is: without markup, and with `visible` applied to all of it.

    Strings and `Text` alike, in tables and progress bars too; line breaks stay.
    """

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = False) -> None:
        super().__init__(stderr=stderr, soft_wrap=soft_wrap, emoji=False, highlight=False)

    def render_str(
        self,
        text: str,
        *,
        style: str | Style = "",
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        **_: object,
    ) -> Text:
        """Text without markup, with what acts on a screen made visible."""
        return Text(visible_lines(text), style=style, justify=justify, overflow=overflow)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Segments of what is printed; a `Text` with what acts on a screen made visible."""
        if isinstance(renderable, Text) and renderable.plain != visible_lines(renderable.plain):
            renderable = renderable.copy()
            renderable.plain = visible_lines(renderable.plain)
        return super().render(renderable, options)


for name in ("COLUMNS", "LINES"):  # Rich would lay out text in no columns
    if os.environ.get(name, "").strip().isdigit() and int(os.environ[name]) == 0:
        del os.environ[name]
out = VisibleConsole()
err = VisibleConsole(stderr=True, soft_wrap=True)


def print_json(value: object) -> None:
    """One JSON value on standard output."""
    typer.echo(json_text(value))


def print_path(path: str | Path) -> None:
    """A path on standard output: for a person visible, for a program as it is."""
    # Without color=True, codes to the terminal would be left out for a program.
    typer.echo(visible(str(path)) if sys.stdout.isatty() else path, color=True)


def say_file(path: str | Path) -> None:
    """On standard error, that a file was written."""
    err.print(str(path), style="dim")


def print_table(
    titles: Iterable[str],
    rows: Iterable[Iterable[str]],
    unbroken: Collection[str],
    right: Collection[str] = (),
) -> None:
    """A table without lines; columns with some titles are never broken, or end at the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in titles:
        justify: JustifyMethod = "right" if title in right else "left"
        table.add_column(title, justify=justify, overflow="fold", no_wrap=title in unbroken)
    for row in rows:
        table.add_row(*row)
    out.print(table)
