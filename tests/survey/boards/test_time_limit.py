"""Work in a process of its own: its result, its refusals, and its end."""

import os
import time

import pytest

from tiltmeter.core.errors import BadInput, BadItems, Problem, Unavailable
from tiltmeter.survey.boards.time_limit import MEMORY, within


def refuse():
    problems = [Problem("is odd", "mend it", file="p.json", line=line) for line in (3, 5)]
    raise BadItems(problems, way_out="Submit it again.")


def test_the_result_comes_back():
    assert within(30, divmod, 7, 2) == (3, 1)


def test_what_takes_too_long_is_ended():
    begun = time.monotonic()
    with pytest.raises(BadInput, match=r"longer than 0\.5 seconds"):
        within(0.5, time.sleep, 60)
    assert time.monotonic() - begun < 20


def test_a_refusal_keeps_its_message():
    with pytest.raises(BadItems) as found:
        within(30, refuse)
    lines = ["p.json:3: is odd; mend it", "p.json:5: is odd; mend it", "Submit it again."]
    assert str(found.value).split("\n") == lines


def test_a_process_that_dies_is_no_fault_of_the_file():
    with pytest.raises(Unavailable, match="without an answer"):
        within(30, os._exit, 1)


def test_what_needs_too_much_memory_is_ended():
    with pytest.raises(BadInput, match="too much memory"):
        within(30, bytearray, 2 * MEMORY)
