"""Two models on the same sentences of running text: ratio of perplexities, difference of bits."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis import paired
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Inference, Result
from tiltmeter.core.types import Array, Labels
from tiltmeter.metrics.perplexity import LARGEST, LN2
from tiltmeter.stats.bootstrap import cluster_sums, resampled_sums
from tiltmeter.stats.intervals import enough, percentiles
from tiltmeter.stats.significance import sign_flip

RATIO, APART = "perplexity_ratio", "bits_per_byte_difference"
SIZES = ("tokens_scored", "raw_bytes")


def is_text(result: Result) -> bool:
    """Whether it is of sentences, each with its log-probability and its size."""
    return bool(result.records) and {"logprob", *SIZES} <= set(result.records[0].scores)


@dataclass(frozen=True, slots=True)
class _Both:
    """The sentences that both results scored, in one order."""

    apart: Array
    """How much less likely a sentence is to A than to B, in nats."""
    size: Array
    clusters: Labels


def compare_texts(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """A's perplexity divided by B's, and A's bits per byte less B's, over all common sentences.

    Intervals resample documents (sentences where all are from one) with both models' answers; p is the
    sign-flip test of documents. There is no ratio where the models cut the text into different tokens,
    and no difference of bits where they do and either is scored by pseudo-likelihood: such a sum is
    no probability of the text.
    """
    mine, yours = paired.matched(a, b)
    note = paired.note(a, b, len(a.records) + len(b.records) - 2 * len(mine))
    names = ("logprob", *SIZES)
    log_a, tokens_a, bytes_a = paired.columns(a.card, mine, names)
    log_b, tokens_b, _ = paired.columns(b.card, yours, names)
    clusters = np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in mine])
    why = _other_tokens(tokens_a, tokens_b)
    pseudo = [card.rule for card in (a.card, b.card) if card.rule.startswith("pll")]
    if pseudo and a.card.rule != b.card.rule:
        why = f"the rules {a.card.rule} and {b.card.rule} measure different things"
    ratio = _Both(log_b - log_a, tokens_a, clusters)
    bits = _Both(log_b - log_a, bytes_a, clusters)
    return [
        _one(
            a, b, RATIO, ratio, "" if not why else f"{why}, so their ratio says nothing", note, seed
        ),
        _one(a, b, APART, bits, why if pseudo else "", note, seed),
    ]


def _other_tokens(one: Array, other: Array) -> str:
    differing = int(np.sum(one != other))
    if not differing:
        return ""
    return (
        f"the models cut {differing:,} of {len(one):,} sentences into different numbers of tokens"
    )


def _one(
    a: Result, b: Result, name: str, both: _Both, undefined: str, note: str, seed: int
) -> Estimate:
    is_ratio = name == RATIO
    of: Callable[[float], float] = _exp if is_ratio else _bits
    unit, neutral = ("", 1.0) if is_ratio else ("bits", 0.0)
    value, sure, why = None, Inference(None, None), undefined
    if not undefined:
        value = of(float(both.apart.sum() / both.size.sum()))
        sure, why = _sure(both, of, paired.rng_of(seed, name, {}))
    why = "; ".join(part for part in (why, note) if part)
    shown = paired.Number(name, value, unit, neutral, {}, why)
    return paired.estimate(a, b, shown, sure, n=len(both.apart), tied=0)


def _sure(
    both: _Both, of: Callable[[float], float], rng: np.random.Generator
) -> tuple[Inference, str]:
    def ends() -> tuple[float, float]:
        codes, k = enough(both.clusters)
        sums = cluster_sums(np.stack([both.apart, both.size], axis=1), codes, k)
        drawn = resampled_sums(sums, rng)  # (draws, 2)
        low, high = percentiles(drawn[:, 0] / drawn[:, 1])
        return of(low), of(high)

    units = "sentences" if len(set(both.clusters.tolist())) == len(both.apart) else "documents"
    sure, why = paired.interval(ends, kind=f"paired bootstrap of {units}, 2,000 draws")
    try:
        p = sign_flip(both.apart, both.clusters, rng)
        sure = sure._replace(p=p, test=f"sign-flip test of {units}")
    except Undefined as undefined:
        why = "; ".join(part for part in (why, f"no test: {undefined}") if part)
    return sure, why


def _exp(nats: float) -> float:
    return float(np.exp(min(nats, LARGEST)))


def _bits(nats: float) -> float:
    return nats / LN2
