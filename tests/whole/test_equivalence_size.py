"""Equivalence at the margin is claimed as seldom as docs/explanation/coverage/equivalence.md says."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from simulations.equivalence import MOST, SIZE_CASES, highest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "coverage" / "equivalence.md"


def test_the_page_has_every_simulation_of_a_claim_of_equivalence():
    text = PAGE.read_text("utf-8")
    found = dict(re.findall(r"^(\| .+ \| .+ \| .+ \|) ([\d.]+) \| [a-z ]+ \|$", text, re.MULTILINE))
    assert list(found) == [case.row for case in SIZE_CASES]
    for case, share in zip(SIZE_CASES, found.values(), strict=True):
        assert float(share) <= MOST, case.row


@pytest.mark.parametrize("case", SIZE_CASES, ids=lambda case: case.row.strip("| "))
@pytest.mark.parametrize(
    "trials", [pytest.param(60, marks=pytest.mark.slow), pytest.param(None, marks=pytest.mark.long)]
)
def test_equivalence_is_claimed_seldom_at_the_margin(case, trials):
    tried = case if trials is None else replace(case, trials=trials)
    slack = 3 * (5 * 95 / tried.trials) ** 0.5  # the highest of ten shares
    assert highest(tried, seed=2)[0] <= 5 + slack
