"""The difference between marginalised identities and others, attribute by attribute.

Source: Elsafoury 2023, doi:10.48550/arXiv.2308.10684, section 3.
"""

from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.partitions import stratified_test

MARGINALISED = "marginalised"
FEW = 5
"""With fewer identities or adjectives to draw from, an interval comes with a caution."""
GAP_TEST = "permutation of identities between the two statuses, against 0"
ROUGH = "the interval is rough, and relies on both sides varying alike"


def gap_of(values: Array, status: Labels, attribute: Labels) -> float:
    """Mean of the marginalised identities less that of the others, averaged over attributes.

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


def permuted_gap(
    values: Array, status: Labels, attribute: Labels, rng: np.random.Generator
) -> tuple[float | None, str]:
    """P and a note of the permutation test `dealt`; None and the reason where there is no test."""
    try:
        return dealt(values, status, attribute, rng)
    except Undefined as undefined:
        return None, f"no test: {undefined}"


def dealt(
    values: Array, status: Labels, attribute: Labels, rng: np.random.Generator
) -> tuple[float, str]:
    """Permutation test of identities between the two statuses: p, and a caution if p cannot be small.

    Raises:
        Undefined: All values are equal.
    """
    first = status == MARGINALISED
    p = stratified_test(values, first, attribute, rng).p
    sizes = [
        (int(first[attribute == n].sum()), int((attribute == n).sum()))
        for n in np.unique(attribute)
    ]
    least = 1 / np.prod([float(comb(n, k)) for k, n in sizes])
    if len(sizes) == 1:
        ((k, n),) = sizes
        least *= 1 + (n == 2 * k)  # the mirrored partition differs as much as the observed one
        if least > 0.05:  # noqa: PLR2004
            return p, f"with {k} and {n - k} identities, p cannot be below {least:.2g}"
    return p, ""


def few_on_a_side(status: Labels, attribute: Labels) -> str:
    """A caution where an attribute has so few identities of a status that the interval is rough."""
    first = status == MARGINALISED
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
        return f"only {n} {'identity' if n == 1 else 'identities'} on a side: {ROUGH}"
    listed = ", ".join(f"{name} {n}" for name, n in short.items())
    return f"few identities on a side ({listed}): {ROUGH}"


def without(attribute: Labels, kept: npt.NDArray[np.bool_]) -> str:
    """A note on attributes left out because they have identities of one status only."""
    left = sorted({str(name) for name in attribute[~kept]})
    return f"without {', '.join(left)}, with identities of one status only" if left else ""


def joined(*labels: Labels) -> Labels:
    """Several labels of each item joined into one."""
    return np.array(["\0".join(map(str, row)) for row in zip(*labels, strict=True)])


def joined_notes(*notes: str) -> str:
    """Several notes as one; empty ones are left out."""
    return "; ".join(note for note in notes if note)
