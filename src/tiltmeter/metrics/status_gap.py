"""The difference between marginalised identities and others, attribute by attribute.

Source: Elsafoury 2023, doi:10.48550/arXiv.2308.10684, section 3.
"""

from collections.abc import Callable
from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.hypothesis_tests.permutation_tests import stratified_test

MARGINALISED = "marginalised"
FEW = 5
"""With fewer identities or adjectives to draw from, an interval comes with a caution."""
GAP_TEST = "permutation of identities between the two statuses, against 0"
ROUGH = "the interval is rough, and assumes that both sides vary equally"


def gap_of(values: Array, status: Labels, attribute: Labels) -> float:
    """Mean of the marginalised identities minus that of the others, averaged over attributes.

    Raises:
        Undefined: No attribute has identities of both statuses.

    >>> sides = np.array(["marginalised", "non-marginalised", "marginalised"])
    >>> gap_of(np.array([3.0, 1.0, 9.0]), sides, np.array(["a", "a", "b"]))
    2.0
    """
    kept = compared(status, attribute)
    values, first, attribute = values[kept], status[kept] == MARGINALISED, attribute[kept]
    gaps = [
        values[first & (attribute == name)].mean() - values[~first & (attribute == name)].mean()
        for name in np.unique(attribute)
    ]
    return float(np.mean(gaps))


def compared(status: Labels, attribute: Labels) -> npt.NDArray[np.bool_]:
    """Which items are of an attribute that has identities of both statuses.

    Raises:
        Undefined: There are none.
    """
    first = status == MARGINALISED
    both = [n for n in np.unique(attribute) if 0 < first[attribute == n].mean() < 1]
    if not both:
        lacking = "non-marginalised" if first.all() else "marginalised"
        raise Undefined(f"there are no {lacking} identities to compare with")
    return np.isin(attribute, both)


def few_on_a_side(first: npt.NDArray[np.bool_], attribute: Labels) -> str:
    """A caution where an attribute has so few identities of a status that the interval is rough."""
    counts = {
        str(name): min(
            int((first & (attribute == name)).sum()), int((~first & (attribute == name)).sum())
        )
        for name in np.unique(attribute)
    }
    short = {name: n for name, n in counts.items() if n < FEW}
    if not short:
        return ""
    if len(counts) == 1:
        (n,) = short.values()
        return f"only {counted(n, 'identities')} on a side: {ROUGH}"
    listed = ", ".join(f"{name} {n}" for name, n in short.items())
    return f"few identities on a side ({listed}): {ROUGH}"


def without(attribute: Labels, kept: npt.NDArray[np.bool_]) -> str:
    """A note on attributes left out because they have identities of one status only."""
    left = sorted({str(name) for name in attribute[~kept]})
    return f"without {', '.join(left)}, with identities of one status only" if left else ""


def joined(*labels: Labels) -> Labels:
    """One label for each item from several: two items get the same if all their labels are the same."""
    return np.array(["\0".join(map(str, row)) for row in zip(*labels, strict=True)])


def inferred_gap(
    interval: Callable[[], tuple[float, float, str]],
    of_identities: tuple[Array, npt.NDArray[np.bool_], Labels],
    rng: np.random.Generator,
    *,
    left_out: str = "",
) -> Inference:
    """An interval with a permutation test that deals identities anew to the two statuses.

    Args:
        interval: Its ends and its kind.
        of_identities: Of each identity its value, whether it is marginalised, and its attribute.
        rng: Where the randomness comes from.
        left_out: What is left out, for the note.
    """
    values, first, attribute = of_identities
    made = uncertainty(
        interval,
        lambda: (stratified_test(values, first, attribute, rng).p, GAP_TEST),
        notes=(left_out,),
        rough=few_on_a_side(first, attribute),
    )
    return made._replace(why="; ".join(filter(None, (made.why, _least_p(first, attribute)))))


def _least_p(first: npt.NDArray[np.bool_], attribute: Labels) -> str:
    """A caution where identities can be dealt in so few ways that p cannot be small."""
    if len(np.unique(attribute)) > 1:
        return ""
    k, n = int(first.sum()), len(first)
    least = (1 + (n == 2 * k)) / comb(n, k)  # the mirrored partition differs as much
    if least <= 0.05:  # noqa: PLR2004
        return ""
    return f"with {k} and {n - k} identities, p cannot be below {least:.2g}"
