"""Are stereotypes said in bad words? Sentiment of the candidates of triples, side by side.

Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416, section 4.3, table 2) classed 41 % of the
stereotypes and 33 % of the anti-stereotypes as negative, by a model trained on film reviews that
counts what is neutral as positive. Here a lexicon judges (`models.judges.lexicon`), or a classifier of
the user's, and neutral is counted apart; the two-class count, neutral as positive, is `unnegative`.
What is judged is the sentence as the source spells it; between sentences, the candidate without the
context.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import SIDES, TASKS, Triple
from tiltmeter.core.judges import NEUTRAL, TextJudge, open_judge
from tiltmeter.core.types import Array, Groups, Labels
from tiltmeter.metrics.context_association_inference import few_terms
from tiltmeter.stats.bootstrap_intervals import bootstrap_mean
from tiltmeter.stats.intervals import wilson_clustered

CLASSES = ("positive", "neutral", "negative")
AXES: tuple[tuple[str, ...], ...] = ((), ("task",), ("domain",), ("task", "domain"))
"""What shares are reported over."""


class Share(NamedTuple):
    """A percentage of the sentences, and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Mood:
    """The sentences of one side in one group of triples."""

    groups: Groups
    """The group: {} is all triples."""
    side: str
    """One of SIDES."""
    n: int
    counts: Mapping[str, int]
    """By class."""
    positive: Share
    neutral: Share
    negative: Share

    @property
    def unnegative(self) -> float:
        """Positive and neutral together, in percent: what the published count calls positive."""
        return 100.0 - self.negative.value


@dataclass(frozen=True, slots=True)
class Difference:
    """Stereotypes less anti-stereotypes, of one class, in percentage points; 0 is no difference.

    Paired: each triple has one of both, with the same context. The interval resamples whole target
    terms, or triples where there is only one term.
    """

    groups: Groups
    name: str
    """One of CLASSES."""
    n: int
    terms: int
    value: float
    low: float | None
    high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Sentiment:
    """What `sentiment` found."""

    instrument: str
    moods: tuple[Mood, ...]
    differences: tuple[Difference, ...]
    terms: Mapping[str, float]
    """Target terms that the instrument itself rates: they tint every sentence that names them."""
    rates: str
    """What the instrument judges by."""

    def mood(self, side: str, **groups: str) -> Mood:
        """Of one side in one group.

        Raises:
            KeyError: There is none.
        """
        for mood in self.moods:
            if mood.side == side and mood.groups == groups:
                return mood
        raise KeyError(side, groups)

    def difference(self, name: str = "negative", **groups: str) -> Difference:
        """Of one class in one group.

        Raises:
            KeyError: There is none.
        """
        for difference in self.differences:
            if difference.name == name and difference.groups == groups:
                return difference
        raise KeyError(name, groups)


def sentiment(items: Sequence[Triple], *, by: TextJudge | None = None, seed: int = 0) -> Sentiment:
    """Shares of positive, neutral and negative sentences by side, task and domain.

    Args:
        items: Triples.
        by: What judges the texts, by default VADER's lexicon; nearer to 0 than 0.05 is neutral.
        seed: Of the bootstrap.

    Raises:
        Undefined: There are no triples.
        MissingExtra: The lexicon is not installed.
    """
    if not items:
        raise Undefined("there are no triples to describe")
    by = by or open_judge("lexicon")
    ratings = np.array([by.rate([t.sentences[i] for t in items]) for i in range(len(SIDES))])
    classes = np.stack([ratings >= NEUTRAL, np.abs(ratings) < NEUTRAL, ratings <= -NEUTRAL])
    terms = np.array([t.target for t in items])  # classes: (class, side, n)
    moods: list[Mood] = []
    differences: list[Difference] = []
    for groups, chosen in grouped(items):
        inside = classes[:, :, chosen].astype(np.float64)
        moods += [_mood(groups, side, inside[:, i], terms[chosen]) for i, side in enumerate(SIDES)]
        differences += [
            _difference(groups, name, row[0] - row[1], terms[chosen], seed)
            for name, row in zip(CLASSES, inside, strict=True)
        ]
    names = list(dict.fromkeys(t.target for t in items))
    found = zip(names, by.rate(names), strict=True)
    rated = {name: value for name, value in found if abs(value) >= NEUTRAL}
    return Sentiment(by.instrument, tuple(moods), tuple(differences), rated, by.reads)


def grouped(items: Sequence[Triple]) -> Iterator[tuple[dict[str, str], Array]]:
    """All triples, then each task, domain, and both: the group and a mask of shape (n,)."""
    values = {axis: np.array([getattr(t, axis) for t in items]) for axis in ("task", "domain")}
    for axes in AXES:
        keys = [tuple(str(values[axis][i]) for axis in axes) for i in range(len(items))]
        for key in sorted(set(keys), key=_order):
            yield dict(zip(axes, key, strict=True)), np.array([k == key for k in keys])


def _order(key: tuple[str, ...]) -> tuple[str, ...]:
    """Tasks as they are always listed, domains by name."""
    return tuple(str(TASKS.index(part)) if part in TASKS else part for part in key)


def _mood(groups: Groups, side: str, classes: Array, terms: Labels) -> Mood:
    """Of the classes of one side, shape (3, n)."""
    shares = []
    for row in classes:
        low, high = wilson_clustered(row, terms)
        shares.append(Share(100 * float(row.mean()), 100 * low, 100 * high))
    counts = dict(zip(CLASSES, (int(row.sum()) for row in classes), strict=True))
    return Mood(groups, side, classes.shape[1], counts, *shares)


def _difference(groups: Groups, name: str, apart: Array, terms: Labels, seed: int) -> Difference:
    """Of 1, 0 or −1 a triple, shape (n,)."""
    n, k = len(apart), len(np.unique(terms))
    clusters = terms if k > 1 else np.arange(n).astype(str)
    low, high, why = None, None, few_terms(k)
    try:
        low, high = bootstrap_mean(
            100 * apart, clusters, np.random.default_rng(seed), within=(-100, 100)
        )
    except Undefined as undefined:
        why = f"no interval: {undefined}"
    return Difference(groups, name, n, k, 100 * float(apart.mean()), low, high, why)
