"""The terminal as a sheet of lines: wrapped, never too wide, and plain where it has to be."""

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tiltmeter.report.columns import GAP
from tiltmeter.report.wording import visible

WIDEST = 120
"""Lines longer than this are hard to read, however wide the terminal is."""

_ASCII = str.maketrans("─├┤│┼●○–−×…’“”\u00a0", '-||||*o--x.\'"" ')
_HELD = "\ue000"
"""Stands for a space that must not break, which wrapping would take for any other space."""
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class Sheet:
    """A console that keeps lines short, and to ASCII where the output can hold nothing else."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = min(console.width, WIDEST)

    def say(self, text: str, style: str = "") -> None:
        """A paragraph; nothing where the text is empty."""
        if text:
            for line in self.wrapped(text, self.width):
                line.stylize(style)
                self.line(line)

    def line(self, text: Text) -> None:
        """One line as it is; whoever calls keeps it short."""
        text.plain = self.plain(text.plain).replace("\u00a0", " ").replace(_HELD, " ")
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False, highlight=False)

    def heading(self, text: str) -> None:
        """An empty line, then the heading of what follows."""
        self.gap()
        self.say(text, style="bold underline")

    def gap(self) -> None:
        """An empty line."""
        self.console.print()

    def facts(self, facts: Mapping[str, str]) -> None:
        """Names to the left, what there is to say of each wrapped beside it."""
        kept = {name: text for name, text in facts.items() if text}
        indent = max(map(len, kept), default=0) + GAP
        for name, text in kept.items():
            for i, line in enumerate(self.wrapped(text, max(self.width - indent, 1))):
                start = (name if i == 0 else "").ljust(indent)
                self.line(Text.assemble((start, "dim"), line))

    def wrapped(self, text: str, width: int) -> list[Text]:
        """The text in lines of at most `width`, a number never parted from its unit."""
        held = self.plain(text.replace("\u00a0", _HELD))
        lines = Text(held).wrap(self.console, width, overflow="fold")
        for line in lines:
            line.rstrip()
        return list(lines)

    def addresses(self, files: Mapping[str, str | Path]) -> None:
        """What each file is, and where it lies; never broken over lines."""
        # A path that is broken over lines cannot be copied: these alone may be wider.
        for name, path in files.items():
            text = Text.assemble((f"{name}: ", "dim"), visible(str(path)))
            self.console.print(text, soft_wrap=True, highlight=False)

    def plain(self, text: str) -> str:
        """The text in the letters that the output can hold."""
        if not self.console.options.ascii_only:
            return text
        known = text.translate(_ASCII).translate(_RAISED)
        parts = known.split(_HELD)
        return _HELD.join(p.encode("ascii", "backslashreplace").decode("ascii") for p in parts)
