"""Pairs of sentences, half of which follow each other; documents are trained on or held out as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tiltmeter.core.types import Integers
from tiltmeter.data.memory.lazy_sequence import LazySequence
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.data.texts.stored_documents import StoredDocuments
from tiltmeter.models.reading.next_pairs import EncodedPair, PairReader
from tiltmeter.train.text_split import split_documents


class NextSentenceExample(NamedTuple):
    """Two sentences, and whether the second follows the first: the label is 0 if it does and 1 if not."""

    first: str
    second: str
    label: int


class Examples(LazySequence[NextSentenceExample]):
    """Pairs that are read from the stored text when they are accessed; in memory are only their numbers."""

    def __init__(self, documents: StoredDocuments, firsts: Integers, others: Integers) -> None:
        """Two pairs for each number in `firsts`: with the sentence behind it, and with that in `others`."""
        self._documents, self._firsts, self._others = documents, firsts, others

    def __len__(self) -> int:
        return 2 * len(self._firsts)

    def item(self, place: int) -> NextSentenceExample:
        """The pair at an index: those that follow each other have an even one."""
        at, label = divmod(place, 2)
        first = int(self._firsts[at])
        second = int(self._others[at]) if label else first + 1
        sentence = self._documents.sentence
        return NextSentenceExample(sentence(first), sentence(second), label)


def examples(
    corpus: Corpus, *, held_out: float, most: int | None, seed: int
) -> tuple[Examples, Examples]:
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
    documents = corpus.documents
    if most is None:
        return _pairs(documents, front, rng, None), _pairs(documents, back, rng, None)
    kept = min(max(1, round(held_out * most / 2)), most // 2 - 1)
    return _pairs(documents, front, rng, most // 2 - kept), _pairs(documents, back, rng, kept)


def _pairs(
    documents: StoredDocuments, part: Integers, rng: np.random.Generator, most: int | None
) -> Examples:
    """Each sentence with the one that follows it, and with one from another document of the part.

    There are at most `most` pairs of each kind; None for all.
    """
    starts, lengths = documents.starts[part], np.diff(documents.starts)[part]
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    total = int(bounds[-1])
    # Sentences of the part are counted without gaps; `shift` leads to their numbers in the whole text.
    shift = starts - bounds[:-1]
    has_next = np.ones(total, dtype=np.bool_)
    has_next[bounds[1:] - 1] = False
    firsts = np.flatnonzero(has_next)
    del has_next
    if most is not None and most < len(firsts):
        firsts = np.sort(rng.choice(firsts, most, replace=False))
    at = np.searchsorted(bounds, firsts, side="right") - 1
    begin, end = bounds[at], bounds[at + 1]
    # A number below the sentences of all other documents; those behind the own document are shifted past it.
    others = rng.integers(0, total - (end - begin))
    others += np.where(others < begin, 0, end - begin)  # all but the own document
    firsts += shift[at]
    others += shift[np.searchsorted(bounds, others, side="right") - 1]
    return Examples(documents, firsts, others)


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
        self._order = lru_cache(maxsize=1)(self._shuffled)
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
        wide = BLOCK * self.size
        mine = [self.examples[i] for i in self._order(epoch)[block * wide : (block + 1) * wide]]
        rows = self.reader.read([(e.first, e.second) for e in mine], most=self.most)
        labels = (example.label for example in mine)
        both = sorted(zip(rows, labels, strict=True), key=lambda pair: len(pair[0].ids))
        cut = [both[i : i + self.size] for i in range(0, len(both), self.size)]
        # Else short pairs would always come first.
        rng = np.random.default_rng([self.seed, 2, epoch, block])
        return [cut[i] for i in rng.permutation(len(cut))]

    def _shuffled(self, epoch: int) -> Integers:
        # Each use of a training's seed has a number of its own, so that no two draw the same.
        rng = np.random.default_rng([self.seed, 1, epoch])
        return rng.permutation(len(self.examples))
