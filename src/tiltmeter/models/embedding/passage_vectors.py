"""Vectors of passages from a model's last hidden layer: the positions that are read, and their pooling."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.requests import Passage, Tokens
from tiltmeter.core.types import Array
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.speed.batch_answers import filled, in_batches

if TYPE_CHECKING:
    import torch

    Reads: TypeAlias = Callable[[Mapping[str, Any]], torch.Tensor]

POOLINGS = ("mean", "last", "word", "first_piece", "last_piece", "bare_first_piece", "start")
"""The poolings that are a mean over some positions of the last hidden layer."""
POOLER = "pooler"
STILL = 1e-3
"""How far a vector may change with the tokens that pad its row, as a share of the largest number: only by
rounding, in any precision."""


class Laid(NamedTuple):
    """Rows of tokens in the form in which a model reads them."""

    inputs: dict[str, Any]
    """The model's inputs, each of shape (b, t)."""
    first: list[int]
    """The position of each row's first token, which is not 0 where padding is on the left."""


class _Asked(NamedTuple):
    ids: tuple[int, ...]
    places: tuple[int, ...]
    """The positions in `ids` whose mean is the vector."""


class Embedder:
    """Answers `EmbedsTokens` for a back-end. Passages with the same text share a row of the batch.

    `states` computes the last hidden layer, (b, t, d), from inputs that `lay` makes, by default padded on the
    right. `pooler` is called when a pooler's output is first asked for, and returns the function that
    computes it, (b, d). Only texts whose lengths have the same `sort` are put into one batch.
    """

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        states: "Reads",
        *,
        limit: int | None,
        lay: Callable[[Sequence[Sequence[int]]], Laid] | None = None,
        pooler: "Callable[[], Reads] | None" = None,
        sort: Callable[[int], int] = lambda _: 0,
    ) -> None:
        self._name = name
        self._loaded = loaded
        self._states = states
        self._limit = limit
        self._lay = lay or self._padded
        self._make_pooler = pooler
        self._sort = sort

    def lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The tokens of each passage, special ones included; 0 where it or its word has no token."""
        read = self._encode(passages, special=True)
        return [
            len(tokens.ids) if self._places(tokens, passage, "word") else 0
            for tokens, passage in zip(read, passages, strict=True)
        ]

    def embed(self, passages: Sequence[Passage], pooling: str) -> Array:
        """A vector for each passage, shape (passages, d).

        Raises:
            CannotAnswer: The pooling does not exist, or a passage is too long or has no token to read.
        """
        asked = self._asked(passages, pooling)
        lengths = [len(text.ids) for text in asked]
        hf.within(self._limit, lengths, self._name)
        alike = [text.ids for text in asked]
        batches = batches_by_length(lengths, self._loaded.batch_tokens, alike=alike)
        plan = [part for batch in batches for part in self.apart(batch, lengths)]
        read_batch = self._pooled if pooling == POOLER else self._averaged
        vectors = in_batches(plan, asked, read_batch, self._loaded.about)
        return np.stack(vectors) if vectors else np.zeros((0, 0))

    def probe(self, texts: Sequence[str]) -> "torch.Tensor":
        """The last hidden layer of these texts, (b, t, d)."""
        rows = [tokens.ids for tokens in self._loaded.encode(texts, special=True)]
        return self._states(self._lay(rows).inputs)

    def check_padding(self, texts: Sequence[str]) -> None:
        """Batch only texts of equal length from now on if padding changes the vectors of these texts.

        ConvBERT and FNet mix neighbouring positions, including padding, whatever the mask says.
        """
        ignored = self._loaded.verdict("padding")
        if ignored is None:
            ignored = self._ignores_padding(texts)
            self._loaded.remember("padding", ignored)
        if not ignored:
            self._sort = lambda length: length
            self._loaded.about["padding"] = "none, as the model does not ignore it"

    def _ignores_padding(self, texts: Sequence[str]) -> bool:
        import torch

        rows = [tokens.ids for tokens in self._loaded.encode(texts, special=True)]
        inputs = self._lay(rows).inputs
        seen = inputs["attention_mask"].bool()
        ids = inputs["input_ids"].where(seen, rows[0][len(rows[0]) // 2])
        with torch.inference_mode():
            usual, moved = (
                self._states(given)[seen].float() for given in (inputs, inputs | {"input_ids": ids})
            )
        return bool((usual - moved).abs().max() <= STILL * usual.abs().max())

    def apart(self, batch: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
        """The batch split into parts whose rows have the same `sort`."""
        by_sort: dict[int, list[int]] = {}
        for i in batch:
            by_sort.setdefault(self._sort(lengths[i]), []).append(i)
        return [*by_sort.values()]

    def _asked(self, passages: Sequence[Passage], pooling: str) -> list[_Asked]:
        offered = (*POOLINGS, *([POOLER] if self._make_pooler else []))
        if pooling not in offered:
            raise CannotAnswer(
                f"{self._name} has no pooling {pooling!r} (it has {', '.join(offered)})"
            )
        read = self._encode(passages, special=pooling != "bare_first_piece")
        asked = []
        for tokens, passage in zip(read, passages, strict=True):
            places = self._places(tokens, passage, pooling)
            if not places:
                raise CannotAnswer(_missing(self._name, passage, pooling))
            asked.append(_Asked(tokens.ids, tuple(places)))
        return asked

    def _encode(self, passages: Sequence[Passage], *, special: bool) -> list[Tokens]:
        texts = list(dict.fromkeys(passage.text for passage in passages))
        read = dict(zip(texts, self._loaded.encode(texts, special=special), strict=True))
        return [read[passage.text] for passage in passages]

    def _places(self, tokens: Tokens, passage: Passage, pooling: str) -> list[int]:
        if passage.at != (0, 0) and not tokens.spans:
            raise CannotAnswer(
                f"{self._name}: its tokenizer does not report the positions of tokens in a text, so no "
                "word can be looked up"
            )
        return places(tokens, passage.at, pooling)

    def _padded(self, rows: Sequence[Sequence[int]]) -> Laid:
        return Laid(self._loaded.padded(rows), [0] * len(rows))

    def _averaged(self, asked: Sequence[_Asked]) -> list[Array]:
        """The mean over the positions of each passage.

        The positions are picked out first, so that the states at all others, even NaN, cannot affect it.
        """
        import torch

        row = {ids: i for i, ids in enumerate(dict.fromkeys(text.ids for text in asked))}
        laid = self._lay([*row])
        most = max(len(text.places) for text in asked)
        at = np.zeros((len(asked), most), dtype=np.int64)  # (passages, places)
        there = np.zeros((len(asked), most, 1), dtype=bool)  # (passages, places, 1)
        for i, text in enumerate(asked):
            at[i, : len(text.places)] = np.add(text.places, laid.first[row[text.ids]])
            there[i, : len(text.places)] = True
        to = self._loaded.device
        rows = torch.tensor([row[text.ids] for text in asked], device=to).unsqueeze(1)
        with torch.inference_mode():
            states = self._states(filled(laid.inputs, self._loaded))  # (≥ b, t, d)
            picked = states[rows, torch.from_numpy(at).to(to)].float()  # (passages, places, d)
            counted = torch.from_numpy(there).to(to)
            total = picked.masked_fill(~counted, 0).sum(1)  # (passages, d)
            return list((total / counted.sum(1)).cpu().numpy())

    def _pooled(self, asked: Sequence[_Asked]) -> list[Array]:
        import torch

        row = {ids: i for i, ids in enumerate(dict.fromkeys(text.ids for text in asked))}
        laid = self._lay([*row])
        with torch.inference_mode():
            pooled = self._pooler(filled(laid.inputs, self._loaded))  # (≥ b, d)
            return list(pooled[[row[text.ids] for text in asked]].float().cpu().numpy())

    @cached_property
    def _pooler(self) -> "Reads":
        if self._make_pooler is None:
            raise CannotAnswer(f"{self._name} has no pooler")
        return self._make_pooler()


def places(tokens: Tokens, at: tuple[int, int], pooling: str) -> list[int]:
    """The positions over which a pooling takes the mean; [] where the text or its word has no token.

    >>> he_is = Tokens((0, 7, 8, 9, 1), (True, False, False, False, True), (), ((0, 0), (0, 2), (3, 4),
    ...     (4, 5), (0, 0)))
    >>> places(he_is, (3, 5), "word"), places(he_is, (3, 5), "last_piece")
    ([2, 3], [3])
    >>> places(he_is, (3, 5), "mean"), places(he_is, (3, 5), "start")
    ([0, 1, 2, 3, 4], [0])
    """
    text = [i for i, special in enumerate(tokens.special) if not special]
    if not text:
        return []
    if pooling == "mean":
        return list(range(len(tokens.ids)))
    if pooling == "last":
        return text[-1:]
    if pooling in {"start", POOLER}:
        return [0] if tokens.special[0] else []
    word = text if at == (0, 0) else [i for i in text if _overlap(tokens.spans[i], at)]
    if pooling == "last_piece":
        return word[-1:]
    return word if pooling == "word" else word[:1]


def last_layer(model: Any, **more: Any) -> "Reads":
    """A function that computes the last hidden layer of a model, without its head where that is possible."""
    if model.base_model is not model:
        return states_of(model.base_model, **more)
    return lambda inputs: model(**inputs, **more, output_hidden_states=True).hidden_states[-1]


def states_of(trunk: Any, **more: Any) -> "Reads":
    """A function that returns a trunk's first output, which is its last hidden layer."""
    return lambda inputs: trunk(**inputs, **more)[0]


def _overlap(span: tuple[int, int], at: tuple[int, int]) -> bool:
    return span[0] < span[1] and span[0] < at[1] and at[0] < span[1]


def _missing(name: str, passage: Passage, pooling: str) -> str:
    if pooling in {"start", POOLER} and passage.text.strip():
        lacking = "its tokenizer puts no special token before a text"
        return f"{name}: {lacking}, so there is no {pooling!r}"
    word = passage.text[slice(*passage.at)] if passage.at != (0, 0) else ""
    what = f"{word!r} in {passage.text!r}" if word else repr(passage.text)
    return f"{name} has no token for {what}; leave it out"
