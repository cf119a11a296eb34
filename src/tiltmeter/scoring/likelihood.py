"""Rules for models that continue a text: causal and sequence-to-sequence.

Natural logarithms throughout. The first token is scored too, after the model's start token.
"""

from functools import partial

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.protocols import Continues
from tiltmeter.core.model.requests import Continuation, Tokens
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.pairs import Keep, PairScoring, each_alone
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


def _rule(
    name: str, combine: Combine, keep: Keep | None = None, *, summary: str, source: str
) -> Rule[Pair]:
    score = PairScoring("continuation_logprobs", _WHOLE, combine, keep)
    return Rule(name, Continues, score, summary, source, logarithms=True)


RULES: tuple[Rule[Pair], ...] = (
    _rule(
        "log_likelihood",
        total,
        summary="The log-probability of the whole sentence: each token given those before it, "
        "summed.",
        source="the chain rule; as github.com/EleutherAI/lm-evaluation-harness scores CrowS-Pairs",
    ),
    _rule(
        "log_likelihood_shared",
        total,
        some_shared,
        summary="The log-probability of the tokens that both sentences share, each given "
        "everything before it, summed: the words in which they differ are conditioned on but not "
        "scored.",
        source="the causal reading of Nangia et al. 2020, equation 1, "
        "doi:10.18653/v1/2020.emnlp-main.154",
    ),
    _rule(
        "log_likelihood_per_token",
        mean,
        summary="The mean log-probability per token, each given those before it, so that length "
        "does not count.",
        source="Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132 (for GPT-2)",
    ),
)
"""For causal and sequence-to-sequence models; the first is the default."""
