"""Perplexity and bits per byte of running text.

Columns have one row per sentence: `logprob` is the natural logarithm of its probability (or its
pseudo-log-likelihood), `tokens` the number of tokens summed over, `size` its bytes in UTF-8.
"""

from collections.abc import Callable
from math import log

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_numbers, uncertainty
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Column
from tiltmeter.stats.hypothesis_tests.equivalence import claims_of_ratio
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import cluster_sums, enough, resampled_sums
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

FEWEST = 40
"""The minimum number of documents or sentences for an interval. Where one in ten is unlike the others, 12 of
100 samples of 20 have none of these, and 83 to 88 intervals contained the true value."""
LARGEST = 700.0
"""The most nats per token: exp of more overflows."""
LN2 = log(2)


def perplexity(logprob: Array, tokens: Array) -> float:
    """exp(−Σ logprob / Σ tokens): every token counts the same, whatever sentence it is in.

    At least 1, which means predicting every token with certainty; k means being as uncertain as among k
    equally likely tokens. From pseudo-log-likelihoods it is the pseudo-perplexity of Salazar et al. 2020,
    doi:10.18653/v1/2020.acl-main.240. Models are comparable only if they tokenise text identically.

    Raises:
        Undefined: There are no sentences, or a probability is 0.

    >>> round(perplexity(np.log([1 / 8, 1 / 4]), np.array([3.0, 2.0])), 9)  # 5 tokens of 1/2 each
    2.0
    """
    nats = _nats(logprob, tokens)
    if nats > LARGEST:
        raise Undefined(f"{nats:,.0f} nats per token give a perplexity too large for a number")
    return float(np.exp(nats))


def bits_per_byte(logprob: Array, size: Array) -> float:
    """−Σ logprob / (ln 2 · Σ size): bits needed per byte of UTF-8 text.

    At least 0. Does not depend on the tokenisation: Gao et al. 2021, doi:10.48550/arXiv.2101.00027,
    section 3. From pseudo-log-likelihoods it is not a code length, since a masked model also sees the
    tokens that follow.

    Raises:
        Undefined: There are no sentences, or a probability is 0.

    >>> round(bits_per_byte(np.log([1 / 8, 1 / 2]), np.array([1.0, 1.0])), 9)
    2.0
    """
    return _nats(logprob, size) / LN2


def infer_perplexity(sample: Sample) -> Inference:
    """Stretched bootstrap of whole documents, or of sentences if all are from one.

    There is no test, since no perplexity is the one expected by chance.
    """
    return _resampled(sample, _as_perplexity)


def infer_bits(sample: Sample) -> Inference:
    """`infer_perplexity`, for a number in bits: the base-2 logarithm of the perplexity."""
    return _resampled(sample, _as_bits)


def compare_perplexities(sample: PairedSample) -> tuple[float, Inference]:
    """A's perplexity divided by B's; documents are resampled with both models' answers.

    Columns are log-probabilities and tokens. The test is the sign-flip test of documents (of sentences if
    all are from one).

    Raises:
        Undefined: The two models tokenise the text differently, so their perplexities are not comparable.
    """
    _check_tokens(sample.a[1], sample.b[1])
    return _compared(sample, _as_perplexity)


def compare_bits(sample: PairedSample) -> tuple[float, Inference]:
    """A's bits per byte minus B's, as `compare_perplexities`; columns are log-probabilities and bytes."""
    return _compared(sample, _as_bits, scale=_as_bits(1.0))


def compare_pseudo_bits(sample: PairedSample) -> tuple[float, Inference]:
    """`compare_bits` of pseudo-log-likelihoods; a third column holds the tokens.

    Raises:
        Undefined: The two models tokenise the text differently, so their sums are not comparable.
    """
    _check_tokens(sample.a[2], sample.b[2])
    return compare_bits(sample)


def _check_tokens(first: Column, second: Column) -> None:
    differing = int(np.sum(first != second))
    if differing:
        raise Undefined(
            f"the models split {differing:,} of {counted(len(first), 'sentences')} into different "
            "numbers of tokens, so numbers by token are not comparable"
        )


def _compared(
    sample: PairedSample, of: Callable[[float], float], *, scale: float = 1.0
) -> tuple[float, Inference]:
    """`of` the nats per token or byte by which A finds the text less likely than B.

    `scale` is what a small difference in nats is multiplied by.
    """
    log_a, size, log_b = as_numbers((*sample.a[:2], sample.b[0]))
    apart, clusters = log_b - log_a, sample.clusters
    nats = float(apart.sum() / size.sum())
    units = "sentences" if len(np.unique(clusters)) == len(apart) else "documents"

    def interval() -> tuple[float, float, str]:
        codes, k = enough(clusters)
        sums = cluster_sums(np.stack([apart, size], axis=1), codes, k)
        drawn = resampled_sums(sums, sample.rng)  # (draws, 2)
        ends = stretched(drawn[:, 0] / drawn[:, 1], nats, k, confidence=sample.confidence)
        low, high = map(of, ends)
        return low, high, f"stretched paired bootstrap of {units}, 2,000 draws"

    test = f"sign-flip test of {units}"
    return of(nats), uncertainty(
        interval,
        lambda: (sign_flip(apart, clusters, sample.rng), test),
        claims=claims_of_ratio(apart, size, clusters, scale=scale),
    )


def _nats(logprob: Array, size: Array) -> float:
    """Nats per unit of size: −Σ logprob / Σ size."""
    if len(logprob) != len(size):
        raise BadInput(
            f"there are {len(logprob):,} log-probabilities but {counted(len(size), 'sizes')}"
        )
    if not len(logprob):
        raise Undefined("no sentences")
    odd = ~(np.isfinite(logprob) & (size > 0))
    if odd.any():
        raise Undefined(
            f"{int(odd.sum()):,} of {counted(len(odd), 'sentences')} "
            f"{verb_for(int(odd.sum()), 'have')} a probability of 0"
        )
    return max(0.0, -float(logprob.sum()) / float(size.sum()))


def _as_perplexity(nats: float) -> float:
    return float(np.exp(min(nats, LARGEST)))


def _as_bits(nats: float) -> float:
    return nats / LN2


def _resampled(sample: Sample, of: Callable[[float], float]) -> Inference:
    """The interval of `of` −Σ logprob / Σ size, if there are documents enough."""
    codes, k = enough(sample.clusters)
    alone = k == len(codes)
    if k < FEWEST:
        few = counted(k, "sentences" if alone else "documents")
        why = f"{few} may not include any of the rare ones that differ most ({FEWEST} are needed)"
        return Inference(None, None, why=f"no interval: {why}")
    both = np.stack(as_numbers(sample.columns), axis=1)  # (n, 2)
    whole = cluster_sums(both, codes, k)
    sums = resampled_sums(whole, sample.rng)
    nats = -float(both[:, 0].sum() / both[:, 1].sum())
    shares = whole[:, 1] / whole[:, 1].sum()
    apart = (whole[:, 0] + nats * whole[:, 1]) / (1 - shares)
    freedom = freedom_of_spread(apart, 1 / float(shares @ shares))
    low, high = stretched(-sums[:, 0] / sums[:, 1], nats, freedom + 1)
    units = "sentences" if alone else "whole documents"
    how = f"stretched bootstrap of {units}, 2,000 draws"
    return Inference(of(low), of(high), interval=how)
