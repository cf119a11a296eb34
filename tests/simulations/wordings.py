"""How often intervals of numbers over items crossed with wordings contain the true value.

Whether an answer counts is a probit of what its template, its item, its wording and each template in each
wording add to it, in standard deviations of chance.
"""

from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from scipy.stats import norm

from simulations.cases import Case
from tiltmeter.core.measures import Measure, RowValues
from tiltmeter.core.wordings import AXIS, LIKE_THESE, SHARES
from tiltmeter.derived.comparisons.measures_over_models import SharedAnswers
from tiltmeter.derived.comparisons.wording_ranks import possible_ranks
from tiltmeter.metrics import labels
from tiltmeter.run.measuring.columns import Axis, Columns
from tiltmeter.run.measuring.estimates import estimates

RATE = Measure("rate", labels.rate, ("flag",), "%", None)


@dataclass(frozen=True)
class Truth:
    """How answers come about; `shape` says how wordings differ."""

    share: float = 0.5
    template: float = 0.5
    item: float = 0.5
    wording: float = 0.0
    both: float = 0.0
    """Of each template in each wording."""
    shape: str = "normal"
    missing: float = 0.0
    """The share of templates that lack a wording."""

    def wordings(self, rng, w):
        """What each of so many wordings adds."""
        drawn = self.wording * (
            rng.exponential(size=w) - 1 if self.shape == "skewed" else rng.normal(size=w)
        )
        odd = {"10 % odd": 0.1, "30 % odd": 0.3}.get(self.shape, 0)
        return drawn - 1.5 * (rng.random(w) < odd)


TRUTHS = {
    "nothing varies": Truth(template=0, item=0),
    "templates only": Truth(template=0.7),
    "wordings differ by .4": Truth(wording=0.4, both=0.3),
    "wordings differ by 1": Truth(wording=1.0, both=0.5),
    "wordings only": Truth(template=0, item=0, wording=0.5),
    "templates in wordings only": Truth(template=0, item=0, both=1.0),
    "97 %, wordings differ by 1": Truth(0.97, wording=1.0, both=0.3),
    "one wording in ten odd": Truth(0.7, 0.4, 0.4, 0.1, 0.2, "10 % odd"),
    "three wordings in ten odd": Truth(0.7, 0.4, 0.4, 0.1, 0.2, "30 % odd"),
    "skewed wordings": Truth(0.6, wording=0.6, both=0.2, shape="skewed"),
    "30 % missing": Truth(0.6, wording=0.4, both=0.3, missing=0.3),
}


@cache
def middle(truth):
    """What is common to all answers, and the share over all wordings."""
    rest = (1 + truth.template**2 + truth.item**2 + truth.both**2) ** 0.5
    added = truth.wordings(np.random.default_rng(7), 400_000)
    mu = norm.ppf(truth.share) * (rest**2 + truth.wording**2) ** 0.5
    return mu, rest, 100 * norm.cdf((mu + added) / rest).mean()


def asked(truth, templates, items, added, rng, repeats=1):
    """The answers of so many items of each template in wordings that add so much, as columns."""
    mu, *_ = middle(truth)
    w = len(added)
    latent = (
        mu
        + truth.template * rng.normal(size=(templates, 1, 1))
        + truth.item * rng.normal(size=(templates, items, 1))
        + added
        + truth.both * rng.normal(size=(templates, 1, w))
    )
    flags = latent[..., None] + rng.normal(size=(templates, items, w, repeats)) > 0
    template, item, wording, repeat = (axis.ravel() for axis in np.indices(flags.shape))
    kept = (rng.random((templates, 1, w, 1)) >= truth.missing) | np.zeros(flags.shape, bool)
    columns = Columns(
        {"flag": flags.ravel().astype(float), "repeat": repeat.astype(float)},
        {AXIS: Axis([f"w{i}" for i in range(w)], wording.astype(np.int32))},
        template if items > 1 else item + template, items > 1, np.zeros(flags.size, bool),
        (template * items + item) * w + wording if repeats > 1 else None, template * items + item,
    )  # fmt: skip
    return columns.taken(np.flatnonzero(kept.ravel()))


def ends(columns, name, groups=None):
    """The interval of a number of these answers."""
    return next(
        (e.low, e.high)
        for e in estimates([RATE], columns, "half", 0)
        if e.name == name and e.groups == (groups or {})
    )


