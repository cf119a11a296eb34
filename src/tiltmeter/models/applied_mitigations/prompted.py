"""Self-debias decoding: words that a bias-eliciting prompt makes likelier are made less likely.

The method is by Schick et al. 2021 (doi:10.1162/tacl_a_00434). Let p(w) be the probability that the model
gives to a word w of the vocabulary at a position, and p(w | prompt) the one with the prompt before the text.
Then

    p'(w) ∝ p(w) · α(Δ(w)),    Δ(w) = p(w) − p(w | prompt),    α(Δ) = 1 if Δ ≥ 0, else exp(decay · Δ).

A word that the prompt makes likelier loses probability, and all others gain by the normalisation. With
several prompts the smallest Δ counts, which is p(w) less the largest p(w | prompt). The authors' program
bounds α from below by `epsilon`, so that no word is ruled out. With decay · max(p(w | prompt) − p(w), 0) =
−decay · min(Δ, 0), all of this is

    p'(w) = p(w) · f(w) / Σ p(v) · f(v),    f(w) = max(exp(−decay · max(p(w | prompt) − p(w), 0)), epsilon).

The sum goes over the whole vocabulary, so that p' is a distribution again. A decay of 0 and an epsilon of 1
both give f = 1, which is the model itself. The method is only defined for probabilities of words at a
position, so questions about attention, last layers and vectors of texts are not answered.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.protocols import (
    Continues,
    Fact,
    FillsBlanks,
    FillsGaps,
    ReadsUnhidden,
    StartsBare,
)
from tiltmeter.core.model.requests import Blanked, Continuation, Tokens
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.models.reading.token_logprobs import true_logprobs
from tiltmeter.models.speed.batch_answers import by_row

if TYPE_CHECKING:
    import torch

ANSWERED = (FillsBlanks, ReadsUnhidden, Continues, FillsGaps, StartsBare)
"""The protocols whose answers are probabilities of words at a position."""
WAY = 1
"""A version, raised when the same settings give other numbers, so that stored answers are not reused."""
NUMBERS = {"cuda": 2**27}
"""How many logits are processed together on a GPU, which takes some 2 GiB in all."""
FEWEST = 2**23
"""The number for other devices, which takes some 150 MiB."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts that are put before a text, and the strength of their effect."""

    texts: tuple[str, ...]
    decay: float
    epsilon: float
    about: Mapping[str, Fact]
    """Facts about the prompts for the card of a result."""

    @property
    def digest(self) -> str:
        """A digest of everything that affects the model's answers, and of nothing else."""
        settings = json.dumps([WAY, self.texts, self.decay, self.epsilon])
        return sha256(settings.encode()).hexdigest()


def against(model: Any, prompts: Prompts) -> Any:
    """The model with the words that the prompts favour down-weighted.

    Raises:
        CannotAnswer: A prompt has no tokens, or leaves no room for a text.
    """
    return (Blanks if hasattr(model, "blank_logprobs") else Continuations)(model, prompts)


