"""The root mean square of true means: of associations over cells, of calibration errors over bins.

A squared mean of few values is too high by chance, and so is an absolute one. Products of values from
*different* units (templates, texts) are not, whatever the true means are: a mean of 0 gives products of
either sign. Their mean is that of the squared true means; its root keeps the sign, so that it scatters about
0 where there is nothing. Chen and Qin 2010 (doi:10.1214/09-AOS716) test mean vectors by it.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import LEAST, tail_of

FEWEST = 3
"""Units from which an interval can be computed."""
FEW = 60
"""With fewer units that are in all cells, an interval comes with a caution."""


@dataclass(frozen=True, slots=True)
class RootMeanSquare:
    """The root mean square of the true means of cells, with interval and test; made by `root_mean_square`."""

    sums: Array
    """Of each independent unit's values in each cell, shape (units, cells)."""
    counts: Array
    """How many values those are."""
    by_size: bool
    """Whether a cell counts by its values, and their number depends on chance; else all count alike."""
    least: Array | None
    """Variances that the sums have at least."""
    most: float
    """The highest value that is possible."""
    units: str
    """What is independent, in the plural: "templates"."""
    crossed: bool
    """Whether a row of `sums` is one unit, in all cells; else each of its sums is one."""

    @property
    def value(self) -> float:
        """The root with the sign of the mean square, which noise alone can make negative."""
        return _signed_root(self._square)

    @property
    def _square(self) -> float:
        """The mean square; 0 where products cancel out but for rounding."""
        drawn = self.drawn
        square = float(drawn.sum())
        return square if abs(square) > LEAST * float(np.abs(drawn).sum()) else 0.0

    @property
    def drawn(self) -> Array:
        """What each unit adds to the mean square, shape (units,)."""
        return np.asarray(
            (self._shares * self.sums * (self.sums.sum(axis=0) - self.sums)).sum(axis=1)
        )

    def interval(self) -> tuple[float, float]:
        """95 % interval: the true values from which the one seen is not farther than chance explains.

        The standard error at each true value: what products of the units' deviations from their means show,
        which remains where there is nothing, and what the deviations in the direction of the means show,
        which grows with the value. Student's t, and at 0 the interval for one cell, to which cells amount
        that all vary together.

        Raises:
            Undefined: There are too few units, or they do not vary.
        """
        from scipy.special import stdtrit

        t = float(-stdtrit(self._count - 1, tail_of()))
        square, (chance, slope) = self._square, self._spread()
        near, steep = (t * t - 1) * chance, t * t * slope / 2
        reach = max(steep * (steep + 2 * square) + near**2, 0.0) ** 0.5
        low = square + steep - reach if square > near else square - near
        high = _signed_root(max(square + steep + reach, 0.0))
        return _signed_root(low), min(high, self.most)

    @property
    def p(self) -> float:
        """Of a test of no true mean apart from 0: below .05 where the interval is above 0.

        Raises:
            Undefined: As `interval`.
        """
        from scipy.special import stdtr

        t = max(1 + self._square / self._spread()[0], 0.0) ** 0.5
        return float(2 * stdtr(self._count - 1, -t))

    def inference(self, nothing: str = "", note: str = "") -> Inference:
        """Interval and, where a value of 0 is called `nothing`, a test against it."""
        made = f"products of different {self.units}"
        return uncertainty(
            lambda: (*self.interval(), f"score interval from {made}"),
            (lambda: (self.p, f"test of {made} against {nothing}")) if nothing else None,
            notes=(note,),
            rough=self._caution,
        )

    @property
    def _caution(self) -> str:
        """That the interval is rough where few units shift all cells, else ""."""
        if not self.crossed or self._count >= FEW:
            return ""
        shifted = (
            f"only {self._count} {self.units}: if they shift all cells alike by skewed amounts"
        )
        return f"{shifted}, 6 to 16 of 100 such intervals miss the true value"

    @property
    def _count(self) -> int:
        """How many units there are, or values of units that are in one cell each."""
        return len(self.sums) if self.crossed else int((self.counts > 0).sum())

    @property
    def _weights(self) -> Array:
        """Of each cell, adding up to 1."""
        size = self.counts.sum(axis=0)
        return np.asarray(size / size.sum() if self.by_size else np.full(len(size), 1 / len(size)))

    @property
    def _shares(self) -> Array:
        """What a product of two units counts, by cell."""
        size = self.counts.sum(axis=0)
        return np.asarray(self._weights / (size**2 - (self.counts**2).sum(axis=0)))

    def _spread(self) -> tuple[float, float]:
        """The mean square's standard error at 0, divided by √2, and how its variance rises with its value."""
        k, square = self._count, self._square
        if k < FEWEST:
            raise Undefined(f"there are fewer than {FEWEST} {self.units}")
        size, weights, shares = self.counts.sum(axis=0), self._weights, self._shares
        means = self.sums.sum(axis=0) / size
        units = (self.counts > 0).sum(axis=0)
        apart = (self.sums - self.counts * means) * (units / (units - 1)) ** 0.5
        products = _products if self.crossed else _products_alone
        second, third = products(apart * shares**0.5)
        ratio = third / second if second > 0 else 0.0
        whole, slopes = float(weights @ means**2), weights * means / size
        linear = 2 * apart * slopes
        if self.by_size:
            linear += self.counts * (means**2 - whole) / size.sum()
        along = float(((linear.sum(axis=1) if self.crossed else linear) ** 2).sum())
        if self.least is not None:
            least, third = _products_alone((shares * self.least) ** 0.5)
            if least > 0:
                ratio, second = max(ratio, third / least), max(second, least)
            along = max(along, 4 * float(self.least.sum(axis=0) @ slopes**2))
        if second <= LEAST**2 * max(1.0, whole**2):
            raise Undefined(f"all {self.units} are alike")
        # The slope is unsure where the value is small; there it is at most that of the largest variance.
        most = 4 * min(max(ratio, 0.0) * k / (k - 1), second**0.5)
        rise = max(along / max(whole, LEAST), min(along / square, most) if square > 0 else most)
        return (second * (k - 1) / k) ** 0.5, rise


