"""Replies of causal language models, several at once, each as if it had been asked for alone.

A prompt is read once, however many replies to it are wanted; replies that have begun alike go on
together until they part. Every draw comes from a number made of the request and the place in the reply,
so that a reply does not depend on what else is asked at the same time. At temperature 0 the likeliest
token is taken.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from tiltmeter.core.batches import batches_by_length
from tiltmeter.core.conversations import Choosing, Finish, Prompt, Reply, Writing, request_key
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.requests import Continuation
from tiltmeter.core.types import Array
from tiltmeter.models import _hf
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._next_tokens import NextTokens
from tiltmeter.models._prompt_text import PromptReader

if TYPE_CHECKING:
    import torch

KEPT = 4
"""Tokens whose keys and values may be kept while replies are written, in batches of the model's size."""


@dataclass(slots=True)
class _Branch:
    """Replies that begin alike so far."""

    prompt: tuple[int, ...]
    written: tuple[int, ...]
    asked: list[int]
    """Which requests."""

    @property
    def whole(self) -> tuple[int, ...]:
        return (*self.prompt, *self.written)

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.written)


@dataclass(slots=True)
class _Drawn:
    """What one request has to say about its next token."""

    request: Writing
    key: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.key = request_key(self.request).encode()

    def number(self, place: int) -> float:
        """From 0 up to 1, always the same for the same request and place."""
        digest = blake2b(self.key, digest_size=8, salt=place.to_bytes(8)).digest()
        return (int.from_bytes(digest) >> 11) / 2**53


