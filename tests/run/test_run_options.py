"""The options of a study: their values are those of the modules that use them."""

from typing import get_args

import pytest

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.types import Ties
from tiltmeter.data.memory.samples import PARTS
from tiltmeter.run.run_options import RunOptions


def test_choices_are_those_of_who_uses_them():
    known = options_of(RunOptions)
    assert known["ties"].choices == get_args(Ties)
    assert known["split"].choices == PARTS


def test_unknown_choices_are_refused_at_once():
    with pytest.raises(UnknownName, match="No part named 'tests'"):
        RunOptions(split="tests")
