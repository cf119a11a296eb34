"""The questions a model can be asked, one protocol each.

A back-end answers those it can; nothing inherits. All log-probabilities are natural logarithms.
Answers come back in the order of the requests, whatever batching the back-end does, and do not
depend on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from tiltmeter.core.items import Triple
from tiltmeter.core.types import Array

Fact: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as one model sees it."""

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    """True at the tokens that the tokenizer added (CLS, SEP)."""
    words: tuple[int, ...] = ()
    """Which word of the text each token belongs to, -1 at special tokens; shape as `ids`."""
    spans: tuple[tuple[int, int], ...] = ()
    """Characters of the text that each token stands for, from and to; (0, 0) at special tokens."""


@dataclass(frozen=True, slots=True)
class Blanked:
    """Hide the tokens at `hidden`; give back the true tokens' log-probability at `read`.

    One forward pass. PLL hides and reads one position; AUL hides none and reads all.
    """

    ids: tuple[int, ...]
    hidden: tuple[int, ...]
    read: tuple[int, ...]

    @property
    def seen(self) -> tuple[int, ...]:
        """What the model sees, -1 at hidden tokens: requests alike in this share a forward pass.

        >>> Blanked((5, 6, 7), (1,), (1,)).seen == Blanked((5, 9, 7), (1,), (1,)).seen
        True
        """
        gone = set(self.hidden)
        return tuple(-1 if i in gone else token for i, token in enumerate(self.ids))


@dataclass(frozen=True, slots=True)
class Continuation:
    """How likely are the tokens `ids` after the tokens `context`?

    An empty context asks for a text from its beginning. The model puts its start token (causal) or
    its own way of asking for a text (seq2seq) before both, unless `start` is false.
    """

    context: tuple[int, ...]
    ids: tuple[int, ...]
    start: bool = True
    after: tuple[int, ...] = ()
    """What stands behind the tokens, where the model can be told (`FillsGaps`)."""


class Named(Protocol):
    """What every back-end has: a name, and what identifies its weights."""

    @property
    def name(self) -> str:
        """As the user named it, without the path of a folder."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever an answer might: weights, tokenizer, precision, kind of device."""
        ...

    @property
    def about(self) -> Mapping[str, Fact]:
        """For the card: architecture, parameters, precision, device, start token, licence."""
        ...


class Tokenizes(Named, Protocol):
    """What every back-end that scores tokens has."""

    @property
    def limit(self) -> int | None:
        """The longest request in tokens as `encode` gives them; None where there is no limit.

        What the model adds by itself (a start token) is already taken off.
        """
        ...

    @property
    def cased(self) -> bool:
        """False where upper and lower case are the same to the model."""
        ...

    @property
    def unknown(self) -> int | None:
        """The token that stands for whatever is not in the vocabulary; None where there is none."""
        ...

    @property
    def batch_tokens(self) -> int:
        """How many tokens, padding included, one forward pass may hold."""
        ...

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise in bulk. Masked models add their special tokens, the others none."""
        ...


@runtime_checkable
class FillsBlanks(Tokenizes, Protocol):
    """A masked or permutation language model: reads what is hidden."""

    @property
    def mask(self) -> str:
        """What stands for a hidden token in a text: "[MASK]"."""
        ...

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (len(read),)."""
        ...


@runtime_checkable
class ReadsUnhidden(FillsBlanks, Protocol):
    """A masked language model, which can also be read where nothing is hidden."""


