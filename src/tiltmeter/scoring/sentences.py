"""Rules for single sentences of running text: the likelihood of the whole sentence.

The same as the rules of these names for pairs, one sentence at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.items import Sentence
from tiltmeter.core.protocols import Continues, FillsBlanks, Tokenizes
from tiltmeter.core.requests import Blanked, Tokens
from tiltmeter.core.results import Note, Record
from tiltmeter.core.study import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring import likelihood, pseudo
from tiltmeter.scoring.pairs import AskedSentence, askable, total
from tiltmeter.scoring.token_scores import Request

R = TypeVar("R", bound=Request)
Planned: TypeAlias = Callable[[Tokens], list[R]]
"""A sentence's tokens to the requests about it; may raise Undefined."""
Score: TypeAlias = Callable[[Any, Sequence[Sentence], Context], list[Record]]


def score_sentences(
    model: Tokenizes,
    sentences: Sequence[Sentence],
    context: Context,
    *,
    ask: Callable[[Sequence[R]], list[Array]],
    plan: Planned[R],
) -> list[Record]:
    """Encode everything, build all requests, report what cannot be scored, ask once, record.

    Raises:
        BadItems: Some sentences have no defined score and they are not to be skipped.
    """
    planned: list[tuple[Sentence, AskedSentence[R]]] = []
    encoded = model.encode([sentence.text for sentence in sentences])
    for sentence, tokens in zip(sentences, encoded, strict=True):
        try:
            askable(model, tokens)
            planned.append((sentence, AskedSentence(sentence.text, tokens, plan(tokens))))
        except Undefined as why:
            reason = f"sentence {sentence.id!r}: {why}"
            context.refuse(Problem(reason, file=sentence.where, item=sentence.id))
    context.settle()
    _note_unknown(model, [asked.tokens for _, asked in planned], context)
    answers = iter(ask([request for _, asked in planned for request in asked.requests]))
    return [_record(sentence, asked, answers, context) for sentence, asked in planned]


def _note_unknown(model: Tokenizes, read: Sequence[Tokens], context: Context) -> None:
    """Add a note on unknown tokens: they are one token to the model, which it may predict well."""
    unknown = (
        sum(tokens.ids.count(model.unknown) for tokens in read) if model.unknown is not None else 0
    )
    if unknown:
        of = sum(len(tokens.ids) - sum(tokens.special) for tokens in read)
        text = (
            f"{unknown:,} of {of:,} tokens are not in the model's vocabulary; they are all scored as the "
            "same unknown token, which makes the perplexity too low."
        )
        context.notes.append(Note("caution", text))


def _record(
    sentence: Sentence, asked: AskedSentence[R], given: Iterator[Array], context: Context
) -> Record:
    answers = asked.answered(given)
    scores = {
        "logprob": total(answers),
        "tokens_scored": float(sum(answer.shape[-1] for answer in answers)),
        "raw_bytes": float(len(sentence.text.encode())),
    }
    texts = {"text": sentence.text}
    per_token = {"logprob": asked.token_scores(answers)} if context.per_token else None
    return Record(
        sentence.id, scores, sentence.groups, sentence.cluster, texts=texts, tokens=per_token
    )


def _blank(
    plan: Planned[Blanked], model: FillsBlanks, sentences: Sequence[Sentence], context: Context
) -> list[Record]:
    return score_sentences(model, sentences, context, ask=model.blank_logprobs, plan=plan)


def _continue(model: Continues, sentences: Sequence[Sentence], context: Context) -> list[Record]:
    return score_sentences(
        model,
        sentences,
        context,
        ask=model.continuation_logprobs,
        plan=partial(likelihood.whole, context=context),
    )


_OF_PAIRS = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}


def _like(name: str, score: Score) -> Rule[Sentence]:
    of_pairs = _OF_PAIRS[name]
    return Rule(name, of_pairs.needs, score, of_pairs.summary, of_pairs.source)


RULES: tuple[Rule[Sentence], ...] = (
    _like("pll_all", partial(_blank, pseudo.all_hidden)),
    _like("pll_word_l2r", partial(_blank, pseudo.left_to_right)),
    _like("log_likelihood", _continue),
)
"""A masked model gets the first, a causal or sequence-to-sequence model the last."""
