"""Models with made-up but repeatable answers for tests, docs and dry runs, which need no torch.

`fake` answers everything. `fake:masked`, `fake:causal`, `fake:next`, `fake:classifier` and `fake:writer`
answer what one kind of model would. `fake:thinker` is a writer that thinks before it answers; the other
writers do where they are asked to. `fake:vectors` only makes vectors of texts. `fake:level` gives every token
the same probability, so that equally long sentences tie.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tiltmeter.core.errors import CannotAnswer, UnknownName
from tiltmeter.core.model import protocols as p
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.conversations import BeamWriting, Choosing, Prompt, Reply, Writing
from tiltmeter.core.model.requests import Blanked, Continuation, Passage, Tokens
from tiltmeter.core.types import Array
from tiltmeter.models.embedding.passage_vectors import POOLER, POOLINGS, places
from tiltmeter.models.fakes import fake_tokens as made_up

EMBEDS: tuple[type, ...] = (p.EmbedsTokens, p.EmbedsStart, p.EmbedsPooled)
WRITES: tuple[type, ...] = (
    p.Writes, p.Converses, p.WritesBeams, p.Chooses, p.ChoosesAfterThoughts,
)  # fmt: skip
ANSWERS: tuple[type, ...] = (
    p.FillsBlanks, p.ReadsUnhidden, p.Attends, p.ReadsOut, p.Continues, p.FillsGaps, p.StartsBare,
    p.ReadsNext, p.EmbedsTexts, *EMBEDS, p.JudgesNext, *WRITES, p.Classifies,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Base:
    """What all fake models share: tokens are pieces of words, and log-probabilities are hashes.

    A token's log-probability is a hash of the token and of those that it can see.
    """

    name: str
    level: bool = False
    limit: int | None = 512
    cased: bool = False
    batch_tokens: int = 512
    unknown: int | None = None
    framed: bool = False
    """Whether texts get a special token before and after them, as masked models' texts do."""
    poolings: ClassVar[Sequence[str]] = ()
    """The poolings by which it makes vectors, as in `Embeds.embed`."""

    @property
    def fingerprint(self) -> str:
        return f"fake-2-{'level' if self.level else 'hash'}-{self.framed}"

    @property
    def about(self) -> Mapping[str, p.Fact]:
        return {"architecture": "a hash function: its numbers mean nothing", "parameters": 0}

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> Tokens:
        return made_up.tokenized(text, framed=self.framed)

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The tokens of each passage; 0 where the word that is asked for has none."""
        read = [self._encode(passage.text) for passage in passages]
        both = zip(read, passages, strict=True)
        return [
            len(tokens.ids) if places(tokens, passage.at, "word") else 0 for tokens, passage in both
        ]

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """A vector for each passage, shape (passages, 16)."""
        if pooling not in self.poolings:
            raise CannotAnswer(f"{self.name} has no pooling {pooling!r}")
        vectors = [self._embed(passage, pooling) for passage in passages]
        return np.stack(vectors) if vectors else np.zeros((0, made_up.WIDTH))

    def _embed(self, passage: Passage, pooling: str) -> Array:
        vector = made_up.embedded(self._encode(passage.text), passage.at, pooling)
        if vector is None:
            raise CannotAnswer(f"{self.name} has no vector of {passage!r} by {pooling!r}")
        return vector

    def _logprob(self, token: int, sight: Sequence[int]) -> float:
        return -1.0 if self.level else made_up.logprob(token, sight)


def _readouts(logprobs: Sequence[Array], margin: float) -> list[Array]:
    """Stand-ins for readouts: the less likely a token, the greater its distance; h always has length 10."""
    return [np.stack([margin - row, np.full(len(row), 10.0)]) for row in logprobs]


class FakeMasked(_Base):
    """Answers as a masked language model."""

    __slots__ = ()
    poolings: ClassVar[Sequence[str]] = (*POOLINGS, POOLER)

    @property
    def mask(self) -> str:
        """The mask token as it is written in a text."""
        return made_up.MASK

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """For each request the log-probabilities of the tokens read, shape (len(read),)."""
        if self.level:
            return [np.full(len(r.read), -1.0) for r in requests]
        return [made_up.blank_logprobs(r) for r in requests]

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """Log-probabilities and attention, shape (2, len(read)) for each request; attention is 1 / length."""
        rows = self.blank_logprobs(requests)
        return [
            np.stack([row, np.full(len(row), 1 / len(r.ids))])
            for row, r in zip(rows, requests, strict=True)
        ]

    def piece_logprobs(self, requests: Sequence[Blanked], *, begins: bool) -> list[Array]:
        """Log-probabilities among the tokens that begin a word, or among the others.

        The former are assumed to have half of the probability, the latter a third.
        """
        more = np.log(2 if begins else 3)
        return [row + more for row in self.blank_logprobs(requests)]

    def readout(self, requests: Sequence[Blanked], *, margin: float = 1.0) -> list[Array]:
        """For each request stand-ins for the distances and lengths of `read`, shape (2, len(read))."""
        return _readouts(self.blank_logprobs(requests), margin)


class FakeWriter(_Base):
    """Replies with a label that ends a line of the prompt or is offered in it, or else with yes or no.

    Sometimes it says that it cannot say.
    """

    __slots__ = ()
    chats = True
    deterministic = False
    thinks = False
    can_think = True
    reply_tokens = 512

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """The tokens of each prompt: its words, and one before them."""
        return [1 + len(prompt.plain.split()) for prompt in prompts]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """A reply to each request, chosen by a hash of the whole request."""
        return [
            made_up.reply_to(
                request,
                level=self.level,
                thinks=request.thinking != "off" and (self.thinks or request.thinking != ""),
            )
            for request in requests
        ]

    def write_beams(self, requests: Sequence[BeamWriting]) -> list[tuple[Reply, ...]]:
        """Write as many replies to each request as it has beams, each like a repeat of the request."""
        asked = (
            [Writing(r.prompt, r.max_tokens, stop=r.stop, repeat=i) for i in range(r.beams)]
            for r in requests
        )
        return [tuple(self.write(repeats)) for repeats in asked]

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """For each request the log-probabilities of its options, shape (len(options),)."""
        asked = [
            f"{r.prompt.plain}\n{r.thought}" if r.thought else r.prompt.plain for r in requests
        ]
        texts = [
            [f"{before}\n{option}" for option in r.options]
            for before, r in zip(asked, requests, strict=True)
        ]
        hashes = [map(made_up.text_hash, some) for some in texts]
        return [np.array([self._logprob(number, ()) for number in some]) for some in hashes]


class FakeThinker(FakeWriter):
    """Writes a thought before its answer, unless it is asked not to."""

    __slots__ = ()
    thinks = True


class FakeCausal(FakeWriter):
    """Answers as a causal language model."""

    __slots__ = ()
    shared_row = 0
    poolings: ClassVar[Sequence[str]] = tuple(way for way in POOLINGS if way != "start")

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`, shape (len(ids),)."""
        if self.level:
            return [np.full(len(r.ids), -1.0) for r in requests]
        return [made_up.continuation_logprobs(r) for r in requests]

    def next_readout(self, requests: Sequence[Continuation], *, margin: float = 1.0) -> list[Array]:
        """For each request stand-ins for the distances and lengths of `ids`, shape (2, len(ids))."""
        return _readouts(self.continuation_logprobs(requests), margin)


