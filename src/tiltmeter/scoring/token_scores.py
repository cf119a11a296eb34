"""What each token of a sentence adds to its score."""

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np

from tiltmeter.core.requests import Blanked, Continuation, Tokens
from tiltmeter.core.results import TokenScore
from tiltmeter.core.types import Array

Request: TypeAlias = Blanked | Continuation


def read_positions(request: Request) -> Sequence[int]:
    """The positions in the sentence that the answer is about, in the order of the answer.

    >>> list(read_positions(Continuation((5, 6), (7, 8))))
    [2, 3]
    """
    if isinstance(request, Blanked):
        return request.read
    return range(len(request.context), len(request.context) + len(request.ids))


def kept_answer(request: Request, answer: Array, kept: Collection[int]) -> Array:
    """The part of the answer that is about the positions in `kept`."""
    where = [i for i, position in enumerate(read_positions(request)) if position in kept]
    return answer[..., where]


def token_scores(
    text: str,
    tokens: Tokens,
    requests: Sequence[Request],
    answers: Sequence[Array],
    kept: Collection[int] | None = None,
) -> tuple[TokenScore, ...]:
    """One entry for each token that is not special, in the order of the text.

    Args:
        text: The sentence as it was tokenised.
        tokens: Its tokens.
        requests: What the model was asked about it.
        answers: One array a request: (read,), or (2, read) of log-probabilities and weights, whose
            product counts.
        kept: The positions that count; None for all that were read.
    """
    found: dict[int, list[float]] = {}
    for request, answer in zip(requests, answers, strict=True):
        values = np.prod(np.atleast_2d(answer), axis=0)  # (read,)
        positions = [p for p in read_positions(request) if kept is None or p in kept]
        for position, value in zip(positions, values, strict=True):
            found.setdefault(position, []).append(float(value))
    return tuple(
        TokenScore(_written(text, tokens, i), token, _mean(found.get(i, ())))
        for i, token in enumerate(tokens.ids)
        if not tokens.special[i]
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _written(text: str, tokens: Tokens, at: int) -> str:
    """The characters of the token; its number where the tokenizer does not say which they are."""
    return text[slice(*tokens.spans[at])] if tokens.spans else f"#{tokens.ids[at]}"
