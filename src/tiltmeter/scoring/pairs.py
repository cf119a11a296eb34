"""How rules score sentence pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.protocols import Tokenizes
from tiltmeter.core.model.requests import Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context
from tiltmeter.core.text import counted, verb_for
from tiltmeter.scoring.text_scoring import Combine, R, ScoredText, TextScoring, count

Plan: TypeAlias = Callable[[Pair, Tokens, Tokens, Context], tuple[list[R], list[R]]]
"""(pair, its first sentence, its second, context) to the requests for each; may raise Undefined."""
Keep: TypeAlias = Callable[[Tokens, Tokens], tuple[list[int], list[int]]]
"""Both sentences' tokens to the positions that count in each; may raise Undefined."""
LOWERCASE_IF_UNCASED = Quirk(
    "lowercase_if_uncased",
    "The text is lower-cased before it is tokenised, if the model is uncased.",
)
MORE_FIRST = Quirk(
    "more_first",
    "Sentences are aligned with the more stereotyping one first, instead of the one about the "
    "disadvantaged group.",
)


@dataclass(frozen=True, slots=True)
class PairScoring(TextScoring[Pair, R]):
    """Asks about both sentences of a pair, aligned with each other."""

    plan: Plan[R]
    combine: Combine
    keep: Keep | None = None
    called: ClassVar[str] = "pair"

    def texts(self, item: Pair, model: Tokenizes, context: Context) -> tuple[str, str]:
        """Both sentences, the one about the disadvantaged group first."""
        more, less = item.more, item.less
        texts = (more, less) if _more_is_first(item, context) else (less, more)
        if LOWERCASE_IF_UNCASED in context.convention.quirks and not model.cased:
            return texts[0].lower(), texts[1].lower()
        return texts

    def planned(
        self, item: Pair, texts: Sequence[str], tokens: Sequence[Tokens], context: Context
    ) -> list[ScoredText[R]]:
        """What is asked about each sentence."""
        first, second = tokens
        plans = self.plan(item, first, second, context)
        kept = self.keep(first, second) if self.keep else (None, None)
        return [ScoredText(*of_text) for of_text in zip(texts, tokens, plans, kept, strict=True)]

    def note(
        self,
        planned: Sequence[list[ScoredText[R]]],
        model: Tokenizes,  # noqa: ARG002
        context: Context,
    ) -> None:
        """Say which pairs the model cannot tell apart: they are ties, not findings."""
        alike = sum(first.tokens.ids == second.tokens.ids for first, second in planned)
        if alike:
            text = (
                f"{alike:,} of {counted(len(planned), 'pairs')} {verb_for(alike, 'are')} the same "
                "tokens to this model in both sentences "
                "(unknown words, letter case or invisible characters), so they are ties whatever it prefers."
            )
            context.notes.append(Note("caution", text))

    def record(self, item: Pair, asked: Sequence[ScoredText[R]], context: Context) -> Record:
        """The scores of both sentences, and how many tokens each has that were scored."""
        more, less = asked if _more_is_first(item, context) else asked[::-1]
        both = {"more": more, "less": less}
        scores = {name: self.combine(text.answers) for name, text in both.items()}
        counts = {f"tokens_{name}": float(count(text.answers)) for name, text in both.items()}
        made = record(item, scores | counts)
        if not context.per_token:
            return made
        return replace(made, tokens={name: text.token_scores for name, text in both.items()})


def record(pair: Pair, scores: dict[str, float]) -> Record:
    """The record of a pair with these scores: `more`, `less` and others."""
    texts = {"more": pair.more, "less": pair.less}
    return Record(pair.id, scores, pair.groups, pair.cluster, texts=texts)


def _more_is_first(pair: Pair, context: Context) -> bool:
    return MORE_FIRST in context.convention.quirks or pair.first == pair.more


def each_alone(
    plan: Callable[[Tokens, Context], list[R]],
    _: Pair,
    first: Tokens,
    second: Tokens,
    context: Context,
) -> tuple[list[R], list[R]]:
    """A `Plan` that asks about each sentence without regard to the other."""
    return plan(first, context), plan(second, context)
