"""Whether several runs of the same questions differ by more than their replies do by chance.

If nothing is common to the replies of a run, those to one question may be exchanged between the runs.
Cochran's Q (1950, doi:10.1093/biomet/37.3-4.256) says how far the sums of the runs are from each other, in
units of what such exchanges would give; here for numbers as well as for shares.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.resampling.bootstrap import clustered

MOST_KINDS = 10
"""Columns with at most so many different numbers are compared number by number, others by their sums."""


def repeat_effect(columns: Sequence[Array], clusters: Labels, repeats: Labels) -> float:
    """The p-value of the hypothesis that nothing is common to the replies of a repeat.

    Clusters with more replies in some repeats than in others are left out. Over several columns, and several
    kinds of one column, it is Bonferroni's. 1 if no reply differs between repeats.

    Args:
        columns: Numbers, one row a reply, shape (n,) each; NaN is a kind of its own.
        clusters: The question that each reply answers, or what several questions share.
        repeats: The repeat of each reply.

    >>> clusters, repeats = np.repeat(np.arange(9), 2), np.tile([0, 1], 9)
    >>> round(repeat_effect([repeats * 1.0], clusters, repeats), 4)  # Q is 9, with one degree of freedom
    0.0027
    >>> repeat_effect([clusters * 1.0], clusters, repeats)
    1.0
    """
    from scipy.special import chdtrc

    (codes, k), (runs, n) = clustered(clusters), clustered(repeats)
    cells = codes * n + runs
    sizes = np.bincount(cells, minlength=k * n).reshape(k, n)
    whole = (sizes == sizes[:, :1]).all(axis=1)
    probabilities = []
    for column in columns:
        kinds = np.unique(column)  # NaNs are one
        parts = [column]
        if len(kinds) <= MOST_KINDS:
            parts = [(column == kind) | (np.isnan(column) & np.isnan(kind)) for kind in kinds[1:]]
        for part in parts:
            sums = np.bincount(cells, np.nan_to_num(part), k * n).reshape(k, n)[whole]
            within = sums - sums.mean(axis=1, keepdims=True)
            spread = float(np.square(within).sum())
            if spread > 0:
                q = (n - 1) * float(np.square(within.sum(axis=0)).sum()) / spread
                probabilities.append(float(chdtrc(n - 1, q)))
    return min(1.0, len(probabilities) * min(probabilities)) if probabilities else 1.0
