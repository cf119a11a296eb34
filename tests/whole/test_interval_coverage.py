"""Intervals contain the true value, and tests reject, as often as docs/intervals.md says, by simulation."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from coverage_table import ALL_CASES, ALL_NULL_CASES
from simulation_cases import NOMINAL, coverage, rejections, row

PAGE = Path(__file__).parents[2] / "docs" / "intervals.md"


def title(case):
    return f"{case.kind}, {case.of}, {case.n}"


of_all_or_some_trials = pytest.mark.parametrize(
    "some",
    [
        pytest.param(True, marks=pytest.mark.slow, id="some trials"),
        pytest.param(False, marks=pytest.mark.long, id="all trials"),
    ],
)


def shortened(case):
    """The case with a quarter of its trials, or sixty; and two standard errors of their percentage."""
    trials = max(case.trials // 4, min(case.trials, 60))
    return replace(case, trials=trials), 2 * (NOMINAL * (100 - NOMINAL) / trials) ** 0.5


@of_all_or_some_trials
@pytest.mark.parametrize("case", ALL_CASES, ids=title)
def test_the_true_value_is_inside_as_often_as_it_should_be(case, some):
    tried, slack = shortened(case) if some else (case, 0)
    assert case.least - slack <= coverage(tried, seed=1) <= case.most + slack


@of_all_or_some_trials
@pytest.mark.parametrize("case", ALL_NULL_CASES, ids=title)
def test_no_difference_is_found_as_seldom_as_it_should_be(case, some):
    tried, slack = shortened(case) if some else (case, 0)
    assert rejections(tried, seed=1) <= case.most + slack


def test_the_page_has_every_simulation_with_a_share_inside_its_bounds():
    found = dict(
        re.findall(r"^(\| .+ \| \d+ \|) ([\d.]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    )
    assert set(found) == {row(case) for case in (*ALL_CASES, *ALL_NULL_CASES)}
    for case in ALL_CASES:
        assert case.least <= float(found[row(case)]) <= case.most, title(case)
    for case in ALL_NULL_CASES:
        assert float(found[row(case)]) <= case.most, title(case)


def test_a_simulation_of_too_narrow_an_interval_fails():
    """The bounds can fail: Wilson's interval, which takes clusters for independent pairs."""
    narrow = next(case for case in ALL_CASES if "ignoring" in case.kind)
    proper = next(case for case in ALL_CASES if case.n == narrow.n and case is not narrow)
    assert narrow.most < proper.least < NOMINAL
