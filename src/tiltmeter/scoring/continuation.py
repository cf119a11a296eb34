"""Rules for triples that ask how a text continues: sentence likelihood, and next-sentence judgments.

Natural logarithms throughout.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.model.protocols import Continues, JudgesNext
from tiltmeter.core.model.requests import Continuation, Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.scoring.contexts import Places, TripleScoring, inside, record
from tiltmeter.scoring.likelihood import whole
from tiltmeter.scoring.text_scoring import mean, refuse

AS_PROBABILITIES = Quirk(
    "as_probabilities",
    "Next-sentence judgments are compared as 32-bit probabilities, so that near-certain ones are "
    "equal.",
)


def _sentence(tokens: Tokens, _: Places, context: Context) -> list[Continuation]:
    return whole(tokens, context)


def _with_and_without(tokens: Tokens, places: Places, _: Context) -> list[Continuation]:
    """The second sentence after the first, and the same tokens at the beginning of a text."""
    first = inside(tokens, places[0])[0]
    if first == 0:
        raise Undefined("there is no context besides the candidate to score")
    before, after = tokens.ids[:first], tokens.ids[first:]
    return [Continuation(before, after), Continuation((), after)]


def _with_context(tokens: Tokens, places: Places, context: Context) -> list[Continuation]:
    """The second sentence after the first."""
    return _with_and_without(tokens, places, context)[:1]


def _difference(answers: Sequence[Array]) -> float:
    with_context, without = answers
    return float(with_context.sum() - without.sum())


def _next(model: JudgesNext, triples: Sequence[Triple], context: Context) -> list[Record]:
    """The log-probability that each candidate is the sentence that follows the context."""
    pairs = [[(t.context, sentence) for sentence in t.sentences] for t in triples]
    lengths = iter(model.pair_lengths([pair for three in pairs for pair in three]))
    kept = []
    for triple, three in zip(triples, pairs, strict=True):
        longest = max(next(lengths) for _ in three)
        if model.pair_limit is not None and longest > model.pair_limit:
            why = (
                f"{counted(longest, 'tokens', 'exceed')} the model's limit of "
                f"{model.pair_limit:,} for a pair"
            )
            refuse("cluster", triple, Undefined(why), context)
        else:
            kept.append((triple, three))
    context.settle()
    logprobs = model.next_logprobs([pair for _, three in kept for pair in three])
    if AS_PROBABILITIES in context.convention.quirks:
        logprobs = np.exp(logprobs).astype(np.float32).astype(np.float64)
    rows = np.asarray(logprobs).reshape(-1, 3)
    return [record(triple, row.tolist()) for (triple, _), row in zip(kept, rows, strict=True)]


RULES: tuple[Rule[Triple], ...] = (
    Rule(
        "sentence_logprob",
        Continues,
        TripleScoring("continuation_logprobs", _sentence, mean),
        task="intrasentence",
        summary="The mean log-probability per token of the whole sentence with the attribute in "
        "it, each token given those before it, the first given the start token.",
        source="Nadeem et al. 2021, doi:10.18653/v1/2021.acl-long.416, section 6.2",
    ),
    Rule(
        "next_sentence",
        JudgesNext,
        _next,
        task="intersentence",
        summary="The log-probability, by the model's next-sentence head, that the sentence follows "
        "the context.",
        source="Nadeem et al. 2021, doi:10.18653/v1/2021.acl-long.416, section 6.1 and appendix "
        "A.5",
    ),
    Rule(
        "likelihood_ratio",
        Continues,
        TripleScoring(
            "continuation_logprobs",
            _with_and_without,
            _difference,
            lambda answers: answers[0].shape[-1],
        ),
        task="intersentence",
        summary="How much likelier the context makes the sentence: the log-probability of its "
        "tokens after the context minus that of the same tokens at the beginning of a text.",
        source="Nadeem et al. 2021, doi:10.18653/v1/2021.acl-long.416, section 6.2",
    ),
    Rule(
        "continuation_logprob",
        Continues,
        TripleScoring("continuation_logprobs", _with_context, mean),
        task="intersentence",
        summary="The mean log-probability per token of the second sentence after the first, so that "
        "a sentence that is common anyway has an advantage.",
        source="Nadeem et al. 2020, arXiv:2004.09456v1, section 7.4, footnote 3 (a method similar to that "
        "within sentences)",
    ),
)
"""For models that continue a text, and for those that judge which sentence comes next."""
