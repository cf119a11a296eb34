"""The common frame of rules for sentence pairs: encode, plan, ask once, record."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.items import Pair
from tiltmeter.core.protocols import Tokenizes
from tiltmeter.core.requests import Tokens
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Quirk
from tiltmeter.core.types import Array

R = TypeVar("R")
Plan: TypeAlias = Callable[[Pair, Tokens, Tokens, Context], tuple[list[R], list[R]]]
"""(pair, its first sentence, its second, context) to the requests for each; may raise Undefined."""
Combine: TypeAlias = Callable[[Sequence[Array]], float]
"""All answers about one sentence to its score."""
LOWERCASE_IF_UNCASED = Quirk(
    "lowercase_if_uncased",
    "The text is lower-cased before it is tokenised, if the model is uncased.",
)
MORE_FIRST = Quirk(
    "more_first",
    "Sentences are aligned with the more stereotyping one first, instead of the one about the "
    "disadvantaged group.",
)


def score_pairs(
    model: Tokenizes,
    pairs: Sequence[Pair],
    context: Context,
    *,
    ask: Callable[[Sequence[R]], list[Array]],
    plan: Plan[R],
    combine: Combine,
) -> list[Record]:
    """Encode everything, build all requests, report what cannot be scored, ask once, record.

    Raises:
        BadItems: Some pairs have no defined score and they are not to be skipped.
    """
    encoded = iter(
        model.encode([text for pair in pairs for text in _ordered(model, pair, context)])
    )
    planned: list[tuple[Pair, list[R], list[R]]] = []
    for pair in pairs:
        first, second = next(encoded), next(encoded)
        try:
            askable(model, first, second)
            planned.append((pair, *plan(pair, first, second, context)))
        except Undefined as why:
            context.refuse(Problem(f"pair {pair.id!r}: {why}", file=pair.where, item=pair.id))
    context.settle()
    answers = iter(ask([request for _, a, b in planned for request in (*a, *b)]))
    return [
        _record(pair, _take(answers, a), _take(answers, b), context, combine)
        for pair, a, b in planned
    ]


def _more_is_first(pair: Pair, context: Context) -> bool:
    return MORE_FIRST in context.convention.quirks or pair.first == pair.more


def _ordered(model: Tokenizes, pair: Pair, context: Context) -> tuple[str, str]:
    texts = (pair.more, pair.less)
    if not _more_is_first(pair, context):
        texts = (pair.less, pair.more)
    if LOWERCASE_IF_UNCASED in context.convention.quirks and not model.cased:
        return texts[0].lower(), texts[1].lower()
    return texts


def askable(model: Tokenizes, *sentences: Tokens) -> None:
    """Check that the model can score these sentences.

    Raises:
        Undefined: One is too long for the model, or has no tokens.
    """
    longest = max(len(tokens.ids) for tokens in sentences)
    if model.limit is not None and longest > model.limit:
        raise Undefined(f"{longest:,} tokens exceed the model's limit of {model.limit:,}")
    if any(all(tokens.special) for tokens in sentences):
        raise Undefined("a sentence has no tokens in this model's vocabulary")


def _take(answers: Iterator[Array], requests: Sequence[R]) -> list[Array]:
    return [next(answers) for _ in requests]


def _record(
    pair: Pair, first: list[Array], second: list[Array], context: Context, combine: Combine
) -> Record:
    more, less = (first, second) if _more_is_first(pair, context) else (second, first)
    scores = {
        "more": combine(more),
        "less": combine(less),
        "tokens_more": float(sum(answer.shape[-1] for answer in more)),
        "tokens_less": float(sum(answer.shape[-1] for answer in less)),
    }
    texts = {"more": pair.more, "less": pair.less}
    return Record(pair.id, scores, pair.groups, pair.cluster, texts=texts)


def total(answers: Sequence[Array]) -> float:
    """Sum over all tokens, in the order of the text."""
    return float(sum(float(value) for answer in answers for value in answer))


def mean(answers: Sequence[Array]) -> float:
    """Plain mean over all tokens."""
    return total(answers) / sum(len(answer) for answer in answers)
