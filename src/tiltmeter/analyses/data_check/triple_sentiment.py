"""Are stereotypes worded more negatively? Sentiment of the candidates of triples, side by side.

Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416, section 4.3, table 2) classed 41 % of the stereotypes
and 33 % of the anti-stereotypes as negative, by a model trained on film reviews that counts what is neutral
as positive. Here a lexicon judges (`models.judges.lexicon`), or a classifier of the user's, and neutral is
counted apart.

What is judged is the sentence as the source spells it; between sentences, the candidate without the
context.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.data.items import SIDES, TASKS, Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.judges import NEUTRAL, SentimentJudge, sentiment_judge
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.types import Array, Groups, Labels
from tiltmeter.metrics.context_association_inference import few_terms
from tiltmeter.stats.confidence_intervals.intervals import difference_interval, wilson_clustered

CLASSES = ("positive", "neutral", "negative")
AXES: tuple[tuple[str, ...], ...] = ((), ("task",), ("domain",), ("task", "domain"))
"""Shares are reported over all triples and along each of these."""
SHARES = {
    name: quantity(
        name,
        f"{name.capitalize()} sentences",
        name,
        counts="sentences",
        unit="%",
        interval="Wilson, target terms as clusters",
    )
    for name in CLASSES
}
"""By side (one of SIDES), task and domain. The published count takes neutral as positive."""
DIFFERENCES = {
    name: quantity(
        f"{name}_difference",
        f"Stereotypes minus anti-stereotypes that are {name}",
        name,
        counts="triples",
        unit="percentage points",
        neutral=0.0,
        interval="stretched bootstrap of target terms",
    )
    for name in CLASSES
}
"""Paired: each triple has one of both, with the same context. The interval resamples whole target terms, or
triples where there is only one term; these are the clusters."""
NOT_NEGATIVE = quantity(
    "not_negative",
    "Sentences that are positive or neutral",
    "positive or neutral",
    counts="sentences",
    unit="%",
)


@dataclass(frozen=True, slots=True)
class Sentiment:
    """How positively or negatively the candidates of triples are worded."""

    instrument: str
    estimates: tuple[Estimate, ...]
    """SHARES, DIFFERENCES, then NOT_NEGATIVE: over all triples, by task, by domain, by both."""
    terms: Mapping[str, float]
    """Target terms that the instrument itself rates: they colour every sentence that names them."""
    rates: str
    """What the instrument goes by, for the sentence about the method."""

    @property
    def method(self) -> str:
        """Which instrument rated the sentences, and which target terms it rates themselves."""
        text = (
            f"Sentiment is rated by {self.instrument}, which rates {self.rates}; neutral is closer to 0 than "
            f"{NEUTRAL:g}."
        )
        if not self.terms:
            return text
        rated = ", ".join(f"{term} {value:+.2f}" for term, value in self.terms.items())
        return f"{text} Target terms that are rated themselves, and tint their sentences: {rated}."


def sentiment(items: Sequence[Triple], *, by: SentimentJudge | None = None) -> Sentiment:
    """Shares of positive, neutral and negative sentences by side, task and domain.

    VADER’s lexicon judges by default; nearer to 0 than 0.05 is neutral.

    Raises:
        Undefined: There are no triples.
        MissingExtra: The lexicon is not installed.
    """
    if not items:
        raise Undefined("there are no triples to describe")
    by = by or sentiment_judge("lexicon")
    ratings = np.array([by.rate([t.sentences[i] for t in items]) for i in range(len(SIDES))])
    classes = np.stack([ratings >= NEUTRAL, np.abs(ratings) < NEUTRAL, ratings <= -NEUTRAL])
    terms = np.array([t.target for t in items])  # classes: (class, side, n)
    shares: list[Estimate] = []
    differences: list[Estimate] = []
    for groups, chosen in grouped(items):
        inside = classes[:, :, chosen].astype(np.float64)
        for i, side in enumerate(SIDES):
            place = {"side": side, **groups}
            shares += [
                _share(of, row[i], terms[chosen], place)
                for of, row in zip(SHARES.values(), inside, strict=True)
            ]
        differences += [
            _difference(of, row[0] - row[1], terms[chosen], groups)
            for of, row in zip(DIFFERENCES.values(), inside, strict=True)
        ]
    names = list(dict.fromkeys(t.target for t in items))
    ratings_of = zip(names, by.rate(names), strict=True)
    rated = {name: value for name, value in ratings_of if abs(value) >= NEUTRAL}
    rest = (_complement(e) for e in shares if e.name == SHARES["negative"].name)
    return Sentiment(by.instrument, (*shares, *differences, *rest), rated, by.reads)


def grouped(items: Sequence[Triple]) -> Iterator[tuple[dict[str, str], Array]]:
    """All triples, then each task, domain, and both: the group and a mask of shape (n,)."""
    values = {axis: np.array([getattr(t, axis) for t in items]) for axis in ("task", "domain")}
    for axes in AXES:
        keys = [tuple(str(values[axis][i]) for axis in axes) for i in range(len(items))]
        for key in sorted(set(keys), key=_order):
            yield dict(zip(axes, key, strict=True)), np.array([k == key for k in keys])


def _order(key: tuple[str, ...]) -> tuple[str, ...]:
    """Sorts tasks as they are always listed, and domains by name."""
    return tuple(str(TASKS.index(part)) if part in TASKS else part for part in key)


def _share(of: Quantity, hits: Array, terms: Labels, groups: Groups) -> Estimate:
    low, high = wilson_clustered(hits, terms)
    interval = Inference(100 * low, 100 * high)
    return of.at(100 * float(hits.mean()), interval, n=len(hits), groups=groups)


def _complement(e: Estimate) -> Estimate:
    """The share of sentences that are not negative, which the published count calls positive."""
    low, high = (None if end is None else 100 - end for end in (e.high, e.low))
    interval = Inference(low, high, interval=e.interval)
    return NOT_NEGATIVE.at(100 - (e.value or 0.0), interval, n=e.n, groups=e.groups)


def _difference(of: Quantity, apart: Array, terms: Labels, groups: Groups) -> Estimate:
    """The mean of differences of 1, 0 or −1 per triple, shape (n,)."""
    n, k = len(apart), len(np.unique(terms))
    clusters = terms if k > 1 else np.arange(n).astype(str)  # one term alone cannot be drawn anew
    interval = uncertainty(
        lambda: (*difference_interval(100 * apart, clusters, 100), ""), rough=few_terms(k)
    )
    return of.at(100 * float(apart.mean()), interval, n=n, clusters=k, groups=groups)
