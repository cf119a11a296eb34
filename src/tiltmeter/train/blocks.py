"""Running text as rows of tokens: each row holds as many whole sentences of one document as fit."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.core.model.requests import Tokens
from tiltmeter.data.texts.stored_documents import Document

CHUNK = 2048
"""How many texts are tokenised at once."""
Ids = npt.NDArray[np.int32]
Marks = npt.NDArray[np.bool_]


class TokenRow(NamedTuple):
    """A row of tokens as the model reads it."""

    ids: Ids
    """Token ids, shape (t,)."""
    is_text: Marks
    """True for tokens of the text, False for special tokens; shape (t,)."""


class TokenRows:
    """Many rows of tokens, stored end to end in two arrays, which takes little memory."""

    def __init__(self, rows: Iterable[TokenRow]) -> None:
        ids, own_marks = [], []
        for row in rows:
            ids.append(row.ids)
            own_marks.append(row.is_text)
        self._bounds = np.cumsum([0, *map(len, ids)])
        self._ids = np.concatenate([np.empty(0, np.int32), *ids])
        self._own = np.concatenate([np.empty(0, np.bool_), *own_marks])

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._bounds) - 1

    def __getitem__(self, i: int) -> TokenRow:
        """The row with this number; rows are counted from 0."""
        where = slice(self._bounds[i], self._bounds[i + 1])
        return TokenRow(self._ids[where], self._own[where])

    @property
    def tokens(self) -> int:
        """The number of tokens in all rows together."""
        return len(self._ids)


def rows_of(
    documents: Sequence[Document],
    encode: Callable[[Sequence[str]], Sequence[Tokens]],
    most: int,
    start: int | None = None,
) -> TokenRows:
    """Pack the sentences of documents into rows of tokens.

    Successive sentences of a document share a row as long as they fit. A sentence that is longer than a
    row has one of its own, in which it is cut. No row holds sentences of two documents.

    Args:
        documents: The sentences of each document, in their order.
        encode: The model's tokenizer, with its special tokens or without.
        most: The greatest number of tokens in a row, including special ones.
        start: A token that is put before each row; None for no such token.
    """
    # Any text shows how many special tokens the tokenizer adds.
    (probe,) = encode(["he is here"])
    room = most - sum(probe.special) - (start is not None)
    sentences = (sentence for document in documents for sentence in document)
    lengths = (
        len(tokens.ids) - sum(tokens.special)
        for chunk in _chunks(sentences)
        for tokens in encode(chunk)
    )
    texts = _filled(documents, lengths, room)
    rows = (_row(tokens, room, start) for chunk in _chunks(texts) for tokens in encode(chunk))
    return TokenRows(row for row in rows if row.is_text.any())


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    waiting = iter(texts)
    while chunk := list(islice(waiting, CHUNK)):
        yield chunk


def _filled(documents: Sequence[Document], lengths: Iterator[int], room: int) -> Iterator[str]:
    for document in documents:
        held: list[str] = []
        total = 0
        for sentence in document:
            length = next(lengths)
            if held and total + length > room:
                yield " ".join(held)
                held, total = [], 0
            held.append(sentence)
            total += length
        yield " ".join(held)


def _row(tokens: Tokens, room: int, start: int | None) -> TokenRow:
    """The row of a text: its first `room` tokens at most, and all special tokens."""
    is_text = ~np.array(tokens.special, dtype=np.bool_)
    kept = ~is_text | (np.cumsum(is_text) <= room)
    ids = np.array(tokens.ids, dtype=np.int32)[kept]
    if start is None:
        return TokenRow(ids, is_text[kept])
    return TokenRow(np.insert(ids, 0, start), np.insert(is_text[kept], 0, False))


class Order:
    """Which rows each step learns from.

    They depend on the seed and the number of the step alone, so that a training that was stopped can
    continue at any step.
    """

    def __init__(self, rows: int, size: int, seed: int) -> None:
        self._rows, self._size, self._seed = rows, size, seed
        self.per_epoch = -(-rows // size)
        self._epoch = lru_cache(maxsize=1)(self._shuffled)

    def step(self, number: int) -> list[int]:
        """The positions of the rows for one step.

        Steps are counted from 0 and on through all epochs. Each epoch has every row once, in an order of
        its own.
        """
        epoch, within = divmod(number, self.per_epoch)
        return [*map(int, self._epoch(epoch)[within * self._size : (within + 1) * self._size])]

    def _shuffled(self, epoch: int) -> npt.NDArray[np.int64]:
        # Each use of a training's seed has a number of its own, here 1, so that no two draw the same.
        return np.random.default_rng([self._seed, 1, epoch]).permutation(self._rows)
