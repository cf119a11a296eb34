"""Text that would act on a terminal, how it is to be shown, and a console that keeps what it wrote."""

import io

import pytest

from tiltmeter.cli.console import VisibleConsole

HOSTILE = "x[bold]y[/nope] \x1b]0;owned\x07 \x1b[31m \u202e \x9b2J :smile: [/]"
SHOWN = "x[bold]y[/nope] [U+001B]]0;owned"
ACTING = {"\x1b", "\x07", "\x9b", "\u202e"}


@pytest.fixture
def screen(monkeypatch):
    """A console of that kind on a terminal without colours, and what it wrote."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")  # a dumb one has no bars
    one = VisibleConsole(soft_wrap=True)
    one.file = io.StringIO()
    one.width = 200
    return one
