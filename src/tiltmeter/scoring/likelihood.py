"""Rules for models that continue a text: causal and sequence-to-sequence.

Natural logarithms throughout. The first token is scored too, after the model's start token.
"""

from functools import partial

from tiltmeter.core.items import Pair
from tiltmeter.core.protocols import Continues
from tiltmeter.core.requests import Continuation, Tokens
from tiltmeter.core.study import Context, Quirk, Rule
from tiltmeter.scoring.pairs import PairScoring, each_alone
from tiltmeter.scoring.text_scoring import mean, total
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
RULES: tuple[Rule[Pair], ...] = (
    Rule(
        "log_likelihood",
        Continues,
        PairScoring("continuation_logprobs", _WHOLE, total),
        "The log-probability of the whole sentence: each token given those before it, summed.",
        "the chain rule; as lm-evaluation-harness scores CrowS-Pairs",
        logarithms=True,
    ),
    Rule(
        "log_likelihood_shared",
        Continues,
        PairScoring("continuation_logprobs", _WHOLE, total, keep=some_shared),
        "The log-probability of the tokens that both sentences share, each given everything before it, "
        "summed: the words in which they differ are conditioned on but not scored.",
        "the causal reading of Nangia et al. 2020, equation 1, doi:10.18653/v1/2020.emnlp-main.154",
        logarithms=True,
    ),
    Rule(
        "log_likelihood_per_token",
        Continues,
        PairScoring("continuation_logprobs", _WHOLE, mean),
        "The mean log-probability per token, each given those before it, so that length does not count.",
        "Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132 (for GPT-2)",
        logarithms=True,
    ),
)
"""For causal and sequence-to-sequence models; the first is the default."""
