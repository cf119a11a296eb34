"""Masked language models: BERT, RoBERTa, ALBERT, DistilBERT, ELECTRA's generator, XLM-R, MPNet, ModernBERT.

`masked:bert-base-uncased`, or the plain name: the kind is read from the configuration. Where the
checkpoint also holds BERT's next-sentence head, that answers which sentence comes next. Vectors of
texts are those of the last hidden layer, or what the checkpoint's own pooler makes of them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.protocols import (
    Attends,
    EmbedsPooled,
    EmbedsStart,
    EmbedsTokens,
    Fact,
    FillsBlanks,
    JudgesNext,
    ReadsOut,
    ReadsUnhidden,
    TellsPieces,
)
from tiltmeter.core.requests import Blanked, Passage, Tokens
from tiltmeter.core.types import Array
from tiltmeter.models.embedding import passage_vectors
from tiltmeter.models.opening import checkpoint_parts, hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.reading import attention as _attention
from tiltmeter.models.reading import readout, token_logprobs, vocabulary
from tiltmeter.models.reading.next_pairs import Judge, PairReader
from tiltmeter.models.speed.batch_answers import by_row, in_batches, split_rows

if TYPE_CHECKING:
    import torch

    from tiltmeter.models.opening.model_options import Options


STILL = 1e-3
"""How far a log-probability may move with what the padding beside a text consists of: nothing but for
rounding, in any precision."""


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a masked model satisfies."""
    folder = Path(location).expanduser()
    starts = checkpoint_parts.has_start_token(folder)
    more = (
        (EmbedsPooled, starts and checkpoint_parts.has_pooler(folder)),
        (JudgesNext, checkpoint_parts.has_next_sentence_head(folder)),
    )
    return (*head_answers(starts=starts), *(protocol for protocol, there in more if there))


def head_answers(*, starts: bool) -> tuple[type, ...]:
    """What the language-modelling head alone satisfies; `starts` where a text has a start token."""
    protocols = (FillsBlanks, ReadsUnhidden, Attends, ReadsOut, TellsPieces, EmbedsTokens)
    return (*protocols, EmbedsStart) if starts else protocols


