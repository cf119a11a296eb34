"""Which pairs a step learns from: by seed and step alone, so that a training can go on anywhere."""

from collections.abc import Sequence

import numpy as np

from tiltmeter.models.reading.next_pairs import EncodedPair, PairReader
from tiltmeter.train.pairs import NextSentenceExample

BLOCK = 32
"""Batches whose pairs are tokenised at once and shared out by length, so that little is padding."""


class Batches:
    """The batches of every epoch. Each epoch has all pairs once, in an order of its own."""

    def __init__(
        self,
        examples: Sequence[NextSentenceExample],
        reader: PairReader,
        *,
        size: int,
        most: int,
        seed: int,
    ) -> None:
        self._examples = examples
        self._reader = reader
        self._size = size
        self._most = most
        self._seed = seed
        self._held: tuple[tuple[int, int], list[list[tuple[EncodedPair, int]]]] = ((-1, -1), [])
        self.per_epoch = -(-len(examples) // size)

    def __len__(self) -> int:
        """How many pairs an epoch has."""
        return len(self._examples)

    def batch(self, step: int) -> tuple[list[EncodedPair], list[int]]:
        """Rows and labels of the step with this number, which counts from 0 through all epochs."""
        epoch, within = divmod(step, self.per_epoch)
        block, at = divmod(within, BLOCK)
        if self._held[0] != (epoch, block):
            self._held = (epoch, block), self._make(epoch, block)
        rows, labels = zip(*self._held[1][at], strict=True)
        return list(rows), list(labels)

    def _make(self, epoch: int, block: int) -> list[list[tuple[EncodedPair, int]]]:
        order = np.random.default_rng([self._seed, 1, epoch]).permutation(len(self._examples))
        wide = BLOCK * self._size
        mine = [self._examples[i] for i in order[block * wide : (block + 1) * wide]]
        rows = self._reader.read(
            [(example.first, example.second) for example in mine], most=self._most
        )
        both = sorted(
            zip(rows, (example.label for example in mine), strict=True), key=lambda x: len(x[0].ids)
        )
        cut = [both[i : i + self._size] for i in range(0, len(both), self._size)]
        rng = np.random.default_rng([self._seed, 2, epoch, block])
        return [cut[i] for i in rng.permutation(len(cut))]
