"""Causal language models: GPT-2 to Llama, Qwen, SmolLM.

They are named `causal:gpt2` or by the plain name, as the kind is read from the configuration. The first
token of a text is scored too, after the model's start token: its beginning-of-text token, else its
end-of-text token (with which models without the former separate texts in training), else what
`--start-token` names. The card says which it was. A vector of a text is read without that start token: there
the text is as the tokenizer itself gives it, behind a beginning-of-text token with Llama, alone with GPT-2.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Checkpoint, Traits
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.prefix_trees import tree_batches
from tiltmeter.core.model.protocols import (
    ChoosesAfterThoughts,
    Continues,
    Converses,
    EmbedsTokens,
    ReadsNext,
    StartsBare,
)
from tiltmeter.core.model.requests import Continuation
from tiltmeter.core.types import Array
from tiltmeter.models.embedding import passage_vectors
from tiltmeter.models.opening import checkpoint_parts, hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading import readout
from tiltmeter.models.reading.start_token import start_of
from tiltmeter.models.reading.token_model import Asked, TokenModel
from tiltmeter.models.reading.tree_texts import LaidTexts, TreeTexts, padded, switches
from tiltmeter.models.writing.beams import BeamWriter
from tiltmeter.models.writing.next_tokens import NextTokens
from tiltmeter.models.writing.replies import WRITES, Replies, Writer
from tiltmeter.models.writing.tree_writing import TreeNextTokens

MOVES = {"float32": (1e-3, 1e-3)}
"""Two tolerances by precision, for texts that share a row: how far a log-probability may differ from that of
the text read alone, and from that beside other texts. The latter is computed in equal shapes, so nearly
without rounding."""
ROUGHLY = (0.5, 1e-2)
"""The two tolerances in reduced precision."""


ANSWERS: tuple[type, ...] = (
    Continues, StartsBare, ReadsNext, EmbedsTokens, *WRITES, ChoosesAfterThoughts,
)  # fmt: skip

TRAITS = Traits(
    Checkpoint("AutoModelForCausalLM", "causal language model"),
    takes_start_token=True,
    takes_change=True,
    usual_answers=ANSWERS,
    hub_task=("text-generation", "Text Generation"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a causal model satisfies."""
    return answers_of(chats=checkpoint_parts.has_chat_template(Path(location).expanduser()))


def answers_of(*, chats: bool) -> tuple[type, ...]:
    """The protocols that a causal model satisfies; `chats` if its tokenizer has a chat template."""
    return (*ANSWERS, Converses) if chats else ANSWERS


