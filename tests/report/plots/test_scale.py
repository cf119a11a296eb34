"""Axes hold every value, in round steps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.plots.scale import nice_step, round_scale, scale_of


@given(st.lists(st.floats(0, 100), min_size=1), st.sampled_from([50.0, 0.0]))
def test_an_axis_holds_every_value_and_the_neutral_one_stands_in_its_middle(values, neutral):
    rows = [Estimate("r", v, None, None, None, 9, neutral=neutral, unit="%") for v in values]
    scale = scale_of(rows)
    assert all(scale.low - 1e-9 <= v <= scale.high + 1e-9 for v in values)
    assert scale.at(neutral, 0, 2) == pytest.approx(1)
    assert neutral in scale.ticks
    assert len(scale.ticks) <= 7


@given(st.floats(1e-6, 1e6), st.integers(1, 40))
def test_nice_steps_cover_without_waste(reach, most):
    step = nice_step(reach, most)
    assert step * most >= reach * (1 - 1e-6)
    assert step * most < reach * 2.6 * 1.01  # the widest gap between 1, 2, 5, 10 is 2.5


@given(st.lists(st.floats(0, 1e4), min_size=1))
def test_the_axis_of_sizes_begins_at_zero(values):
    rows = [Estimate("r", v, None, None, None, 9, 0, "", meaning=Meaning(magnitude=True))
            for v in values]  # fmt: skip
    scale = scale_of(rows)
    assert scale.ticks[0] == 0 == scale.neutral
    assert max(values) <= scale.high * (1 + 1e-9)


def test_axes_hold_all_values_with_round_marks():
    axis = round_scale([-0.3, 0.9, 0.0], 0.1)
    assert axis.low < -0.3 and axis.high > 0.9
    assert axis.ticks == (0.0, 0.5, 1.0)
    flat = round_scale([2.0, 2.0], 0.1)
    assert (
        flat.low < 2 < flat.high and round_scale([0.0], 0.1).low < 0 < round_scale([0.0], 0.1).high
    )


def test_an_axis_does_not_go_beyond_what_a_number_can_be():
    ratio = Estimate("r", 0.4, 0.2, 1.0, None, 9, 1, "", meaning=Meaning(least=0, most=1))
    assert scale_of([ratio]).ticks == (0.0, 0.5, 1.0)
