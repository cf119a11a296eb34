"""The reference of commands, docs/reference/commands, from the commands themselves.

    python -m goldens.of_commands [--write]

in `tests` shows what differs from the pages, or writes it anew. Each command of the first level has a page.
What comes before the mark is written by hand, what follows is its help. `index.md` lists the pages.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import EnumType
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from goldens.outputs import BUILT, difference
from tiltmeter.cli import app
from tiltmeter.cli.machinery.command_tree import COMMANDS

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "commands"
MARK = "<!-- From here on: in `tests`, `python -m goldens.of_commands --write`. -->\n"
OPTIONS = "Options"
UNSAID = (None, (), [], "")
"""Defaults that go without saying."""
LINKS = {
    "--rule": "studies/rules.md", "--convention": "studies/conventions.md",
    "--data": "how-to/data.md", "--map": "how-to/data.md#files-of-your-own",
    "--missing": "how-to/data.md#missing-values", "--margin": "how-to/equivalence.md",
    "--allow-code": "extend/add-a-study.md#run-it-from-its-file",
    "--repeats": "how-to/repeats.md", "--wordings": "how-to/wordings.md",
    "--placebo": "how-to/placebo-arms.md", "--thinking": "how-to/models-that-think.md",
    "--precision": "how-to/precision.md", "--revision": "how-to/hub.md#revisions",
    "--start-token": "how-to/models.md#causal-models",
    "--tokenizer": "how-to/served-models.md#the-tokenizer",
    "--plan": "how-to/chat-models.md#plan-and-limits",
    "--ray": "how-to/many-machines.md#what-ray-does", "--profile": "how-to/audit.md#profiles",
    "--valid": "explanation/validity.md#what-people-found-of-the-items",
    "--cite": "how-to/tables.md#how-to-cite", "--published": "how-to/correlate.md#published-tables",
    "--fail-if": "reference/commands/results-and-gates.md#a-gate-for-continuous-integration",
    "--json": "reference/commands/results-and-gates.md#json",
}  # fmt: skip
"""Where an option leads on: the page that explains it, below docs."""
VALUES = {str: "TEXT", int: "N", float: "NUMBER", Path: "PATH"}
"""What stands for the value of an option, by its type."""


def pages() -> dict[str, str]:
    """Each page by its file's name: what is written by hand, and what is generated."""
    texts = {"index.md": _index()}
    for entry in chain.from_iterable(COMMANDS.values()):
        command = BUILT(app).commands[entry.name]
        parts = [_section(words, leaf) for words, leaf in _leaves((entry.name,), command)]
        texts[f"{entry.name}.md"] = _by_hand(entry.name) + MARK + "\n" + "\n".join(parts)
    return texts


def changes() -> str:
    """How the pages differ from the commands."""
    found = (
        difference(name, path.read_text("utf-8") if (path := PAGES / name).is_file() else "", text)
        for name, text in pages().items()
    )
    return "\n".join(filter(None, found))


def _by_hand(name: str) -> str:
    path = PAGES / f"{name}.md"
    text = path.read_text("utf-8") if path.is_file() else f"# {name}\n\n"
    return text.partition(MARK)[0]


def _leaves(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with its words."""
    if not hasattr(command, "commands"):
        yield words, getattr(command, "command", command)  # most are loaded when they are needed
        return
    for name, inner in command.commands.items():
        yield from _leaves((*words, name), inner)


def _section(words: Sequence[str], command: Any) -> str:
    name = " ".join(words)
    shown = [p for p in command.params if not getattr(p, "hidden", False) and p.name != "help"]
    arguments = [p for p in shown if p.param_type_name == "argument"]
    usage = " ".join(("tiltmeter", name, *map(_argument, arguments), "[OPTIONS]"))
    parts = [f"## tiltmeter {name}\n\n```text\n{usage}\n```\n", f"{_plain(command.help or '')}\n"]
    if arguments:
        rows = ((f"`{_argument(argument)}`", _plain(argument.help or "")) for argument in arguments)
        parts.append(_table("argument", rows))
    options = [p for p in shown if p.param_type_name == "option"]
    panels = groupby(sorted(options, key=_panel_key(options)), key=_panel)
    parts += (_table(_heading(title), map(_option, of)) for title, of in panels)
    return "\n".join(parts)


def _heading(panel: str) -> str:
    return "option" if panel == OPTIONS else panel.lower()


def _panel(option: Any) -> str:
    return getattr(option, "rich_help_panel", None) or OPTIONS


def _panel_key(options: Sequence[Any]) -> Any:
    order = list(dict.fromkeys(map(_panel, options)))
    return lambda option: order.index(_panel(option))


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name).strip("{}[].").upper()
    many = "…" if parameter.nargs == -1 and "…" not in name else ""
    return f"{name}{many}" if parameter.required else f"[{name}{many}]"


def _option(option: Any) -> tuple[str, str]:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" `{_value(option)}`"
    text = _plain(option.help or "")
    default = option.default
    said = isinstance(default, bool) or default in UNSAID or "default" in text.lower()
    if option.show_default and not said:
        text += f" Default: `{getattr(default, 'value', default)}`."
    if option.required:
        text += " Required."
    pages = (LINKS[name] for name in option.opts if name in LINKS)
    links = (f" [More]({_relative(page)})" for page in pages if _is_here(page))
    return names + value, text + next(links, "")


def _is_here(page: str) -> bool:
    """Whether a page is there: those of a wing go with it."""
    return (PAGES.parents[1] / page.partition("#")[0]).is_file()


def _relative(link: str) -> str:
    """The address of a page below docs, for these pages."""
    return link.removeprefix("reference/commands/") if "commands/" in link else f"../../{link}"


def _value(option: Any) -> str:
    """What follows the option, as its help says or by its type."""
    if option.metavar:
        return str(option.metavar)
    hint = option.type_descriptor.annotation
    if get_origin(hint) is list:
        (hint,) = get_args(hint)
    if get_origin(hint) is Literal:
        return "|".join(get_args(hint))
    if isinstance(hint, EnumType):
        return "|".join(str(member.value) for member in hint)
    return VALUES[hint]


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return f"| {title} | |\n|---|---|\n" + "".join(f"| {line} |\n" for line in lines)


def _plain(text: str) -> str:
    """Help as Markdown: a paragraph a line, and no marks of the terminal's."""
    paragraphs = text.replace("\b", "").replace("\\[", "[").strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _index() -> str:
    head = _by_hand("index")
    parts = []
    for title, entries in COMMANDS.items():
        rows = ((f"[`{entry.name}`]({entry.name}.md)", _plain(entry.summary)) for entry in entries)
        parts.append(_table(title.lower(), rows))
    names = "\n".join(entry.name for entry in chain.from_iterable(COMMANDS.values()))
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\nresults-and-gates\n```\n")
    return head + MARK + "\n" + "\n".join(parts)


def main(words: Sequence[str]) -> None:
    """As the module says."""
    if text := changes():
        print(text)
    if "--write" in words:
        for name, text in pages().items():
            (PAGES / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
