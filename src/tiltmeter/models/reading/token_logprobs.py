"""Log-probabilities of given tokens at given positions, in bounded memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.models.opening.load_errors import explained
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.speed import packed_weights
from tiltmeter.models.speed.batch_answers import filled
from tiltmeter.models.speed.vocabulary_blocks import VocabularyBlocks
from tiltmeter.models.speed.vocabulary_projector import Projector, TopLayer, trunks

if TYPE_CHECKING:
    import torch

LOGITS = 64 * 2**20
"""How many logits a block has, which limits the memory of the projection (256 MiB in float32)."""


class Reader:
    """Log-probabilities of given tokens at given places of a batch, in bounded memory."""

    def __init__(self, loaded: Loaded, *, blocks: bool = False) -> None:
        """With `blocks`, the output layer may be computed in blocks of the vocabulary."""
        self._loaded = loaded
        self._projector: Projector | None = None
        self._cuts = blocks and loaded.device.type == "cpu"
        self._blocks: VocabularyBlocks | None = None

    def settle(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> None:
        """Find out, once, how to compute logits only where they are read; otherwise use the plain way."""
        with explained(str(self._loaded.folder)):
            self._settle(inputs, rows)

    def _settle(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> None:
        if not self._loaded.borrowed:
            packed_weights.pack(
                self._loaded, lambda: self._loaded.model(**inputs).logits, blocks=self._cuts
            )
        self._settle_blocks(inputs, rows)
        verdict = self._loaded.verdict("projector")
        for number, (projector, fact) in enumerate(self._projectors()):
            if number == verdict or (verdict is None and projector.check(inputs, rows)):
                self._projector = projector
                self._loaded.about["projection"] = fact
                self._loaded.remember("projector", number)
                return
            projector.remove()
        self._loaded.about["projection"] = "all positions"
        self._loaded.remember("projector", -1)

    def _projectors(self) -> Iterator[tuple[Projector, str]]:
        """The projectors to try, fastest first, each with its description for the card."""
        for trunk in trunks(self._loaded.model):
            for top in dict.fromkeys((TopLayer.of(trunk), None)):
                fact = "only positions that are read" + (", and the last layer" if top else "")
                yield Projector(self._loaded.model, trunk, top, self._loaded.filled), fact

    def _settle_blocks(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> None:
        """Find the module whose states the output layer turns into logits without further steps, if any."""
        import torch

        if not self._cuts or self._loaded.model.get_output_embeddings() is None:
            return
        verdict = self._loaded.verdict("blocks")
        with torch.inference_mode():
            logits = self._loaded.model(**inputs).logits[rows] if verdict is None else None
            for number, trunk in enumerate(trunks(self._loaded.model)):
                blocks = VocabularyBlocks(self._loaded.model, trunk, self._loaded.filled)
                if number == verdict or (logits is not None and blocks.check(logits, inputs, rows)):
                    self._blocks = blocks
                    self._loaded.remember("blocks", number)
                    return
        self._loaded.remember("blocks", -1)

    def __call__(self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any) -> Array:
        """The log-probabilities, shape (reads,), of the tokens `true` at `rows` (batch rows, positions)."""
        if self._blocks is not None and len(true):
            return self._blocks(filled(inputs, self._loaded), rows, true)
        return self._read(inputs, rows, true)[0]

    def logits(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> "torch.Tensor":
        """All logits at these places, shape (reads, vocabulary); suitable for few places at a time."""
        import torch

        if not len(rows[0]):
            return torch.zeros((0, int(self._loaded.about["vocabulary"] or 1)))
        if self._blocks is not None:
            return self._blocks.logits(filled(inputs, self._loaded), rows)
        if self._projector is None:
            logits: torch.Tensor = self._loaded.model(**inputs).logits[rows]
            return logits.float()
        places, which = torch.unique(torch.stack(rows), dim=1, return_inverse=True)
        outputs = self._projector(filled(inputs, self._loaded), tuple(places), most=len(which))
        return torch.cat([output.logits[0] for output in outputs]).float()[which]

    def with_attention(
        self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any
    ) -> tuple[Array, Sequence[Any]]:
        """The log-probabilities, and an attention map for each layer, each of shape (b, heads, t, t)."""
        logprobs, first = self._read({**inputs, "output_attentions": True}, rows, true)
        return logprobs, first.attentions

    def _read(
        self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any
    ) -> tuple[Array, Any]:
        """The log-probabilities, and the model's first output; each place is computed once."""
        import torch

        if self._projector is None:
            output = self._loaded.model(**inputs)
            return true_logprobs(output.logits[rows], true), output
        places, which = torch.unique(torch.stack(rows), dim=1, return_inverse=True)
        most = max(1, LOGITS // int(self._loaded.about["vocabulary"] or 1))
        if not inputs.get("output_attentions"):
            inputs = filled(inputs, self._loaded)
        logprobs, first = np.zeros(len(true)), None
        outputs = self._projector(inputs, tuple(places), most=most)
        for k, output in enumerate(outputs):
            mine = (which // most == k).nonzero().squeeze(1)
            logits = output.logits[0]  # (≤ most, vocabulary)
            logprobs[mine.cpu().numpy()] = true_logprobs(logits, true[mine], which[mine] - k * most)
            first = first or output
        return logprobs, first


def true_logprobs(
    logits: "torch.Tensor", true: "torch.Tensor", at: "torch.Tensor | None" = None
) -> Array:
    """The log-probabilities, shape (reads,), of tokens `true` in rows `at` of logits (rows, vocabulary).

    They are computed as a logit less the log-sum-exp, which needs no full log-softmax; reduced precisions are
    summed up in float32. Without `at`, there is one read for each row.
    """
    import torch

    at = torch.arange(len(logits), device=logits.device) if at is None else at
    total = torch.logsumexp(logits.float(), dim=-1)[at]
    picked = logits[at, true].float()
    return np.asarray((picked.double() - total.double()).cpu().numpy(), dtype=np.float64)
