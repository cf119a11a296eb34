"""Wilson's interval of a share whose variance a bootstrap shows.

Percentiles of resamples end at 0 and 1, and lie close together where nearly all resamples are there, which
says little of what another sample would give. Wilson's interval of an effective number of items does not
collapse. Source: Franco et al. 2019 (https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503).
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.intervals import CONFIDENCE, LEAST, wilson_effective


def score_interval(
    value: float, drawn: Array, *, items: float, units: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Wilson's interval of as many items as the share is worth, from 0 to 1.

    A share of so many independent items varies as much as `value` does over resamples, about itself.
    Student's t makes them fewer. Close to 0 and 1 the variance is that of the resamples' mean, if larger.

    Args:
        value: The share on the data.
        drawn: On resamples, shape (draws,).
        items: It is worth no more than so many items.
        units: How many units a resample draws, which are the degrees of freedom plus 1; of two sides that are
            drawn separately, the fewer. The share is worth so many where all resamples equal it.
        confidence: Of the interval.

    Raises:
        Undefined: Some resample has no value, or there are fewer than two units.

    >>> drawn = np.random.default_rng(0).binomial(20, 0.8, size=2000) / 20
    >>> [round(end, 2) for end in score_interval(0.8, drawn, items=20, units=20)]
    [0.57, 0.92]
    >>> [round(end, 2) for end in score_interval(1.0, np.ones(100), items=20, units=20)]
    [0.82, 1.0]
    """
    lost = int(np.isnan(drawn).sum())
    if lost:
        raise Undefined(f"{lost:,} of {len(drawn):,} resamples have no value")
    if units < 2:  # noqa: PLR2004
        raise Undefined("there is only one to draw, so there is nothing to resample")
    distance = float(np.square(drawn - value).mean())
    spread = max(share * (1 - share) for share in (value, float(drawn.mean())))
    worth = min(items, spread / distance) if distance > LEAST else units
    return wilson_effective(value, max(worth, 1.0), units - 1, confidence=confidence)