class Causal(TokenModel[Continuation], Replies):
    """A causal language model, which answers `Continues`, `ReadsNext`, `EmbedsTokens` and `Writes`."""

    def __init__(self, name: str, loaded: Loaded, start_token: str | None = None) -> None:
        super().__init__(name, loaded, blocks=True)
        longest = hf.longest(loaded.model, loaded.tokenizer)
        self.limit = None if longest is None else longest - 1  # the start token takes a place
        self._start, start_token_fact = start_of(name, loaded.tokenizer, start_token)
        self._last_layer = readout.LastLayer(name, loaded.model)
        states = passage_vectors.last_layer(loaded.model, use_cache=False)
        edges = switches(loaded.model.config)
        self._embedder = passage_vectors.Embedder(
            name, loaded, states, limit=self.limit, sort=lambda n: sum(n >= edge for edge in edges)
        )
        # Each text is read in a row of its own until a check has shown that texts may share one.
        self.shared_row = 0
        self._tree = TreeTexts(loaded)
        loaded.about |= {"longest input": longest, "start token": start_token_fact}
        probe = [Continuation((), t.ids) for t in self.encode(["he is here", "she was not here"])]
        self._reader.settle(*self._inputs(probe)[:2])
        self._check_sight()
        windows = loaded.verdict("trees")
        if windows is None:
            windows = self._windows_of_trees()
            loaded.remember("trees", windows)
        self._tree.settle(windows or ())
        self.shared_row = 0 if windows is False else self.batch_tokens
        ways = NextTokens(loaded), TreeNextTokens(loaded, self._tree, self._reader)
        self._writer = Writer(name, loaded, longest, lambda n: ways[self._fits(n)])
        self._beams = BeamWriter(name, loaded, longest, lambda n: ways[self._fits(n)])
        if summary := self._writer.reader.thinking.summary:
            loaded.about["thinks"] = summary

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`; beginnings that requests share are read once."""
        return self._scored(requests)

    def next_readout(self, requests: Sequence[Continuation], *, margin: float = 1.0) -> list[Array]:
        """For each request an array of shape (2, len(ids)): distances of the logits, and lengths of h."""
        return self._answered(requests, partial(self._readout_batch, margin=margin))

    def _batches(self, requests: Sequence[Continuation]) -> list[list[int]]:
        hf.within(self.limit, [len(r.context) + len(r.ids) for r in requests], self.name)
        texts = [self._read(r) for r in requests]
        beside = [i for i, text in enumerate(texts) if self._fits(len(text))]
        trees = tree_batches([texts[i] for i in beside], self.batch_tokens)
        alone = [i for i in range(len(texts)) if not self._fits(len(texts[i]))]
        rows = batches_by_length(
            [len(texts[i]) + 1 for i in alone], self.batch_tokens, alike=[texts[i] for i in alone]
        )
        lengths = [*map(len, texts)]
        return [  # the model may read all rows of a batch alike
            *([beside[k] for k in members] for members, _ in trees),
            *(part for b in rows for part in self._embedder.apart([alone[k] for k in b], lengths)),
        ]

    def _fits(self, length: int) -> bool:
        """Whether a text of this many tokens is read as a part of a tree of texts."""
        return bool(self.shared_row) and self._tree.fits(length)

    def _probe(self, *texts: Sequence[int]) -> list[Continuation]:
        """Requests for short texts, whose small numbers are spread over the whole vocabulary as token ids."""
        rows = int(self._loaded.model.get_input_embeddings().weight.shape[0])
        spread = min(int(self._loaded.about["vocabulary"] or 1), rows) // 12
        return [Continuation((), tuple(spread * k for k in text)) for text in texts]

    def _windows_of_trees(self) -> Sequence[int] | bool:
        """The attention windows of the layers if texts may be read as a tree; otherwise False.

        They may if the probability of a text neither depends on the texts beside it nor differs from what it
        is for the text alone.
        """
        begin, left, right = (1, 2, 3), (4, 5, 6, 7, 3, 2), (8, 9, 4)
        alone = [self._batch([r])[0] for r in self._probe((*begin, *left), (*begin, *right))]
        rows = (
            (left, right),
            (left, right[::-1]),
            (left[::-1], right),
            (left[:3], right, (9, 1, 2, 5)),
        )
        self.shared_row = self.batch_tokens
        try:
            first, other, behind, earlier = (
                self._batch(self._probe(*((*begin, *rest) for rest in row))) for row in rows
            )
        except (AttributeError, IndexError, KeyError, NotImplementedError, RuntimeError, TypeError,
                ValueError):  # fmt: skip
            return False
        near, still = MOVES.get(str(self._loaded.about["precision"]), ROUGHLY)
        pairs = [(a, b, near) for a, b in zip(alone, first, strict=True)]
        pairs.append((first[0], other[0], still))
        pairs += [(first[1], row[1], still) for row in (behind, earlier)]
        same = all(np.allclose(a, b, rtol=0, atol=by) for a, b, by in pairs)
        return same and self._tree.windows

    def _check_sight(self) -> None:
        """Refuse a model whose probabilities of a beginning depend on what follows it.

        It is tried on two texts that begin alike.

        Raises:
            CannotAnswer: The model is not causal.
        """
        if self._loaded.verdict("sight"):
            return
        texts = self._probe((1, 2, 3, 4, 5, 6), (1, 2, 7, 8, 9, 10))
        first, second = (self._batch([text])[0][:2] for text in texts)
        # Equal shapes are computed in the same way, so that what remains is rounding, in any precision.
        if not np.allclose(first, second, rtol=0, atol=1e-3):
            raise CannotAnswer(
                f"{self.name} is not a causal model: how likely a token is changes with what follows "
                "it. Its numbers would not be those of a text read from left to right"
            )
        self._loaded.remember("sight", verdict=True)

    def _whole(self, request: Continuation) -> tuple[int, ...]:
        if request.after:
            raise CannotAnswer(
                f"{self.name} reads from left to right: it cannot be given the text after a gap. Use "
                "a sequence-to-sequence model, or a rule that asks for what ends a text"
            )
        if not request.start and not request.context:
            raise BadInput("a continuation without a start token needs a context")
        return (*((self._start,) if request.start else ()), *request.context, *request.ids)

    def _read(self, request: Continuation) -> tuple[int, ...]:
        """The tokens that the model reads: all but the last, after which nothing is predicted."""
        return self._whole(request)[:-1]

    def _laid(self, requests: Sequence[Continuation]) -> LaidTexts:
        texts = [self._read(r) for r in requests]
        if not self._fits(max(map(len, texts))):
            return padded(texts, self._loaded)
        unread = min(len(text) - len(r.ids) for text, r in zip(texts, requests, strict=True))
        return self._tree.lay(texts, unread)

    def _inputs(self, requests: Sequence[Continuation]) -> Asked:
        return self._asked(self._laid(requests), requests)

    def _asked(self, laid: LaidTexts, requests: Sequence[Continuation]) -> Asked:
        """The model's inputs, the positions before the scored tokens, and these tokens."""
        import torch

        laid_requests = zip(laid.places, requests, strict=True)
        places = [(row, i) for (row, at), r in laid_requests for i in at[len(at) - len(r.ids) :]]
        to = self._loaded.device
        at = torch.tensor(places, device=to, dtype=torch.long).reshape(-1, 2)
        true = torch.tensor([t for r in requests for t in r.ids], device=to, dtype=torch.long)
        return laid.inputs, (at[:, 0], at[:, 1]), true

    @contextmanager
    def _reading(self, requests: Sequence[Continuation]) -> Iterator[Asked]:
        import torch

        laid = self._laid(requests)
        with torch.inference_mode(), self._tree.attending(laid.plan):
            yield self._asked(laid, requests)

    def _readout_batch(self, requests: Sequence[Continuation], margin: float) -> list[Array]:
        """`next_readout` of one batch, in which tokens that follow the same text are read at one position."""
        laid = self._laid(requests)
        first: dict[tuple[int, ...], tuple[int, int]] = {}
        places = []
        for (row, at), request in zip(laid.places, requests, strict=True):
            text, n = self._read(request), len(request.ids)
            read_at = zip(range(len(text) - n + 1, len(text) + 1), at[len(at) - n :], strict=True)
            places.append([first.setdefault(text[:i], (row, place)) for i, place in read_at])
        with self._tree.attending(laid.plan):
            return self._last_layer.read(laid.inputs, places, [r.ids for r in requests], margin)


def load(location: str, options: Options, *, name: str, note: str = "") -> Causal:
    """Open a causal language model from its folder."""
    loaded = hf.load(location, options, name=name, scheme="causal", note=note)
    return Causal(name, loaded, options.start_token)
