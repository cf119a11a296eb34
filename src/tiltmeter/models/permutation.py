"""Permutation language models: XLNet.

They are named `permutation:xlnet/xlnet-base-cased` or by the plain name, as the kind is read from the
configuration.

In training, some tokens of a text are predicted in a random order, each from the tokens that are not
predicted and from those before it in that order; the former never see the predicted ones. The first token in
the order is therefore predicted from all visible tokens and from nothing else, which makes it a blank. That
is what is asked here for every token that is read: hidden tokens are invisible to all positions, and a stream
of queries, which know their position but not the token there, is read at them.

A token can therefore be read only where it is hidden. Elsewhere the model has seen it, and was never trained
to predict what it sees. Vectors of texts come from the last hidden layer, with nothing hidden.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.back_ends import Checkpoint, Traits
from tiltmeter.core.model.protocols import EmbedsTokens, FillsBlanks
from tiltmeter.core.model.requests import Blanked
from tiltmeter.models.embedding import passage_vectors
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading.next_head import plain
from tiltmeter.models.reading.token_model import Asked, BlankModel

TRAITS = Traits(
    Checkpoint("AutoModelForCausalLM", "permutation language model"),  # XLNetLMHeadModel is there
    takes_change=True,
    usual_answers=(FillsBlanks, EmbedsTokens),
)


def answers(_: str) -> tuple[type, ...]:
    """The protocols that a permutation model satisfies."""
    return (FillsBlanks, EmbedsTokens)


class Permutation(BlankModel):
    """XLNet and related models (`FillsBlanks`), in which tokens are read only where they are hidden."""

    def __init__(self, name: str, loaded: Loaded) -> None:
        super().__init__(name, loaded)
        self._segments = _closing_segments(loaded.tokenizer)
        states, limit = passage_vectors.last_layer(loaded.model, use_mems=False), self.limit
        self._embedder = passage_vectors.Embedder(name, loaded, states, limit=limit, lay=self._laid)
        loaded.about["asked by"] = "queries at hidden positions"
        loaded.model.to(loaded.model.lm_loss.weight.dtype)
        plain(loaded.model.transformer)
        self._check()

    def _batches(self, requests: Sequence[Blanked]) -> list[list[int]]:
        if not all(set(request.read) <= set(request.hidden) for request in requests):
            raise CannotAnswer(
                f"{self.name} is a permutation language model: it gives no probability to a token "
                "that is not hidden. Use a rule that hides what it reads"
            )
        # Attention is undefined where every token is hidden.
        if any(len(set(request.hidden)) == len(request.ids) for request in requests):
            raise CannotAnswer(
                f"{self.name} was asked with every token hidden, and a permutation language model "
                "needs one in sight; leave such texts out"
            )
        return super()._batches(requests)

    def _inputs(self, requests: Sequence[Blanked]) -> Asked:
        """The inputs, places and tokens of a batch; places are (rows, queries) here, not positions."""
        import torch

        texts = {seen: row for row, seen in enumerate(dict.fromkeys(r.seen for r in requests))}
        queries: list[dict[int, int]] = [{} for _ in texts]
        """For each row, the number of the query at each position: one, however often it is read."""
        places = []
        for r in requests:
            row, numbers_of_row = texts[r.seen], queries[texts[r.seen]]
            places += [(row, numbers_of_row.setdefault(i, len(numbers_of_row))) for i in r.read]
        rows, numbers = np.array(places, dtype=np.int64).reshape(-1, 2).T
        true = np.array([r.ids[i] for r in requests for i in r.read], dtype=np.int64)
        to = self._loaded.device
        inputs = self._padded(list(texts), queries)
        for floats in ("attention_mask", "target_mapping"):
            inputs[floats] = inputs[floats].to(self._loaded.model.dtype)
        return (
            {key: value.to(to) for key, value in inputs.items()} | {"use_mems": False},
            (torch.from_numpy(rows).to(to), torch.from_numpy(numbers).to(to)),
            torch.from_numpy(true).to(to),
        )

    def _laid(self, texts: Sequence[Sequence[int]]) -> passage_vectors.Laid:
        """The inputs for texts with nothing hidden, padded on the left; closing tokens may be missing."""
        inputs = self._padded(texts, [{}] * len(texts))
        del inputs["target_mapping"]
        bare = [text[-1] not in self._loaded.tokenizer.all_special_ids for text in texts]
        inputs["token_type_ids"][bare] = 0
        inputs["attention_mask"] = inputs["attention_mask"].to(self._loaded.model.dtype)
        width = inputs["input_ids"].shape[1]
        to = self._loaded.device
        given = {key: value.to(to) for key, value in inputs.items()}
        return passage_vectors.Laid(given, [width - len(text) for text in texts])

    def _padded(
        self, texts: Sequence[Sequence[int]], queries: Sequence[Mapping[int, int]]
    ) -> dict[str, Any]:
        """The model's inputs, padded on the left; `texts` have -1 where a token is hidden.

        Hidden positions and padding are left out of `attention_mask`, so that no position sees them. A
        `perm_mask` with equal rows would say the same, but takes t times the memory.
        """
        import torch

        width = max(map(len, texts))
        most = max(1, *map(len, queries)) if queries else 1
        ids = np.full((len(texts), width), self._pad, dtype=np.int64)  # (b, t)
        sight = np.zeros_like(ids)  # (b, t)
        segments = np.zeros_like(ids)  # (b, t)
        targets = np.zeros((len(texts), most, width), dtype=np.int64)  # (b, queries, t)
        closing = self._segments[-width:]
        segments[:, width - len(closing) :] = closing
        for row, text in enumerate(texts):
            first = width - len(text)
            seen = np.array(text) >= 0
            ids[row, first:] = np.where(seen, text, self._mask)
            sight[row, first:] = seen
            for at, number in queries[row].items():
                targets[row, number, first + at] = 1
        names = ("input_ids", "attention_mask", "token_type_ids", "target_mapping")
        arrays = zip(names, map(torch.from_numpy, (ids, sight, segments, targets)), strict=True)
        return dict(arrays)

    def _check(self) -> None:
        texts = self.encode(["he is here", "she was not here today"])
        requests = [Blanked(t.ids, (0, 1), (0, 1)) for t in texts]
        self._reader.settle(*self._inputs(requests)[:2])


def _closing_segments(tokenizer: Any) -> list[int]:
    """The segments of the special tokens after a text; the last of XLNet's has one of its own."""
    encoded = tokenizer("he is here", return_special_tokens_mask=True, return_token_type_ids=True)
    special = encoded["special_tokens_mask"]
    text = len(special) - special[::-1].index(0)
    return list(encoded["token_type_ids"][text:])


def load(location: str, options: Options, *, name: str, note: str = "") -> Permutation:
    """Open a permutation language model from its folder."""
    loaded = hf.load(location, options, name=name, scheme="permutation", note=note)
    return Permutation(name, loaded)
