"""Who answers batches of questions: the model in this process, or workers elsewhere.

Workers call the same `answer` on the same batches, so that it makes no difference who does.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from tiltmeter.core.questions import Passage
from tiltmeter.core.types import Array

Answered: TypeAlias = Generator[tuple[int, Sequence[Array]], None, None]
"""(Number of the batch, one array a request), each batch as soon as it is ready; closing it early
stops the asking."""
METHODS = {
    "blank": "blank_logprobs",
    "attended": "attended_logprobs",
    "continuation": "continuation_logprobs",
    "piece": "piece_logprobs",
    "readout": "readout",
    "next_readout": "next_readout",
}
"""Kinds of questions that one method of a back-end answers, a list of requests at a time."""


@dataclass(frozen=True, slots=True)
class Follows:
    """Does the second sentence follow the first? With how many tokens that is."""

    pair: tuple[str, str]
    tokens: int


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text, or a word of it, to be made a vector of. With how many tokens that is."""

    passage: Passage
    tokens: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests that share a forward pass, as the plan over all requests has them."""

    keys: tuple[bytes, ...]
    """What each request is stored under."""
    requests: tuple[Any, ...]
    tokens: int
    """Of all requests together."""


class Asker(Protocol):
    """Has batches answered, wherever and in whatever order."""

    def __call__(self, kind: str, batches: Sequence[Batch]) -> Answered:
        """Every batch once."""
        ...


@runtime_checkable
class AsksElsewhere(Protocol):
    """A model whose batches are answered by others, several at once."""

    def ask(self, kind: str, batches: Sequence[Batch]) -> Answered:
        """As `Asker`."""
        ...


def asker_of(model: Any) -> Asker:
    """The model's own, or the model asked here: one batch after the other."""
    if isinstance(model, AsksElsewhere):
        return model.ask

    def here(kind: str, batches: Sequence[Batch]) -> Answered:
        for number, batch in enumerate(batches):
            yield number, answer(model, kind, batch.requests)

    return here


def answer(model: Any, kind: str, requests: Sequence[Any]) -> list[Array]:
    """One array a request. `kind` may name what else the method takes: "readout margin=1.0"."""
    name, _, told = kind.partition(" ")
    if name == "next":
        found = model.next_logprobs([request.pair for request in requests])
        return [np.array([one]) for one in found]
    option, _, value = told.partition("=")
    if name == "embed":
        return list(model.embed([request.passage for request in requests], pooling=value))
    more = {option: float(value)} if option else {}
    return list(getattr(model, METHODS[name])(requests, **more))
