"""Rules for masked language models: pseudo-likelihood in its published forms.

Natural logarithms throughout; a score is a sum over tokens unless its name says mean.
"""

import zlib
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import Undefined
from tiltmeter.core.model.protocols import Attends, FillsBlanks, ReadsUnhidden
from tiltmeter.core.model.requests import Blanked, Tokens
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring.pairs import Keep, PairScoring, Plan, each_alone
from tiltmeter.scoring.text_scoring import Combine, mean, total
from tiltmeter.scoring.token_scores import differing_positions, plain, some_shared

DRAWS = Setting(
    "draws",
    default="32",
    between=(1, 10_000),
    summary="Over how many random masks pll_random15 averages.",
)
MODIFIED, UNMODIFIED = "modified", "unmodified"
MASKED = Setting(
    "masked",
    default=MODIFIED,
    choices=(MODIFIED, UNMODIFIED),
    summary="The tokens of which pll_random15 hides a random 15 %: those in which the sentences "
    "differ (M in the paper), or those that they share (U).",
)


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


def hidden_together(tokens: Tokens, where: Sequence[int]) -> list[Blanked]:
    """Hide these tokens all at once and read them."""
    return [Blanked(tokens.ids, tuple(where), tuple(where))]


def _aligned(
    align: Keep, ask: Callable[[Tokens, Sequence[int]], list[Blanked]],
    _: Pair, first: Tokens, second: Tokens, __: Context,
) -> tuple[list[Blanked], list[Blanked]]:  # fmt: skip
    """Ask the same about both sentences, at the positions that `align` finds in each."""
    in_first, in_second = align(first, second)
    return ask(first, in_first), ask(second, in_second)


def _random15(
    pair: Pair, first: Tokens, second: Tokens, context: Context
) -> tuple[list[Blanked], list[Blanked]]:
    """Hide 15 % of some tokens at random and read them, many times."""
    of = context.settings.get(MASKED.name, MASKED.default)
    align = differing_positions if of == MODIFIED else some_shared
    in_first, in_second = align(first, second)
    draws = int(context.settings.get(DRAWS.name, DRAWS.default))
    # Seeded by the pair too, so that its masks do not depend on which other pairs are scored with it; and the
    # same for both sentences, so that equally many tokens are masked at the same places of their lists.
    seed = [context.seed, zlib.crc32(pair.id.encode())]
    return _drawn(first, in_first, draws, seed), _drawn(second, in_second, draws, seed)


def _drawn(tokens: Tokens, where: Sequence[int], draws: int, seed: Sequence[int]) -> list[Blanked]:
    rng, places = np.random.default_rng(seed), np.array(where)
    size = max(1, round(0.15 * len(places)))
    picks = [np.sort(rng.permutation(len(places))[:size]) for _ in range(draws)]
    return [blanks for pick in picks for blanks in hidden_together(tokens, places[pick].tolist())]


def _weighted_mean(answers: Sequence[Array]) -> float:
    """Mean over tokens of log-probability × attention; the weights are not renormalised."""
    ((logprobs, attention),) = answers
    return float(np.mean(logprobs * attention))


def _rule(
    name: str, plan: Plan[Blanked], combine: Combine, *, summary: str, source: str,
    needs: type = FillsBlanks, question: str = "blank_logprobs", settings: tuple[Setting, ...] = (),
) -> Rule[Pair]:  # fmt: skip
    score = PairScoring(question, plan, combine)
    return Rule(name, needs, score, summary, source, logarithms=True, settings=settings)


_UNMASKED = partial(each_alone, _unmasked)
RULES: tuple[Rule[Pair], ...] = (
    _rule(
        "pll_shared",
        partial(_aligned, some_shared, each_hidden),
        total,
        summary="The pseudo-log-likelihood of the tokens that both sentences share: one of them at a time "
        "is hidden while all other tokens stay visible, its log-probability is read, and these "
        "log-probabilities are summed.",
        source="Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154, equation 1",
    ),
    _rule(
        "pll_all",
        partial(each_alone, all_hidden),
        total,
        summary="The pseudo-log-likelihood of all tokens: one token at a time is hidden while all others "
        "stay visible, its log-probability is read, and these log-probabilities are summed.",
        source="Salazar et al. 2020, doi:10.18653/v1/2020.acl-main.240",
    ),
    _rule(
        "pll_word_l2r",
        partial(each_alone, left_to_right),
        total,
        summary="The pseudo-log-likelihood of all tokens: one token at a time is hidden together with the "
        "later pieces of its word, so that a rare word's pieces do not reveal each other; its "
        "log-probability is read, and these log-probabilities are summed.",
        source="Kauf and Ivanova 2023, doi:10.18653/v1/2023.acl-short.80",
    ),
    _rule(
        "pll_joint",
        partial(_aligned, some_shared, hidden_together),
        total,
        summary="The log-probabilities of the tokens that both sentences share, all of them hidden "
        "at once, summed.",
        source="Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154, section 3 (a formulation "
        "its authors tried)",
    ),
    _rule(
        "pll_random15",
        _random15,
        mean,
        summary="The mean log-probability of the tokens in which the sentences differ, when a random "
        "15 % of them (at least one) are hidden together, over many seeded draws.",
        source="Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154, section 3 (a formulation "
        "its authors tried)",
        settings=(DRAWS, MASKED),
    ),
    _rule(
        "pll_differing",
        partial(_aligned, differing_positions, each_hidden),
        mean,
        summary="The mean log-probability of the tokens in which the sentences differ, each hidden "
        "in turn.",
        source="Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132 (its code calls this "
        "CrowS-Pairs)",
    ),
    _rule(
        "aul",
        _UNMASKED,
        mean,
        needs=ReadsUnhidden,
        summary="All-unmasked likelihood: the mean log-probability of every token, none of them "
        "hidden.",
        source="Kaneko and Bollegala 2022, doi:10.1609/aaai.v36i11.21453",
    ),
    _rule(
        "aula",
        _UNMASKED,
        _weighted_mean,
        needs=Attends,
        question="attended_logprobs",
        summary="All-unmasked likelihood with attention: the mean over tokens of the "
        "log-probability, none hidden, times the attention the token receives, averaged over "
        "layers, heads and positions.",
        source="Kaneko and Bollegala 2022, doi:10.1609/aaai.v36i11.21453",
    ),
)
"""For masked and permutation language models; the first is the default."""
