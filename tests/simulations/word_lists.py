"""How often intervals of association tests for other words contain the effect of endlessly many words."""

from functools import cache, partial

import numpy as np

from simulations.cases import Case
from tiltmeter.core.samples import Sample
from tiltmeter.metrics import word_lists

DIMENSIONS = 20
KINDS = ("normal", "skewed", "heavy-tailed", "some of two senses", "of unequal frequency")


def drawn(words, kind, strength, rng):
    """The vectors, of length 1, of so many words of each of the four sets."""
    fixed = np.random.default_rng(3)  # what the sets stand for is the same in all samples
    leaning = strength * fixed.normal(size=DIMENSIONS) / DIMENSIONS**0.5
    middles = 0.3 * fixed.normal(size=(4, DIMENSIONS)) + np.array([[1], [-1], [1], [-1]]) * leaning
    return [_units(middle + _noise(n, kind, rng)) for n, middle in zip(words, middles, strict=True)]


def _noise(n, kind, rng):
    match kind:
        case "skewed":
            return rng.exponential(size=(n, DIMENSIONS)) - 1
        case "heavy-tailed":
            return rng.standard_t(4, size=(n, DIMENSIONS)) / 2**0.5
    noise = rng.normal(size=(n, DIMENSIONS))
    if kind == "some of two senses":
        noise[:, :1] += 3 * (rng.random((n, 1)) < 0.2) - 0.6
    if kind == "of unequal frequency":
        noise *= rng.lognormal(0, 0.4, size=(n, 1))
    return noise


def _units(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@cache
def of_endlessly_many(kind, strength):
    x, y, a, b = drawn([100_000] * 4, kind, strength, np.random.default_rng(0))
    direction = a.mean(axis=0) - b.mean(axis=0)
    s = np.concatenate([x @ direction, y @ direction])
    return (s[: len(x)].mean() - s[len(x) :].mean()) / s.std()


def trial(words, kind, strength, rng):
    x, y, a, b = drawn(words, kind, strength, rng)
    targets, side = np.concatenate([x, y]), np.repeat(["X", "Y"], [len(x), len(y)])
    names = [np.arange(len(texts)).astype(str) for texts in (targets, a, b)]
    effect, without = word_lists.effects_without_words(
        (targets @ a.T, targets @ b.T), side, tuple(names)
    )
    sides = np.concatenate([side, np.repeat(["A", "B"], [len(a), len(b)])])
    columns = np.full(len(sides), effect), np.concatenate(without), sides, np.arange(len(sides))
    sample = Sample(word_lists.effect_of_words, columns, columns[3], rng)
    sure = word_lists.infer_effect_of_words(sample)
    return sure.low, sure.high, of_endlessly_many(kind, strength)


STRENGTHS = {"no effect": 0.0, "effect 1.0": 0.5, "effect 1.8": 1.5}
SIZES = {"16 targets and 8 attributes each": (16, 16, 8, 8),
         "8 targets and 40 attributes each": (8, 8, 40, 40)}  # fmt: skip
CASES = (
    *(
        Case("jackknife over the words of all sets, Student’s t", "effect_of_words",
             f"8 words in each set, {kind}, {said}", partial(trial, (8,) * 4, kind, strength), 93, 100, 400)
        for kind in KINDS for said, strength in STRENGTHS.items()
    ),
    *(
        Case("jackknife over the words of all sets, Student’s t", "effect_of_words",
             f"{size}, normal, {said}", partial(trial, words, "normal", strength), 93, 100, 400)
        for size, words in SIZES.items() for said, strength in STRENGTHS.items()
    ),
    *(
        Case("jackknife over the words of all sets, Student’s t", "effect_of_words",
             f"25 words in each set, {kind}, effect 1.8", partial(trial, (25,) * 4, kind, 1.5), 93, 100, 400)
        for kind in ("skewed", "of unequal frequency")
    ),
)  # fmt: skip
