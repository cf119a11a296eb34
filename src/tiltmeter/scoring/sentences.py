"""Rules for single sentences of running text: the likelihood of the whole sentence.

The same as the rules of these names for pairs, one sentence at a time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from tiltmeter.core.data.items import Sentence
from tiltmeter.core.model.protocols import Tokenizes
from tiltmeter.core.model.requests import Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.text import counted, verb_for
from tiltmeter.scoring import likelihood, pseudo
from tiltmeter.scoring.text_scoring import R, ScoredText, TextScoring, count, total

Plan: TypeAlias = Callable[[Tokens, Context], list[R]]
"""A sentence's tokens to the requests about it; may raise Undefined."""


@dataclass(frozen=True, slots=True)
class SentenceScoring(TextScoring[Sentence, R]):
    """Asks about a sentence as a whole."""

    plan: Plan[R]
    called: ClassVar[str] = "sentence"

    def texts(self, item: Sentence, model: Tokenizes, context: Context) -> Sequence[str]:  # noqa: ARG002
        """The sentence, which is all that is asked about."""
        return (item.text,)

    def planned(
        self, item: Sentence, texts: Sequence[str], tokens: Sequence[Tokens], context: Context
    ) -> list[ScoredText[R]]:
        """What is asked about it."""
        del item
        return [ScoredText(texts[0], tokens[0], self.plan(tokens[0], context))]

    def note(
        self, planned: Sequence[list[ScoredText[R]]], model: Tokenizes, context: Context
    ) -> None:
        """Add a note on unknown tokens: they are one token to the model, which it may predict well."""
        read = [asked.tokens for (asked,) in planned]
        unknown = 0 if model.unknown is None else sum(t.ids.count(model.unknown) for t in read)
        if unknown:
            of = sum(len(tokens.ids) - sum(tokens.special) for tokens in read)
            text = (
                f"{unknown:,} of {counted(of, 'tokens')} {verb_for(unknown, 'are')} not in the "
                "model's vocabulary; all such tokens are scored as "
                "the same unknown token, which makes the perplexity too low."
            )
            context.notes.append(Note("caution", text))

    def record(self, item: Sentence, asked: Sequence[ScoredText[R]], context: Context) -> Record:
        """The sentence's log-probability, its tokens and its length in bytes."""
        (sentence,) = asked
        scores = {
            "logprob": total(sentence.answers),
            "tokens_scored": float(count(sentence.answers)),
            "raw_bytes": float(len(item.text.encode())),
        }
        tokens = {"logprob": sentence.token_scores} if context.per_token else None
        texts = {"text": item.text}
        return Record(item.id, scores, item.groups, item.cluster, texts=texts, tokens=tokens)


_OF_PAIRS = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}


def _like(name: str, question: str, plan: Plan[Any]) -> Rule[Sentence]:
    of_pairs = _OF_PAIRS[name]
    score = SentenceScoring(question, plan)
    return Rule(name, of_pairs.needs, score, of_pairs.summary, of_pairs.source)


RULES: tuple[Rule[Sentence], ...] = (
    _like("pll_all", "blank_logprobs", pseudo.all_hidden),
    _like("pll_word_l2r", "blank_logprobs", pseudo.left_to_right),
    _like("log_likelihood", "continuation_logprobs", likelihood.whole),
)
"""A masked model gets the first, a causal or sequence-to-sequence model the last."""
