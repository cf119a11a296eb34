"""Log-probabilities from a causal model's last hidden states, computed in blocks of the vocabulary.

The logits of all positions that are read would take hundreds of megabytes, which would be written and read
several times. A block of them fits into a processor's cache, and its exponentials are summed up while it is
there.
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
    """A function that computes the logits of a block, (rows, ≤ WIDTH), from states, (rows, d)."""

WIDTH = 2048
"""How many tokens of the vocabulary a block of logits has."""
ROWS = 2048
"""How many positions a block of logits has, which makes 16 MB."""
CLOSE = 1e-3
"""How far logits may differ from the model's own in the check, as a share of the largest."""


class VocabularyBlocks:
    """Applies a model's output layer, block by block, to the states that `trunk` returns."""

    def __init__(self, model: Any, trunk: Any, filled: Callable[[int], int] = int) -> None:
        """`filled` returns the number of rows to which a batch is padded."""
        self._filled = filled
        self._trunk = trunk
        layer = model.get_output_embeddings()
        made: Sequence[Product] | None = getattr(layer, "in_blocks", None)
        self._products = made or _products(layer)
        self._width = int(layer.weight.shape[0])

    def check(
        self, logits: "torch.Tensor", inputs: Mapping[str, Any], places: tuple[Any, Any]
    ) -> bool:
        """Whether the blocks give these logits, (reads, vocabulary), at these places."""
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
        """The log-probabilities of `true` at places (rows, positions), shape (reads,)."""
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
        """All logits at places (rows, positions), shape (reads, vocabulary)."""
        states = self._states(inputs, places)
        first = self._products[0](states).float()
        logits = first.new_empty((len(states), self._width))
        logits[:, : first.shape[1]] = first
        for k, product in enumerate(self._products[1:], start=1):
            logits[:, k * WIDTH : (k + 1) * WIDTH] = product(states)
        return logits[: len(places[0])]

    def _states(self, inputs: Mapping[str, Any], places: tuple[Any, Any]) -> "torch.Tensor":
        """The states at places, (≥ reads, d), with the first repeated up to one of few numbers of rows."""
        rows, positions = places
        more = self._filled(len(rows)) - len(rows)
        states: torch.Tensor = self._trunk(**inputs)[0][rows, positions]
        return again(states, more) if more else states

    def _logprobs(
        self, states: "torch.Tensor", true: "torch.Tensor", at: "torch.Tensor"
    ) -> "torch.Tensor":
        """The log-probabilities of the tokens `true`, each in its row `at`.

        Exponentials are computed relative to the highest logit of the first block. If another block's logits
        are so much higher that these overflow, the sums are computed again, block by block.
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
    """Functions that each compute a block of a linear layer's outputs."""
    from torch.nn.functional import linear

    weights = layer.weight.split(WIDTH)
    biases = [None] * len(weights) if layer.bias is None else layer.bias.split(WIDTH)
    both = zip(weights, biases, strict=True)
    return [partial(linear, weight=weight, bias=bias) for weight, bias in both]
