"""What each token of a sentence adds to its score."""

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from itertools import compress, count
from operator import not_
from typing import TypeAlias

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.model.requests import Blanked, Continuation, Tokens
from tiltmeter.core.records import TokenScore
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
    by_position: dict[int, list[float]] = {}
    for request, answer in zip(requests, answers, strict=True):
        values = np.prod(np.atleast_2d(answer), axis=0)  # (read,)
        positions = [p for p in read_positions(request) if kept is None or p in kept]
        for position, value in zip(positions, values, strict=True):
            by_position.setdefault(position, []).append(float(value))
    return tuple(
        TokenScore(_written(text, tokens, i), token, _mean(by_position.get(i, ())))
        for i, token in enumerate(tokens.ids)
        if not tokens.special[i]
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _written(text: str, tokens: Tokens, at: int) -> str:
    """The characters of the token; its number where the tokenizer does not say which they are."""
    return text[slice(*tokens.spans[at])] if tokens.spans else f"#{tokens.ids[at]}"


def shared_positions(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """Positions of the tokens that both sentences share, without special ones.

    These are the `equal` blocks of `difflib.SequenceMatcher` over the two lists of ids, including
    special tokens, as in Nangia et al. 2020. The matcher is not symmetric: pass the sentence about the
    disadvantaged group first. Its heuristic for "popular" elements is off, so that texts of more than
    200 tokens are aligned by the same rule as short ones.

    >>> no = (False, False)
    >>> shared_positions(Tokens((1, 7, 8), (True, *no)), Tokens((1, 7, 9), (True, *no)))
    ([1], [1])
    """
    blocks = SequenceMatcher(None, first.ids, second.ids, autojunk=False).get_matching_blocks()
    both = [(m.a + k, m.b + k) for m in blocks for k in range(m.size)]
    kept = [(i, j) for i, j in both if not first.special[i] and not second.special[j]]
    return [i for i, _ in kept], [j for _, j in kept]


def some_shared(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """`shared_positions`, or Undefined where there are none."""
    in_first, in_second = shared_positions(first, second)
    if not in_first:
        raise Undefined("its two sentences share no tokens")
    return in_first, in_second


def differing_positions(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """Positions of the tokens in which the sentences differ, without special ones.

    Raises:
        Undefined: One sentence has no such token (the other only adds to it), so there is nothing
            to compare.
    """
    shared = shared_positions(first, second)
    in_first, in_second = (
        [i for i in plain(tokens) if i not in set(common)]
        for tokens, common in zip((first, second), shared, strict=True)
    )
    if not in_first or not in_second:
        raise Undefined("one of its sentences has no token that the other lacks")
    return in_first, in_second


def plain(tokens: Tokens) -> list[int]:
    """Positions of all tokens that are not special."""
    return list(compress(count(), map(not_, tokens.special)))
