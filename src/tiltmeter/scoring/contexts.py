"""The common frame of rules for triples: encode, plan, ask once, record."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.items import SIDES, Triple
from tiltmeter.core.protocols import Tokenizes
from tiltmeter.core.requests import Tokens
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Quirk
from tiltmeter.core.types import Array

R = TypeVar("R")
Places: TypeAlias = Sequence[tuple[int, int]]
Plan: TypeAlias = Callable[[Tokens, Places, Context], list[R]]
"""(a text's tokens, position of its candidate, context) to requests; may raise Undefined."""
Combine: TypeAlias = Callable[[Sequence[Array]], float]
"""All answers about one candidate to its score."""
Count: TypeAlias = Callable[[Sequence[Array]], int]
"""All answers about one candidate to the number of its tokens that were scored."""
OWN_SENTENCES = Quirk(
    "own_sentences",
    "The sentences are scored as the file spells them, and not the context with the attribute in it.",
)


def _count(answers: Sequence[Array]) -> int:
    return sum(answer.shape[-1] for answer in answers)


def score_triples(
    model: Tokenizes,
    triples: Sequence[Triple],
    context: Context,
    *,
    ask: Callable[[Sequence[R]], list[Array]],
    plan: Plan[R],
    combine: Combine,
    count: Count = _count,
) -> list[Record]:
    """Encode everything, build all requests, report what cannot be scored, ask once, record.

    Raises:
        BadItems: Some triples have no defined score and they are not to be skipped.
    """
    texts = [texts_of(triple, context) for triple in triples]
    encoded = iter(model.encode([text for three in texts for text in three]))
    planned: list[tuple[Triple, list[list[R]]]] = []
    for triple, three in zip(triples, texts, strict=True):
        tokens = [next(encoded) for _ in SIDES]
        try:
            check(model, tokens)
            planned.append((triple, [
                plan(each, [reaching(text, place) for place in where], context)
                for each, text, where in zip(tokens, three, triple.places, strict=True)
            ]))  # fmt: skip
        except Undefined as why:
            refuse(triple, why, context)
    context.settle()
    answers = iter(ask([request for _, sides in planned for some in sides for request in some]))
    return [
        _record(triple, [take(answers, some) for some in sides], combine, count)
        for triple, sides in planned
    ]


def reaching(text: str, place: tuple[int, int]) -> tuple[int, int]:
    """The place including the space before it, which some tokenizers make a piece of its own.

    Others put it into the candidate's first piece or drop it. Counting the space to the candidate gives
    all candidates of a cluster the same context.

    >>> reaching("so late", (3, 7))
    (2, 7)
    """
    start, end = place
    return len(text[:start].rstrip()), end


def texts_of(triple: Triple, context: Context) -> Sequence[str]:
    """What is scored: the context with each candidate in it, or the source's own sentences."""
    return triple.sentences if OWN_SENTENCES in context.convention.quirks else triple.filled


def refuse(triple: Triple, why: Undefined, context: Context) -> None:
    """Note a triple that has no defined score."""
    context.refuse(Problem(f"cluster {triple.id!r}: {why}", file=triple.where, item=triple.id))


def check(model: Tokenizes, texts: Sequence[Tokens]) -> None:
    """Raise Undefined if a text is too long for the model or has no tokens."""
    longest = max(len(tokens.ids) for tokens in texts)
    if model.limit is not None and longest > model.limit:
        raise Undefined(f"{longest:,} tokens exceed the model's limit of {model.limit:,}")
    if any(all(tokens.special) for tokens in texts):
        raise Undefined("a candidate has no tokens in this model's vocabulary")


def inside(tokens: Tokens, place: tuple[int, int]) -> list[int]:
    """Positions of the tokens that cover any character from `place[0]` to `place[1]`.

    A piece that crosses the boundary belongs to the candidate.

    >>> spans = ((0, 0), (0, 3), (3, 7), (7, 8))
    >>> inside(Tokens((9, 5, 6, 7), (True, False, False, False), (), spans), (4, 7))
    [2]
    """
    if not tokens.spans:
        raise Undefined("this model's tokenizer does not report which characters a piece covers")
    start, end = place
    found = [
        i
        for i, (a, b) in enumerate(tokens.spans)
        if a < end and start < b and not tokens.special[i]
    ]
    if not found:
        raise Undefined("a candidate has no tokens in this model's vocabulary")
    return found


def outside(tokens: Tokens, places: Places) -> list[int]:
    """Positions of the context's own tokens: neither special nor the candidate's."""
    hers = {i for place in places for i in inside(tokens, place)}
    found = [i for i, special in enumerate(tokens.special) if not special and i not in hers]
    if not found:
        raise Undefined("there is no context besides the candidate to score")
    return found


def take(answers: Iterator[Array], requests: Sequence[R]) -> list[Array]:
    """The next answers, one for each of these requests."""
    return [next(answers) for _ in requests]


def _record(
    triple: Triple, answers: Sequence[Sequence[Array]], combine: Combine, count: Count
) -> Record:
    scores = [combine(each) for each in answers]
    return record(triple, scores, tokens=[count(each) for each in answers])


def record(triple: Triple, scores: Sequence[float], *, tokens: Sequence[int] = ()) -> Record:
    """The record of one triple; scores in the order of SIDES.

    The texts are the source's, whatever part of them a rule scored.
    """
    counted = {f"tokens_{side}": float(n) for side, n in zip(SIDES, tokens, strict=False)}
    return Record(
        triple.id,
        {**dict(zip(SIDES, map(float, scores), strict=True)), **counted},
        groups_of(triple),
        triple.target,
        texts={"context": triple.context, **dict(zip(SIDES, triple.sentences, strict=True))},
        names=dict(zip(SIDES, triple.names, strict=False)),
    )


def groups_of(triple: Triple) -> dict[str, str]:
    """The axes a triple is reported over."""
    named = {"task": triple.task, "domain": triple.domain, "target": triple.target}
    return {**{axis: label for axis, label in named.items() if label}, **triple.groups}
