"""Metrics that depend on counts alone, so that thousands of resamples of them are one matrix product.

Such a metric puts each row into a cell (right, wrong, no answer) and is a formula of how many rows each cell
has. A bootstrap of clusters needs the counts of every cluster only, and never goes through rows again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiltmeter.core.equivalence import Claims
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.measures import RowValues
from tiltmeter.core.samples import (
    ContrastSample,
    PairedSample,
    Sample,
    TwoSides,
    as_numbers,
    uncertainty,
)
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Column, Integers, Ties
from tiltmeter.metrics.preference_inference import FEW
from tiltmeter.stats.confidence_intervals.intervals import (
    CONFIDENCE,
    difference_interval,
    wilson_clustered,
)
from tiltmeter.stats.confidence_intervals.score_intervals import VariedShare, interval_of_change
from tiltmeter.stats.hypothesis_tests.equivalence import claims_of_shares, claims_of_spread
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import (
    RESAMPLES,
    clustered,
    count_of_clusters,
    enough,
    label_strata,
    resampled_sums,
    resamples_within,
)
from tiltmeter.stats.resampling.bootstrap_intervals import stretched
from tiltmeter.stats.resampling.paired_resampling import EXCHANGES, ROUNDING

FEWEST_PAIRED = 30
"""On fewer texts the difference of two F1s has no interval: where one text in ten leans and many of these are
missing, it contained the true one in 85 to 89 of 100 samples where 10 to 25 bore on it."""
LEFT_OUT = -1
"""The cell of a row that does not count."""
SWAPS = "permutation test that swaps the two sides by"
WITHIN = " within each label"
"""What a resampling is called that keeps how many texts have each label."""


@dataclass(frozen=True, slots=True)
class CountMetric:
    """A number that depends on how many rows are in each cell."""

    name: str
    cells: Callable[..., Integers]
    """From the columns to each row's cell, or LEFT_OUT; shape (n,). If `size` is 0, also from the number of
    options."""
    size: int
    """The number of cells; 0 is one for each two of the options."""
    formula: Callable[[Array], Array]
    """From counts of shape (…, cells) to values of shape (…), NaN where there is none."""
    why: Callable[[Array], str]
    """From counts without a value, shape (cells,), to the reason."""
    rests: tuple[int, ...] = ()
    """The cells whose rows its value rests on; () is all of them."""
    gains: tuple[int, ...] = ()
    """For a share of those rows: the cells that count; () for other numbers."""
    losses: tuple[int, ...] = ()
    """For a difference of two such shares: the cells that count against it."""
    each: Callable[[Array], Array] | None = None
    """For a mean over labels: the function from counts to the numbers that are averaged."""
    unanswered: tuple[int, ...] = ()
    """The cells of rows without an answer. A metric that counts some of them has all it needs in these."""

    def __call__(self, *columns: Column) -> float:
        """The value.

        Raises:
            Undefined: These counts have none.
        """
        counts = self.counts(columns, 0 if self.size else options_of(columns))
        value = float(self.formula(counts))
        if np.isnan(value):
            raise Undefined(self.why(counts))
        return value

    def counts(self, columns: Sequence[Column], options: int) -> Array:
        """How many rows each cell has, shape (cells,)."""
        whole = self.counts_by(columns, np.zeros(len(columns[0]), dtype=np.int64), 1, options)
        return np.asarray(whole[0], dtype=np.float64)

    def counts_by(self, columns: Sequence[Column], codes: Integers, k: int, options: int) -> Array:
        """The counts of each of k parts of the rows, shape (k, cells); `codes` gives the part of each row."""
        cells = self.cells(as_numbers(columns), *(() if self.size else (options,)))
        kept, size = cells != LEFT_OUT, self.size or options**2
        counts = np.bincount(codes[kept] * size + cells[kept], minlength=k * size)
        return counts.reshape(k, size).astype(np.float64)

    def rests_on(self, columns: Sequence[Column]) -> int:
        """How many rows its value rests on."""
        counts = self.counts(columns, 0 if self.size else options_of(columns))
        return int((counts[list(self.rests)] if self.rests else counts).sum())

    def credit(self, columns: Sequence[Column]) -> tuple[npt.NDArray[np.bool_], Array]:
        """Which rows a share rests on, shape (n,), and for what each of those counts: 1, 0 or −1."""
        cells = self.cells(as_numbers(columns))
        rests, worth = np.zeros((2, self.size + 1))  # the last place, that of LEFT_OUT, stays 0
        rests[[*self.rests]] = worth[[*self.gains]] = 1.0
        worth[[*self.losses]] -= 1.0
        kept = rests[cells] > 0
        return kept, worth[cells[kept]]

    def answered(self, columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
        """Which rows have what it needs, shape (n,): an answer, unless it counts rows without one."""
        options = options_of(columns)
        cells = self.cells(as_numbers(columns), *(() if self.size else (options,)))
        reads = _read_cells(self, self.size or options**2)
        lacking = [cell for cell in self.unanswered if not reads[cell]]
        return np.asarray((cells != LEFT_OUT) & ~np.isin(cells, lacking), dtype=np.bool_)

    @property
    def least(self) -> float:
        """The lowest value that it can have."""
        return -100.0 if self.losses else 0.0

    @property
    def mean_of(self) -> RowValues | None:
        """For a share: what each row adds to it, in percent; None for other numbers."""
        if not self.gains:
            return None

        def each(columns: Sequence[Column], ties: Ties) -> Array:
            del ties
            kept, credit = self.credit(columns)
            values = np.full(len(kept), np.nan)
            values[kept] = 100 * credit
            return values

        return RowValues(each, self.least, 100.0)

    def infer(self, sample: Sample) -> Inference:
        """The inference of measures that name none: `interval_by_texts`; no test."""
        low, high, how = interval_by_texts(sample)
        return Inference(low, high, interval=how, why=few_texts(count_of_clusters(sample.clusters)))

    def compare(self, sample: PairedSample) -> tuple[float, Inference]:
        """The comparison of measures that name none: by the texts of both models."""
        return compare_by_texts(sample)


def percentage(part: Array, whole: Array) -> Array:
    """The share of each part in percent, NaN of a whole of 0.

    >>> percentage(np.array([1.0, 0.0]), np.array([4.0, 0.0]))
    array([25., nan])
    """
    shares = np.divide(100 * part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
    return np.asarray(shares, dtype=np.float64)


def options_of(columns: Sequence[Column]) -> int:
    """The number of options, from columns of indices of options."""
    highest = max((float(np.max(column)) for column in columns if len(column)), default=0.0)
    return int(max(highest, 1.0)) + 1 if np.isfinite(highest) else 2


def share(
    name: str,
    cells: Callable[..., Integers],
    size: int,
    *,
    gains: tuple[int, ...],
    rests: tuple[int, ...],
    why: Callable[[Array], str],
    losses: tuple[int, ...] = (),
    unanswered: tuple[int, ...] = (),
) -> CountMetric:
    """The share of the rows in the cells `rests` that are in `gains`, less that of those in `losses`."""

    def formula(counts: Array) -> Array:
        hits = counts[..., gains].sum(axis=-1) - counts[..., losses].sum(axis=-1)
        return percentage(hits, counts[..., rests].sum(axis=-1))

    return CountMetric(name, cells, size, formula, why, rests, gains, losses, unanswered=unanswered)


def count_of(
    name: str, cells: Callable[..., Integers], size: int, counted: Sequence[int],
    why: Callable[[Array], str],
) -> CountMetric:  # fmt: skip
    """How many rows some cells have; no value where no row counts."""

    def formula(counts: Array) -> Array:
        return np.where(counts.sum(axis=-1) > 0, counts[..., counted].sum(axis=-1), np.nan)

    return CountMetric(name, cells, size, formula, why)


def share_interval(
    metric: CountMetric, counts: Array, drawn: Array, *, why: str = ""
) -> tuple[float, float]:
    """Score interval of a number between 0 and 100, from its values on resamples.

    Args:
        metric: With values from 0 to 100.
        counts: Of each cluster, shape (k, cells).
        drawn: On resamples of clusters, shape (draws,).
        why: Why some resamples may have no value; for the message.

    Raises:
        Undefined: The data or a resample have no value, or fewer than two clusters bear on it.
    """
    low, high = _varied(metric, counts, drawn, why=why).interval()
    return 100 * low, 100 * high


def _varied(metric: CountMetric, counts: Array, drawn: Array, *, why: str = "") -> VariedShare:
    """The number as a share, with what its interval takes; `share_interval` has the arguments."""
    read = counts[:, _read_cells(metric, counts.shape[1])]
    bears = read.any(axis=1)
    freedom = _freedom(metric, counts[bears], read[bears].sum(axis=1))
    value = _value(metric, counts.sum(axis=0)) / 100
    return VariedShare(value, drawn / 100, np.inf, int(bears.sum()), freedom, why)


def _check_labels(metric: CountMetric, counts: Array) -> None:
    if metric.each is not None and (metric.each(counts.sum(axis=0)) == 0).any():
        raise Undefined("no text of some label was right, so resamples cannot show how that varies")


def _freedom(metric: CountMetric, counts: Array, rows: Array) -> float:
    """Degrees of freedom of the variance over clusters: few, where few of them are far from the others.

    From how the value changes without each cluster. One row per cluster cannot be far from the others.
    """
    total = counts.sum(axis=0)
    without = metric.formula(total - counts)
    apart = without - metric.formula(total)
    if len(counts) < 2 or rows.max() <= 1 or np.isnan(apart).any() or not apart.any():  # noqa: PLR2004
        return len(counts) - 1
    sizes = rows / rows.sum()
    return freedom_of_spread(apart, 1 / float(sizes @ sizes))


def _read_cells(metric: CountMetric, cells: int) -> npt.NDArray[np.bool_]:
    """Which cells the value depends on: a true positive rate, for example, on those of positive texts."""
    # One row more changes the value where its cell is read.
    ones = np.ones(cells)
    one_more = metric.formula(ones + np.eye(cells))
    return np.asarray(~np.isclose(one_more, metric.formula(ones), rtol=1e-12, atol=0))


def few_texts(k: int, units: str = "texts", *, least: int = FEW) -> str:
    """A caution where so few texts, or other units, are resampled that the interval is rough, else ""."""
    return f"only {counted(k, units)}: the interval is rough" if k < least else ""


def compare_by_texts(sample: PairedSample) -> tuple[float, Inference]:
    """A's value minus B's, with interval and test over texts; for `Comparison.by` of a `CountMetric`."""
    sides = TwoSides(sample.a, sample.clusters, sample.b, sample.clusters)
    return contrast_on_texts(
        ContrastSample(sample.metric, sides, sample.rng), confidence=sample.confidence
    )


def contrast_on_texts(
    sample: ContrastSample, *, confidence: float = CONFIDENCE
) -> tuple[float, Inference]:
    """The value of side a minus that of side b on the texts that both have; rows need not match one by one.

    So two settings or two example sets are compared as well as two models. The metric is a `CountMetric`, and
    clusters are the text that each row is about. The test swaps the two sides for whole texts.

    Raises:
        Undefined: They have no text in common, or the metric has no value on one side.
    """
    metric, rng = _counting(sample.metric), sample.rng
    of_a, of_b = _on_common_texts(metric, sample.sides)
    value = _value(metric, of_a.sum(axis=0)) - _value(metric, of_b.sum(axis=0))
    return value, uncertainty(
        lambda: _paired_interval(metric, of_a, of_b, value, rng, confidence),
        lambda: (_swapped(metric, of_a, of_b, rng), f"{SWAPS} texts"),
        rough=few_texts(len(of_a)), claims=_claims(metric, of_a, of_b),
    )  # fmt: skip


def _on_common_texts(metric: CountMetric, sides: TwoSides) -> tuple[Array, Array]:
    """Counts of both sides by text, shape (texts, cells) each."""
    common = np.intersect1d(sides.clusters_a, sides.clusters_b)
    if not len(common):
        raise Undefined("the two sides have no text in common")
    options = max(options_of(sides.a), options_of(sides.b))
    both = []
    for columns, texts in ((sides.a, sides.clusters_a), (sides.b, sides.clusters_b)):
        kept = np.isin(texts, common)
        codes, k = clustered(texts[kept])
        both.append(metric.counts_by([column[kept] for column in columns], codes, k, options))
    return both[0], both[1]


def _paired_interval(
    metric: CountMetric,
    a: Array,
    b: Array,
    value: float,
    rng: np.random.Generator,
    confidence: float,
) -> tuple[float, float, str]:
    """Of shares of equally many rows of each text from differences text by text.

    Of other numbers from 0 to 100, such as F1, two score intervals that allow for how far both vary together
    over resamples of texts; else a stretched bootstrap.
    """
    enough(np.arange(len(a)))
    if (paired := _paired_shares(metric, a, b)) is not None:
        low, high = difference_interval(*paired, confidence=confidence)
        return low, high, "score intervals of paired texts"
    drawn = resampled_sums(np.concatenate([a, b], axis=1), rng)
    of_a, of_b = metric.formula(drawn[:, : a.shape[1]]), metric.formula(drawn[:, a.shape[1] :])
    if not metric.gains and metric.least == 0:
        for side in (a, b):
            _check_labels(metric, side)
        both = _varied(metric, a, of_a), _varied(metric, b, of_b)
        fewest = min(varied.units for varied in both)
        if fewest < FEWEST_PAIRED:
            raise Undefined(
                f"only {counted(fewest, 'texts')} bear on one of the two sides, and it takes {FEWEST_PAIRED}"
            )
        low, high = interval_of_change(both[:1], both[1:], (1,), confidence=confidence)
        return (
            100 * low,
            100 * high,
            f"score intervals, paired bootstrap of texts, {RESAMPLES:,} draws",
        )
    low, high = stretched(of_a - of_b, value, len(a), confidence=confidence)
    return low, high, f"stretched paired bootstrap of texts, {RESAMPLES:,} draws"


def _paired_shares(metric: CountMetric, a: Array, b: Array) -> tuple[Array, Integers, float] | None:
    """Of a share of equally many rows of each text: the difference and text of each row, and the largest one.

    In percent; None of other numbers.
    """
    if not metric.gains:
        return None
    (gained, rows), (gained_b, rows_b) = (
        (
            side[:, metric.gains].sum(axis=1) - side[:, metric.losses].sum(axis=1),
            side[:, metric.rests].sum(axis=1).astype(np.int64),
        )
        for side in (a, b)
    )
    if not np.array_equal(rows, rows_b):
        return None
    texts = np.repeat(np.arange(len(a)), rows)
    each = 100 * (gained - gained_b) / np.maximum(rows, 1)
    return each[texts], texts, 200.0 if metric.losses else 100.0


def _claims(metric: CountMetric, a: Array, b: Array) -> Claims:
    """What the interval of a difference may show of equivalence; of other than shares by the jackknife."""
    if (paired := _paired_shares(metric, a, b)) is not None:
        return claims_of_shares(*paired)
    whole_a, whole_b = a.sum(axis=0), b.sum(axis=0)
    without = metric.formula(whole_a - a) - metric.formula(whole_b - b)
    return claims_of_spread(without - (metric.formula(whole_a) - metric.formula(whole_b)))


def _swapped(metric: CountMetric, a: Array, b: Array, rng: np.random.Generator) -> float:
    """Two-sided p of a permutation test; all ways are tried where they are few."""
    if np.array_equal(a, b):
        raise Undefined(
            "both sides have the same answers to every text, so there is nothing to test"
        )
    k, middle, half = len(a), (a + b).sum(axis=0) / 2, (a - b) / 2
    exact = 2**k <= EXCHANGES + 1
    if exact:
        bits = np.arange(2**k)[:, None] >> np.arange(k) & 1
    else:
        bits = rng.integers(0, 2, size=(EXCHANGES, k), dtype=np.int8)
    # A text that changes sides moves both sums by its difference: the sides stay `moved` about the middle.
    moved = (1.0 - 2.0 * bits) @ half  # (draws, cells)
    apart = np.abs(metric.formula(middle + moved) - metric.formula(middle - moved))
    if np.isnan(apart).any():
        raise Undefined("after swapping the two sides, one of them has no value")
    of_a, of_b = _value(metric, a.sum(axis=0)), _value(metric, b.sum(axis=0))
    seen = abs(of_a - of_b) - ROUNDING * max(abs(of_a), abs(of_b))
    extreme = int(np.sum(apart >= seen))
    return extreme / 2**k if exact else (1 + extreme) / (1 + EXCHANGES)


def _value(metric: CountMetric, counts: Array) -> float:
    value = float(metric.formula(counts))
    if np.isnan(value):
        raise Undefined(metric.why(counts))
    return value


def _counting(metric: Callable[..., float]) -> CountMetric:
    if not isinstance(metric, CountMetric):
        raise TypeError(f"{metric!r} is no CountMetric")
    return metric


def interval_by_texts(sample: Sample) -> tuple[float, float, str]:
    """The ends of the interval of a `CountMetric`, and its kind.

    Of shares it is Wilson's, with all that is about one text as one cluster; of other numbers a score
    interval by a bootstrap of texts, within their labels only where the design fixes these (`Sample.fixed`).

    Raises:
        Undefined: There is only one text, a resample has no value, or none can show how a mean over labels
            varies, since one of the labels was never right.
    """
    metric = _counting(sample.metric)
    if metric.gains:
        kept, credit = metric.credit(sample.columns)
        clusters = sample.clusters[kept]
        enough(clusters)
        if metric.losses:
            low, high = difference_interval(credit, clusters, 1)
            return 100 * low, 100 * high, "score intervals over texts"
        sizes = np.bincount(clustered(sample.clusters)[0])
        full = float(sizes @ sizes) / len(kept)  # of the cluster that an average row is in
        low, high = wilson_clustered(credit, clusters, full=full)
        return 100 * low, 100 * high, "Wilson, by texts"
    codes, k = enough(sample.clusters)
    counts = metric.counts_by(sample.columns, codes, k, options_of(sample.columns))
    _check_labels(metric, counts)
    if sample.fixed:
        strata = label_strata(as_numbers(sample.columns[:1])[0], codes, k)
        drawn = np.concatenate([times @ counts for times in resamples_within(strata, sample.rng)])
    else:
        drawn = resampled_sums(counts, sample.rng)
    values = metric.formula(drawn)
    lost = np.flatnonzero(np.isnan(values))
    why = f" ({metric.why(drawn[lost[0]])})" if len(lost) else ""
    low, high = share_interval(metric, counts, values, why=why)
    of = f"texts{WITHIN * sample.fixed}"
    return low, high, f"score interval by a bootstrap of {of}, {RESAMPLES:,} draws"
