"""What the command line prints: text as it is, never markup, nothing that acts on the terminal."""

import ast
import io
from pathlib import Path

import pytest
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import tiltmeter.cli
from tiltmeter.cli import console

HOSTILE = "x[bold]y[/nope] \x1b]0;owned\x07 \x1b[31m \u202e \x9b2J :smile: [/]"
SHOWN = "x[bold]y[/nope] [U+001B]]0;owned"
ACTING = {"\x1b", "\x07", "\x9b", "\u202e"}
CLI = sorted(Path(tiltmeter.cli.__file__).parent.glob("*.py"))


@pytest.fixture
def screen(monkeypatch):
    """A console of that kind on a terminal without colours, and what it wrote."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")  # a dumb one has no bars
    one = console.VisibleConsole(soft_wrap=True)
    one.file = io.StringIO()
    one.width = 200
    return one


def table(*cells):
    made = Table("heading " + HOSTILE, box=None)
    for cell in cells:
        made.add_row(cell)
    return made


@pytest.mark.parametrize(
    "printed",
    [HOSTILE, Text(HOSTILE), Text.assemble(("a ", "bold"), HOSTILE), Padding(HOSTILE, 1),
     table(HOSTILE, Text(HOSTILE))],
    ids=["text", "Text", "styled", "padded", "table"],
)  # fmt: skip
def test_whatever_is_printed_is_visible(screen, printed):
    screen.print(printed)
    shown = screen.file.getvalue()
    assert SHOWN in shown
    assert ":smile:" in shown
    assert not ACTING & set(shown)


@pytest.mark.parametrize("is_terminal", [False, True], ids=["file", "terminal"])
def test_labels_of_bars_are_visible(screen, monkeypatch, is_terminal):
    screen._force_terminal = screen.is_interactive = is_terminal
    monkeypatch.setattr(console, "err", screen)
    with console.monitor.questions(HOSTILE) as bar:
        bar.start(total=10, stored=0, requests=3)
        bar.advance(5)
    with console.monitor.download(HOSTILE) as fetched:
        fetched(1, 100)
    for say in (console.monitor.step, console.monitor.heading, console.monitor.failure):
        say(HOSTILE)
    console.monitor.warning(HOSTILE, about=HOSTILE)
    shown = screen.file.getvalue()
    assert shown.count(SHOWN) >= 7  # two labels, three lines, a warning and what it is about
    assert "\x1b]0;" not in shown
    assert not {"\x07", "\x9b", "\u202e"} & set(shown)
    if not is_terminal:
        assert "\x1b" not in shown


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


@pytest.mark.parametrize("file", CLI, ids=lambda file: file.name)
def test_nothing_is_printed_past_the_console(file):
    """Other consoles, `print`, markup switched on: none of them escapes."""
    for name, call in calls(ast.parse(file.read_text("utf-8"))):
        keywords = {k.arg: ast.unparse(k.value) for k in call.keywords}
        assert name not in {"print", "rich.print", "Console", "Text.from_markup"}, call.lineno
        assert keywords.get("markup", "False") == "False", call.lineno
        if name == "TextColumn":
            assert keywords.get("markup") == "False", call.lineno
        if name == "typer.echo":  # raw: only what was escaped, or for a program
            inside = ast.unparse(call.args[0])
            escaped = (
                "json_text(",
                "visible(",
                "tables.",
                "text",
                "'\\n'.join(tables.",
                "f'tiltmeter {",
            )
            assert inside.startswith(escaped), call.lineno