def like_these(truth, templates, items, wordings, rng):
    """The share in wordings like these."""
    added = truth.wordings(rng, wordings)
    columns = asked(truth, templates, items, added, rng)
    return *ends(columns, f"rate{LIKE_THESE}"), middle(truth)[2]


def in_these(truth, templates, items, wordings, rng):
    """The share in these wordings, over templates and items like these."""
    added = truth.wordings(rng, wordings)
    mu, rest, _ = middle(truth)
    columns = asked(truth, templates, items, added, rng)
    return *ends(columns, "rate"), 100 * norm.cdf((mu + added) / rest).mean()


@cache
def true_share(truth):
    """The share of the variance of an answer that lies between wordings."""
    mu, rest, _ = middle(truth)
    shares = norm.cdf((mu + truth.wordings(np.random.default_rng(7), 400_000)) / rest)
    return 100 * shares.var() / (shares.mean() * (1 - shares.mean()))


def explained(truth, templates, items, wordings, rng):
    """The share of the variance between wordings, from three replies to each item."""
    columns = asked(truth, templates, items, truth.wordings(rng, wordings), rng, repeats=3)
    return *ends(columns, f"rate{SHARES}", {"source": AXIS}), true_share(truth)


SHARE = Measure("rate", labels.rate, ("flag",), "%", None,
                mean_of=RowValues(lambda columns, _: 100 * columns[0], 0.0, 100.0))  # fmt: skip


def ranked(step, apart, models, wordings, rng):
    """The rank of one of several models whose probits are `step` apart; wordings move each by `apart`."""
    shape = (models, 25, 4, wordings)
    latent = (
        step * np.arange(models)[:, None, None, None]
        - step * (models - 1) / 2
        + 0.5 * rng.normal(size=(1, 25, 1, 1))
        + 0.3 * rng.normal(size=(1, 1, 1, wordings))
        + apart * rng.normal(size=(models, 1, 1, wordings))
        + 0.3 * rng.normal(size=(models, 25, 1, 1))
    )
    flags = (latent + rng.normal(size=shape) > 0).reshape(models, -1).astype(float)
    template, _, wording = (axis.ravel() for axis in np.indices(shape[1:]))
    answers = SharedAnswers(
        SHARE, labels.rate, [[row] for row in flags], template, wording.astype(str)
    )
    ranges = possible_ranks(answers, "highest", 0.0)
    model = int(rng.integers(models))
    if not step:  # all are equal, so that each may have every rank
        return float(ranges[model] != (1, models)), 1, 0
    return *ranges[model], models - model


LIKE, THESE = "items joined with Gaffke’s over wordings", "Wilson, by texts, in these wordings"
CASES = (
    *(
        Case(LIKE, "rate, wordings like these", f"25 templates of 4, {w} wordings, {said}",
             partial(like_these, truth, 25, 4, w), 93, 100, 200)
        for said, truth in TRUTHS.items() for w in (5, 10)
    ),
    *(
        Case(LIKE, "rate, wordings like these", f"{templates} templates of {items}, 20 wordings, {said}",
             partial(like_these, TRUTHS[said], templates, items, 20), 93, 100, 200)
        for templates, items in ((8, 4), (60, 1))
        for said in ("wordings differ by 1", "three wordings in ten odd")
    ),
    *(
        Case(THESE, "rate", f"25 templates of 4, {w} wordings, {said}",
             partial(in_these, TRUTHS[said], 25, 4, w), 91, 100, 200)
        for said in ("nothing varies", "wordings differ by 1", "97 %, wordings differ by 1", "30 % missing")
        for w in (3, 10)
    ),
    Case(THESE, "rate", "20 items, 5 wordings, wordings differ by .4",
         partial(in_these, TRUTHS["wordings differ by .4"], 20, 1, 5), 91, 100, 200),
    *(
        Case("Fisher’s F over wordings", "share of variance between wordings",
             f"25 templates of 4, {w} wordings, {said}", partial(explained, TRUTHS[said], 25, 4, w),
             91, 100, 200)
        for said in ("nothing varies", "wordings differ by .4", "wordings differ by 1") for w in (5, 10)
    ),
    *(
        Case("pairwise differences over items and wordings, Bonferroni", "range of ranks over wordings",
             f"5 models {step:g} apart, {w} wordings that move each by {apart:g}",
             partial(ranked, step, apart, 5, w), 93, 100, 200)
        for step in (0.0, 0.15, 0.4) for apart in (0.0, 0.5) for w in (5, 10)
    ),
)  # fmt: skip