class _Prompted:
    """What both kinds of models share: facts, and the combination of answers with and without prompts."""

    def __init__(self, model: Any, prompts: Prompts) -> None:
        self._model = model
        self._prompts = prompts
        (probe,) = model.encode(["he is here"])
        self._lead = probe.ids[: probe.special.index(False)]
        self._prefixes = _tokens_of(prompts.texts, model)
        longest = max(map(len, self._prefixes))
        self.name: str = model.name
        self.fingerprint = sha256(f"{model.fingerprint}:{prompts.digest}".encode()).hexdigest()
        self.cased: bool = model.cased
        self.unknown: int | None = model.unknown
        self.batch_tokens: int = model.batch_tokens
        self.limit: int | None = None if model.limit is None else model.limit - longest
        if self.limit is not None and self.limit <= sum(probe.special):
            raise CannotAnswer(
                f"{model.name} reads at most {counted(model.limit, 'tokens')} at once and the "
                "longest prompt has "
                f"{longest:,}: no text fits after it. Give shorter ones: tiltmeter mitigate prompt --prompt"
            )

    @property
    def about(self) -> Mapping[str, Fact]:
        """The facts for the card: the model's own, and those about the prompts."""
        return {**self._model.about, **self._prompts.about, "longest input": self.limit}

    @property
    def control_tokens(self) -> Sequence[str]:
        """The control tokens of the model itself."""
        tokens: Sequence[str] = self._model.control_tokens
        return tokens

    def unreadable(self, spelled: Iterable[str]) -> Sequence[str]:
        """The control tokens among these that the model itself cannot read as letters."""
        tokens: Sequence[str] = self._model.unreadable(spelled)
        return tokens

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, as the model itself encodes it."""
        tokens: list[Tokens] = self._model.encode(texts)
        return tokens

    def _answer(
        self,
        requests: Sequence[Any],
        true: Sequence[Sequence[int]],
        behind: Sequence[Sequence[Any]],
    ) -> list[Array]:
        """The log-probabilities of the tokens `true` of each request.

        `behind` has, for each prompt, the requests with the prompt put before them.
        """
        import torch

        logprobs: list[Array] = []
        for mine in self._parts([len(tokens) for tokens in true]):
            with torch.inference_mode():
                plain = torch.cat(self._model.logits(requests[mine]))  # (reads, vocabulary)
                asked = [token for tokens in true[mine] for token in tokens]
                wanted = torch.tensor(asked, device=plain.device, dtype=torch.long)
                flat = scaled(plain, self._likeliest(behind, mine), wanted, self._prompts)
            logprobs += by_row(flat, [len(tokens) for tokens in true[mine]])
        return logprobs

    def _likeliest(self, behind: Sequence[Sequence[Any]], mine: slice) -> "torch.Tensor":
        """The largest probability of each word with any of the prompts, shape (reads, vocabulary)."""
        import torch

        most: torch.Tensor | None = None
        for requests in behind:
            given = torch.cat(self._model.logits(requests[mine])).softmax(-1)
            most = given if most is None else torch.maximum(most, given)
        assert most is not None  # noqa: S101 (there is a prompt)
        return most

    def _parts(self, reads: Sequence[int]) -> Iterator[slice]:
        """Slices of requests that are processed together, as many as their logits leave room for."""
        kind = str(self._model.about["device"]).partition(":")[0]
        most = NUMBERS.get(kind, FEWEST) // int(self._model.about["vocabulary"] or 1)
        start, total = 0, 0
        for i, n in enumerate(reads):
            if i > start and total + n > most:
                yield slice(start, i)
                start, total = i, 0
            total += n
        if reads:
            yield slice(start, len(reads))


class Blanks(_Prompted):
    """A masked or permutation model, in which the prompt is put between the opening token and the text."""

    @property
    def mask(self) -> str:
        """The mask token of the model itself."""
        return str(self._model.mask)

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """For each request the log-probabilities of the tokens read, shape (len(read),)."""
        true = [[r.ids[i] for i in r.read] for r in requests]
        behind = [[self._behind(r, prefix) for r in requests] for prefix in self._prefixes]
        return self._answer(requests, true, behind)

    def _behind(self, request: Blanked, prefix: tuple[int, ...]) -> Blanked:
        lead = len(self._lead) if request.ids[: len(self._lead)] == self._lead else 0

        def moved(places: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(i + len(prefix) if i >= lead else i for i in places)

        ids = (*request.ids[:lead], *prefix, *request.ids[lead:])
        return Blanked(ids, moved(request.hidden), moved(request.read))


class Continuations(_Prompted):
    """A causal or sequence-to-sequence model, in which the prompt is put before the context."""

    @property
    def shared_row(self) -> int:
        """The most tokens of a row that texts share, as the model itself has it; 0 where they share none."""
        return int(getattr(self._model, "shared_row", 0))

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`, shape (len(ids),)."""
        behind = [
            [replace(r, context=(*prefix, *r.context)) for r in requests]
            for prefix in self._prefixes
        ]
        return self._answer(requests, [r.ids for r in requests], behind)


def scaled(
    logits: "torch.Tensor", biased: "torch.Tensor", true: "torch.Tensor", prompts: Prompts
) -> Array:
    """Log p' of the tokens `true`, shape (reads,), as defined at the top of this file.

    Args:
        logits: The model's logits without a prompt, shape (reads, vocabulary).
        biased: The probabilities with the prompt, or the largest with any of several, in the same shape.
        true: The token looked up in each row, shape (reads,).
        prompts: The source of decay and epsilon.
    """
    import torch

    p = logits.softmax(-1)
    least = torch.tensor(prompts.epsilon).log().item()  # -inf for 0
    loss = (-prompts.decay * (biased - p).clamp(min=0)).clamp(min=least)  # (reads, vocabulary)
    # Divided by the rounded sum of p and not by 1, so that f = 1 for all words gives exactly 1.
    left = (p * loss.exp()).sum(-1) / p.sum(-1)  # (reads,)
    true_loss = loss.gather(1, true[:, None]).squeeze(1)
    change = true_loss.cpu().double().numpy() - left.cpu().double().log().numpy()
    return true_logprobs(logits, true) + change  # type: ignore[no-any-return]


def _tokens_of(texts: Sequence[str], model: Any) -> list[tuple[int, ...]]:
    """The tokens of each prompt without special ones that the tokenizer adds."""
    prompts = []
    for text, tokens in zip(texts, model.encode(texts), strict=True):
        ids = tuple(t for t, special in zip(tokens.ids, tokens.special, strict=True) if not special)
        if not ids:
            raise CannotAnswer(
                f"{model.name}: its tokenizer returns no tokens for the prompt {text!r}"
            )
        prompts.append(ids)
    return prompts
