"""The `Learner` that trains a language model with its own head on rows of text."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.seq2seq import decoder_start
from tiltmeter.models.speed.vocabulary_projector import Projector, unchanged
from tiltmeter.train.batch_learner import BatchLearner, Computing, portions
from tiltmeter.train.blocks import Ids, Order, TokenRow, TokenRows

if TYPE_CHECKING:
    import torch


ALL = 2**30
"""Size of a block of logits: large enough that all are in one block, because gradients need them together."""
SHARE = 0.15
"""Share of a text's tokens that a masked model has to predict, as in the training of BERT."""
MASKED, RANDOM = 0.8, 0.1
"""Shares of the predicted tokens that are masked and that are replaced by a random token; the rest stay."""


NO_SOURCE: Ids = np.empty(0, np.int32)
"""The source of a row in a model without an encoder."""


class Asked(NamedTuple):
    """A row as the model is given it, and the tokens that it has to predict."""

    ids: Ids
    """The tokens that the model reads, shape (t,)."""
    places: npt.NDArray[np.int64]
    """Positions in the row at which logits are read, shape (n,)."""
    true: Ids
    """The correct token at each of these positions, shape (n,)."""
    source: Ids = NO_SOURCE
    """The tokens that the encoder reads, in a model whose decoder reads `ids`."""


def hidden(
    rows: Sequence[TokenRow], rng: np.random.Generator, *, mask: int, vocabulary: int
) -> list[Asked]:
    """Rows for a masked model, in which each token of the text is to be predicted with probability SHARE.

    At least one token of all rows together is. Random tokens are drawn from the whole vocabulary, as in the
    original program of BERT.

    Args:
        rows: The rows of text.
        rng: Draws the tokens that are predicted, and the random ones.
        mask: Id of the mask token.
        vocabulary: How many tokens random ones are drawn from.
    """
    made = []
    for row in rows:
        chosen = row.is_text & (rng.random(len(row.ids)) < SHARE)
        n = len(row.ids)
        made.append((row, chosen, rng.random(n), rng.integers(0, vocabulary, n)))
    # Without any token to predict there would be no loss, nor a number to divide it by.
    if made and not any(chosen.any() for _, chosen, _, _ in made):
        first, chosen, _, _ = made[0]
        chosen[rng.choice(np.flatnonzero(first.is_text))] = True
    return [_changed(row, chosen, how, other, mask) for row, chosen, how, other in made]


def _changed(
    row: TokenRow,
    chosen: npt.NDArray[np.bool_],
    how: npt.NDArray[np.float64],
    other: npt.NDArray[np.int64],
    mask: int,
) -> Asked:
    ids = row.ids.copy()
    ids[chosen & (how < MASKED)] = mask
    exchanged = chosen & (how >= MASKED) & (how < MASKED + RANDOM)
    ids[exchanged] = other[exchanged]
    return Asked(ids, np.flatnonzero(chosen), row.ids[chosen])


def following(rows: Sequence[TokenRow]) -> list[Asked]:
    """Rows for a causal model, which predicts each token of the text at the position before it.

    A token at the very start of a row cannot be predicted.
    """
    asked = []
    for row in rows:
        places = np.flatnonzero(row.is_text[1:])
        asked.append(Asked(row.ids, places, row.ids[places + 1]))
    return asked


def answering(rows: Sequence[TokenRow], start: Sequence[int]) -> list[Asked]:
    """Rows for a seq2seq model, whose decoder predicts each token of the text.

    The encoder reads all other tokens of the row.

    Args:
        rows: Rows in which the tokens of the text are the last ones.
        start: The tokens that the decoder reads before the first token of the text.
    """
    asked = []
    for row in rows:
        true = row.ids[row.is_text]
        ids = np.array([*start, *true[:-1]], dtype=np.int32)
        places = np.arange(len(true)) + len(start) - 1
        asked.append(Asked(ids, places, true, row.ids[~row.is_text]))
    return asked


