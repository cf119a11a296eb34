"""The log-probability that a second sentence follows a first, and how a pair of sentences is read.

There are three ways to read a pair. Encoders read it as their tokenizer joins two texts (BERT: `[CLS] first
[SEP] second [SEP]`, with token types if the model has them). So does XLNet, whose `<cls>` closes the pair.
Causal models read `first second` as running text with one space between, and with what their tokenizer puts
around any text.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.types import Array
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.reading.next_head import CLOSED, PAIRS, RUNNING
from tiltmeter.models.speed.batch_answers import by_row, in_batches

if TYPE_CHECKING:
    import torch

FOLLOWS = 0
"""The index of "follows" among the two classes, in BERT's own head and in those trained here."""


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """The tokens of a pair for one model."""

    ids: tuple[int, ...]
    types: tuple[int, ...] = ()
    """The token types: 0 in the first sentence, 1 in the second, and 2 for XLNet's closing token; () where
    the model has no token types."""


class PairReader:
    """Turns pairs of sentences into rows of tokens, and rows into a model's inputs.

    Raises:
        CannotAnswer: The tokenizer of an encoder puts no special tokens around and between two texts.
    """

    def __init__(self, loaded: Loaded, *, reads: str = PAIRS) -> None:
        self._loaded = loaded
        self._tokenizer = loaded.tokenizer
        self._running = reads == RUNNING
        self._closed = reads == CLOSED
        self._typed = self._closed or (not self._running and _has_types(loaded.model))
        if not self._running:
            self._check()

    def read(
        self, pairs: Sequence[tuple[str, str]], *, most: int | None = None
    ) -> list[EncodedPair]:
        """The tokens of each pair; if a pair has more than `most`, the longer sentence is cut first."""
        if not pairs:
            return []
        return self._as_text(pairs, most) if self._running else self._as_pairs(pairs, most)

    def inputs(self, rows: Sequence[EncodedPair]) -> dict[str, "torch.Tensor"]:
        """The model's inputs, padded to the longest row, each of shape (b, t).

        Padding is on the right, or on the left for pairs with a closing token, so that these are aligned.
        """
        given = self._loaded.padded([row.ids for row in rows], left=self._closed)
        if self._typed:
            types = self._loaded.padded([row.types for row in rows], left=self._closed, pad=0)
            given["token_type_ids"] = types["input_ids"]
        return given

    def _as_pairs(self, pairs: Sequence[tuple[str, str]], most: int | None) -> list[EncodedPair]:
        cut: dict[str, Any] = (
            {} if most is None else {"truncation": "longest_first", "max_length": most}
        )
        firsts, seconds = [a for a, _ in pairs], [b for _, b in pairs]
        out = self._loaded.tokenised(firsts, seconds, return_token_type_ids=self._typed, **cut)
        ids = out["input_ids"]
        types = out["token_type_ids"] if self._typed else [()] * len(ids)
        return [EncodedPair(tuple(i), tuple(t)) for i, t in zip(ids, types, strict=True)]

    def _as_text(self, pairs: Sequence[tuple[str, str]], most: int | None) -> list[EncodedPair]:
        whole = self._loaded.encode([f"{a} {b}" for a, b in pairs], special=True)
        if any(not tokens.ids for tokens in whole):
            raise BadInput("a pair of sentences has no tokens", "leave it out")
        if most is None or max(len(tokens.ids) for tokens in whole) <= most:
            return [EncodedPair(tokens.ids) for tokens in whole]
        firsts = self._loaded.encode([a for a, _ in pairs], special=False)
        both = zip(whole, map(len, (first.ids for first in firsts)), strict=True)
        return [EncodedPair(t.ids if len(t.ids) <= most else _cut(t, n, most)) for t, n in both]

    def _check(self) -> None:
        out = self._tokenizer(["a"], ["b"], return_special_tokens_mask=True, verbose=False)
        (marks,) = out["special_tokens_mask"]
        text = [i for i, mark in enumerate(marks) if not mark]
        outer = marks[-1] if self._closed else marks[0]
        if not (text and outer and any(marks[text[0] : text[-1]])):
            raise CannotAnswer(
                f"{self._loaded.folder.name}: its tokenizer puts no special tokens around and between two "
                "texts, so it cannot distinguish a pair of sentences from running text"
            )


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks a model for the two logits of each pair, in batches, and returns log-probabilities."""

    name: str
    loaded: Loaded
    reader: PairReader
    logits: Callable[[Mapping[str, "torch.Tensor"]], "torch.Tensor"]

    @property
    def limit(self) -> int | None:
        """The most tokens of a pair; None for no limit."""
        return hf.longest(self.loaded.model, self.loaded.tokenizer)

    def lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """The tokens of each pair, special ones included."""
        return [len(row.ids) for row in self.reader.read(pairs)]

    def logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """The log-probability that the second sentence follows the first, shape (pairs,).

        Raises:
            CannotAnswer: A pair is longer than the model's limit.
        """
        rows = self.reader.read(pairs)
        lengths = [len(row.ids) for row in rows]
        hf.within(self.limit, lengths, self.name)
        batches = batches_by_length(lengths, self.loaded.batch_tokens)
        logprobs = in_batches(batches, rows, self._batch, self.loaded.about)
        return np.concatenate(logprobs) if logprobs else np.zeros(0)

    def _batch(self, rows: Sequence[EncodedPair]) -> list[Array]:
        import torch

        with torch.inference_mode():
            logits = self.logits(self.reader.inputs(rows))  # (b, 2)
            # In double precision, so that near-certain answers keep their order.
            judged = logits.double().log_softmax(-1)[:, FOLLOWS]  # (b,)
        flat = np.asarray(judged.cpu().numpy(), dtype=np.float64)
        return by_row(flat, [1] * len(rows))


class JudgesPairs:
    """Answers `JudgesNext` with a `Judge`, which is opened when it is first asked."""

    name: str
    _make_judge: Callable[[], Judge] | None

    @cached_property
    def _judge(self) -> Judge:
        if self._make_judge is None:
            raise CannotAnswer(f"{self.name} has no next-sentence head")
        return self._make_judge()

    @property
    def pair_limit(self) -> int | None:
        """The most tokens of a pair of sentences; None for no limit."""
        return self._judge.limit

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """The tokens of each pair, special ones included."""
        return self._judge.lengths(pairs)

    def next_logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """The log-probability that the second sentence follows the first, shape (pairs,)."""
        return self._judge.logprobs(pairs)


def _has_types(model: Any) -> bool:
    """Whether the model takes token types, which say to which sentence a token belongs."""
    known = getattr(model.config, "type_vocab_size", 0) or 0
    return known > 1 and "token_type_ids" in inspect.signature(model.forward).parameters


def _cut(tokens: Any, first: int, most: int) -> tuple[int, ...]:
    """The tokens of a pair cut to `most`: both sentences from their beginnings, the longer cut first.

    `first` is the number of tokens of the first sentence; special tokens around the text are kept.
    """
    text = [i for i, special in enumerate(tokens.special) if not special]
    lead, tail = tokens.ids[: text[0]], tokens.ids[text[-1] + 1 :]
    ids = tokens.ids[text[0] : text[-1] + 1]
    a, b = shares(first, len(ids) - first, most - len(lead) - len(tail))
    return (*lead, *ids[:a], *ids[first : first + b], *tail)


def shares(first: int, second: int, room: int) -> tuple[int, int]:
    """How many tokens of each sentence are kept if there is `room` for this many in all.

    >>> shares(10, 3, 8), shares(10, 20, 8), shares(3, 4, 8)
    ((5, 3), (4, 4), (3, 4))
    """
    if first + second <= room:
        return first, second
    half = room // 2
    if second <= half:
        return room - second, second
    if first <= room - half:
        return first, room - first
    return room - half, half
