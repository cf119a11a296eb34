"""Association of groups with traits, averaged over templates.

A cell is a group and a pair of opposite traits. Each template gives it one score: above 0 the group is
closer to the right trait, below 0 to the left one. Templates are a sample of possible wordings; intervals
show how much the value could change with another such sample.

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 3; here after Sotnikova 2023, chapter 4.
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample, as_numbers
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import student
from tiltmeter.stats.confidence_intervals.mean_squares import RootMeanSquare, root_mean_square
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

FEWEST = 40
"""With fewer templates, an interval comes with a caution: simulated with skewed scores and few large."""


def association(left: Array, right: Array) -> float:
    """Mean of right − left over templates, in the unit of the scores (nats); 0 is no leaning.

    Above 0, the group is closer to the right trait than to the left one, each relative to a sentence
    that names no group.

    Args:
        left: s(group, left trait) in each template, shape (n,).
        right: s(group, right trait), shape (n,).

    Raises:
        Undefined: There are no templates, or a score is infinite.

    >>> association(np.array([0.25, 0.5]), np.array([0.75, 0.25]))
    0.125
    """
    return float((_finite(right, "right") - _finite(left, "left")).mean())


def pole(scores: Array) -> float:
    """Mean of one trait's scores over templates, in nats; 0 where the group makes no difference.

    Raises:
        Undefined: As `association`.

    >>> pole(np.array([0.25, 0.75]))
    0.5
    """
    return float(_finite(scores, "").mean())


def mean_strength(left: Array, right: Array, group: Labels, pair: Labels) -> float:
    """Mean over cells of |association|, in nats: the average distance from 0, in either direction.

    At least 0; 0 where no group differs from the sentence without one. Chance inflates it: with few
    templates even cells without any leaning differ from 0, by how much depends on how many there are. So it
    has no interval; `rms_strength` has. Cells that lack a score in some template have no mean and are left
    out.

    Args:
        left: s(group, left trait), one row per cell and template, shape (n,).
        right: s(group, right trait), shape (n,).
        group: Each row's group, shape (n,).
        pair: Each row's pair of traits, shape (n,).

    Raises:
        Undefined: No cell has a mean.

    >>> two = np.array(["men", "women"])
    >>> mean_strength(np.zeros(2), np.array([0.5, -0.25]), two, np.array(["cold - warm"] * 2))
    0.375
    """
    sums, counts, _ = _tables(left, right, group, pair, np.zeros(len(left), dtype=np.int64))
    return float(np.abs(sums[0] / counts[0]).mean())


def rms_strength(left: Array, right: Array, group: Labels, pair: Labels, template: Column) -> float:
    """The root mean square over cells of the associations that all possible templates would show, in nats.

    Made from products of different templates, so that variation over templates does not make it higher:
    without any leaning it scatters about 0, and below 0 is as far from any strength as chance makes it. Cells
    that lack a score in some template are left out.

    Args:
        left: s(group, left trait), one row per cell and template, shape (n,).
        right: s(group, right trait), shape (n,).
        group: Each row's group, shape (n,).
        pair: Each row's pair of traits, shape (n,).
        template: The number of each row's template, shape (n,).

    Raises:
        Undefined: No cell has scores in two templates.

    >>> men, pair = np.array(["men"] * 2), np.array(["cold - warm"] * 2)
    >>> rms_strength(np.zeros(2), np.array([1.0, 4.0]), men, pair, np.arange(2))  # √(1 · 4)
    2.0
    """
    return _rms(left, right, group, pair, template)[0].value


def infer_over_templates(sample: Sample, *, units: str = "templates") -> Inference:
    """Student's t over templates, for `association` and `pole`; or over other clusters, called `units`.

    Where templates have several scores each, the variance is a jackknife's, with fewer degrees of freedom
    where a few templates are large or far from the others (`freedom_of_spread`), and fewer than FEWEST
    templates have the test alone: if one in ten is far, 12 of 100 samples of 20 have none of these.
    """
    scores = as_numbers(sample.columns)
    values = scores[1] - scores[0] if len(scores) > 1 else scores[0]
    codes, k = clustered(sample.clusters)
    mean = float(values.mean())
    spread = cluster_sums(values - mean, codes, k)
    if k == len(values):
        error = np.sqrt(k / max(k - 1, 1) * float(spread @ spread)) / k
        return _by_t(mean, float(error), k, units)
    sizes = np.bincount(codes, minlength=k) / len(values)
    spread /= 1 - sizes if k > 1 else 1
    error = np.sqrt((k - 1) / k * float(spread @ spread)) / len(values)
    found = _by_t(mean, float(error), k, units, freedom_of_spread(spread, 1 / float(sizes @ sizes)))
    if found.low is None or k >= FEWEST:
        return found
    why = (
        f"no interval: {k} {units} of several scores may not include any of the rare ones that differ most "
        f"({FEWEST} are needed)"
    )
    return found._replace(low=None, high=None, interval="", why=why)


def infer_strength(sample: Sample) -> Inference:
    """Interval and test over templates, for `rms_strength`."""
    squares, lost = _rms(*sample.columns)
    some = f"{counted(lost, 'cells', 'have')} no value and {verb_for(lost, 'are')}"
    return squares.inference("no association in any cell", f"{some} left out" if lost else "")


def _rms(
    left: Column, right: Column, group: Column, pair: Column, template: Column
) -> tuple[RootMeanSquare, int]:
    """The root mean square, and the number of cells left out."""
    codes, _ = clustered(np.asarray(template, dtype=np.int64))
    sums, counts, lost = _tables(left, right, group, pair, codes)
    return root_mean_square(sums, counts, "templates"), lost


def _by_t(
    value: float, error: float, k: int, units: str = "templates", freedom: float | None = None
) -> Inference:
    try:
        low, high, p = student(value, error, k - 1 if freedom is None else freedom)
    except Undefined as why:
        return Inference(None, None, why=f"no interval: {why}")
    few = (
        f"only {counted(k, units)}: if their scores are skewed, 6 to 12 of 100 such intervals miss the "
        "true value"
        if k < FEWEST
        else ""
    )
    name = f"Student’s t over {k} {units}"
    return Inference(low, high, p, name, f"t test over {k} {units} against 0", why=few)


def _tables(
    left: Column, right: Column, group: Column, pair: Column, clusters: Labels
) -> tuple[Array, Array, int]:
    """Sums and counts of right − left by template and cell, and the number of cells left out.

    Shapes (templates, cells), for the cells that have a score in each of their templates.
    """
    scores = np.asarray(right, dtype=np.float64) - np.asarray(left, dtype=np.float64)
    rows, k = clustered(clusters)
    (groups, _), (pairs, wide) = (clustered(np.asarray(c, dtype=np.str_)) for c in (group, pair))
    cells, n = clustered(groups * wide + pairs)
    place: Integers = rows * n + cells
    sums, counts = (
        np.bincount(place, weights=w, minlength=k * n).reshape(k, n).astype(np.float64)
        for w in (scores, np.ones(len(scores)))
    )
    whole = np.isfinite(sums).all(axis=0)
    if not whole.any():
        raise Undefined("no group and pair of traits has a score in every template")
    return sums[:, whole], counts[:, whole], int((~whole).sum())


def _finite(scores: Array, side: str) -> Array:
    if not len(scores):
        raise Undefined("there are no templates")
    lost = int((~np.isfinite(scores)).sum())
    if lost:
        trait = f"the {side} trait" if side else "the trait"
        raise Undefined(
            f"{trait} has no finite score in {lost} of {counted(len(scores), 'templates')}, so "
            "there is no mean"
        )
    return scores
