"""What back-ends can do: one protocol for each ability, satisfied without inheriting anything.

All log-probabilities are natural logarithms. Answers come back in the order of the requests and do
not depend on how the back-end batches them. `core.model.questions` says how each question is handled.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from tiltmeter.core.data.items import Triple
from tiltmeter.core.model.conversations import BeamWriting, Choosing, Prompt, Reply, Writing
from tiltmeter.core.model.requests import Blanked, Continuation, Passage, Tokens
from tiltmeter.core.types import Array

Fact: TypeAlias = str | int | float | bool | None
"""A plain value that describes a model."""


class Named(Protocol):
    """What every back-end has: a name, a fingerprint, and facts for the card."""

    @property
    def name(self) -> str:
        """The name the user gave, without the path of a folder."""

    @property
    def fingerprint(self) -> str:
        """A digest that changes whenever an answer might: weights, tokenizer, precision, device kind."""

    @property
    def about(self) -> Mapping[str, Fact]:
        """For the card: architecture, parameters, precision, device, start token, licence."""


class Batched(Named, Protocol):
    """What every back-end has whose requests have lengths."""

    @property
    def batch_tokens(self) -> int:
        """How many tokens, padding included, one forward pass may hold; of prompts, with their replies."""


class Tokenizes(Batched, Protocol):
    """What every back-end that scores tokens has."""

    @property
    def limit(self) -> int | None:
        """The longest request in tokens as `encode` counts them; None if there is no limit.

        Tokens that the model adds itself (a start token) are already subtracted.
        """

    @property
    def cased(self) -> bool:
        """Whether the model distinguishes upper and lower case."""

    @property
    def unknown(self) -> int | None:
        """The token for anything that is not in the vocabulary; None if the model has none."""

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenise texts in bulk. Masked models add their special tokens, others add none."""


@runtime_checkable
class FillsBlanks(Tokenizes, Protocol):
    """A masked or permutation language model: predicts hidden tokens."""

    @property
    def mask(self) -> str:
        """What stands for a hidden token in a text for `encode`, which no text of a user contains."""

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (len(read),)."""


@runtime_checkable
class ReadsUnhidden(FillsBlanks, Protocol):
    """A masked language model, which also gives probabilities of tokens that are not hidden."""


@runtime_checkable
class Attends(ReadsUnhidden, Protocol):
    """A masked language model that also returns its attention."""

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (2, len(read)).

        Row 0: log-probabilities. Row 1: attention paid to the position, averaged over layers,
        heads and all (non-padding) positions that pay it; over all positions it sums to 1.
        """


@runtime_checkable
class ReadsOut(FillsBlanks, Protocol):
    """A masked language model whose logits are Ah + b, where h is the input of its output layer."""

    def readout(self, requests: Sequence[Blanked], *, margin: float = 1.0) -> list[Array]:
        """One array a request, shape (2, len(read)): the quantities of the sensitivity test.

        Row 0: Euclidean distance (at least 0) from the logits at the position to the nearest ones in
        which the true token leads all others by `margin`. Row 1: the length of h there. The logits
        themselves, one per word of the vocabulary, never leave the back-end. Requests with the same
        `seen` share a forward pass, and those that also read the same position share its logits.
        """


@runtime_checkable
class TellsPieces(FillsBlanks, Protocol):
    """A masked language model whose vocabulary marks the tokens that begin a word."""

    def piece_logprobs(self, requests: Sequence[Blanked], *, begins: bool) -> list[Array]:
        """Like `blank_logprobs`, but normalised over the tokens that begin a word, or over those that do not.

        One array a request, shape (len(read),): the log of the true token's probability divided by
        the total probability of tokens of that kind. Above 0 where the true token is of the other
        kind and likelier than all of this kind together.
        """


@runtime_checkable
class Continues(Tokenizes, Protocol):
    """A causal or sequence-to-sequence language model."""

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """One array a request, shape (len(ids),)."""


@runtime_checkable
class FillsGaps(Continues, Protocol):
    """A sequence-to-sequence language model, which can also read what follows the gap.

    Its `continuation_logprobs` takes requests that have an `after`.
    """


@runtime_checkable
class ReadsNext(Continues, Protocol):
    """A causal language model whose logits are Ah + b, where h is the input of its output layer."""

    def next_readout(self, requests: Sequence[Continuation], *, margin: float = 1.0) -> list[Array]:
        """Like `ReadsOut.readout`, for each token of `ids` given all tokens before it.

        One array a request, shape (2, len(ids)).
        """


@runtime_checkable
class StartsBare(Continues, Protocol):
    """A causal language model, which can also be asked without its start token."""

    @property
    def shared_row(self) -> int:
        """The longest row, in tokens, in which texts stand one after another, common beginnings once.

        0 if every text is read by itself.
        """


