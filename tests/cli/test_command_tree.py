"""The table of commands says what the commands themselves say."""

import inspect
from importlib import import_module
from itertools import chain

import pytest

from tiltmeter.cli.command_tree import COMMANDS, CommandEntry


def commands(entries):
    for entry in entries:
        if isinstance(entry, CommandEntry):
            yield entry
        else:
            yield from commands(entry.commands)


@pytest.mark.parametrize(
    "entry", [*commands(chain.from_iterable(COMMANDS.values()))], ids=lambda entry: entry.where
)
def test_a_summary_is_the_first_paragraph_of_the_docstring(entry):
    module, _, function = entry.where.partition(":")
    said = inspect.getdoc(getattr(import_module(f"tiltmeter.cli.{module}"), function))
    assert entry.summary == said.partition("\n\n")[0].replace("\n", " ")
