"""The root mean square of true means, such as associations in cells or calibration errors in bins.

The squared or absolute mean of few values is too high on average. Products of values from *different* units
(templates, texts) are not, whatever the true means are: with a true mean of 0 they have either sign. Their
expectation is the mean of the squared true means. The root keeps the sign, so that it scatters around 0 if
there is no effect. Chen and Qin 2010 (doi:10.1214/09-AOS716) use this in a test of mean vectors.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, LEAST, tail_of

FEWEST = 3
"""The minimum number of units for an interval."""
FEW = 60
"""With fewer units than this that are in all cells, an interval comes with a caution."""


@dataclass(frozen=True, slots=True)
class RootMeanSquare:
    """The root mean square of cells' true means, with interval and test; created by `root_mean_square`."""

    sums: Array
    """The sum of each independent unit's values in each cell, shape (units, cells)."""
    counts: Array
    """The number of values in each sum, of the same shape."""
    by_size: bool
    """Whether cells are weighted by their number of values, which depends on chance; otherwise equally."""
    least: Array | None
    """Lower bounds of the variances of the sums, of the same shape; None if there are none."""
    most: float
    """The highest possible value."""
    units: str
    """What the independent units are, in the plural: "templates"."""
    crossed: bool
    """Whether a row of `sums` is one unit that is in all cells; otherwise each sum is a unit of its own."""

    @property
    def value(self) -> float:
        """The root with the sign of the mean square, which can be negative by chance."""
        return _signed_root(self._square)

    @property
    def _square(self) -> float:
        """The mean square; 0 if the products cancel out except for rounding errors."""
        drawn = self.drawn
        square = float(drawn.sum())
        return square if abs(square) > LEAST * float(np.abs(drawn).sum()) else 0.0

    @property
    def drawn(self) -> Array:
        """What each unit contributes to the mean square, shape (units,)."""
        return np.asarray(
            (self._shares * self.sums * (self.sums.sum(axis=0) - self.sums)).sum(axis=1)
        )

    def interval(self, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval: the true values under which the observed one is not significantly different.

        The variance at each true value has two terms: one from products of the units' deviations from their
        means, which remains if there is no effect, and one from the deviations in the direction of the means,
        which grows with the value. The interval is by Student's t; at 0 it is that for a single cell, to
        which cells that all vary together amount.

        Raises:
            Undefined: There are too few units, or they do not vary.
        """
        from scipy.special import stdtrit

        t = float(-stdtrit(self._count - 1, tail_of(confidence)))
        square, (chance, slope) = self._square, self._spread()
        near, steep = (t * t - 1) * chance, t * t * slope / 2
        reach = max(steep * (steep + 2 * square) + near**2, 0.0) ** 0.5
        low = square + steep - reach if square > near else square - near
        high = _signed_root(max(square + steep + reach, 0.0))
        return _signed_root(low), min(high, self.most)

    @property
    def p(self) -> float:
        """The p of the test that all true means are 0; below .05 if the interval is above 0.

        Raises:
            Undefined: There are too few units, or they do not vary.
        """
        from scipy.special import stdtr

        t = max(1 + self._square / self._spread()[0], 0.0) ** 0.5
        return float(2 * stdtr(self._count - 1, -t))

    def inference(self, nothing: str = "", note: str = "") -> Inference:
        """The interval and, if `nothing` says what a value of 0 is called, the test against it."""
        made = f"products of different {self.units}"
        return uncertainty(
            lambda: (*self.interval(), f"score interval from {made}"),
            (lambda: (self.p, f"test of {made} against {nothing}")) if nothing else None,
            notes=(note,),
            rough=self._caution,
        )

    @property
    def _caution(self) -> str:
        """A caution that the interval is rough if few units shift all cells; otherwise ""."""
        if not self.crossed or self._count >= FEW:
            return ""
        shifted = (
            f"only {self._count} {self.units}: if they shift all cells together by skewed amounts"
        )
        return f"{shifted}, 6 to 16 of 100 such intervals miss the true value"

    @property
    def _count(self) -> int:
        """The number of units."""
        return len(self.sums) if self.crossed else int((self.counts > 0).sum())

    @property
    def _weights(self) -> Array:
        """The weight of each cell, adding up to 1; shape (cells,)."""
        size = self.counts.sum(axis=0)
        return np.asarray(size / size.sum() if self.by_size else np.full(len(size), 1 / len(size)))

    @property
    def _shares(self) -> Array:
        """The weight of each product of two units, by cell; shape (cells,)."""
        size = self.counts.sum(axis=0)
        return np.asarray(self._weights / (size**2 - (self.counts**2).sum(axis=0)))

    def _spread(self) -> tuple[float, float]:
        """The mean square's standard error at 0 divided by √2, and the slope of its variance on its value."""
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
        # For small values the slope is uncertain; there it is bounded by that of the largest variance.
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
        sums: The sum of each independent unit's values in each cell, shape (units, cells).
        counts: The number of values in each sum, of the same shape.
        units: What the independent units are, in the plural.
        by_size: Whether cells are weighted by their number of values; otherwise equally.
        least: Lower bounds of the variances of the sums, of the same shape, which are known for labels.
        most: The highest possible value.
        crossed: Whether a row is one unit that is in all cells; otherwise each sum is a unit of its own.

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
    """The sums over different rows of (x·y)², without what centring adds, and of (x·y)(y·z)(z·x)."""
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
    """The sums of `_products` if each number is a row of its own with zeros in all other columns."""
    first, second, third = ((table ** (2 * i)).sum(axis=0) for i in (1, 2, 3))
    return float((first**2 - second).sum()), float(
        (first**3 - 3 * first * second + 2 * third).sum()
    )


def _signed_root(square: float) -> float:
    return float(np.sign(square) * abs(square) ** 0.5)
