"""No row of any output has two marks that contradict each other."""

import re
from pathlib import Path

import pytest

GOLDENS = Path(__file__).parents[1] / "goldens"
SHOWN = sorted([*GOLDENS.glob("studies/*.txt"), *GOLDENS.glob("analyses/*/*.txt")])
BOUND = re.compile(r"[≤<>]\u00a0−?\d[\d.,]*(?:\u2021)?\*")


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_what_is_too_little_to_say_or_a_bound_is_not_marked_as_significant(path):
    for line in path.read_text("utf-8").splitlines():
        row = line.lstrip("+- ")
        assert not ("‡" in row and "●" in row), row
        assert "‡*" not in row, row
        assert not BOUND.search(row), row
