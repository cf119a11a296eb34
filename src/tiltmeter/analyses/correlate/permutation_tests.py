"""Permutation tests of many correlations at once: measures with the same points share the random orders."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tiltmeter.analyses.correlate.points import Points
from tiltmeter.core.samples import rng_of
from tiltmeter.stats.correlations.correlation import ranks
from tiltmeter.stats.correlations.pearson import pearson_ps

Pair: TypeAlias = tuple[int, int]
"""Two columns of the points."""


class Tested(NamedTuple):
    """Two-sided p's of two measures; nan where the correlation is undefined."""

    linear: float
    """The p of Pearson's r."""
    ranked: float
    """The p of Spearman's ρ."""


def permutation_tests(
    points: Points,
    pairs: Sequence[Pair],
    *,
    seed: int,
    draws: int,
    done: Callable[[int], None] = lambda _: None,
) -> Mapping[Pair, Tested]:
    """Test all pairs against no relation.

    Random orders (`draws` of them beyond eight points) are the same for any two measures with equally many
    points. `done` is called now and then with the number of pairs that are done.
    """
    alike: dict[bytes, list[Pair]] = defaultdict(list)
    for pair in pairs:
        alike[points.shared(*pair).tobytes()].append(pair)
    tests: dict[Pair, Tested] = {}
    for some in alike.values():
        columns = sorted({column for pair in some for column in pair})
        values = points.values[points.shared(*some[0])][:, columns]
        ranked = np.stack([ranks(column) for column in values.T], axis=1)
        # Both are of the same random orders, whichever pairs are tested along with these.
        orders = f"random orders of {len(values)}"
        p = [
            pearson_ps(side, rng_of(seed, orders), draws=draws, done=tell)
            for side, tell in zip(
                (values, ranked), _halves(len(tests), len(some), done), strict=True
            )
        ]
        for pair in some:
            i, j = (columns.index(column) for column in pair)
            tests[pair] = Tested(float(p[0][i, j]), float(p[1][i, j]))
        done(len(tests))
    return tests


def _halves(
    before: int, size: int, done: Callable[[int], None]
) -> tuple[Callable[[float], None], Callable[[float], None]]:
    """Progress of the two passes over these pairs, first r and then ρ, each of which counts half."""
    return (
        lambda share: done(before + int(size * share / 2)),
        lambda share: done(before + int(size * (1 + share) / 2)),
    )
