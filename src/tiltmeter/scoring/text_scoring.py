"""The common frame of rules that ask about the texts of items: encode, plan, ask once, record."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeAlias, TypeVar

from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.model.protocols import Tokenizes
from tiltmeter.core.model.requests import Tokens
from tiltmeter.core.records import Record, TokenScore
from tiltmeter.core.rules import Context
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.scoring.token_scores import Request, kept_answer, token_scores

Combine: TypeAlias = Callable[[Sequence[Array]], float]
"""All answers about one text to its score."""


class _Item(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def where(self) -> str: ...


I = TypeVar("I", bound=_Item)  # noqa: E741
R = TypeVar("R", bound=Request)


@dataclass(slots=True)
class ScoredText(Generic[R]):
    """A text, what the model is asked about it, and which of its answers count."""

    text: str
    tokens: Tokens
    requests: list[R]
    kept: Collection[int] | None = None
    """The positions that count; None for all that are read."""
    answers: list[Array] = field(default_factory=list)
    """About the positions that count, an array a request."""

    def take(self, answers: Iterator[Array]) -> None:
        """Take this text's answers from those to all requests, in order."""
        for request in self.requests:
            answer = next(answers)
            self.answers += [
                answer if self.kept is None else kept_answer(request, answer, self.kept)
            ]

    @property
    def token_scores(self) -> tuple[TokenScore, ...]:
        """What each token adds to the score."""
        return token_scores(self.text, self.tokens, self.requests, self.answers, self.kept)


@dataclass(frozen=True, slots=True)
class TextScoring(ABC, Generic[I, R]):
    """A rule's `score`: which question of the model it asks about each text of an item."""

    question: str
    """The model's method: "blank_logprobs"."""
    called: ClassVar[str]
    """What an item is, for those that cannot be scored: "pair"."""
    candidate: ClassVar[str] = "a sentence"

    def __call__(self, model: Tokenizes, items: Sequence[I], context: Context) -> list[Record]:
        """One record for each item that has a score. All requests go to the model in one call.

        Raises:
            BadItems: Some items have no defined score and they are not to be skipped.
        """
        texts = [self.texts(item, model, context) for item in items]
        encoded = iter(model.encode([text for of_item in texts for text in of_item]))
        planned: list[tuple[I, list[ScoredText[R]]]] = []
        for item, of_item in zip(items, texts, strict=True):
            tokens = [next(encoded) for _ in of_item]
            try:
                check(model, tokens, self.candidate)
                planned.append((item, self.planned(item, of_item, tokens, context)))
            except Undefined as why:
                refuse(self.called, item, why, context)
        context.settle()
        self.note([asked for _, asked in planned], model, context)
        requests = [r for _, asked in planned for text in asked for r in text.requests]
        answers = iter(getattr(model, self.question)(requests))
        for _, asked in planned:
            for text in asked:
                text.take(answers)
        return [self.record(item, asked, context) for item, asked in planned]

    @abstractmethod
    def texts(self, item: I, model: Tokenizes, context: Context) -> Sequence[str]:
        """The texts of an item as the model is to read them."""

    @abstractmethod
    def planned(
        self, item: I, texts: Sequence[str], tokens: Sequence[Tokens], context: Context
    ) -> list[ScoredText[R]]:
        """What is asked about each text.

        Raises:
            Undefined: The item has no score.
        """

    @abstractmethod
    def record(self, item: I, asked: Sequence[ScoredText[R]], context: Context) -> Record:
        """The item's record, from the answers about each text."""

    def note(
        self, planned: Sequence[list[ScoredText[R]]], model: Tokenizes, context: Context
    ) -> None:
        """Add what is to be said of the items together; by default nothing."""


def refuse(called: str, item: _Item, why: Undefined, context: Context) -> None:
    """Note an item that has no defined score."""
    context.refuse(Problem(f"{called} {item.id!r}: {why}", file=item.where, item=item.id))


def check(model: Tokenizes, texts: Sequence[Tokens], what: str = "a candidate") -> None:
    """Undefined where a text is too long for the model, or has no tokens."""
    limit, longest = model.limit, max(len(tokens.ids) for tokens in texts)
    if limit is not None and longest > limit:
        raise Undefined(f"{counted(longest, 'tokens', 'exceed')} the model's limit of {limit:,}")
    if any(all(tokens.special) for tokens in texts):
        raise Undefined(f"{what} has no tokens in this model's vocabulary")


def total(answers: Sequence[Array]) -> float:
    """Sum over all tokens, in the order of the text."""
    return float(sum([value for answer in answers for value in answer.tolist()]))


def mean(answers: Sequence[Array]) -> float:
    """Plain mean over all tokens."""
    return total(answers) / sum(len(answer) for answer in answers)


def count(answers: Sequence[Array]) -> int:
    """The number of tokens that were scored."""
    return sum(answer.shape[-1] for answer in answers)
