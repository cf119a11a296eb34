"""Baselines that rank the candidates of StereoSet, or two sentences, without being language models.

They are called `ideal`, `stereotyped`, `random` and `sentiment`, or `baseline:NAME`, and mark the ends of the
scales:

- ideal: always prefers a meaningful candidate to the unrelated one, and neither the stereotype nor the
  anti-stereotype more often. Of each term's contexts of one task, in the order of their ids, every other
  one goes to the stereotype, and the last of an odd number is a tie. With ties counted as one half, lms is
  100, ss 50 and icat 100 exactly. Pairs alternate within each category, so that the rate is 50.
- stereotyped: prefers the stereotype, then the anti-stereotype, then the unrelated candidate, so that ss is
  100. (Its lms is 100 by this choice; Nadeem et al. leave it open.)
- random: numbers derived from the sentence's id; `baseline:random:7` draws others.
- sentiment: the more negative sentence by VADER's lexicon; `baseline:sentiment:MODEL` asks a classifier.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, cast

import numpy as np

from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.judges import sentiment_judge
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.protocols import Fact, Ranks
from tiltmeter.core.types import Array
from tiltmeter.models.opening.model_options import Options

if TYPE_CHECKING:
    from tiltmeter.models.judges.classifier import SentimentClassifier

NAMES: Mapping[str, str] = {
    "ideal": "knows every meaningful candidate, prefers neither",
    "stereotyped": "always prefers the stereotype",
    "random": "picks at random",
    "sentiment": "prefers the more negative sentence (VADER)",
}

TRAITS = Traits(built_in=NAMES, is_path=False, is_baseline=True)


def answers(location: str) -> tuple[type, ...]:
    """The protocol that a baseline satisfies."""
    _name(location)
    return (Ranks,)


class Baseline:
    """A rule in place of a model, which ranks the candidates of a triple (`Ranks`)."""

    def __init__(
        self, name: str, kind: str, seed: str = "0", *, rater: "SentimentClassifier | None" = None
    ) -> None:
        self.name = name
        self.fingerprint = f"baseline-1-{kind}-{rater.fingerprint if rater else seed}"
        prefers = f"prefers the more negative sentence ({rater.name})" if rater else NAMES[kind]
        self.about: Mapping[str, Fact] = {"kind": "baseline", "architecture": prefers}
        self._kind = kind
        self._seed = seed
        self._rater = rater

    def candidate_scores(self, triples: Sequence[Triple]) -> Array:
        """A score for each candidate, the higher the more preferred, shape (triples, 3)."""
        if self._kind == "ideal":
            return _ideal(triples)
        if self._kind == "stereotyped":
            return np.tile([2.0, 1.0, 0.0], (len(triples), 1))
        if self._kind == "random":
            return np.array([[self._drawn(t, side) for side in range(3)] for t in triples])
        judge = self._rater or sentiment_judge("lexicon")
        ratings = judge.rate([text for t in triples for text in t.sentences])
        return -np.asarray(ratings, dtype=np.float64).reshape(-1, 3)

    def _drawn(self, triple: Triple, side: int) -> float:
        key = f"{self._seed} {triple.id} {side}".encode()
        return int.from_bytes(blake2b(key, digest_size=6).digest()) / 2**48


def _ideal(triples: Sequence[Triple]) -> Array:
    """Scores that put the stereotype and the anti-stereotype first in turn, within each term and task."""
    scores = np.tile([1.0, 1.0, 0.0], (len(triples), 1))
    keys = [(t.target, t.task) for t in triples]
    order = sorted(range(len(triples)), key=lambda i: (keys[i], triples[i].id))
    for _, members in groupby(order, key=lambda i: keys[i]):
        mine = list(members)
        for turn, i in enumerate(mine[: len(mine) // 2 * 2]):
            scores[i, turn % 2] = 2.0
    return scores


def _name(location: str) -> tuple[str, str]:
    kind, _, seed = location.partition(":")
    if kind not in NAMES:
        raise UnknownName("baseline", kind, NAMES)
    return kind, seed or "0"


def load(
    location: str, options: Options | None = None, *, name: str = "", note: str = ""
) -> Baseline:
    """Open `ideal`, `stereotyped`, `random`, `random:SEED`, `sentiment` or `sentiment:MODEL`."""
    del note
    kind, seed = _name(location)
    if kind == "sentiment" and seed != "0":
        from tiltmeter.models.judges.classifier import open_judge as open_classifier
        from tiltmeter.models.opening.model_options import DEFAULTS

        naming = "id2label in its config.json"
        opened = open_classifier(seed, naming=naming, options=options or DEFAULTS)
        rater = cast("SentimentClassifier", opened)  # only `any_labels` opens another
        return Baseline(f"sentiment:{rater.name}", kind, rater=rater)
    return Baseline(name or kind, kind, seed)