class Embeds(Batched, Protocol):
    """A model that makes vectors of texts. The protocols below say by which poolings."""

    @property
    def limit(self) -> int | None:
        """The longest passage in tokens, special ones included; None if there is no limit."""

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The length of each passage in tokens, special ones included; 0 if it has no vector.

        Static word vectors have none for words that are not in their vocabulary.
        """

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """Vectors, shape (passages, d), in single precision or better.

        `pooling` is one of:

        - "own": the way the model was designed to be used (`EmbedsTexts`);
        - "mean": the mean over all tokens, special ones included (`EmbedsTokens`);
        - "last": the last token that is not special (`EmbedsTokens`);
        - "word": the mean over the pieces of the word at `at`, or over all tokens that are not
          special if no word is given (`EmbedsTokens`);
        - "first_piece", "last_piece": one piece of that word (`EmbedsTokens`);
        - "bare_first_piece": the first piece where the text is read without special tokens
          (`EmbedsTokens`);
        - "start": the special token before the text, such as [CLS] (`EmbedsStart`);
        - "pooler": the output of the model's own pooler for that token (`EmbedsPooled`).
        """


@runtime_checkable
class EmbedsTexts(Embeds, Protocol):
    """A sentence encoder or static word vectors: a model with its own way to embed a text."""


@runtime_checkable
class EmbedsTokens(Embeds, Protocol):
    """A model with a contextual vector for each token: its last hidden layer."""


@runtime_checkable
class EmbedsStart(EmbedsTokens, Protocol):
    """A model that puts a special token before a text, as BERT does with [CLS]."""


@runtime_checkable
class EmbedsPooled(EmbedsStart, Protocol):
    """A model whose checkpoint has the weights of a pooler."""


@runtime_checkable
class JudgesNext(Batched, Protocol):
    """A model that judges whether one sentence follows another: one with a next-sentence head."""

    @property
    def pair_limit(self) -> int | None:
        """The longest pair in tokens, special ones included; None if there is no limit."""

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """The length of each pair (first sentence, second sentence) in tokens, special ones included."""

    def next_logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Log-probability that the second sentence follows the first, shape (pairs,)."""


@runtime_checkable
class Classifies(Batched, Protocol):
    """A model that labels texts: a sequence classifier."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the answers."""

    @property
    def exclusive(self) -> bool:
        """Whether a text has exactly one label, so that the probabilities add up to 1."""

    @property
    def text_limit(self) -> int | None:
        """The longest text in tokens, special ones included; None if there is no limit."""

    def text_lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model reads it, special ones included."""

    def class_logprobs(self, texts: Sequence[str]) -> list[Array]:
        """The log-probability of each label, one array a text, shape (labels,)."""


@runtime_checkable
class Ranks(Named, Protocol):
    """A baseline that ranks the candidates of a triple itself, without scoring any text."""

    def candidate_scores(self, triples: Sequence[Triple]) -> Array:
        """One score a candidate, shape (triples, 3) in the order of SIDES; higher is preferred."""


class TakesPrompts(Batched, Protocol):
    """A model that is given a conversation, or the beginning of a text, to continue."""

    @property
    def chats(self) -> bool:
        """Whether it was made for conversations: it has a chat template, or is a server's chat model."""

    @property
    def reply_tokens(self) -> int:
        """How many tokens the prompts and replies may have that are best asked for together.

        A model reads a prompt once for all its replies, and all its weights for each token that it writes,
        however many replies this belongs to. 0 where each reply is asked for by itself.
        """

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """Tokens of each prompt, at least 1; an estimate where only a server knows.

        Raises:
            CannotAnswer: A prompt is a conversation, and the model has no chat template.
        """


@runtime_checkable
class Writes(TakesPrompts, Protocol):
    """A model that writes: a causal or sequence-to-sequence language model, a chat model, a server."""

    @property
    def deterministic(self) -> bool:
        """Whether a request at temperature 0 always has the same reply, whatever its `repeat`.

        Servers do not promise that: what else they answer at the same time changes the last digits.
        """

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """One reply a request, which depends on the request alone and not on those asked with it."""


@runtime_checkable
class Converses(Writes, Protocol):
    """A model that writes and was made for conversations, so that it may reply in sentences.

    Its `chats` is True. A model of which this is only known once it is loaded declares `Writes` alone.
    """


@runtime_checkable
class WritesBeams(TakesPrompts, Protocol):
    """A model that writes by beam search: a causal or sequence-to-sequence language model."""

    def write_beams(self, requests: Sequence[BeamWriting]) -> list[tuple[Reply, ...]]:
        """The `beams` best replies to each request, best first, by mean log-probability a token."""


@runtime_checkable
class Chooses(TakesPrompts, Protocol):
    """A model that tells how likely given replies are."""

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """Log-probability of each option as the beginning of the reply, shape (len(options),).

        Raises:
            CannotAnswer: A server does not tell it, or not for all options.
        """


@runtime_checkable
class ChoosesAfterThoughts(Chooses, Writes, Protocol):
    """A model that writes its thoughts, and tells how likely given replies are behind a given thought.

    Its `choice_logprobs` takes requests that have a `thought`.
    """

    @property
    def can_think(self) -> bool:
        """Whether it thinks by itself, or where it is asked to."""


def members(protocol: type) -> dict[str, bool]:
    """The public members of a protocol, and whether each is a method rather than a plain fact.

    >>> members(StartsBare)["shared_row"], members(StartsBare)["encode"]
    (False, True)
    """
    members_by_name: dict[str, bool] = {}
    for base in protocol.__mro__[:-1]:
        declared = [*vars(base), *vars(base).get("__annotations__", ())]
        public = (name for name in declared if not name.startswith("_"))
        members_by_name |= {
            name: callable(vars(base).get(name)) for name in public if name not in members_by_name
        }
    return members_by_name
