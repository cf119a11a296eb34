"""Rules for models that continue a text: causal and sequence-to-sequence.

Natural logarithms throughout. The first token is scored too, after the model's start token.
"""

from functools import partial

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.items import Pair
from tiltmeter.core.protocols import Continues
from tiltmeter.core.requests import Continuation, Tokens
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.pairs import Keep, PairScoring, each_alone
from tiltmeter.scoring.rule_words import RULE_WORDS
from tiltmeter.scoring.text_scoring import Combine, mean, total
from tiltmeter.scoring.token_scores import some_shared

LONE_FIRST_TOKEN = Quirk(
    "lone_first_token",
    "The first token is scored after the start token, and all others without the start token.",
)


def whole(tokens: Tokens, context: Context) -> list[Continuation]:
    """The requests for a whole text: one, or two if the first token is scored separately."""
    if LONE_FIRST_TOKEN in context.convention.quirks and len(tokens.ids) > 1:
        return [
            Continuation((), tokens.ids[:1]),
            Continuation(tokens.ids[:1], tokens.ids[1:], start=False),
        ]
    return [Continuation((), tokens.ids)]


_WHOLE = partial(each_alone, whole)


def _rule(name: str, combine: Combine, keep: Keep | None = None) -> Rule[Pair]:
    score = PairScoring("continuation_logprobs", _WHOLE, combine, keep)
    return Rule(
        name, Continues, score, ordinal=True, logarithms=True, **RULE_WORDS["likelihood"][name]
    )


RULES: tuple[Rule[Pair], ...] = (
    _rule("log_likelihood", total),
    _rule("log_likelihood_shared", total, some_shared),
    _rule("log_likelihood_per_token", mean),
)
"""For causal and sequence-to-sequence models; the first is the default."""
