"""Masked language models: BERT, RoBERTa, ALBERT, DistilBERT, ELECTRA's generator, XLM-R, MPNet, ModernBERT.

`masked:bert-base-uncased`, or the plain name: the kind is read from the configuration.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.asks import Attends, Blanked, Fact, FillsBlanks, Tokens
from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.types import Array
from tiltmeter.models import _hf, _reading

if TYPE_CHECKING:
    from tiltmeter.models._open import Options


def answers(_: str) -> tuple[type, ...]:
    """The protocols that a masked model satisfies."""
    return (FillsBlanks, Attends)


class Masked:
    """Answers `FillsBlanks` and `Attends`. Batches by length; answers in the order asked."""

    def __init__(self, name: str, loaded: _hf.Loaded) -> None:
        tokenizer = loaded.tokenizer
        if tokenizer.mask_token_id is None:
            raise CannotAnswer(f"{name}: its tokenizer has no mask token, so no blank can be asked")
        self.name = name
        self.fingerprint = loaded.fingerprint
        self.cased = loaded.cased
        self.batch_tokens = loaded.batch_tokens
        self.limit = _hf.longest(loaded.model, tokenizer)
        self._loaded = loaded
        self._model = loaded.model
        self._mask = int(tokenizer.mask_token_id)
        self._pad = int(tokenizer.pad_token_id or 0)
        self._reader = _reading.Reader(loaded)
        loaded.about["longest input"] = self.limit
        self._check()

    @property
    def about(self) -> Mapping[str, Fact]:
        """For the card."""
        return self._loaded.about

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise in bulk, with the model's special tokens."""
        return self._loaded.encode(texts, special=True)

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (len(read),)."""
        return _reading.in_batches(self._batches(requests), requests, self._blank_batch)

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (2, len(read)): log-probabilities and attention received."""
        with self._showing_attention():
            return _reading.in_batches(self._batches(requests), requests, self._attended_batch)

    def _batches(self, requests: Sequence[Blanked]) -> list[list[int]]:
        lengths = [len(r.ids) for r in requests]
        _hf.within(self.limit, lengths, self.name)
        return batches_by_length(lengths, self.batch_tokens)

    def _inputs(self, requests: Sequence[Blanked]) -> dict[str, Any]:
        import torch

        width = max(len(r.ids) for r in requests)
        ids = np.full((len(requests), width), self._pad, dtype=np.int64)  # (b, t)
        seen = np.zeros_like(ids)  # (b, t)
        for row, r in enumerate(requests):
            ids[row, : len(r.ids)] = r.ids
            ids[row, list(r.hidden)] = self._mask
            seen[row, : len(r.ids)] = 1
        return {
            "input_ids": torch.from_numpy(ids).to(self._loaded.device),
            "attention_mask": torch.from_numpy(seen).to(self._loaded.device),
        }

    def _places(self, requests: Sequence[Blanked]) -> tuple[tuple[Any, Any], Any]:
        import torch

        to = partial(torch.tensor, device=self._loaded.device, dtype=torch.long)
        rows = [row for row, r in enumerate(requests) for _ in r.read]
        at = [i for r in requests for i in r.read]
        true = [r.ids[i] for r in requests for i in r.read]
        return (to(rows), to(at)), to(true)

    def _check(self) -> None:
        texts = self.encode(["he is here", "she was not here today"])
        requests = [Blanked(t.ids, (1,), (1, len(t.ids) - 1)) for t in texts]
        self._reader.settle(self._inputs(requests), self._places(requests)[0])

    def _blank_batch(self, requests: Sequence[Blanked]) -> list[Array]:
        import torch

        with torch.inference_mode():
            rows, true = self._places(requests)
            flat = self._reader(self._inputs(requests), rows, true)  # (reads,)
        return _reading.by_row(flat, [len(r.read) for r in requests])

    def _attended_batch(self, requests: Sequence[Blanked]) -> list[Array]:
        import torch

        with torch.inference_mode():
            inputs = self._inputs(requests)
            rows, true = self._places(requests)
            logprobs, maps = self._reader.with_attention(inputs, rows, true)  # (reads,)
            if not maps or any(layer is None for layer in maps):
                raise CannotAnswer(f"{self.name} does not show its attention in every layer")
            seen = inputs["attention_mask"].double()  # (b, t)
            # layer by layer, so that the maps of all layers are never held twice
            paid = sum(layer.double().mean(1) for layer in maps)  # (b, t, t)
            received = torch.einsum("bq,bqk->bk", seen, paid / len(maps))  # (b, t)
            received /= seen.sum(1, keepdim=True)
            if not torch.allclose(received.sum(1), torch.ones(len(seen)).to(received), atol=1e-2):
                raise CannotAnswer(
                    f"{self.name} does not give its attention as shares of 1, so none can be reported"
                )
            attention = received[rows].cpu().numpy()  # (reads,)
        lengths = [len(r.read) for r in requests]
        return [
            np.stack(both)
            for both in zip(
                _reading.by_row(logprobs, lengths), _reading.by_row(attention, lengths), strict=True
            )
        ]

    @contextmanager
    def _showing_attention(self) -> Iterator[None]:
        """Only the eager implementation gives its attention away; it is slower, so not the default."""
        usual = self._model.config._attn_implementation  # noqa: SLF001 (no public way to read it)
        self._model.set_attn_implementation("eager")
        try:
            yield
        finally:
            self._model.set_attn_implementation(usual)


def load(location: str, options: "Options", *, name: str, note: str = "") -> Masked:
    """Open a masked language model from its folder."""
    auto = "AutoModelForMaskedLM"
    return Masked(name, _hf.load(location, options, auto, name=name, scheme="masked", note=note))
