"""How many raters who answer in another way are marked by the checks of all their answers, by simulation.

`python -m simulations.raters` prints the counts that docs/how-to/agreement.md has; the number of seeds is its
argument.
"""

import sys
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from tiltmeter.analyses.agreement.annotators import answers_of_annotators
from tiltmeter.core.types import Array
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.raters.kappa_and_alpha import Level
from tiltmeter.stats.raters.person_checks import PersonCheck, QuestionAnswers, person_checks

Kind: TypeAlias = Literal["slider", "ordinal", "nominal", "binary"]


class Crowd(NamedTuple):
    """Raters of groups on sliders from 0 to 100; the first are reversed, the next careless."""

    raters: int = 80
    reversed_raters: int = 0
    careless: int = 0
    groups: int = 20
    questions: int = 16
    noise: float = 18
    """Standard deviation of one answer about what the rater thinks; that of what raters think is 22."""


class Design(NamedTuple):
    """Raters with a few items each, of which every item has a few answers."""

    kind: Kind
    is_skewed: bool = False
    """Whether most answers are at one end, or are one label."""
    answers: int = 8
    per_item: int = 3
    raters: int = 300
    reversed_raters: int = 3
    careless: int = 30


class Marks(NamedTuple):
    """How many raters of each kind have which mark."""

    reversed_found: int
    unrelated_found: int
    wrong_mark: int
    """Reversed or careless raters with the mark of the other kind."""
    passed: int
    """Reversed or careless raters whose answers are said to be related to the others'."""
    good_marked: int
    """Other raters with any mark."""
    good_related: int
    """Other raters whose answers are said to be related to the others', without a mark."""


def crowd(seed: int, of: Crowd) -> Judgments:
    """Each rates four groups on all questions, some turned round, some at random."""
    rng = np.random.default_rng(seed)
    truth = np.clip(50 + 22 * rng.normal(size=(of.groups, of.questions)), 2, 98)
    answers = np.full((of.questions, of.groups, of.raters), np.nan)
    for rater in range(of.raters):
        seen = rng.choice(of.groups, 4, replace=False)
        noise = 3 * rng.normal() + of.noise * rng.normal(size=(4, of.questions))
        given = np.clip(truth[seen] + noise, 0, 100)
        if rater < of.reversed_raters:
            given = 100 - given
        elif rater < of.reversed_raters + of.careless:
            given = rng.uniform(0, 100, size=(4, of.questions))
        answers[:, seen, rater] = np.round(given).T
    return Judgments(
        "crowd", "0", tuple(f"p{n}" for n in range(of.raters)), tuple(f"g{n}" for n in range(of.groups)),
        {f"q{n}": table for n, table in enumerate(answers)},
    )  # fmt: skip


def answers_to_items(seed: int, of: Design) -> Array:
    """The answers to one question, shape (items, raters): positions on a scale, or numbers of labels."""
    rng = np.random.default_rng(seed)
    items = of.raters * of.answers // of.per_item
    places = rng.permutation(np.repeat(np.arange(items), of.per_item))
    table = np.full((items, of.raters), np.nan)
    truth, labels = rng.normal(size=items), {"nominal": 4, "binary": 2}.get(of.kind, 0)
    shares = np.full(labels, 1 / labels) if labels else np.empty(0)
    if labels and of.is_skewed:
        shares = np.array([0.92, 0.08] if labels == 2 else [0.85, 0.08, 0.05, 0.02])
    true_labels = rng.choice(labels, items, p=shares) if labels else np.empty(0)
    for rater in range(of.raters):
        seen = np.unique(places[rater * of.answers : (rater + 1) * of.answers])
        lean, noise, n = 0.3 * rng.normal(), rng.normal(size=len(seen)), len(seen)
        top, at_random = 1.0, rng.random(n)
        if labels:
            wrong = rng.choice(labels, n, p=shares)
            given = np.where(rng.random(n) < 0.8, true_labels[seen], wrong)
            top, at_random = labels - 1, rng.integers(labels, size=n)
        elif of.kind == "ordinal":
            ends = [0.5, 1.2, 1.8, 2.4] if of.is_skewed else [-1.2, -0.4, 0.4, 1.2]
            given = np.searchsorted(ends, truth[seen] + lean + noise) / 4
            at_random = rng.integers(5, size=n) / 4
        else:
            given = np.round(np.clip(50 + 22 * truth[seen] + 3 * lean + 18 * noise, 0, 100)) / 100
            given = given**3 if of.is_skewed else given
        if rater < of.reversed_raters:
            given = top - given
        elif rater < of.reversed_raters + of.careless:
            given = at_random
        table[seen, rater] = given
    return table


def marks(seed: int, of: Crowd | Design) -> Marks:
    """What the checks say of raters who are known."""
    if isinstance(of, Crowd):
        judgments = crowd(seed, of)
        kinds: dict[str, Level] = dict.fromkeys(judgments.answers, "interval")
        checks, _ = answers_of_annotators(judgments, kinds, 0)
    else:
        question = QuestionAnswers(answers_to_items(seed, of), of.kind in {"nominal", "binary"})
        checks = person_checks([question], rng=np.random.default_rng(0))
    turned, bad = of.reversed_raters, of.reversed_raters + of.careless
    return Marks(
        sum(check.reversed for check in checks[:turned]),
        sum(check.unrelated for check in checks[turned:bad]),
        sum(check.unrelated for check in checks[:turned])
        + sum(check.reversed for check in checks[turned:bad]),
        _related(checks[:bad]),
        sum(check.reversed or check.unrelated or check.shifted for check in checks[bad:]),
        _related(checks[bad:]),
    )


def _related(checks: Sequence[PersonCheck]) -> int:
    return sum(not (c.cannot_tell or c.reversed or c.unrelated or c.shifted) for c in checks)


CROWDS = {
    "500 raters, 3 reversed, 50 at random": Crowd(500, 3, 50),
    "the same, with twice the noise": Crowd(500, 3, 50, noise=36),
    "80 raters, 3 reversed, 8 at random": Crowd(80, 3, 8),
    "80 raters alike": Crowd(80),
}
DESIGNS = {
    f"{kind}{', skewed' if is_skewed else ''}, {answers} answers, {per_item} an item": Design(
        kind, is_skewed, answers, per_item
    )
    for kind in ("slider", "ordinal", "nominal", "binary")
    for is_skewed in (False, True)
    for answers, per_item in ((8, 3), (8, 10), (24, 5), (64, 5))
}

if __name__ == "__main__":
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, of in {**CROWDS, **DESIGNS}.items():
        each = [marks(seed, of) for seed in range(seeds)]
        means = (f"{k} {sum(getattr(m, k) for m in each) / seeds:.1f}" for k in Marks._fields)
        sys.stdout.write(f"{name}: {', '.join(means)}\n")
        sys.stdout.flush()
