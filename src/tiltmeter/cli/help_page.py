"""The help page of a group: its options, and a line for each command, by panels.

Drawn here as the pages of single commands are by typer, whose own drawing would need all commands to be
built, and a parser of Markdown.
"""

from collections.abc import Iterable
from typing import Any

from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from tiltmeter.cli.console import out
from tiltmeter.cli.machinery.command_entries import Panels


def print_help_page(group: TyperGroup, ctx: Any, panels: Panels) -> None:
    """Print what follows on the group's name; `ctx` is typer's context of the call."""
    usage = f"{ctx.command_path} {' '.join(group.collect_usage_pieces(ctx))}"
    out.print(Padding(Text.assemble(("Usage: ", "yellow"), usage, style="bold"), 1))
    out.print(Padding(group.help or "", (0, 1, 1, 1)))
    options = [parameter.get_help_record(ctx) for parameter in group.get_params(ctx)]
    _print_panel("Options", filter(None, options))
    width = max(map(len, group.commands))
    for title, entries in panels.items():
        _print_panel(title, ((entry.name, entry.summary) for entry in entries), width)


def _print_panel(title: str, lines: Iterable[tuple[str, str]], width: int | None = None) -> None:
    table = Table(box=None, show_header=False, expand=True, pad_edge=False, padding=(0, 1))
    table.add_column(style="bold cyan", no_wrap=True, width=width)
    table.add_column(ratio=1)
    for name, summary in lines:
        table.add_row(name, summary)
    out.print(Panel(table, title=title, title_align="left", border_style="dim"))
