"""Pairs of sentences, half of which follow each other; documents are trained on or held out as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tiltmeter.data.texts.corpus import Corpus, Document
from tiltmeter.models.reading.next_pairs import EncodedPair, PairReader
from tiltmeter.train.text_split import split_documents


class NextSentenceExample(NamedTuple):
    """Two sentences, and whether the second follows the first: the label is 0 if it does and 1 if not."""

    first: str
    second: str
    label: int


def examples(
    corpus: Corpus, *, held_out: float, most: int | None, seed: int
) -> tuple[list[NextSentenceExample], list[NextSentenceExample]]:
    """Pairs that are trained on, and pairs that are held out.

    No document contributes to both parts, not even as the source of a wrong continuation.

    Args:
        corpus: Running text in documents.
        held_out: Share of the documents that is held out, from 0 to 1.
        most: The greatest number of pairs in both parts together, at least 4; None for all. `held_out` is
            then also the share of these pairs, which are drawn at random.
        seed: Seed of the random choices.

    Raises:
        BadInput: There are too few documents.
    """
    rng = np.random.default_rng([seed, 0])
    why = "a wrong continuation is drawn from another document, in training and held out"
    front, back = split_documents(corpus, held_out, rng, least=2, why=why)
    if most is None:
        return _pairs(front, rng, None), _pairs(back, rng, None)
    kept = min(max(1, round(held_out * most / 2)), most // 2 - 1)
    return _pairs(front, rng, most // 2 - kept), _pairs(back, rng, kept)


def _pairs(
    documents: Sequence[Document], rng: np.random.Generator, most: int | None
) -> list[NextSentenceExample]:
    """Each sentence with the one that follows it, and with one from another document.

    There are at most `most` pairs of each kind; None for all.
    """
    flat = [sentence for document in documents for sentence in document]
    bounds = np.cumsum([0, *map(len, documents)])
    firsts = np.setdiff1d(np.arange(len(flat)), bounds[1:] - 1)  # a last sentence has no next
    if most is not None and most < len(firsts):
        firsts = np.sort(rng.choice(firsts, most, replace=False))
    at = np.searchsorted(bounds, firsts, side="right") - 1
    begin, end = bounds[at], bounds[at + 1]
    # A number below the sentences of all other documents; those behind the own document are shifted past it.
    drawn = rng.integers(0, len(flat) - (end - begin))
    others = np.where(drawn < begin, drawn, drawn + end - begin)  # all but the own document
    return [
        NextSentenceExample(flat[i], flat[j], label)
        for i, other in zip(firsts, others, strict=True)
        for j, label in ((i + 1, 0), (other, 1))
    ]


LabelledPair = tuple[EncodedPair, int]
"""A pair as the model reads it, and its label."""
BLOCK = 32
"""How many batches have their pairs tokenised together and distributed by length, to need little padding."""


@dataclass
class Batches:
    """The batches of all epochs. Each epoch has every pair once, in an order of its own."""

    examples: Sequence[NextSentenceExample]
    reader: PairReader
    size: int
    """How many pairs a batch has."""
    most: int
    """The greatest number of tokens in a pair; longer pairs are cut."""
    seed: int

    def __post_init__(self) -> None:
        self._held: tuple[tuple[int, int], list[list[LabelledPair]]] = ((-1, -1), [])
        self.per_epoch = -(-len(self.examples) // self.size)

    def __len__(self) -> int:
        """The number of pairs in an epoch."""
        return len(self.examples)

    def batch(self, step: int) -> list[LabelledPair]:
        """The pairs of one step with their labels; steps are counted from 0 through all epochs."""
        epoch, within = divmod(step, self.per_epoch)
        block, at = divmod(within, BLOCK)
        if self._held[0] != (epoch, block):
            self._held = (epoch, block), self._make(epoch, block)
        return self._held[1][at]

    def _make(self, epoch: int, block: int) -> list[list[LabelledPair]]:
        order = np.random.default_rng([self.seed, 1, epoch]).permutation(len(self.examples))
        wide = BLOCK * self.size
        mine = [self.examples[i] for i in order[block * wide : (block + 1) * wide]]
        rows = self.reader.read([(e.first, e.second) for e in mine], most=self.most)
        labels = (example.label for example in mine)
        both = sorted(zip(rows, labels, strict=True), key=lambda pair: len(pair[0].ids))
        cut = [both[i : i + self.size] for i in range(0, len(both), self.size)]
        # Else short pairs would always come first.
        rng = np.random.default_rng([self.seed, 2, epoch, block])
        return [cut[i] for i in rng.permutation(len(cut))]