class FakeJudge(_Base):
    """Answers as a model with a next-sentence head."""

    __slots__ = ()

    @property
    def pair_limit(self) -> int | None:
        """The most tokens of both sentences together, the same as for a single text."""
        return self.limit

    def pair_lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """The tokens of both sentences of each pair together."""
        return [len(self._encode(a).ids) + len(self._encode(b).ids) for a, b in pairs]

    def next_logprobs(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """A log-probability by a hash of both sentences, shape (pairs,)."""
        seen = [[i for text in pair for i in (*self._encode(text).ids, -1)] for pair in pairs]
        return np.array([self._logprob(-2, sight) for sight in seen])


class FakeClassifier(_Base):
    """Answers as a classifier with two labels."""

    __slots__ = ()
    labels = ("no", "yes")
    exclusive = True

    @property
    def text_limit(self) -> int | None:
        """The most tokens of a text that is classified, the same as for any text."""
        return self.limit

    def text_lengths(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text, at least one."""
        return [max(1, len(self._encode(text).ids)) for text in texts]

    def class_logprobs(self, texts: Sequence[str]) -> list[Array]:
        """For each text the log-probabilities of both labels, by a hash of the text."""
        shares = [
            0.5 if self.level else (1 + made_up.text_hash(text) % 997) / 999 for text in texts
        ]
        return [np.log([1 - share, share]) for share in shares]


class Fake(FakeMasked, FakeCausal, FakeJudge, FakeClassifier):
    """Answers every question that a model can be asked."""

    __slots__ = ()
    poolings: ClassVar[Sequence[str]] = ("own", *POOLINGS, POOLER)


class FakeVectors(_Base):
    """Answers as static word vectors; words with a digit are not in its vocabulary."""

    __slots__ = ()
    poolings: ClassVar[Sequence[str]] = ("own",)

    def _encode(self, text: str) -> Tokens:
        known = " ".join(word for word in text.split() if not any(map(str.isdigit, word)))
        return super()._encode(known)


KINDS: Mapping[str, tuple[type[Any], tuple[type, ...]]] = {
    "": (Fake, ANSWERS),
    "masked": (
        FakeMasked, (p.FillsBlanks, p.ReadsUnhidden, p.Attends, p.ReadsOut, p.TellsPieces, *EMBEDS),
    ),
    "causal": (FakeCausal, (p.Continues, p.StartsBare, p.ReadsNext, p.EmbedsTokens, *WRITES)),
    "classifier": (FakeClassifier, (p.Classifies,)),
    "next": (FakeJudge, (p.JudgesNext,)),
    "writer": (FakeWriter, WRITES),
    "thinker": (FakeThinker, WRITES),
    "vectors": (FakeVectors, (p.EmbedsTexts,)),
    "level": (Fake, ANSWERS),
}  # fmt: skip

TRAITS = Traits(
    built_in={"fake": f"made up, for trials; also {', '.join(f'fake:{k}' for k in KINDS if k)}"},
    is_path=False,
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that `fake:location` satisfies."""
    if location not in KINDS:
        raise UnknownName("fake model", location, filter(None, KINDS))
    return KINDS[location][1]


def load(location: str, options: object = None, *, name: str = "", note: str = "") -> Any:
    """Make the fake model of this kind, one of KINDS.

    Its numbers mean nothing and are the same on every machine:

    >>> model = load("masked")
    >>> model.name, model.encode(["A cat sat."])[0].ids
    ('fake:masked', (0, 344197, 969866, 349788, 1))
    """
    del options, note
    answers(location)
    make = KINDS[location][0]
    called = name or (f"fake:{location}" if location else "fake")
    return make(called, level=location == "level", framed=make in {Fake, FakeMasked})
