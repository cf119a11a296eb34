"""A language model with its own head as a learner of rows of text."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.seq2seq import decoder_start
from tiltmeter.models.speed.vocabulary_projector import Projector, unchanged
from tiltmeter.train.blocks import Ids, Order, TokenRow, TokenRows
from tiltmeter.train.steps import Learner, add_gradients

if TYPE_CHECKING:
    import torch


AT_ONCE = {"cpu": 2048}
"""Tokens of rows that are computed at once, by kind of device; on accelerators `AT_ONCE_THERE`."""
AT_ONCE_THERE = 16_384
ALL = 2**30
"""Reads in one block of logits: all of them, as gradients need them together."""
SHARE = 0.15
"""Of the text's tokens, how many a masked model is asked for; as in BERT's own training."""
MASKED, RANDOM = 0.8, 0.1
"""Of these, how many are masked and how many are another token; the rest stay as they are."""


NO_SOURCE: Ids = np.empty(0, np.int32)


class Asked(NamedTuple):
    """A row as the model is given it, and the tokens it is asked for."""

    ids: Ids
    places: npt.NDArray[np.int64]
    """Positions of the row where logits are read."""
    true: Ids
    """The tokens that are right there."""
    source: Ids = NO_SOURCE
    """What an encoder reads, in a model whose decoder reads `ids`."""


def hidden(
    rows: Sequence[TokenRow], rng: np.random.Generator, *, mask: int, vocabulary: int
) -> list[Asked]:
    """Each of a text's own tokens is chosen with probability SHARE; at least one of all rows is.

    Tokens that others are exchanged for are drawn from the whole vocabulary, as in BERT's own program.
    """
    made = []
    for row in rows:
        chosen = row.is_text & (rng.random(len(row.ids)) < SHARE)
        n = len(row.ids)
        made.append((row, chosen, rng.random(n), rng.integers(0, vocabulary, n)))
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
    """Each of a text's own tokens but the first of a row, read at the place before it."""
    asked = []
    for row in rows:
        places = np.flatnonzero(row.is_text[1:])
        asked.append(Asked(row.ids, places, row.ids[places + 1]))
    return asked


def answering(rows: Sequence[TokenRow], start: Sequence[int]) -> list[Asked]:
    """An encoder reads all but the rows' own tokens; a decoder is asked for these, one after the other.

    Args:
        rows: The own tokens of each stand at its end.
        start: What the decoder reads before the first of them.
    """
    asked = []
    for row in rows:
        true = row.ids[row.is_text]
        ids = np.array([*start, *true[:-1]], dtype=np.int32)
        places = np.arange(len(true)) + len(start) - 1
        asked.append(Asked(ids, places, true, row.ids[~row.is_text]))
    return asked


class Further(Learner):
    """A language model that learns from rows of text.

    Each step's rows come in portions that the memory holds, whose gradients are added up.
    """

    bounds = "a smaller --at-once or --max-tokens"

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        kind: str,
        front: TokenRows,
        back: TokenRows,
        *,
        size: int,
        at_once: int,
        seed: int,
    ) -> None:
        self._name, self._loaded, self._kind = name, loaded, kind
        self._front, self._at_once, self._seed = front, at_once, seed
        self._order = Order(len(front), size, seed)
        self.model, self.device, self.per_epoch = loaded.model, loaded.device, self._order.per_epoch
        self._vocabulary = _vocabulary(loaded)
        self._start = decoder_start(name, loaded) if kind == "seq2seq" else ()
        # Other draws than those of the steps, which are 3 and the step's number.
        self._back = self._asked([back[i] for i in range(len(back))], 4)
        self.examples, self.held_out = len(front), len(back)
        self.judged = sum(len(asked.true) for asked in self._back)
        self._projector = self._projected()

    def learn(self, step: int) -> float:
        """Mean cross-entropy over all tokens that the step asks for, portion by portion of its rows."""
        import torch

        asked = self._asked([self._front[i] for i in self._order.step(step)], 3, step)
        total, loss_so_far = sum(len(row.true) for row in asked), 0.0
        for logits, true in self._answers(asked):
            loss = torch.nn.functional.cross_entropy(logits, true, reduction="sum") / total
            loss_so_far += add_gradients(loss)
        return loss_so_far

    def judge(self) -> tuple[float, int]:
        """Over the held-out rows, in which the same tokens are hidden each time."""
        import torch

        loss, right = 0.0, 0
        with torch.no_grad():
            for logits, true in self._answers(self._back):
                every = torch.nn.functional.cross_entropy(logits, true, reduction="none")
                loss += float(every.cpu().double().sum())
                right += int((logits.argmax(-1) == true).sum())
        return loss / self.judged, right

    def _asked(self, rows: Sequence[TokenRow], *numbers: int) -> list[Asked]:
        """What the rows are asked; which tokens are hidden depends on the seed and these numbers."""
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

    def _answers(self, asked: Sequence[Asked]) -> Iterator[tuple["torch.Tensor", "torch.Tensor"]]:
        """Logits, (reads, vocabulary), and what is right there; rows of about one length together."""
        lengths = [len(row.source) + len(row.ids) for row in asked]
        order = sorted(range(len(asked)), key=lambda i: (lengths[i], i))
        for start in range(0, len(order), self._at_once):
            mine = [asked[i] for i in order[start : start + self._at_once]]
            if any(len(row.true) for row in mine):
                yield self._logits(mine), self._on_device(np.concatenate([o.true for o in mine]))

    def _logits(self, asked: Sequence[Asked]) -> "torch.Tensor":
        inputs, places = self._inputs(asked)
        if self._projector is None:
            of_all: torch.Tensor = self._loaded.model(**inputs).logits[places]
            return of_all.float()
        (output,) = self._projector(inputs, places, most=ALL)
        logits: torch.Tensor = output.logits[0][: len(places[0])]
        return logits.float()

    def _inputs(
        self, asked: Sequence[Asked]
    ) -> tuple[dict[str, Any], tuple["torch.Tensor", "torch.Tensor"]]:
        """What the model takes, each (b, t), and the (rows, positions) that are read."""
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
        """Masked models are asked for few tokens of a row: only these go through the vocabulary."""
        if self._kind != "masked":
            return None
        few = [row for row in self._back if len(row.true)][:2]
        return unchanged(self._loaded.model, *self._inputs(few))


def _vocabulary(loaded: Loaded) -> int:
    """Tokens that the tokenizer knows and the model has embeddings for."""
    known = int(loaded.model.get_input_embeddings().weight.shape[0])
    return min(len(loaded.tokenizer), known)


def rows_at_once(wanted: int | None, device: "torch.device", most: int) -> int:
    """Rows of at most so many tokens that are computed at once: as wanted, or what suits the device."""
    return wanted or max(1, AT_ONCE.get(device.type, AT_ONCE_THERE) // most)
