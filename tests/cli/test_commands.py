"""The tables of commands say what the commands themselves say."""

import inspect
from collections import defaultdict
from importlib import import_module
from itertools import chain
from typing import get_args

import pytest
import typer
from rich.text import Text

from tiltmeter.cli.machinery.command_entries import CommandEntry
from tiltmeter.cli.machinery.command_tree import COMMANDS
from tiltmeter.cli.machinery.option_parameters import expanded


def commands(entries):
    for entry in entries:
        if isinstance(entry, CommandEntry):
            yield entry
        else:
            yield from commands(entry.commands)


every_command = pytest.mark.parametrize(
    "entry", [*commands(chain.from_iterable(COMMANDS.values()))], ids=lambda entry: entry.where
)


def function_of(entry):
    module, _, function = entry.where.partition(":")
    return getattr(import_module(f"tiltmeter.cli.{module}"), function)


@every_command
def test_a_summary_is_the_first_paragraph_of_the_docstring(entry):
    said = inspect.getdoc(function_of(entry))
    assert entry.summary == said.partition("\n\n")[0].replace("\n", " ")


@every_command
def test_help_texts_lose_nothing_in_brackets(entry):
    parameters = inspect.signature(expanded(function_of(entry))).parameters.values()
    hints = [parameter.annotation for parameter in parameters]
    helps = [
        one.help or ""
        for hint in hints
        for one in getattr(hint, "__metadata__", ())
        if hasattr(one, "help")
    ]
    assert helps or not hints
    for said in helps:
        assert Text.from_markup(said).plain == said.replace("\\[", "[")


def options(entry):
    """The name of each option, and what it takes: nothing (bool), a number (int, float) or text (str)."""
    for parameter in inspect.signature(expanded(function_of(entry))).parameters.values():
        marks = getattr(parameter.annotation, "__metadata__", ())
        for mark in marks:
            if isinstance(mark, typer.models.OptionInfo):
                [kind, *_] = {*unpacked(parameter.annotation.__origin__)} & {bool, int, float} or {
                    str
                }
                name, *_ = (mark.default, *(mark.param_decls or ()))
                yield str(name).split("/")[0], kind


def unpacked(hint):
    """The types in a hint such as `list[int] | None`."""
    inner = get_args(hint)
    return chain.from_iterable(map(unpacked, inner)) if inner else (hint,)


def test_an_option_takes_the_same_kind_of_value_in_every_command():
    kinds = defaultdict(lambda: defaultdict(list))
    for entry in commands(chain.from_iterable(COMMANDS.values())):
        for name, kind in options(entry):
            kinds[name][kind].append(entry.where)
    assert kinds["--json"].keys() == {bool} and kinds["--limit"].keys() == {int}
    assert {name: dict(used) for name, used in kinds.items() if len(used) > 1} == {}
