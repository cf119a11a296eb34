"""A number of a result is finite, or it is None with the reason: nothing else can be made."""

from dataclasses import replace

import pytest

from tiltmeter.core.estimates import NUMBERS, Estimate, Inference, estimated
from tiltmeter.core.quantity import quantity

GOOD = Estimate("rate", 57.0, 51.0, 63.0, 0.03, 240, 50.0, "%", p_adjusted=0.04, mde=5.0)
BROKEN = [float("nan"), float("inf"), float("-inf")]


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("number", BROKEN)
def test_no_estimate_has_a_number_that_is_not_finite(field, number):
    with pytest.raises(ValueError, match=f"rate: {field} is not a finite number"):
        replace(GOOD, **{field: number})
    assert getattr(replace(GOOD, **{field: None}), field) is None


@pytest.mark.parametrize("number", BROKEN)
def test_what_a_measure_gives_that_is_not_finite_is_undefined_with_the_reason(number):
    sure = Inference(1.0, 3.0, 0.5, "Wilson", "a test", 2.0)
    without = estimated("rate", number, sure, n=5, neutral=50, unit="%", why="few items")
    assert (without.value, without.low, without.p, without.n) == (None, None, None, 5)
    assert without.why == "few items; its computation did not give a finite number"
    no_limits = quantity("d", "Difference").at(2.0, sure._replace(high=number), n=5)
    assert (no_limits.value, no_limits.low, no_limits.high, no_limits.interval) == (
        2.0,
        None,
        None,
        "",
    )
    assert (no_limits.p, no_limits.why) == (0.5, "no interval: its limits are not finite numbers")
    no_p = estimated("rate", 2.0, sure._replace(p=number, mde=number), n=5, neutral=50, unit="%")
    assert (no_p.low, no_p.p, no_p.test, no_p.mde) == (1.0, None, "", None)
    assert no_p.why == "no test: its p is not a finite number"
