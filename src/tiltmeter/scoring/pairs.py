"""The common frame of rules for sentence pairs: encode, plan, ask once, record."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.items import Pair
from tiltmeter.core.protocols import Tokenizes
from tiltmeter.core.requests import Tokens
from tiltmeter.core.results import Note, Record, TokenScore
from tiltmeter.core.study import Context, Quirk
from tiltmeter.core.types import Array
from tiltmeter.scoring.token_scores import Request, kept_answer, token_scores

R = TypeVar("R", bound=Request)
Plan: TypeAlias = Callable[[Pair, Tokens, Tokens, Context], tuple[list[R], list[R]]]
"""(pair, its first sentence, its second, context) to the requests for each; may raise Undefined."""
Keep: TypeAlias = Callable[[Tokens, Tokens], tuple[list[int], list[int]]]
"""Both sentences' tokens to the positions that count in each; may raise Undefined."""
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


@dataclass(slots=True)
class AskedSentence(Generic[R]):
    """A sentence, what the model is asked about it, and what it answered."""

    text: str
    tokens: Tokens
    requests: list[R]
    kept: Collection[int] | None = None
    """The positions that count; None for all that are read."""

    def answered(self, answers: Iterator[Array]) -> list[Array]:
        """Take this sentence's answers from those to all requests, in order."""
        found = [next(answers) for _ in self.requests]
        if self.kept is None:
            return found
        both = zip(self.requests, found, strict=True)
        return [kept_answer(request, answer, self.kept) for request, answer in both]

    def token_scores(self, answers: Sequence[Array]) -> tuple[TokenScore, ...]:
        """What each token adds."""
        return token_scores(self.text, self.tokens, self.requests, answers, self.kept)


def score_pairs(
    model: Tokenizes,
    pairs: Sequence[Pair],
    context: Context,
    *,
    ask: Callable[[Sequence[R]], list[Array]],
    plan: Plan[R],
    combine: Combine,
    keep: Keep | None = None,
) -> list[Record]:
    """Encode everything, build all requests, report what cannot be scored, ask once, record.

    Raises:
        BadItems: Some pairs have no defined score and they are not to be skipped.
    """
    texts = [_ordered(model, pair, context) for pair in pairs]
    encoded = iter(model.encode([text for both in texts for text in both]))
    planned: list[tuple[Pair, AskedSentence[R], AskedSentence[R]]] = []
    for pair, (text_a, text_b) in zip(pairs, texts, strict=True):
        first, second = next(encoded), next(encoded)
        try:
            askable(model, first, second)
            a, b = plan(pair, first, second, context)
            kept_a, kept_b = keep(first, second) if keep else (None, None)
            asked = (
                AskedSentence(text_a, first, a, kept_a),
                AskedSentence(text_b, second, b, kept_b),
            )
            planned.append((pair, *asked))
        except Undefined as why:
            context.refuse(Problem(f"pair {pair.id!r}: {why}", file=pair.where, item=pair.id))
    context.settle()
    _note_alike([(a.tokens, b.tokens) for _, a, b in planned], context)
    answers = iter(ask([r for _, a, b in planned for r in (*a.requests, *b.requests)]))
    return [_record(pair, (a, b), answers, context, combine) for pair, a, b in planned]


def _note_alike(both: Sequence[tuple[Tokens, Tokens]], context: Context) -> None:
    """Add a note on pairs whose sentences the model cannot tell apart: they are ties, not findings."""
    alike = sum(first.ids == second.ids for first, second in both)
    if alike:
        text = (
            f"{alike:,} of {len(both):,} pairs are the same tokens to this model in both sentences (unknown "
            "words, letter case or invisible characters), so they are ties whatever it prefers."
        )
        context.notes.append(Note("caution", text))


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
    limit, longest = model.limit, max([len(tokens.ids) for tokens in sentences])
    if limit is not None and longest > limit:
        raise Undefined(f"{longest:,} tokens exceed the model's limit of {limit:,}")
    for tokens in sentences:
        if all(tokens.special):
            raise Undefined("a sentence has no tokens in this model's vocabulary")


def _record(
    pair: Pair,
    sentences: tuple[AskedSentence[R], AskedSentence[R]],
    answers: Iterator[Array],
    context: Context,
    combine: Combine,
) -> Record:
    both = [(sentence, sentence.answered(answers)) for sentence in sentences]
    (more, in_more), (less, in_less) = both if _more_is_first(pair, context) else both[::-1]
    scores = {
        "more": combine(in_more),
        "less": combine(in_less),
        "tokens_more": float(sum([answer.shape[-1] for answer in in_more])),
        "tokens_less": float(sum([answer.shape[-1] for answer in in_less])),
    }
    texts = {"more": pair.more, "less": pair.less}
    per_token = (
        {"more": more.token_scores(in_more), "less": less.token_scores(in_less)}
        if context.per_token
        else None
    )
    return Record(pair.id, scores, pair.groups, pair.cluster, texts=texts, tokens=per_token)


def total(answers: Sequence[Array]) -> float:
    """Sum over all tokens, in the order of the text."""
    return float(sum([value for answer in answers for value in answer.tolist()]))


def mean(answers: Sequence[Array]) -> float:
    """Plain mean over all tokens."""
    return total(answers) / sum(len(answer) for answer in answers)
