"""Errors from Python name arguments; those of the command line, flags."""

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import TiltmeterError

WRONG = {
    "split_seed has no effect without split; add split, or leave it out": lambda: tm.run(
        "starter_pairs", "fake", split_seed=3
    ),
    "wordings has no effect": lambda: tm.run("starter_pairs", "fake", wordings="2"),
    "leave by out": lambda: tm.analyse.ratings("us_stereotypes", by="age"),
}


@pytest.mark.parametrize("message", WRONG)
def test_an_error_names_arguments(message):
    with pytest.raises(TiltmeterError) as raised:
        WRONG[message]()
    assert message in str(raised.value)
    assert "--" not in str(raised.value)
