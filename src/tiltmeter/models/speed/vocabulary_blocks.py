"""Log-probabilities from a causal model's last hidden states, a block of the vocabulary at a time.

The logits of all places that are read would be hundreds of megabytes that are written and read several
times. A block of them fits a processor's cache: its exponentials are summed up while it is there.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.models.speed.batch_answers import again

if TYPE_CHECKING:
    import torch

    Product: TypeAlias = Callable[[torch.Tensor], torch.Tensor]
    """From states, (rows, d), to the logits of a block, (rows, ≤ WIDTH)."""

WIDTH = 2048
"""Tokens of the vocabulary in a block of logits."""
ROWS = 2048
"""Places of a block: both together are 16 MB of logits."""
CLOSE = 1e-3
"""How far logits may lie from the model's own, as a share of the largest, in the check."""


class VocabularyBlocks:
    """What a model's output layer says of the states that `trunk` gives."""

    def __init__(self, model: Any, trunk: Any, filled: Callable[[int], int] = int) -> None:
        """`filled`: to how many rows a batch is padded."""
        self._filled = filled
        self._trunk = trunk
        layer = model.get_output_embeddings()
        made: Sequence[Product] | None = getattr(layer, "in_blocks", None)
        self._products = made or _products(layer)
        self._width = int(layer.weight.shape[0])

    def check(
        self, logits: "torch.Tensor", inputs: Mapping[str, Any], places: tuple[Any, Any]
    ) -> bool:
        """Whether the blocks give these logits, (reads, vocabulary), at the places."""
        import torch

        states = self._states(inputs, places)
        try:
            ours = torch.cat([product(states) for product in self._products], dim=1)
            apart = (ours[: len(logits)] - logits).abs().max().item()
        except (AttributeError, RuntimeError, TypeError):
            return False
        return bool(apart <= CLOSE * max(1.0, logits.abs().max().item()))

    def __call__(
        self, inputs: Mapping[str, Any], places: tuple[Any, Any], true: "torch.Tensor"
    ) -> Array:
        """Log-probabilities of `true` at places (rows, positions), shape (reads,)."""
        import torch

        distinct, which = torch.unique(torch.stack(places), dim=1, return_inverse=True)
        states = self._states(inputs, tuple(distinct))
        logprobs = np.empty(len(true))
        for start in range(0, len(states), ROWS):
            mine = ((which >= start) & (which < start + ROWS)).nonzero().squeeze(1)
            logprobs[mine.numpy()] = self._logprobs(
                states[start : start + ROWS], true[mine], which[mine] - start
            ).numpy()
        return logprobs

    def logits(self, inputs: Mapping[str, Any], places: tuple[Any, Any]) -> "torch.Tensor":
        """All of them at places (rows, positions), shape (reads, vocabulary)."""
        states = self._states(inputs, places)
        first = self._products[0](states).float()
        logits = first.new_empty((len(states), self._width))
        logits[:, : first.shape[1]] = first
        for k, product in enumerate(self._products[1:], start=1):
            logits[:, k * WIDTH : (k + 1) * WIDTH] = product(states)
        return logits[: len(places[0])]

    def _states(self, inputs: Mapping[str, Any], places: tuple[Any, Any]) -> "torch.Tensor":
        """(reads, d), the first again until there is one of few numbers of rows."""
        rows, positions = places
        more = self._filled(len(rows)) - len(rows)
        states: torch.Tensor = self._trunk(**inputs)[0][rows, positions]
        return again(states, more) if more else states

    def _logprobs(
        self, states: "torch.Tensor", true: "torch.Tensor", at: "torch.Tensor"
    ) -> "torch.Tensor":
        """Of the tokens `true`, each in its row `at`.

        Exponentials are taken relative to the highest logit of the first block. Should another block's be
        so much higher that they overflow, they are taken again, block by block.
        """
        import torch

        picked = torch.empty(len(true))
        highest = torch.empty(0)
        total = torch.zeros(len(states), dtype=torch.double)
        first = 0
        for product in self._products:
            logits = product(states).float()
            mine = ((true >= first) & (true < first + logits.shape[1])).nonzero().squeeze(1)
            picked[mine] = logits[at[mine], true[mine] - first]
            highest = highest if first else logits.amax(1, keepdim=True)
            total += logits.sub_(highest).exp_().sum(1)
            first += logits.shape[1]
        whole = total.log() + highest.squeeze(1)
        if not whole.isfinite().all():
            sums = [product(states).double().logsumexp(1) for product in self._products]
            whole = torch.stack(sums).logsumexp(0)
        logprobs: torch.Tensor = picked.double() - whole[at]
        return logprobs


def _products(layer: Any) -> "list[Product]":
    """A linear layer, its outputs in blocks."""
    from torch.nn.functional import linear

    weights = layer.weight.split(WIDTH)
    biases = [None] * len(weights) if layer.bias is None else layer.bias.split(WIDTH)
    both = zip(weights, biases, strict=True)
    return [partial(linear, weight=weight, bias=bias) for weight, bias in both]
