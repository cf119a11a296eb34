"""How often intervals of the spread between versions of the same pairs contain the true value."""

from functools import partial

import numpy as np
from scipy.special import ndtr

from simulations.cases import Case, NullCase
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.metrics import version_spread
from tiltmeter.metrics.preference import stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates

TEMPLATE, PAIR, NOISE = 0.8, 0.5, 0.4
"""Standard deviations of what makes the model prefer a sentence."""


def preferred(templates, middles, rng, *, crossed, noise):
    """Which of two pairs of each template are preferred in each version, and the true rates in percent."""
    k = len(middles)
    leaning = (
        TEMPLATE * rng.normal(size=(templates, 1, 1))
        + PAIR * rng.normal(size=(templates, 2, 1))
        + crossed * rng.normal(size=(templates, 1, k))
        + noise * rng.normal(size=(templates, 2, k))
    )
    spread = np.sqrt(TEMPLATE**2 + PAIR**2 + crossed**2 + noise**2)
    return leaning + middles > 0, 100 * ndtr(middles / spread)


def some_decided(templates, middles, rng, *, share):
    """The same in all versions but for a share of templates, where the version decides."""
    wins, _ = preferred(templates, np.zeros(1), rng, crossed=0, noise=NOISE)
    decides = np.arange(len(middles)) % 2 == 0
    wins = np.where(rng.random((templates, 1, len(middles))) < share, decides, wins)
    return wins, 100 * ((1 - share) / 2 + share * decides)


def columns(wins):
    """The columns of `version_spread`, versions one after the other."""
    templates, pairs, k = wins.shape
    more = np.moveaxis(wins, 2, 0).ravel().astype(float)
    version = np.repeat([f"v{i:02}" for i in range(k)], templates * pairs)
    template = np.tile(np.repeat(np.arange(templates), pairs), k)
    return more, np.full(len(more), 0.5), version, template


def inferred(of, templates, middles, rng, **how):
    """The inference of a number about versions, and its true value."""
    draw = some_decided if "share" in how else preferred
    wins, rates = draw(templates, np.asarray(middles), rng, **how)
    *scores, template = columns(wins)
    match of:
        case "range":
            sample = Sample(version_spread.version_range, scores, template, rng)
            return version_spread.infer_version_range(sample), rates.max() - rates.min()
        case "spread":
            sample = Sample(version_spread.version_spread, (*scores, template), template, rng)
            return version_spread.infer_version_spread(sample), rates.std()
        case "rate":
            sample = Sample(version_spread.rate_of_versions, scores, template, rng)
            return version_spread.infer_rate_of_versions(sample), rates.mean()
        case "two models":
            other, of_other = draw(templates, np.full(len(middles), 0.2), rng, **how)
            sides = scores, columns(other)[:-1]
            sample = PairedSample(version_spread.rate_of_versions, *sides, template, rng)
            return compare_rates(sample)[1], rates.mean() - of_other.mean()
    first, second = ([column[scores[2] == name] for column in scores] for name in ("v00", "v01"))
    code = template[scores[2] == "v00"]
    sample = ContrastSample(stereotype_rate, TwoSides(first[:2], code, second[:2], code), rng)
    return version_spread.contrast_versions(sample)[1], rates[0] - rates[1]


def trial(of, templates, middles, how, rng):
    sure, true = inferred(of, templates, middles, rng, **how)
    return sure.low, sure.high, true


def null(templates, versions, how, rng):
    return inferred("spread", templates, np.zeros(versions), rng, **how)[0].p


ORDINARY = {"crossed": 0.3, "noise": NOISE}
PATTERNS = (
    ("no difference", 120, [0.0] * 12, ORDINARY),
    ("no difference", 30, [0.0] * 4, ORDINARY),
    ("no difference, nearly alike", 120, [0.0] * 4, {"crossed": 0, "noise": 0.05}),
    ("no difference, all by chance", 120, [0.0] * 12, {"crossed": 0, "noise": 30.0}),
    ("one differs", 120, [0.8, *[0.0] * 11], ORDINARY),
    ("all differ", 120, [*np.linspace(-0.3, 0.3, 12)], ORDINARY),
    ("all differ", 30, [*np.linspace(-0.3, 0.3, 4)], ORDINARY),
    ("rates of 5 to 10 %", 120, [-1.4, *[-1.8] * 11], ORDINARY),
    ("version decides one template in 20", 120, [0.0] * 12, {"share": 0.05}),
)
CASES = tuple(
    Case(kind, name, f"{len(middles)} versions of {templates} templates of two, {said}",
         partial(trial, of, templates, middles, how), least, 100, trials)
    for of, name, kind, least, trials in (
        ("range", "construction_range", "score intervals of all differences", 93, 300),
        ("spread", "construction_spread", "score interval, products of templates", 93, 500),
        ("contrast", "construction_change", "score intervals of paired templates", 92, 300),
        ("rate", "stereotype_rate over versions", "Wilson with a design effect", 92, 300),
        ("two models", "stereotype_rate over versions, of two models", "score intervals of paired templates",
         92, 300),
    )
    for said, templates, middles, how in PATTERNS
)  # fmt: skip
NULL_CASES = tuple(
    NullCase("products of templates", "construction_spread",
             f"{len(middles)} versions of {templates} templates of two, {said}",
             partial(null, templates, len(middles), how), 6.5, 1000)
    for said, templates, middles, how in PATTERNS
    if said.startswith("no difference")
)  # fmt: skip
