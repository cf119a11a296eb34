"""What the command line prints: text as it is, never markup, nothing that acts on the terminal."""

import ast
from pathlib import Path

import pytest
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import tiltmeter.cli
from faults.hostile_output import ACTING, HOSTILE, SHOWN
from tiltmeter.cli.console import print_path

CLI = sorted(Path(tiltmeter.cli.__file__).parent.glob("*.py"))


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
                "str(text)",
                "'\\n'.join(tables.",
                "f'tiltmeter {",
            )
            assert inside.startswith(escaped), call.lineno


def test_a_program_gets_a_path_as_it_is(capsys):
    print_path("runs/\x1b[31mred")
    assert capsys.readouterr().out == "runs/\x1b[31mred\n"
