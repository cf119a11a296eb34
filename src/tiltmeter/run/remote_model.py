"""A model that workers hold, as the driver sees it: plans and stores as for any other, others answer."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.items import Triple
from tiltmeter.core.requests import Passage, Tokens
from tiltmeter.core.types import Array
from tiltmeter.run.executors import Answered, Batch
from tiltmeter.run.workers import Shard, Wanted, shard_id

if TYPE_CHECKING:
    from tiltmeter.run.ray_cluster import Cluster

ROUNDS = 8
"""Each worker gets at least about so many shards of a call, so that none waits long for the others."""
LARGEST = 8
"""Batches in one shard, at most: as many as a death may cost."""
TEXTS = 4_096
"""Texts that are tokenised in one shard."""


class Spread:
    """A model that workers hold: has what theirs has, and answers batches through `ask`."""

    def __init__(self, cluster: "Cluster", wanted: Wanted) -> None:
        self._cluster = cluster
        self._wanted = wanted
        self._facts: Mapping[str, Any] = {}
        (self._facts,) = self._each("facts", [[wanted.name]])

    def __getattr__(self, name: str) -> Any:
        try:
            return self._facts[name]
        except KeyError:
            raise AttributeError(f"{self._wanted.name} has no {name}") from None

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The model's, by all workers."""
        return [tokens for part in self._each("encode", _cut(texts)) for tokens in part]

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """The model's, by all workers."""
        return [length for part in self._each("lengths", _cut(pairs)) for length in part]

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The model's, by all workers."""
        return [length for part in self._each("passages", _cut(passages)) for length in part]

    def candidate_scores(self, triples: Sequence[Triple]) -> Array:
        """The baseline's, by one worker: it may look at all triples before it ranks one."""
        (scores,) = self._each("ranks", [triples])
        return np.asarray(scores, dtype=np.float64)

    def ask(self, kind: str, batches: Sequence[Batch]) -> Answered:
        """As `Asker`."""
        many = len(batches) // (ROUNDS * self._cluster.size.workers)
        step = min(max(many, 1), LARGEST)
        starts = range(0, len(batches), step)
        shards = [self._shard(kind, batches[at : at + step]) for at in starts]
        with closing(self._cluster.done(shards)) as done:
            for number, found in done:
                for more, answers in enumerate(found):
                    yield starts[number] + more, answers

    def _shard(self, kind: str, batches: Sequence[Batch]) -> Shard:
        keys = [key for batch in batches for key in batch.keys]
        mark = shard_id(self.fingerprint, kind, keys)
        parts = tuple(batch.requests for batch in batches)
        return Shard(mark, self._wanted, self.fingerprint, kind, parts)

    def _each(self, kind: str, parts: Sequence[Sequence[Any]]) -> list[Any]:
        """What the model makes of each part, in order."""
        mark = self._facts.get("fingerprint", "")
        shards = [
            Shard(
                shard_id(mark, kind, [repr(one).encode("utf-8", "replace") for one in part]),
                self._wanted,
                mark,
                kind,
                (part,),
            )
            for part in parts
        ]
        with closing(self._cluster.done(shards)) as done:
            found = {number: one for number, (one,) in done}
        return [found[number] for number in range(len(shards))]


def _cut(texts: Sequence[Any]) -> list[Sequence[Any]]:
    return [texts[at : at + TEXTS] for at in range(0, len(texts), TEXTS)]
