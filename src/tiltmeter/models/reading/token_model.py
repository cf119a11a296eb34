"""What the back-ends of transformers models share: facts, vectors, and answers read from their logits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.model.requests import Blanked, Continuation, Passage, Tokens
from tiltmeter.core.types import Array
from tiltmeter.models.embedding.passage_vectors import Embedder
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.reading.token_logprobs import Reader
from tiltmeter.models.speed.batch_answers import by_row, in_batches, split_rows

if TYPE_CHECKING:
    import torch

R = TypeVar("R", Blanked, Continuation)
T = TypeVar("T")
Asked: TypeAlias = tuple[Mapping[str, Any], tuple[Any, Any], Any]
"""A batch: the model's inputs, the (batch rows, positions) whose logits are read, and the tokens there."""


class OpenedModel:
    """A model in memory, with its fingerprint and its facts."""

    def __init__(self, name: str, loaded: Loaded) -> None:
        self.name = name
        self.fingerprint = loaded.fingerprint
        self.batch_tokens = loaded.batch_tokens
        self._loaded = loaded

    @property
    def about(self) -> Mapping[str, Fact]:
        """The facts for the card of a result."""
        return self._loaded.about

    @property
    def control_tokens(self) -> Sequence[str]:
        """The texts that its tokenizer reads as special tokens; a text that spells one is read as letters."""
        return self._loaded.control_tokens

    def unreadable(self, spelled: Iterable[str]) -> Sequence[str]:
        """The control tokens among these that its tokenizer cannot read as letters."""
        return self._loaded.unreadable(spelled)


class EmbeddingModel(OpenedModel):
    """A model that makes vectors of texts."""

    _embedder: Embedder

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The tokens of each passage, special ones included; 0 where its word has none."""
        return self._embedder.lengths(passages)

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """A vector for each passage, shape (passages, d)."""
        return self._embedder.embed(passages, pooling)


class TokenModel(EmbeddingModel, ABC, Generic[R]):
    """A model that scores tokens, which batches requests by length and keeps the order of answers."""

    special: ClassVar[bool] = False
    """Whether texts are read with the special tokens that the tokenizer adds."""

    def __init__(self, name: str, loaded: Loaded, *, blocks: bool = False) -> None:
        super().__init__(name, loaded)
        self.cased = loaded.cased
        self.unknown = loaded.unknown
        self._pad = int(loaded.tokenizer.pad_token_id or 0)
        self._reader = Reader(loaded, blocks=blocks)

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, with the tokenizer's special ones where `special` says so."""
        return self._loaded.encode(texts, special=self.special)

    def logits(self, requests: Sequence[R]) -> "list[torch.Tensor]":
        """For each request the logits, shape (tokens scored, vocabulary); suitable for few tokens only."""
        return self._answered(requests, self._logit_batch)

    def _scored(self, requests: Sequence[R]) -> list[Array]:
        """For each request the log-probabilities of the tokens asked for."""
        return self._answered(requests, self._batch)

    def _answered(self, requests: Sequence[R], read_batch: Callable[[Any], list[T]]) -> list[T]:
        return in_batches(self._batches(requests), requests, read_batch, self._loaded.about)

    @abstractmethod
    def _batches(self, requests: Sequence[R]) -> list[list[int]]:
        """The indices of the requests in batches, each for one forward pass."""

    @abstractmethod
    def _inputs(self, requests: Sequence[R]) -> Asked:
        """The inputs, places and tokens of one batch."""

    @contextmanager
    def _reading(self, requests: Sequence[R]) -> Iterator[Asked]:
        """A context in which the batch can be computed without gradients; it provides `_inputs`."""
        import torch

        with torch.inference_mode():
            yield self._inputs(requests)

    def _batch(self, requests: Sequence[R]) -> list[Array]:
        with self._reading(requests) as asked:
            flat = self._reader(*asked)  # (reads,)
        return by_row(flat, [_reads(r) for r in requests])

    def _logit_batch(self, requests: Sequence[R]) -> "list[torch.Tensor]":
        with self._reading(requests) as (inputs, rows, _):
            flat = self._reader.logits(inputs, rows)  # (reads, vocabulary)
        return split_rows(flat, [_reads(r) for r in requests])


def _reads(request: Blanked | Continuation) -> int:
    return len(request.read if isinstance(request, Blanked) else request.ids)


class BlankModel(TokenModel[Blanked]):
    """A model that gives the probabilities of tokens that are hidden from it."""

    special = True

    def __init__(self, name: str, loaded: Loaded) -> None:
        tokenizer = loaded.tokenizer
        if tokenizer.mask_token_id is None:
            raise CannotAnswer(f"{name}: its tokenizer has no mask token, so no blank can be asked")
        super().__init__(name, loaded)
        self.limit = hf.longest(loaded.model, tokenizer)
        self.mask = loaded.mask
        self._mask = int(tokenizer.mask_token_id)
        loaded.about["longest input"] = self.limit

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """For each request the log-probabilities of `read`; requests that see the same share a row."""
        return self._scored(requests)

    def _batches(self, requests: Sequence[Blanked]) -> list[list[int]]:
        lengths = [len(r.ids) for r in requests]
        hf.within(self.limit, lengths, self.name)
        return batches_by_length(lengths, self.batch_tokens, alike=[r.seen for r in requests])
