"""SEAT's permutation test and effect size: the published loops against Tiltmeter.

Vectors are random, with a difference between X and Y planted in them; as many and as long as those of
sentences in SEAT. The published code computes each cosine for itself, and shuffles the targets once
for each partition; below 100,000 partitions it goes through all of them one by one.
"""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, timed
from tiltmeter.core.types import Array, Labels
from tiltmeter.metrics.association import associations, effect_size, permutation_p

TASK = "Permutation test of SEAT and WEAT"
ALPHA = 0.05
WIDTH = 768
SIZES = (
    ("WEAT's words", 8, 8, 99_999),
    ("SEAT's sentences", 80, 60, 9_999),
    ("SEAT's sentences", 80, 60, 99_999),
)
"""Targets on either side, words of either attribute, and partitions drawn where not all are."""


def rows(settings: Settings) -> Iterator[Row]:
    """Both ways, at each size: from vectors to effect size and p, the fastest of three times."""
    small = settings.tiny or settings.quick
    for name, targets, words, most in SIZES[:2] if small else SIZES:
        draws = min(most, 999) if settings.tiny else most
        exact = math.comb(2 * targets, targets) <= 100_000
        partitions = "all partitions" if exact else f"{draws + 1:,} partitions"
        case = f"{name}, {partitions} ({targets} and {targets} targets, {words} and {words} attributes)"
        sets = _sets(targets, words, 16 if settings.tiny else WIDTH)
        (size, p), seconds = _best(lambda sets=sets, draws=draws: published(*sets, draws))
        (our_size, our_p), took = _best(lambda sets=sets, draws=draws: tiltmeter(*sets, draws))
        yield Row(case, "tiltmeter", took, {"effect size": our_size, "p": our_p})
        error = math.sqrt(2 * p * (1 - p) / draws)
        yield Row(
            case,
            "published loops",
            seconds,
            {
                "effect size": size,
                "p": p,
                TIMES: seconds / took,
                DIFFERENCE: abs(our_size - size),
                "difference of p": abs(our_p - p),
                SAME: f"{int((our_p < ALPHA) == (p < ALPHA))} of 1",
            },
            "the same partitions, so the same p"
            if exact
            else f"partitions drawn anew: the standard error of the difference of p is {error:.2g}",
        )


def _best(function: Callable[[], tuple[float, float]]) -> tuple[tuple[float, float], float]:
    """What it gives, and the seconds of the fastest of three times."""
    tries = [timed(function) for _ in range(3)]
    return tries[0][0], min(seconds for _, seconds in tries)


def _sets(targets: int, words: int, width: int) -> tuple[Array, Array, Array, Array]:
    """X, Y, A, B; X leans a little to A."""
    rng = np.random.default_rng(0)
    x, y, a, b = (rng.normal(size=(n, width)) for n in (targets, targets, words, words))
    return x + 0.12 / math.sqrt(targets) * a[:1], y, a + 0.2, b - 0.2


def tiltmeter(x: Array, y: Array, a: Array, b: Array, draws: int) -> tuple[float, float]:
    """Effect size and p."""
    s = associations(np.concatenate([x, y]), a, b)
    side: Labels = np.array(["X"] * len(x) + ["Y"] * len(y))
    rng = np.random.default_rng(1)
    test = permutation_p(s, side, rng, alternative="greater", draws=draws)
    return effect_size(s, side), test.p


def published(x: Array, y: Array, a: Array, b: Array, draws: int) -> tuple[float, float]:
    """Effect size and p, written again step by step."""
    targets, attributes = [*x, *y], [*a, *b]
    cosines = np.zeros((len(targets), len(attributes)))
    for i, target in enumerate(targets):
        for j, word in enumerate(attributes):
            lengths = math.sqrt(np.dot(target, target) * np.dot(word, word))
            cosines[i, j] = np.dot(target, word) / lengths
    s = cosines[:, : len(a)].mean(axis=1) - cosines[:, len(a) :].mean(axis=1)
    size = (s[: len(x)].mean() - s[len(x) :].mean()) / s.std(ddof=1)
    return float(size), _published_p(s, len(x), draws)


def _published_p(s: Array, size: int, draws: int) -> float:
    order = np.arange(len(s))
    seen = s[order[:size]].sum()
    if math.comb(len(s), size) <= 100_000:
        extreme = total = 0
        for chosen in itertools.combinations(order, size):
            extreme += s[np.array(chosen)].sum() >= seen - 1e-12
            total += 1
        return extreme / total
    rng = np.random.RandomState(2)  # what the published code shuffles with
    extreme = 1
    for _ in range(draws):
        rng.shuffle(order)
        extreme += s[order[:size]].sum() >= seen
    return extreme / (1 + draws)