class Further(BatchLearner[Asked]):
    """A language model that learns from rows of text."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        kind: str,
        front: TokenRows,
        back: TokenRows,
        *,
        size: int,
        computing: Computing,
        seed: int,
    ) -> None:
        self.computing = computing
        self._name, self._loaded, self._kind = name, loaded, kind
        self._front, self._seed = front, seed
        self._order = Order(len(front), size, seed)
        self.model, self.device, self.per_epoch = loaded.model, loaded.device, self._order.per_epoch
        self._vocabulary = _vocabulary(loaded)
        self._start = decoder_start(name, loaded) if kind == "seq2seq" else ()
        # Other draws than those of the steps, which are 3 and the step's number.
        self._back = self._asked([back[i] for i in range(len(back))], 4)
        self.examples, self.held_out = len(front), len(back)
        self.judged = sum(len(asked.true) for asked in self._back)
        self._projector = self._projected()

    def batch(self, step: int) -> list[Asked]:
        """The rows of a step by their length, and what is asked of each."""
        asked = self._asked([self._front[i] for i in self._order.step(step)], 3, step)
        return sorted(asked, key=self.length)

    def held_out_portions(self) -> Iterator[Sequence[Asked]]:
        """The held-out rows. In a masked model the same tokens are hidden each time."""
        by_length = sorted(self._back, key=self.length)
        for portion in portions(by_length, self.length, self.computing.at_once):
            if any(map(self.answers, portion)):
                yield portion

    def length(self, example: Asked) -> int:
        """The number of tokens that the model reads."""
        return len(example.source) + len(example.ids)

    def answers(self, example: Asked) -> int:
        """The number of tokens that the model predicts."""
        return len(example.true)

    def _asked(self, rows: Sequence[TokenRow], *numbers: int) -> list[Asked]:
        """The rows as the model is given them; the seed and these numbers decide which tokens are hidden."""
        if self._kind == "causal":
            return following(rows)
        if self._kind == "seq2seq":
            return answering(rows, self._start)
        rng = np.random.default_rng([self._seed, *numbers])
        mask = self._loaded.tokenizer.mask_token_id
        if mask is None:
            raise CannotAnswer(
                f"{self._name}: its tokenizer has no mask token, so no token can be hidden"
            )
        return hidden(rows, rng, mask=int(mask), vocabulary=self._vocabulary)

    def logits(self, portion: Sequence[Asked]) -> tuple["torch.Tensor", "torch.Tensor"]:
        """Logits of the predicted tokens, shape (n, vocabulary), and the correct tokens, shape (n,)."""
        inputs, places = self._inputs(portion)
        true = self._on_device(np.concatenate([row.true for row in portion]))
        if self._projector is None:
            of_all: torch.Tensor = self._loaded.model(**inputs).logits[places]
            return of_all.float(), true
        (output,) = self._projector(inputs, places, most=ALL)
        logits: torch.Tensor = output.logits[0][: len(places[0])]
        return logits.float(), true

    def _inputs(
        self, asked: Sequence[Asked]
    ) -> tuple[dict[str, Any], tuple["torch.Tensor", "torch.Tensor"]]:
        """The model's inputs, each of shape (b, t), and the rows and positions at which logits are read."""
        inputs: dict[str, Any] = self._loaded.padded([row.ids for row in asked])
        if self._kind == "seq2seq":
            inputs = {f"decoder_{name}": value for name, value in inputs.items()}
            inputs |= self._loaded.padded([row.source for row in asked])
        rows = np.repeat(np.arange(len(asked)), [len(row.places) for row in asked])
        at = np.concatenate([row.places for row in asked])
        more = {} if self._kind == "masked" else {"use_cache": False}
        return {**inputs, **more}, (self._on_device(rows), self._on_device(at))

    def _on_device(self, array: "np.typing.NDArray[Any]") -> "torch.Tensor":
        import torch

        return torch.from_numpy(array.astype(np.int64)).to(self._loaded.device)

    def _projected(self) -> Projector | None:
        """What computes the logits of a masked model at the read positions only; None to compute all.

        A masked model predicts few tokens of a row, so that most logits would never be used.
        """
        if self._kind != "masked":
            return None
        few = [row for row in self._back if len(row.true)][:2]
        return unchanged(self._loaded.model, *self._inputs(few))


def _vocabulary(loaded: Loaded) -> int:
    """How many tokens both the tokenizer knows and the model has embeddings for."""
    known = int(loaded.model.get_input_embeddings().weight.shape[0])
    return min(len(loaded.tokenizer), known)
