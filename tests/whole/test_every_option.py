"""Every option of a command's help changes what the command prints or writes, or is refused."""

import pytest

from goldens.inputs import Inputs
from support.option_tries import (
    EXEMPT,
    NO_TEXT,
    SHARED,
    TRIED,
    UNTRIED,
    footprint,
    options_of_commands,
)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(tmp_path_factory.mktemp("options").resolve())


def test_each_option_of_each_command_is_tried_or_left_out_for_a_reason():
    for command, options in options_of_commands().items():
        if any(command == left_out or command.startswith(f"{left_out} ") for left_out in UNTRIED):
            assert command not in TRIED
            continue
        known = {*TRIED[command].options, *SHARED, *EXEMPT}
        assert {*options} <= known, command
        assert {*TRIED[command].options} <= {*options}, command
    assert {*TRIED} <= {*options_of_commands()}


CASES = [
    pytest.param(command, marks=[pytest.mark.slow] if tried.slow else [])
    for command, tried in TRIED.items()
]


def equal_prints(words, folder):
    """What equal commands leave, once all that they ask of a model is stored."""
    first, second = footprint(words, folder), footprint(words, folder)
    if first != second:
        first = footprint(words, folder)
    assert first == second
    return second


@pytest.mark.parametrize("command", CASES)
def test_no_option_is_without_effect(command, inputs):
    tried, before = TRIED[command], {}
    without_effect = []
    for option in options_of_commands()[command]:
        how = tried.options.get(option) or SHARED.get(option)
        if option in EXEMPT or (option == "--no-text" and command in NO_TEXT) or how is None:
            continue
        words = [*(how.base or tried.base)(inputs), *how.beside]
        line = " ".join(map(str, words))
        if line not in before:
            before[line] = equal_prints(words, inputs.workspace)
        if footprint([*words, option, *how.value], inputs.workspace) == before[line]:
            without_effect.append(option)
    assert without_effect == []