@runtime_checkable
class Attends(ReadsUnhidden, Protocol):
    """A masked language model that also shows its attention."""

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (2, len(read)).

        Row 0: log-probabilities. Row 1: attention paid to the position, averaged over layers,
        heads and all (non-padding) positions that pay it; over all positions it sums to 1.
        """
        ...


@runtime_checkable
class ReadsOut(FillsBlanks, Protocol):
    """A masked language model whose logits are Ah + b, h being what its last layer reads."""

    def readout(self, requests: Sequence[Blanked], *, margin: float = 1.0) -> list[Array]:
        """One array a request, shape (2, len(read)): what the sensitivity test needs.

        Row 0: how far (Euclidean, at least 0) the logits there are from the nearest ones in which the
        true token leads all others by `margin`. Row 1: the length of h there. The logits themselves,
        one a word of the vocabulary, never leave the back-end. Requests that see the same share a
        forward pass, and those that also read the same place share one row of logits.
        """
        ...


@runtime_checkable
class TellsPieces(FillsBlanks, Protocol):
    """A masked language model that knows which of its tokens begin a word."""

    def piece_logprobs(self, requests: Sequence[Blanked], *, begins: bool) -> list[Array]:
        """As `blank_logprobs`, divided by the probability of all tokens that begin a word, or that do not.

        One array a request, shape (len(read),). Above 0 where the true token is not of that kind and
        likelier than all that are.
        """
        ...


@runtime_checkable
class Continues(Tokenizes, Protocol):
    """A causal or sequence-to-sequence language model."""

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """One array a request, shape (len(ids),)."""
        ...


@runtime_checkable
class FillsGaps(Continues, Protocol):
    """A sequence-to-sequence language model, which can also be told what stands behind the gap.

    It answers `continuation_logprobs` of a `Continuation` that has an `after`.
    """


@runtime_checkable
class ReadsNext(Continues, Protocol):
    """A causal language model whose logits are Ah + b, h being what its last layer reads."""

    def next_readout(self, requests: Sequence[Continuation], *, margin: float = 1.0) -> list[Array]:
        """As `ReadsOut.readout`, of each token of `ids` with what stands before it in sight.

        One array a request, shape (2, len(ids)).
        """
        ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to be made a vector of, or the word of it that stands at `at`."""

    text: str
    at: tuple[int, int] = (0, 0)
    """Characters of the word that is asked about, from and to; (0, 0) for all of the text."""


class Embeds(Named, Protocol):
    """What every model has that makes vectors of texts; which ways there are, the others say."""

    @property
    def limit(self) -> int | None:
        """The longest passage in tokens, special ones included; None where there is no limit."""
        ...

    @property
    def batch_tokens(self) -> int:
        """How many tokens, padding included, one forward pass may hold."""
        ...

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """Tokens of each, special ones included; 0 where the model has no vector for it.

        A static model has none for words that are not in its vocabulary.
        """
        ...

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """Vectors, shape (passages, d), in single precision or better.

        `pooling` is one of:

        - "own": the way the model was made to be used (`EmbedsTexts`);
        - "mean": the mean over all tokens, special ones among them (`EmbedsTokens`);
        - "last": the last token that is not special (`EmbedsTokens`);
        - "word": the mean over the pieces of the word at `at`, of all tokens that are not special
          without one (`EmbedsTokens`);
        - "first_piece", "last_piece": one piece of it (`EmbedsTokens`);
        - "bare_first_piece": the first piece where the text is read without special tokens
          (`EmbedsTokens`);
        - "start": the special token before the text, such as [CLS] (`EmbedsStart`);
        - "pooler": what the model's own pooler makes of that token (`EmbedsPooled`).
        """
        ...


@runtime_checkable
class EmbedsTexts(Embeds, Protocol):
    """A sentence encoder, or static word vectors: it has a way of its own to embed a text."""


@runtime_checkable
class EmbedsTokens(Embeds, Protocol):
    """A model with a vector for each token in its context: the last hidden layer."""


@runtime_checkable
class EmbedsStart(EmbedsTokens, Protocol):
    """One that puts a special token before a text, as BERT does with [CLS]."""


@runtime_checkable
class EmbedsPooled(EmbedsStart, Protocol):
    """One whose checkpoint holds the weights of a pooler."""


@runtime_checkable
class StartsBare(Continues, Protocol):
    """A causal language model, which can also be asked without its start token in sight."""

    @property
    def shared_row(self) -> int:
        """Tokens of the longest row in which texts share their beginning; 0 where none do."""
        ...


@runtime_checkable
class JudgesNext(Named, Protocol):
    """A model that says whether one sentence follows another: one with a next-sentence head."""

    @property
    def pair_limit(self) -> int | None:
        """The longest pair in tokens, special ones included; None where there is no limit."""
        ...

    @property
    def batch_tokens(self) -> int:
        """How many tokens, padding included, one forward pass may hold."""
        ...

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """Tokens of each pair (first sentence, second sentence), special ones included."""
        ...

    def next_logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Log-probability that the second sentence follows the first, shape (pairs,)."""
        ...


@runtime_checkable
class Ranks(Named, Protocol):
    """A baseline that ranks the candidates of a triple itself, without scoring any text."""

    def candidate_scores(self, triples: Sequence[Triple]) -> Array:
        """One score a candidate, shape (triples, 3) in the order of SIDES; higher is preferred."""
        ...
