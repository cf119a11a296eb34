"""The mean of the absolute effect sizes of several association tests.

Source: Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132.
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_labels
from tiltmeter.core.types import Array, Labels
from tiltmeter.metrics.association import effect_size

NO_INTERVAL = "no interval, since tests share texts and resampling inflates absolute effects"


def mean_absolute_effect(s: Array, side: Labels, test: Labels) -> float:
    """Mean absolute effect size over tests; from 0 to 2, and above 0 by chance alone (`expected_by_chance`).

    Only meaningful for tests of one family.

    Args:
        s: Each target's association, shape (n,).
        side: "X" or "Y", shape (n,).
        test: The test that each target belongs to, shape (n,).

    Raises:
        Undefined: A test has no effect size, or there is none.
        BadInput: A side is neither "X" nor "Y".

    >>> s, side = np.array([1.0, 1, 0, 0] * 2), np.array(list("XXYYYYXX"))
    >>> mean_absolute_effect(s, side, np.array([1, 1, 1, 1, 2, 2, 2, 2]))  # √3 and −√3
    1.732...
    """
    effects = []
    for name in np.unique(test):
        try:
            effects.append(abs(effect_size(s[test == name], side[test == name])))
        except Undefined as undefined:
            raise Undefined(f"{name}: {undefined}") from None
    if not effects:
        raise Undefined("there are no tests")
    return float(np.mean(effects))


def expected_by_chance(side: Labels, test: Labels) -> float:
    """The mean of `mean_absolute_effect` if targets were assigned to sides at random.

    Then the difference of the two means has mean 0 and variance S² (1/x + 1/y), where S is the standard
    deviation that the effect is measured in, and x and y are the numbers of targets. The expected absolute
    value of a normal variable is √(2/π) of its standard deviation.

    >>> expected_by_chance(np.array(list("XY" * 8)), np.array([1] * 16))  # √(2/π) · √(2/8)
    0.398...
    """
    sizes = [
        (np.sum(side[test == t] == "X"), np.sum(side[test == t] == "Y")) for t in np.unique(test)
    ]
    return float(np.mean([np.sqrt(2 / np.pi * (1 / x + 1 / y)) for x, y in sizes]))


def infer_mean_absolute_effect(sample: Sample) -> Inference:
    """For `mean_absolute_effect`: no interval, with the reason, and the value expected by chance."""
    side, test = as_labels(sample.columns[1:3])
    chance = expected_by_chance(side, test)
    return Inference(
        None,
        None,
        why=f"mean over {_tests(test)}; expected by chance: about {chance:.2f}; {NO_INTERVAL}",
    )


def compare_mean_absolute_effects(sample: PairedSample) -> tuple[float, Inference]:
    """A's mean absolute effect size minus B's, without an interval, since neither mean has one.

    Raises:
        Undefined: A test has no effect size for one of the two models.
    """
    why = f"means over {_tests(*as_labels(sample.a[2:3]))}; {NO_INTERVAL}"
    return sample.difference, Inference(None, None, why=why)


def _tests(test: Labels) -> str:
    """The number of tests in words: "3 tests"."""
    number = len(np.unique(test))
    return f"{number} tests" if number > 1 else "1 test"