def root_mean_square(
    sums: Array,
    counts: Array,
    units: str,
    *,
    by_size: bool = False,
    least: Array | None = None,
    most: float = np.inf,
    crossed: bool = True,
) -> RootMeanSquare:
    """The root of the mean over cells of the squared true means, from products of different units.

    Cells with values of only one unit are left out.

    Args:
        sums: Of each independent unit's values in each cell, shape (units, cells).
        counts: How many values those are.
        units: What is independent, in the plural.
        by_size: Whether a cell counts by the number of its values; else all cells count alike.
        least: Variances that the sums have at least, of the same shape: known where values are labels.
        most: The highest value that is possible.
        crossed: Whether a row is one unit, in all cells; else each of its sums is one.

    Raises:
        Undefined: No cell has values of two units.

    >>> both = root_mean_square(np.array([[3.0, 1.0], [3.0, -1.0]]), np.ones((2, 2)), "templates")
    >>> both.value  # √((3 · 3 + 1 · −1) / 2)
    2.0
    """
    several = counts.sum(axis=0) ** 2 > (counts**2).sum(axis=0)
    if not several.any():
        raise Undefined(f"nothing has values from two {units}")
    kept = None if least is None else least[:, several]
    return RootMeanSquare(sums[:, several], counts[:, several], by_size, kept, most, units, crossed)


def _products(rows: Array) -> tuple[float, float]:
    """Sums over different rows of (x·y)², less what taking off means adds, and of (x·y)(y·z)(z·x)."""
    k, cells = rows.shape
    if k <= cells:
        gram = rows @ rows.T
        gram += np.trace(gram) / (k * (k - 1))
        np.fill_diagonal(gram, 0.0)
        return float((gram**2).sum()), float(((gram @ gram) * gram).sum())
    # Many rows: the same from products of columns, of which there are fewer.
    sizes, gram = (rows**2).sum(axis=1), rows.T @ rows
    second = float((gram**2).sum() - sizes @ sizes)
    third = float(((gram @ gram) * gram).sum() + 2 * (sizes**3).sum())
    return second, third - 3 * float(sizes @ ((rows @ gram) * rows).sum(axis=1))


def _products_alone(table: Array) -> tuple[float, float]:
    """The same where each number is a row of its own, with nothing but zeros beside it."""
    first, second, third = ((table ** (2 * i)).sum(axis=0) for i in (1, 2, 3))
    return float((first**2 - second).sum()), float(
        (first**3 - 3 * first * second + 2 * third).sum()
    )


def _signed_root(square: float) -> float:
    return float(np.sign(square) * abs(square) ** 0.5)