class Masked:
    """Answers `FillsBlanks`, `Attends` and `ReadsOut`. Batches by length; answers in the order asked."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        judge: Callable[[], Judge] | None = None,
        pooler: "Callable[[], passage_vectors.Reads] | None" = None,
    ) -> None:
        tokenizer = loaded.tokenizer
        if tokenizer.mask_token_id is None:
            raise CannotAnswer(f"{name}: its tokenizer has no mask token, so no blank can be asked")
        self.name = name
        self.fingerprint = loaded.fingerprint
        self.cased = loaded.cased
        self.unknown = loaded.unknown
        self.batch_tokens = loaded.batch_tokens
        self.limit = hf.longest(loaded.model, tokenizer)
        self.mask = str(tokenizer.mask_token)
        self._loaded = loaded
        self._model = loaded.model
        self._make_judge = judge
        self._mask = int(tokenizer.mask_token_id)
        self._pad = int(tokenizer.pad_token_id or 0)
        self._pads = True
        self._reader = token_logprobs.Reader(loaded)
        self._last_layer = readout.LastLayer(name, loaded.model)
        self._embedder = passage_vectors.Embedder(
            name,
            loaded,
            passage_vectors.last_layer(loaded.model),
            limit=self.limit,
            pooler=pooler,
            sort=lambda length: 0 if self._pads else length,
        )
        loaded.about["longest input"] = self.limit
        self._check()

    @property
    def about(self) -> Mapping[str, Fact]:
        """What the card of a result says of the model."""
        return self._loaded.about

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise in bulk, with the model's special tokens."""
        return self._loaded.encode(texts, special=True)

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (len(read),). Requests that see the same share a row."""
        return in_batches(self._batches(requests), requests, self._blank_batch, self._loaded.about)

    def logits(self, requests: Sequence[Blanked]) -> "list[torch.Tensor]":
        """One tensor a request, shape (len(read), vocabulary): for few reads at a time."""
        return in_batches(self._batches(requests), requests, self._logit_batch, self._loaded.about)

    def readout(self, requests: Sequence[Blanked], *, margin: float = 1.0) -> list[Array]:
        """One array a request, shape (2, len(read)): distances of the logits, lengths of h."""
        read_batch = partial(self._last_layer.blanks, margin=margin, inputs=self._inputs)
        return in_batches(self._batches(requests), requests, read_batch, self._loaded.about)

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """Tokens of each, special ones included; 0 where its word has none."""
        return self._embedder.lengths(passages)

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """One vector a passage, shape (passages, d)."""
        return self._embedder.embed(passages, pooling)

    def piece_logprobs(self, requests: Sequence[Blanked], *, begins: bool) -> list[Array]:
        """One array a request, shape (len(read),): among the tokens that begin a word, or the others.

        Raises:
            CannotAnswer: The vocabulary does not say which these are.
        """
        if self._begins is None:
            raise CannotAnswer(
                f"{self.name}: its vocabulary does not mark which tokens begin a word"
            )
        members = self._begins if begins else ~self._begins
        read_batch = partial(self._last_layer.among, members=members, inputs=self._inputs)
        return in_batches(self._batches(requests), requests, read_batch, self._loaded.about)

    @cached_property
    def _begins(self) -> npt.NDArray[np.bool_] | None:
        width = int(self._model.get_output_embeddings().weight.shape[0])
        return vocabulary.begins_word(self._loaded.tokenizer, width)

    @property
    def pair_limit(self) -> int | None:
        """The longest pair of sentences."""
        return self._judge.limit

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """Tokens of each pair, special ones included."""
        return self._judge.lengths(pairs)

    def next_logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Log-probability that the second sentence follows the first, shape (pairs,)."""
        return self._judge.logprobs(pairs)

    @cached_property
    def _judge(self) -> Judge:
        if self._make_judge is None:
            raise CannotAnswer(f"{self.name} has no next-sentence head")
        return self._make_judge()

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (2, len(read)): log-probabilities and attention received."""
        with _attention.shown(self._model):
            return in_batches(
                self._batches(requests), requests, self._attended_batch, self._loaded.about
            )

    def _batches(self, requests: Sequence[Blanked]) -> list[list[int]]:
        lengths = [len(r.ids) for r in requests]
        hf.within(self.limit, lengths, self.name)
        alike = [r.seen for r in requests]
        batches = batches_by_length(lengths, self.batch_tokens, alike=alike)
        if self._pads:
            return batches
        return [
            [*equal] for batch in batches for _, equal in groupby(batch, key=lengths.__getitem__)
        ]

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

    def _places(
        self, requests: Sequence[Blanked], rows_of: Sequence[int] | None = None
    ) -> tuple[tuple[Any, Any], Any]:
        """(rows, positions) that are read and the tokens looked up; by default a row a request."""
        import torch

        to = partial(torch.tensor, device=self._loaded.device, dtype=torch.long)
        rows_of = range(len(requests)) if rows_of is None else rows_of
        rows = [row for row, r in zip(rows_of, requests, strict=True) for _ in r.read]
        at = [i for r in requests for i in r.read]
        true = [r.ids[i] for r in requests for i in r.read]
        return (to(rows), to(at)), to(true)

    def _check(self) -> None:
        texts = self.encode(["he is here", "she was not here today"])
        requests = [Blanked(t.ids, (1,), (1, len(t.ids) - 1)) for t in texts]
        inputs, (rows, true) = self._inputs(requests), self._places(requests)
        self._reader.settle(inputs, rows)
        self._pads = self._ignores_padding(inputs, rows, true)
        if not self._pads:
            self._loaded.about["padding"] = "none, as the model does not ignore it"

    def _ignores_padding(self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any) -> bool:
        """ConvBERT and FNet mix neighbours, padding among them, whatever the mask says."""
        import torch

        ids, seen = inputs["input_ids"], inputs["attention_mask"].bool()
        other = {**inputs, "input_ids": ids.where(seen, self._mask)}
        with torch.inference_mode():
            usual, moved = (self._reader(given, rows, true) for given in (inputs, other))
        return bool(np.allclose(usual, moved, rtol=0, atol=STILL))

    def _blank_batch(self, requests: Sequence[Blanked]) -> list[Array]:
        import torch

        with torch.inference_mode():
            flat = self._reader(*self._shared(requests))  # (reads,)
        return by_row(flat, [len(r.read) for r in requests])

    def _logit_batch(self, requests: Sequence[Blanked]) -> "list[torch.Tensor]":
        import torch

        with torch.inference_mode():
            flat = self._reader.logits(*self._shared(requests)[:2])  # (reads, vocabulary)
        return split_rows(flat, [len(r.read) for r in requests])

    def _shared(self, requests: Sequence[Blanked]) -> tuple[dict[str, Any], tuple[Any, Any], Any]:
        """Inputs in which what is seen alike stands once, (rows, positions) read, tokens there."""
        distinct = {r.seen: r for r in requests}
        at = {seen: row for row, seen in enumerate(distinct)}
        rows, true = self._places(requests, [at[r.seen] for r in requests])
        return self._inputs([*distinct.values()]), rows, true

    def _attended_batch(self, requests: Sequence[Blanked]) -> list[Array]:
        import torch

        with torch.inference_mode():
            inputs = self._inputs(requests)
            rows, true = self._places(requests)
            logprobs, maps = self._reader.with_attention(inputs, rows, true)  # (reads,)
            paid = _attention.received(maps, inputs["attention_mask"], self.name)  # (b, t)
            attention = paid[rows].cpu().numpy()  # (reads,)
        lengths = [len(r.read) for r in requests]
        both = zip(by_row(logprobs, lengths), by_row(attention, lengths), strict=True)
        return [np.stack(rows_of_request) for rows_of_request in both]


def load(location: str, options: "Options", *, name: str, note: str = "") -> Masked:
    """Open a masked language model from its folder."""
    auto = "AutoModelForMaskedLM"
    loaded = hf.load(location, options, auto, name=name, scheme="masked", note=note)
    judge = pooler = None
    if checkpoint_parts.has_next_sentence_head(loaded.folder):
        loaded.about["next-sentence head"] = "the model's own"
        judge = partial(_open_judge, location, options, name, loaded)
    if checkpoint_parts.has_pooler(loaded.folder):
        pooler = partial(_open_pooler, location, options, name, loaded)
    return Masked(name, loaded, judge, pooler)


def _open_pooler(
    location: str, options: "Options", name: str, loaded: Loaded
) -> "passage_vectors.Reads":
    """The same checkpoint with its pooler, which reads in float32; the rest of it is held once."""
    trunk = hf.load(location, options, "AutoModel", name=name, scheme="masked").model
    if getattr(trunk, "pooler", None) is None:
        raise CannotAnswer(f"{name}: its architecture has no pooler that could be asked")
    for part, module in loaded.model.base_model.named_children():
        setattr(trunk, part, module)
    trunk.pooler.float().register_forward_pre_hook(lambda _, given: (given[0].float(), *given[1:]))

    def pooled(inputs: Mapping[str, Any]) -> Any:
        return trunk(**inputs).pooler_output  # (b, d)

    return pooled


def _open_judge(location: str, options: "Options", name: str, loaded: Loaded) -> Judge:
    """The same checkpoint with its next-sentence head; what both have in common is held once."""
    auto = "AutoModelForNextSentencePrediction"
    judging = hf.load(location, options, auto, name=name, scheme="masked")
    for part, module in loaded.model.base_model.named_children():
        setattr(judging.model.base_model, part, module)
    reader = PairReader(judging)
    return Judge(name, judging, reader, lambda inputs: judging.model(**inputs).logits)
