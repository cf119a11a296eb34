"""How rules score triples: a context with three candidates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import SIDES, Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.model.protocols import Tokenizes
from tiltmeter.core.model.requests import Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context
from tiltmeter.core.types import Array
from tiltmeter.scoring.text_scoring import Combine, R, ScoredText, TextScoring, count

Places: TypeAlias = Sequence[tuple[int, int]]
Plan: TypeAlias = Callable[[Tokens, Places, Context], list[R]]
"""(a text's tokens, position of its candidate, context) to requests; may raise Undefined."""
OWN_SENTENCES = Quirk(
    "own_sentences",
    "The sentences are scored as the file spells them, and not the context with the attribute in it.",
)


@dataclass(frozen=True, slots=True)
class TripleScoring(TextScoring[Triple, R]):
    """Asks about the context with each of its three candidates."""

    plan: Plan[R]
    combine: Combine
    count: Callable[[Sequence[Array]], int] = count
    """All answers about one candidate to the number of its tokens that were scored."""
    called: ClassVar[str] = "cluster"
    candidate: ClassVar[str] = "a candidate"

    def texts(self, item: Triple, model: Tokenizes, context: Context) -> Sequence[str]:  # noqa: ARG002
        """The context with each candidate in it, or the source's own sentences."""
        return item.sentences if OWN_SENTENCES in context.convention.quirks else item.filled

    def planned(
        self, item: Triple, texts: Sequence[str], tokens: Sequence[Tokens], context: Context
    ) -> list[ScoredText[R]]:
        """What is asked about each candidate."""
        return [
            ScoredText(
                text,
                of_text,
                self.plan(of_text, [reaching(text, place) for place in places], context),
            )
            for text, of_text, places in zip(texts, tokens, item.places, strict=True)
        ]

    def record(self, item: Triple, asked: Sequence[ScoredText[R]], context: Context) -> Record:  # noqa: ARG002
        """The score of each candidate, and how many of its tokens were scored."""
        counts = [self.count(text.answers) for text in asked]
        return record(item, [self.combine(text.answers) for text in asked], tokens=counts)


def reaching(text: str, place: tuple[int, int]) -> tuple[int, int]:
    """The place including the space before it, which some tokenizers make a piece of its own.

    Others put it into the candidate's first piece or drop it. Counting the space to the candidate gives
    all candidates of a cluster the same context.

    >>> reaching("so late", (3, 7))
    (2, 7)
    """
    start, end = place
    return len(text[:start].rstrip()), end


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
    positions = [
        i
        for i, (a, b) in enumerate(tokens.spans)
        if a < end and start < b and not tokens.special[i]
    ]
    if not positions:
        raise Undefined("a candidate has no tokens in this model's vocabulary")
    return positions


def outside(tokens: Tokens, places: Places) -> list[int]:
    """Positions of the context's own tokens: neither special nor the candidate's."""
    of_candidate = {i for place in places for i in inside(tokens, place)}
    positions = [
        i for i, special in enumerate(tokens.special) if not special and i not in of_candidate
    ]
    if not positions:
        raise Undefined("there is no context besides the candidate to score")
    return positions


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
    axes = {"task": triple.task, "domain": triple.domain, "target": triple.target}
    return {**{axis: label for axis, label in axes.items() if label}, **triple.groups}