class Writer:
    """Answers `Writes` for a causal model."""

    def __init__(self, name: str, loaded: Loaded, limit: int | None) -> None:
        self._name = name
        self._loaded = loaded
        self._limit = limit
        self._reader = PromptReader(name, loaded)
        self._ends = end_tokens(loaded)
        self._text = NextTokens(loaded)

    @property
    def chats(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return self._reader.chats

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """Tokens of each prompt, template included."""
        return [len(ids) for ids in self._reader.tokens(prompts)]

    def choices(self, requests: Sequence[Choosing]) -> tuple[list[Continuation], list[int]]:
        """Each option behind its prompt, and how many options each request has.

        What is scored begins where the tokens of prompt and option first differ from those of the
        prompt alone or of one another, so that a token across the border counts whole.
        """
        found: list[Continuation] = []
        for request in requests:
            rows = self._reader.followed([(request.prompt, o) for o in ("", *request.options)])
            begun = min(_common(rows[0], row) for row in rows)
            short = [
                o for o, row in zip(request.options, rows[1:], strict=True) if len(row) <= begun
            ]
            if short or not begun:
                what = f"the option {short[0]!r} adds no token" if short else "the prompt is empty"
                raise CannotAnswer(f"{self._name} cannot choose: {what}")
            found += [Continuation(row[:begun], row[begun:], start=False) for row in rows[1:]]
        return found, [len(request.options) for request in requests]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """One reply a request, in order."""
        prompts = self._reader.tokens([request.prompt for request in requests])
        lengths = [len(p) + r.max_tokens for p, r in zip(prompts, requests, strict=True)]
        _hf.within(self._limit, lengths, self._name)
        replies: dict[int, Reply] = {}
        by_prompt: dict[tuple[int, ...], list[int]] = {}
        for i, prompt in enumerate(prompts):
            by_prompt.setdefault(prompt, []).append(i)
        drawn = [_Drawn(request) for request in requests]
        waiting = [_Branch(prompt, (), asked) for prompt, asked in by_prompt.items()]
        while waiting:
            order = batches_by_length([b.length for b in waiting], self._loaded.batch_tokens)
            now, later = order[0], [i for batch in order[1:] for i in batch]
            begun, waiting = [waiting[i] for i in now], [waiting[i] for i in later]
            for branch, finish in self._continued(begun, drawn, waiting):
                text = self._decoded(branch.written)
                for i in branch.asked:
                    kept = before_stop(text, requests[i].stop)
                    told: Finish = "stop" if kept is not None else finish
                    shown = text if kept is None else kept
                    replies[i] = Reply(shown, told, len(branch.prompt), len(branch.written))
        return [replies[i] for i in range(len(requests))]

    def _continued(
        self, branches: Sequence[_Branch], drawn: Sequence[_Drawn], waiting: list[_Branch]
    ) -> Iterator[tuple[_Branch, Finish]]:
        """Write on until all replies are finished; what does not fit goes to `waiting`."""
        import torch

        most = KEPT * self._loaded.batch_tokens
        with torch.inference_mode():
            logits = self._text.read([branch.whole for branch in branches])
            while branches:
                going: list[tuple[int, _Branch]] = []
                chances = _Chances(logits)
                for row, branch in enumerate(branches):
                    for one, finish in self._parted(branch, row, chances, drawn):
                        if finish is None:
                            going.append((row, one))
                        else:
                            yield one, finish
                fitting = max(1, most // max((b.length for _, b in going), default=1))
                waiting += [branch for _, branch in going[fitting:]]
                rows = [row for row, _ in going[:fitting]]
                branches = [branch for _, branch in going[:fitting]]
                if branches:
                    logits = self._text.read_on(rows, [b.whole for b in branches])

    def _parted(
        self, branch: _Branch, row: int, chances: "_Chances", drawn: Sequence[_Drawn]
    ) -> Iterator[tuple[_Branch, Finish | None]]:
        """The branches that one becomes by its next token, finished ones with the reason."""
        place = len(branch.written)
        by_token: dict[int, list[int]] = {}
        for how in {_way(drawn[i].request): None for i in branch.asked}:
            same = [i for i in branch.asked if _way(drawn[i].request) == how]
            tokens = chances.tokens(row, *how, [drawn[i].number(place) for i in same])
            for i, token in zip(same, tokens, strict=True):
                by_token.setdefault(token, []).append(i)
        for token, asked in by_token.items():
            if token in self._ends:
                yield _Branch(branch.prompt, branch.written, asked), "stop"
                continue
            written = (*branch.written, token)
            text = self._decoded(written)
            stopped = [i for i in asked if before_stop(text, drawn[i].request.stop) is not None]
            full = [
                i for i in asked
                if i not in stopped and drawn[i].request.max_tokens <= len(written)
            ]  # fmt: skip
            rest = [i for i in asked if i not in {*stopped, *full}]
            ends: tuple[tuple[list[int], Finish | None], ...] = (
                (stopped, "stop"), (full, "length"), (rest, None)
            )  # fmt: skip
            for some, finish in ends:
                if some:
                    yield _Branch(branch.prompt, written, some), finish

    def _decoded(self, tokens: Sequence[int]) -> str:
        return str(self._loaded.tokenizer.decode(list(tokens), skip_special_tokens=True))


class Replies(ABC):
    """Answers `Writes` and `Chooses` by a `Writer` and the model's own log-probabilities."""

    shares_prompts = True
    _writer: Writer

    @abstractmethod
    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """As in `Continues`."""

    @property
    def chats(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return self._writer.chats

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """Tokens of each prompt, template included."""
        return self._writer.prompt_lengths(prompts)

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """One reply a request."""
        return self._writer.write(requests)

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """One array a request, shape (len(options),)."""
        asked, counts = self._writer.choices(requests)
        sums = iter([float(row.sum()) for row in self.continuation_logprobs(asked)])
        return [np.array([next(sums) for _ in range(count)]) for count in counts]


def _way(request: Writing) -> tuple[float, float]:
    return request.temperature, request.top_p


class _Chances:
    """Draws tokens by the logits of several branches, (branches, vocabulary).

    A number from 0 to 1 draws the token at its place on a line on which each token is as wide as its
    probability, in the order of the vocabulary.
    """

    def __init__(self, logits: "torch.Tensor") -> None:
        self._logits = logits
        self._likeliest: list[int] | None = None
        self._reached: dict[tuple[float, float], torch.Tensor] = {}

    def tokens(
        self, row: int, temperature: float, top_p: float, numbers: Sequence[float]
    ) -> list[int]:
        """The token that each number draws for a branch; at temperature 0 always the likeliest."""
        import torch

        if not temperature:
            if self._likeliest is None:
                self._likeliest = [int(token) for token in self._logits.argmax(dim=1)]
            return [self._likeliest[row]] * len(numbers)
        if (temperature, top_p) not in self._reached:
            self._reached[temperature, top_p] = _reached(self._logits, temperature, top_p)
        reached = self._reached[temperature, top_p][row]
        wanted = torch.tensor(numbers, dtype=torch.double) * reached[-1]
        at = torch.searchsorted(reached, wanted, right=True)
        return [int(token) for token in at.clamp(max=int(torch.searchsorted(reached, reached[-1])))]


def _reached(logits: "torch.Tensor", temperature: float, top_p: float) -> "torch.Tensor":
    """Sums of probabilities up to each token; tokens outside the likeliest `top_p` have none."""
    import torch

    probabilities = torch.softmax(logits.double() / temperature, dim=1)
    if top_p < 1:
        falling, order = torch.sort(probabilities, dim=1, descending=True, stable=True)
        outside = falling.cumsum(1) - falling >= top_p
        probabilities = probabilities.scatter(1, order, falling.masked_fill(outside, 0.0))
    return probabilities.cumsum(1).cpu()


def before_stop(text: str, stop: Sequence[str]) -> str | None:
    """What comes before the first stop text; None where there is none."""
    found = [at for one in stop if one and (at := text.find(one)) >= 0]
    return text[: min(found)] if found else None


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def end_tokens(loaded: Loaded) -> frozenset[int]:
    """The tokens after which a reply is over."""
    named = getattr(getattr(loaded.model, "generation_config", None), "eos_token_id", None)
    several = named if isinstance(named, list | tuple) else [named]
    return frozenset(
        int(one) for one in (*several, loaded.tokenizer.eos_token_id) if one is not None
    )
