"""Causal language models: GPT-2 to Llama, Qwen, SmolLM.

`causal:gpt2`, or the plain name: the kind is read from the configuration. The first token of a text
is scored too, after the model's start token: its beginning-of-text token, else its end-of-text token
(as models without the former separate texts in training), else what `--start-token` names. The card
says which it was. For a vector of a text that start token is not read: there the text stands as the
tokenizer itself gives it, behind a beginning-of-text token with Llama and alone with GPT-2.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.conversations import BeamWriting, Reply
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.protocols import (
    Chooses,
    Continues,
    EmbedsTokens,
    Fact,
    ReadsNext,
    StartsBare,
    Writes,
    WritesBeams,
)
from tiltmeter.core.requests import Continuation, Passage, Tokens
from tiltmeter.core.shared_prefixes import families
from tiltmeter.core.types import Array
from tiltmeter.models import _embedding, _hf, _reading, _readout
from tiltmeter.models._beams import BeamWriter
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._row_limits import longest_shared, switches
from tiltmeter.models._rows import PrefixRows
from tiltmeter.models._writing import Replies, Writer

if TYPE_CHECKING:
    import torch

    from tiltmeter.models._options import Options


PROBED = 16
"""Tokens of a row that shows whether a model can read texts so."""
MOVES = {"float32": (1e-3, 1e-3)}
"""By precision: how far a log-probability may lie from that of the text alone, and how far it may move
with what else is in its row. The latter is computed in equal shapes, so nearly without rounding."""
ROUGHLY = (0.5, 1e-2)
"""The same in reduced precision."""


ANSWERS: tuple[type, ...] = (
    Continues,
    StartsBare,
    ReadsNext,
    EmbedsTokens,
    Writes,
    WritesBeams,
    Chooses,
)


def answers(_: str) -> tuple[type, ...]:
    """The protocols that a causal model satisfies."""
    return ANSWERS


class Causal(Replies):
    """Answers `Continues` and `ReadsNext`. Batches by length; answers in the order asked."""

    def __init__(self, name: str, loaded: Loaded, start_token: str | None = None) -> None:
        self.name = name
        self.fingerprint = loaded.fingerprint
        self.cased = loaded.cased
        self.unknown = loaded.unknown
        self.batch_tokens = loaded.batch_tokens
        longest = _hf.longest(loaded.model, loaded.tokenizer)
        self.limit = None if longest is None else longest - 1
        self._loaded = loaded
        self._start, said = start_of(name, loaded.tokenizer, start_token)
        self._reader = _reading.Reader(loaded)
        self._last_layer = _readout.LastLayer(name, loaded.model)
        self._embedder = _embedding.Embedder(
            name,
            loaded,
            _embedding.last_layer(loaded.model, use_cache=False),
            limit=self.limit,
            sort=lambda length: sum(length >= edge for edge in switches(loaded.model.config)),
        )
        self.shared_row = 0
        loaded.about |= {"longest input": longest, "start token": said}
        probe = [Continuation((), t.ids) for t in self.encode(["he is here", "she was not here"])]
        self._reader.settle(*self._inputs(probe)[:2])
        self._check_sight()
        self._writer = Writer(name, loaded, longest)
        self._beams = BeamWriter(name, loaded, longest)
        self.shared_row = self._row_that_can_be_shared()

    @property
    def about(self) -> Mapping[str, Fact]:
        """For the card."""
        return self._loaded.about

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise in bulk, without special tokens."""
        return self._loaded.encode(texts, special=False)

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """One array a request, shape (len(ids),). What several begin with is read once."""
        return _reading.in_batches(
            self._batches(requests), requests, self._batch, self._loaded.about
        )

    def logits(self, requests: Sequence[Continuation]) -> "list[torch.Tensor]":
        """One tensor a request, shape (len(ids), vocabulary): for few tokens at a time."""
        return _reading.in_batches(
            self._batches(requests), requests, self._logit_batch, self._loaded.about
        )

    def next_readout(self, requests: Sequence[Continuation], *, margin: float = 1.0) -> list[Array]:
        """One array a request, shape (2, len(ids)): distances of the logits, lengths of h."""
        one = partial(self._readout_batch, margin=margin)
        return _reading.in_batches(self._batches(requests), requests, one, self._loaded.about)

    def _batches(self, requests: Sequence[Continuation]) -> list[list[int]]:
        """Which requests share a forward pass."""
        _hf.within(self.limit, [len(r.context) + len(r.ids) for r in requests], self.name)
        rows: dict[int, tuple[tuple[int, ...], int]] = {}
        for family in families([self._whole(r) for r in requests], self.shared_row):
            rows |= dict.fromkeys(family.members, (family.members, family.length))
        alike, lengths = (
            zip(*(rows[i] for i in range(len(requests))), strict=True) if rows else ((), ())
        )
        batches = batches_by_length(lengths, self.batch_tokens, alike=alike)
        return [part for batch in batches for part in self._apart(batch, lengths)]

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """Tokens of each, special ones included; 0 where its word has none."""
        return self._embedder.lengths(passages)

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """One vector a passage, shape (passages, d)."""
        return self._embedder.embed(passages, pooling)

    def write_beams(self, requests: Sequence[BeamWriting]) -> list[tuple[Reply, ...]]:
        """The best replies to each request, best first."""
        return self._beams.write(requests)

    def _apart(self, batch: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
        """Requests whose rows must not be in one batch, as the model reads all rows of a batch alike.

        Rows longer than a shared one go by the library's own mask, which knows the model's windows.
        """
        edges = (self.shared_row, *switches(self._loaded.model.config))
        parts: dict[int, list[int]] = {}
        for i in batch:
            parts.setdefault(sum(lengths[i] > edge for edge in edges), []).append(i)
        return [*parts.values()]

    def _probe(self, *texts: Sequence[int]) -> list[Continuation]:
        """Texts of a few tokens from all over the vocabulary."""
        rows = int(self._loaded.model.get_input_embeddings().weight.shape[0])
        spread = min(int(self._loaded.about["vocabulary"] or 1), rows) // 12
        return [Continuation((), tuple(spread * k for k in text)) for text in texts]

    def _row_that_can_be_shared(self) -> int:
        """Tokens of a row in which texts share their beginning, if that gives what each gives alone.

        How likely a text is must not move with what stands beside it, nor from what it is by itself.
        """
        begin, left, right = (1, 2, 3), (4, 5, 6, 7, 3, 2), (8, 9, 4)
        alone = [self._batch([r])[0] for r in self._probe((*begin, *left), (*begin, *right))]
        most = longest_shared(self._loaded.model.config, self.limit)
        if most < PROBED:
            return 0
        self.shared_row = most
        rows = (
            (left, right),
            (left, right[::-1]),
            (left[::-1], right),
            (left[:3], right, (9, 1, 2, 5)),
        )
        try:
            first, other, behind, earlier = (
                self._batch(self._probe(*((*begin, *rest) for rest in row))) for row in rows
            )
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return 0
        near, still = MOVES.get(str(self._loaded.about["precision"]), ROUGHLY)
        pairs = [*((a, b, near) for a, b in zip(alone, first, strict=True))]
        pairs += [
            (first[0], other[0], still),
            *((first[1], r[1], still) for r in (behind, earlier)),
        ]
        same = all(np.allclose(a, b, rtol=0, atol=by) for a, b, by in pairs)
        return most if same else 0

    def _check_sight(self) -> None:
        """Two texts that begin alike: what comes later must not move how likely the beginning is."""
        texts = self._probe((1, 2, 3, 4, 5, 6), (1, 2, 7, 8, 9, 10))
        one, other = (self._batch([text])[0][:2] for text in texts)
        # equal shapes are computed alike: the rest is rounding, even in reduced precision
        if not np.allclose(one, other, rtol=0, atol=1e-3):
            raise CannotAnswer(
                f"{self.name} is not a causal model: how likely a token is changes with what follows "
                "it. Its numbers would not be those of a text read from left to right"
            )

    def _whole(self, request: Continuation) -> tuple[int, ...]:
        if request.after:
            raise CannotAnswer(
                f"{self.name} reads from left to right: it cannot be given the text after a gap. Use "
                "a sequence-to-sequence model, or a rule that asks for what ends a text"
            )
        if not request.start and not request.context:
            raise BadInput("a continuation without a start token needs a context")
        return (*((self._start,) if request.start else ()), *request.context, *request.ids)

    def _inputs(
        self, requests: Sequence[Continuation]
    ) -> tuple[dict[str, Any], tuple[Any, Any], Any]:
        """Inputs, (batch rows, positions before the tokens that are scored), those tokens."""
        import torch

        rows = self._rows([self._whole(r) for r in requests])
        ends = zip(rows.before, requests, strict=True)
        places = [(row, i) for (row, at), r in ends for i in at[len(at) - len(r.ids) :]]
        to = self._loaded.device
        at = torch.tensor(places, device=to, dtype=torch.long).reshape(-1, 2)
        return (
            self._given(rows),
            (at[:, 0], at[:, 1]),
            torch.tensor([t for r in requests for t in r.ids], device=to, dtype=torch.long),
        )

    def _rows(self, texts: Sequence[tuple[int, ...]]) -> PrefixRows:
        """What is read of these texts, those that begin alike in one row."""
        most = self.shared_row if max(map(len, texts)) <= self.shared_row else 0
        return PrefixRows(texts, families(texts, most))

    def _given(self, rows: PrefixRows) -> dict[str, Any]:
        """What the model takes."""
        import torch

        to = self._loaded.device
        inputs = {"input_ids": rows.ids, "attention_mask": rows.seen}
        if rows.shared:
            dtype = self._loaded.model.dtype
            hidden = torch.from_numpy(~rows.sight()).to(to).unsqueeze(1)  # (b, 1, t, t)
            sight = torch.zeros(hidden.shape, dtype=dtype, device=to)
            sight.masked_fill_(hidden, torch.finfo(dtype).min)
            inputs = {"input_ids": rows.ids, "position_ids": rows.positions}
        given = {key: torch.from_numpy(value).to(to) for key, value in inputs.items()}
        if rows.shared:
            given["attention_mask"] = sight
        return given | {"use_cache": False}

    def _batch(self, requests: Sequence[Continuation]) -> list[Array]:
        import torch

        with torch.inference_mode():
            flat = self._reader(*self._inputs(requests))  # (reads,)
        return _reading.by_row(flat, [len(r.ids) for r in requests])

    def _logit_batch(self, requests: Sequence[Continuation]) -> "list[torch.Tensor]":
        import torch

        with torch.inference_mode():
            flat = self._reader.logits(*self._inputs(requests)[:2])  # (reads, vocabulary)
        return _reading.parts(flat, [len(r.ids) for r in requests])

    def _readout_batch(self, requests: Sequence[Continuation], margin: float) -> list[Array]:
        """As `next_readout`, for one batch: all that stand behind the same are read at one place."""
        texts = [self._whole(r) for r in requests]
        distinct = {text[:-1]: text for text in texts}  # the last token is not read
        rows = self._rows([*distinct.values()])
        before = dict(zip(distinct, rows.before, strict=True))
        first: dict[tuple[int, ...], tuple[int, int]] = {}
        places = []
        for text, request in zip(texts, requests, strict=True):
            row, at = before[text[:-1]]
            own = range(len(text) - len(request.ids), len(text))
            places.append([first.setdefault(text[:i], (row, at[i - 1])) for i in own])
        return self._last_layer.read(
            self._given(rows), places, [request.ids for request in requests], margin
        )


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
