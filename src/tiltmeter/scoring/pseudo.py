"""Rules for masked language models: pseudo-likelihood in its published forms.

Natural logarithms throughout; a score is a sum over tokens unless its name says mean.
"""

import zlib
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import Pair
from tiltmeter.core.protocols import Attends, FillsBlanks, ReadsUnhidden
from tiltmeter.core.requests import Blanked, Tokens
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring.pairs import Keep, PairScoring, Plan, each_alone
from tiltmeter.scoring.rule_words import RULE_WORDS
from tiltmeter.scoring.text_scoring import Combine, mean, total
from tiltmeter.scoring.token_scores import differing_positions, plain, some_shared

ITERATIONS = 32
"""How many random masks `pll_random15` averages over, as its words say."""


def each_hidden(tokens: Tokens, where: Sequence[int]) -> list[Blanked]:
    """Hide and read one of these tokens at a time."""
    return [Blanked(tokens.ids, (i,), (i,)) for i in where]


def all_hidden(tokens: Tokens, _: Context) -> list[Blanked]:
    """Hide and read each token that is not special, one at a time."""
    return each_hidden(tokens, plain(tokens))


def left_to_right(tokens: Tokens, _: Context) -> list[Blanked]:
    """Hide a token and the later pieces of its own word; read the token."""
    if not tokens.words:
        raise Undefined("this model's tokenizer does not report which pieces make up a word")
    last = {word: i for i, word in enumerate(tokens.words)}
    return [
        Blanked(tokens.ids, tuple(range(i, last[tokens.words[i]] + 1)), (i,)) for i in plain(tokens)
    ]


def _unmasked(tokens: Tokens, _: Context) -> list[Blanked]:
    return [Blanked(tokens.ids, (), tuple(plain(tokens)))]


def _together(tokens: Tokens, where: Sequence[int]) -> list[Blanked]:
    return [Blanked(tokens.ids, tuple(where), tuple(where))]


def _aligned(
    align: Keep, ask: Callable[[Tokens, Sequence[int]], list[Blanked]],
    _: Pair, first: Tokens, second: Tokens, __: Context,
) -> tuple[list[Blanked], list[Blanked]]:  # fmt: skip
    """The same of the positions in both sentences that `align` finds."""
    in_first, in_second = align(first, second)
    return ask(first, in_first), ask(second, in_second)


def _random15(
    pair: Pair, first: Tokens, second: Tokens, context: Context
) -> tuple[list[Blanked], list[Blanked]]:
    """The same draws for both sentences, so that they differ in nothing but the group."""
    in_first, in_second = (np.array(where) for where in some_shared(first, second))
    rng = np.random.default_rng([context.seed, zlib.crc32(pair.id.encode())])
    size = max(1, round(0.15 * len(in_first)))
    picks = [np.sort(rng.permutation(len(in_first))[:size]) for _ in range(ITERATIONS)]
    return (
        [blanks for pick in picks for blanks in _together(first, in_first[pick].tolist())],
        [blanks for pick in picks for blanks in _together(second, in_second[pick].tolist())],
    )


def _weighted_mean(answers: Sequence[Array]) -> float:
    """Mean over tokens of log-probability × attention; the weights are not renormalised."""
    ((logprobs, attention),) = answers
    return float(np.mean(logprobs * attention))


def _rule(
    name: str, plan: Plan[Blanked], combine: Combine, *,
    needs: type = FillsBlanks, question: str = "blank_logprobs",
) -> Rule[Pair]:  # fmt: skip
    score = PairScoring(question, plan, combine)
    return Rule(name, needs, score, ordinal=True, logarithms=True, **RULE_WORDS["pseudo"][name])


_UNMASKED = partial(each_alone, _unmasked)
RULES: tuple[Rule[Pair], ...] = (
    _rule("pll_shared", partial(_aligned, some_shared, each_hidden), total),
    _rule("pll_all", partial(each_alone, all_hidden), total),
    _rule("pll_word_l2r", partial(each_alone, left_to_right), total),
    _rule("pll_joint", partial(_aligned, some_shared, _together), total),
    _rule("pll_random15", _random15, mean),
    _rule("pll_differing", partial(_aligned, differing_positions, each_hidden), mean),
    _rule("aul", _UNMASKED, mean, needs=ReadsUnhidden),
    _rule("aula", _UNMASKED, _weighted_mean, needs=Attends, question="attended_logprobs"),
)
"""For masked and permutation language models; the first is the default."""
