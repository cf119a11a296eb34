"""Causal language models: GPT-2 to Llama, Qwen, SmolLM.

`causal:gpt2`, or the plain name: the kind is read from the configuration. The first token of a text
is scored too, after the model's start token: its beginning-of-text token, else its end-of-text token
(as models without the former separate texts in training), else what `--start-token` names. The card
says which it was.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.asks import Continuation, Continues, Fact, StartsBare, Tokens
from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.types import Array
from tiltmeter.models import _hf, _reading

if TYPE_CHECKING:
    from tiltmeter.models._open import Options


def answers(_: str) -> tuple[type, ...]:
    """The protocols that a causal model satisfies."""
    return (Continues, StartsBare)


class Causal:
    """Answers `Continues`. Batches by length; answers in the order asked."""

    def __init__(self, name: str, loaded: _hf.Loaded, start_token: str | None = None) -> None:
        self.name = name
        self.fingerprint = loaded.fingerprint
        self.cased = loaded.cased
        self.batch_tokens = loaded.batch_tokens
        longest = _hf.longest(loaded.model, loaded.tokenizer)
        self.limit = None if longest is None else longest - 1
        self._loaded = loaded
        self._start, said = start_of(name, loaded.tokenizer, start_token)
        self._reader = _reading.Reader(loaded)
        loaded.about |= {"longest input": longest, "start token": said}
        probe = [Continuation((), t.ids) for t in self.encode(["he is here", "she was not here"])]
        self._reader.settle(*self._inputs(probe)[:2])
        self._check_sight()

    @property
    def about(self) -> Mapping[str, Fact]:
        """For the card."""
        return self._loaded.about

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise in bulk, without special tokens."""
        return self._loaded.encode(texts, special=False)

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """One array a request, shape (len(ids),)."""
        _hf.within(self.limit, [len(r.context) + len(r.ids) for r in requests], self.name)
        lengths = [len(self._whole(r)) for r in requests]
        return _reading.in_batches(
            batches_by_length(lengths, self.batch_tokens),
            requests,
            self._batch,
            self._loaded.about,
        )

    def _check_sight(self) -> None:
        """Two texts that begin alike: what comes later must not move how likely the beginning is."""
        rows = int(self._loaded.model.get_input_embeddings().weight.shape[0])
        spread = min(int(self._loaded.about["vocabulary"] or 1), rows) // 12
        begin, *ends = ([spread * k for k in ks] for ks in ((1, 2), (3, 4, 5, 6), (7, 8, 9, 10)))
        one, other = (self._batch([Continuation((), (*begin, *end))])[0][:2] for end in ends)
        # equal shapes are computed alike: the rest is rounding, even in reduced precision
        if not np.allclose(one, other, rtol=0, atol=1e-3):
            raise CannotAnswer(
                f"{self.name} is not a causal model: how likely a token is changes with what follows "
                "it. Its numbers would not be those of a text read from left to right"
            )

    def _whole(self, request: Continuation) -> tuple[int, ...]:
        if not request.start and not request.context:
            raise BadInput("a continuation without a start token needs a context")
        return (*((self._start,) if request.start else ()), *request.context, *request.ids)

    def _inputs(
        self, requests: Sequence[Continuation]
    ) -> tuple[dict[str, Any], tuple[Any, Any], Any]:
        """Inputs, (batch rows, positions before the tokens that are scored), those tokens."""
        import torch

        whole = [self._whole(r) for r in requests]
        # the last token is scored and needs not be read
        width = max(1, *(len(w) - 1 for w in whole))
        ids = np.zeros((len(whole), width), dtype=np.int64)  # (b, t)
        seen = np.zeros_like(ids)  # (b, t)
        rows: list[int] = []
        at: list[int] = []
        true: list[int] = []
        for row, (w, r) in enumerate(zip(whole, requests, strict=True)):
            ids[row, : len(w) - 1] = w[:-1]
            seen[row, : max(len(w) - 1, 1)] = 1
            first = len(w) - len(r.ids)
            rows += [row] * len(r.ids)
            at += range(first - 1, len(w) - 1)
            true += r.ids
        to = self._loaded.device
        return (
            {
                "input_ids": torch.from_numpy(ids).to(to),
                "attention_mask": torch.from_numpy(seen).to(to),
                "use_cache": False,
            },
            (
                torch.tensor(rows, device=to, dtype=torch.long),
                torch.tensor(at, device=to, dtype=torch.long),
            ),
            torch.tensor(true, device=to, dtype=torch.long),
        )

    def _batch(self, requests: Sequence[Continuation]) -> list[Array]:
        import torch

        with torch.inference_mode():
            flat = self._reader(*self._inputs(requests))  # (reads,)
        return _reading.by_row(flat, [len(r.ids) for r in requests])


def start_of(name: str, tokenizer: Any, wanted: str | None) -> tuple[int, str]:
    """The start token's id, and how the card names it.

    Raises:
        BadInput: The token asked for is not one token of the vocabulary.
        CannotAnswer: The tokenizer has neither a beginning- nor an end-of-text token.
    """
    if wanted is not None:
        found = tokenizer.convert_tokens_to_ids(wanted)
        if found is None or (found == tokenizer.unk_token_id and wanted != tokenizer.unk_token):
            raise BadInput(
                f"{name}: {wanted!r} is not a token of its vocabulary",
                "leave out --start-token, or name one token",
            )
        return int(found), f"{wanted} (as asked)"
    if tokenizer.bos_token_id is not None:
        return int(tokenizer.bos_token_id), f"{tokenizer.bos_token} (beginning of text)"
    if tokenizer.eos_token_id is not None:
        return int(
            tokenizer.eos_token_id
        ), f"{tokenizer.eos_token} (end of text; there is no other)"
    raise CannotAnswer(
        f"{name}: its tokenizer has neither a beginning- nor an end-of-text token, so the first token "
        "of a text cannot be scored; name one with --start-token"
    )


def load(location: str, options: "Options", *, name: str, note: str = "") -> Causal:
    """Open a causal language model from its folder."""
    auto = "AutoModelForCausalLM"
    loaded = _hf.load(location, options, auto, name=name, scheme="causal", note=note)
    return Causal(name, loaded, options.start_token)
