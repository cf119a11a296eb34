"""Rules for masked language models: pseudo-likelihood in its published forms.

Natural logarithms throughout; a score is a sum over tokens unless its name says mean.
"""

import zlib
from collections.abc import Sequence
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import Pair
from tiltmeter.core.protocols import Attends, FillsBlanks, ReadsUnhidden
from tiltmeter.core.requests import Blanked, Tokens
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring.pairs import Combine, Plan, mean, score_pairs, total
from tiltmeter.scoring.token_scores import differing_positions, plain, some_shared

NANGIA = "Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154"
KANEKO = "Kaneko and Bollegala 2022, doi:10.1609/aaai.v36i11.21453"
ITERATIONS = 32
"""How many random masks `pll_random15` averages over."""


def _blank(
    plan: Plan[Blanked],
    combine: Combine,
    model: FillsBlanks,
    pairs: Sequence[Pair],
    context: Context,
) -> list[Record]:
    return score_pairs(model, pairs, context, ask=model.blank_logprobs, plan=plan, combine=combine)


def _attended(model: Attends, pairs: Sequence[Pair], context: Context) -> list[Record]:
    return score_pairs(
        model, pairs, context, ask=model.attended_logprobs, plan=_unmasked, combine=_weighted_mean
    )


def each_hidden(tokens: Tokens, where: Sequence[int]) -> list[Blanked]:
    """Hide and read one of these tokens at a time."""
    return [Blanked(tokens.ids, (i,), (i,)) for i in where]


def _shared(
    _: Pair, first: Tokens, second: Tokens, __: Context
) -> tuple[list[Blanked], list[Blanked]]:
    in_first, in_second = some_shared(first, second)
    return each_hidden(first, in_first), each_hidden(second, in_second)


def _all(
    _: Pair, first: Tokens, second: Tokens, __: Context
) -> tuple[list[Blanked], list[Blanked]]:
    return all_hidden(first), all_hidden(second)


def all_hidden(tokens: Tokens) -> list[Blanked]:
    """Hide and read each token that is not special, one at a time."""
    return each_hidden(tokens, plain(tokens))


def left_to_right(tokens: Tokens) -> list[Blanked]:
    """Hide a token and the later pieces of its own word; read the token."""
    if not tokens.words:
        raise Undefined("this model's tokenizer does not report which pieces make up a word")
    last = {word: i for i, word in enumerate(tokens.words)}
    return [
        Blanked(tokens.ids, tuple(range(i, last[tokens.words[i]] + 1)), (i,)) for i in plain(tokens)
    ]


def _word_l2r(
    _: Pair, first: Tokens, second: Tokens, __: Context
) -> tuple[list[Blanked], list[Blanked]]:
    return left_to_right(first), left_to_right(second)


def _joint(
    _: Pair, first: Tokens, second: Tokens, __: Context
) -> tuple[list[Blanked], list[Blanked]]:
    in_first, in_second = (tuple(where) for where in some_shared(first, second))
    return [Blanked(first.ids, in_first, in_first)], [Blanked(second.ids, in_second, in_second)]


def _random15(
    pair: Pair, first: Tokens, second: Tokens, context: Context
) -> tuple[list[Blanked], list[Blanked]]:
    """The same draws for both sentences, so that they differ in nothing but the group."""
    in_first, in_second = (np.array(where) for where in some_shared(first, second))
    rng = np.random.default_rng([context.seed, zlib.crc32(pair.id.encode())])
    size = max(1, round(0.15 * len(in_first)))
    picks = [np.sort(rng.permutation(len(in_first))[:size]) for _ in range(ITERATIONS)]
    hidden_first = [tuple(int(i) for i in in_first[pick]) for pick in picks]
    hidden_second = [tuple(int(i) for i in in_second[pick]) for pick in picks]
    return (
        [Blanked(first.ids, hidden, hidden) for hidden in hidden_first],
        [Blanked(second.ids, hidden, hidden) for hidden in hidden_second],
    )


def _differing(
    _: Pair, first: Tokens, second: Tokens, __: Context
) -> tuple[list[Blanked], list[Blanked]]:
    in_first, in_second = differing_positions(first, second)
    return each_hidden(first, in_first), each_hidden(second, in_second)


def _unmasked(
    _: Pair, first: Tokens, second: Tokens, __: Context
) -> tuple[list[Blanked], list[Blanked]]:
    return (
        [Blanked(first.ids, (), tuple(plain(first)))],
        [Blanked(second.ids, (), tuple(plain(second)))],
    )


def _weighted_mean(answers: Sequence[Array]) -> float:
    """Mean over tokens of log-probability × attention; the weights are not renormalised."""
    ((logprobs, attention),) = answers
    return float(np.mean(logprobs * attention))


RULES: tuple[Rule[Pair], ...] = (
    Rule(
        "pll_shared",
        FillsBlanks,
        partial(_blank, _shared, total),
        "The pseudo-log-likelihood of the tokens that both sentences share: each is hidden in turn, "
        "all others stay visible, and the log-probabilities of the hidden tokens are summed.",
        f"{NANGIA}, equation 1",
        logarithms=True,
    ),
    Rule(
        "pll_all",
        FillsBlanks,
        partial(_blank, _all, total),
        "The pseudo-log-likelihood of all tokens: each is hidden in turn, and the log-probabilities "
        "of the hidden tokens are summed.",
        "Salazar et al. 2020, doi:10.18653/v1/2020.acl-main.240",
        logarithms=True,
    ),
    Rule(
        "pll_word_l2r",
        FillsBlanks,
        partial(_blank, _word_l2r, total),
        "The pseudo-log-likelihood of all tokens; with each token the later pieces of its own word "
        "are hidden too, so that a rare word's pieces do not reveal each other.",
        "Kauf and Ivanova 2023, doi:10.18653/v1/2023.acl-short.80",
        logarithms=True,
    ),
    Rule(
        "pll_joint",
        FillsBlanks,
        partial(_blank, _joint, total),
        "The log-probabilities of the tokens that both sentences share, all of them hidden at once, "
        "summed.",
        f"{NANGIA}, section 3 (a formulation its authors tried)",
        logarithms=True,
    ),
    Rule(
        "pll_random15",
        FillsBlanks,
        partial(_blank, _random15, mean),
        f"The mean log-probability of shared tokens when a random 15 % of them (at least one) are "
        f"hidden together, over {ITERATIONS} seeded draws that are the same for both sentences.",
        f"{NANGIA}, section 3 (a formulation its authors tried)",
        logarithms=True,
    ),
    Rule(
        "pll_differing",
        FillsBlanks,
        partial(_blank, _differing, mean),
        "The mean log-probability of the tokens in which the sentences differ, each hidden in turn.",
        "Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132 (its code calls this CrowS-Pairs)",
        logarithms=True,
    ),
    Rule(
        "aul",
        ReadsUnhidden,
        partial(_blank, _unmasked, mean),
        "All-unmasked likelihood: the mean log-probability of every token, none of them hidden.",
        KANEKO,
        logarithms=True,
    ),
    Rule(
        "aula",
        Attends,
        _attended,
        "All-unmasked likelihood with attention: the mean over tokens of the log-probability, none "
        "hidden, times the attention the token receives, averaged over layers, heads and positions.",
        KANEKO,
        logarithms=True,
    ),
)
"""For masked and permutation language models; the first is the default."""
