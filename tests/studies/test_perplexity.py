"""Perplexities of two models on the same sentences."""

import math

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from tiltmeter.core.errors import BadInput
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.metrics.perplexity import bits_per_byte, perplexity

TOKENS = [4, 6, 5, 5] * 10


def result(name, nats, *, tokens=TOKENS, documents=None, texts=None, **card):
    """Sentences of so many nats a token; ten bytes a token."""
    nats = np.broadcast_to(nats, len(tokens))
    texts = texts or [f"sentence {i}" for i in range(len(tokens))]
    records = [
        Record(
            f"1/{i}",
            {"logprob": -float(n * t), "tokens_scored": float(t), "raw_bytes": 10.0 * TOKENS[i]},
            {},
            documents[i] if documents else "",
            texts={"text": texts[i]},
        )
        for i, (n, t) in enumerate(zip(nats, tokens, strict=True))
    ]
    facts = {
        "study": "perplexity", "study_version": "1", "data": {"sha256": "abc"}, "rule": "pll_all",
        "convention": "paper", "ties": "half", "seed": 0, "method": "", "counts": {},
    }  # fmt: skip
    return Result(Card(**(facts | {"model": {"name": name}} | card)), records, ())


def both(a, b):
    ratio, bits = compare(a, b)
    assert (ratio.name, bits.name) == ("perplexity_ratio", "bits_per_byte_difference")
    assert (ratio.neutral, bits.neutral) == (1, 0)
    return ratio, bits


def noisy(seed, mean):
    return np.random.default_rng(seed).normal(mean, 0.3, len(TOKENS))


def test_by_hand():
    ratio, bits = both(result("A", math.log(6)), result("B", math.log(4)))
    assert ratio.value == pytest.approx(1.5)
    assert bits.value == pytest.approx(math.log2(1.5) / 10)
    assert ratio.why.startswith("no interval")  # every resample is the same


def test_it_is_the_quotient_of_the_measures():
    a, b = result("A", noisy(1, 2)), result("B", noisy(2, 2.4))
    ratio, bits = both(a, b)

    def column(of, name):
        return np.array([r.scores[name] for r in of.records])

    one, other = (perplexity(column(r, "logprob"), column(r, "tokens_scored")) for r in (a, b))
    assert ratio.value == pytest.approx(one / other)
    one, other = (bits_per_byte(column(r, "logprob"), column(r, "raw_bytes")) for r in (a, b))
    assert bits.value == pytest.approx(one - other)
    assert ratio.low < ratio.value < ratio.high < 1
    assert ratio.p < 0.001
    assert ratio.model == "A ÷ B"


def test_turned_round_it_is_one_over_it():
    a, b = result("A", noisy(1, 2)), result("B", noisy(2, 2.4))
    (there, _), (back, _) = both(a, b), both(b, a)
    assert there.value == pytest.approx(1 / back.value)
    assert there.p == pytest.approx(back.p, abs=0.01)


def test_documents_are_drawn_whole():
    """All that differs is in one of two documents: three mixtures, and a test that can say little."""
    documents = ["a"] * 20 + ["b"] * 20
    nats = [math.log(2)] * 40
    other = [math.log(4)] * 20 + nats[20:]
    ratio, _ = both(result("A", nats, documents=documents), result("B", other, documents=documents))
    half = math.log(2) / 2 * 2**0.5 * stdtrit(1, 0.975) / ndtri(0.975)  # of two documents
    assert (ratio.low, ratio.high) == pytest.approx(
        (math.exp(-math.log(2) / 2 - half), math.exp(-math.log(2) / 2 + half))
    )
    assert ratio.p == 1
    assert "documents" in ratio.interval


def test_other_tokens_have_no_ratio():
    causal = {"rule": "log_likelihood"}
    a, b = result("A", 2.0, **causal), result("B", 2.0, tokens=[5, *TOKENS[1:]], **causal)
    ratio, bits = both(a, b)
    assert ratio.value is None
    assert ratio.why.startswith(
        "the models split 1 of 40 sentences into different numbers of tokens"
    )
    assert bits.value == pytest.approx(-2 / math.log(2) / (10 * sum(TOKENS)))
    ratio, bits = both(result("A", 2.0), result("B", 2.0, tokens=[5, *TOKENS[1:]]))
    assert ratio.value is None is bits.value  # pseudo-likelihoods are no probabilities of texts
    assert bits.why


def test_other_rules_have_neither():
    ratio, bits = both(result("A", 2.0), result("B", 2.0, rule="log_likelihood"))
    assert ratio.value is None is bits.value
    assert "pll_all and log_likelihood measure different things" in ratio.why


def test_other_texts_are_refused():
    a = result("A", 2.0)
    with pytest.raises(BadInput, match="different data"):
        compare(a, result("B", 2.0, texts=["other"] * 40, data={"sha256": "def"}))
    with pytest.raises(BadInput, match="different studies"):
        compare(a, result("B", 2.0, study="crows_pairs"))
